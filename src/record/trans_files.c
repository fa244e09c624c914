/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that a reader of the recording would not find by their names.
 *
 * Those of another mount namespace (a container) are copied to the folder OUTPUT.files-PID as soon
 * as they are mapped, and their maps get the names of the copies. Where pt trace or pt crash reads
 * meanwhile, there is no folder: then they are copied to the file of code (trans_code.c), in which
 * a reader finds no symbols.
 *
 * Files that are younger than the recording may be deleted before it ends (go run deletes what it
 * ran). They stay open; if one has no name at the end, it is copied then, and its maps are written
 * again with the times when it was mapped.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <pt/config/SOFT_SNAPSHOT.h>
#include <pt/file.h>
#include <pt/host.h>
#include <pt/out.h>
#include <pt/target.h>

#include "trans.h"

enum { COPIES_MAX = 1 << 30 };	/* bytes: further files are gaps */

/* Where the bytes of a file are. name NULL: they could not be copied. */
struct place {
	const char *name;
	u64 off;
};

/* A file of another mount namespace. */
struct foreign {
	struct foreign *next;
	struct region r;
	struct place copy;
};

/* What was mapped of a young file. The first of them holds the file, by a mapping in pt. */
struct young {
	struct young *next, *first;
	struct region r;
	dev_t dev;
	ino_t ino;
	i32 pid, tid;
	u64 when;
	struct bytes file;
	struct place copy;
};

struct soft_files {
	struct foreign *foreign;
	struct young *young;
	const char *folder;
	u64 copied;
	bool full;
};

static bool write_all(int fd, struct bytes b)
{
	ssize_t n;

	for (; b.len; b = bytes_skip(b, n)) {
		n = write(fd, b.at, b.len);
		if (n <= 0)
			return false;
	}
	return true;
}

/* Copy a file to the folder, with a number after its name if another one has that. */
static const char *copy_to_folder(struct soft *s, const char *name, struct bytes file)
{
	struct soft_files *f = s->files;
	const char *base = strrchr(name, '/');
	size_t size;
	char *path;
	int fd;
	u32 i;

	if (!f->folder) {
		f->folder = trans_beside(s, "files");
		mkdir(f->folder, 0700);
	}
	size = strlen(f->folder) + strlen(base) + 16;
	path = arena_alloc(s->r->arena, size);
	fmt_str(path, size, "%s%s", f->folder, base);
	for (i = 1; (fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) < 0 &&
		    errno == EEXIST; i++)
		fmt_str(path, size, "%s%s.%u", f->folder, base, i);
	if (fd >= 0 && write_all(fd, file)) {
		close(fd);
		return path;
	}
	record_say(s->r, 0, "%s: %s: what runs of this file is a gap", path, strerror(errno));
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	return NULL;
}

static struct place copy(struct soft *s, const char *name, struct bytes file)
{
	struct soft_files *f = s->files;
	struct place to = { 0 };

	if (f->copied + file.len > COPIES_MAX) {
		if (!f->full)
			record_say(s->r, 0, "more than %u MiB of files are not found by "
				   "name: others are gaps", COPIES_MAX >> 20);
		f->full = true;
		return to;
	}
	f->copied += file.len;
	if (s->r->code_fd >= 0)
		to.name = trans_code_copy(s, file, &to.off);
	else
		to.name = copy_to_folder(s, name, file);
	return to;
}

/* Open the file of a map, whatever its name is. The first way needs rights. */
static int open_mapped(const struct tracee *t, const struct region *r)
{
	char path[64];
	int fd;

	fmt_str(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", t->pid, r->start, r->end);
	fd = file_open(path);
	if (fd >= 0)
		return fd;
	return target_file(t->pid, r->name);
}

/* The file of 'r' is 'fd', to which its name does not lead: change the region to a copy. */
static void place(struct soft *s, struct region *r, int fd)
{
	struct soft_files *f = s->files;
	struct foreign *x;
	struct bytes file;

	for (x = f->foreign; x; x = x->next)
		if (x->r.name == r->name && x->r.ino == r->ino && x->r.maj == r->maj &&
		    x->r.min == r->min)
			break;
	if (!x) {
		x = NEW(s->r->arena, struct foreign, 1);
		*x = (struct foreign){ .next = f->foreign, .r = *r };
		f->foreign = x;
		if (!file_map(&file, fd)) {
			x->copy = copy(s, r->name, file);
			file_unmap(&file);
		}
	}
	if (x->copy.name) {
		r->name = x->copy.name;
		r->pgoff += x->copy.off;
	}
}

static void hold(struct soft *s, const struct tracee *t, const struct region *r,
		 const struct stat *st)
{
	struct young **at = &s->files->young, *y, *first = NULL;
	int fd;

	for (; (y = *at); at = &y->next)
		if (y->r.ino == r->ino && y->r.name == r->name)
			first = y->first;
	*at = y = NEW(s->r->arena, struct young, 1);
	*y = (struct young){ .first = first ? first : y, .r = *r, .dev = st->st_dev,
			     .ino = st->st_ino, .pid = t->pid, .tid = t->tid,
			     .when = s->when ? s->when : host_tsc() };
	if (first)
		return;
	fd = file_open(r->name);
	file_map(&y->file, fd);
	close(fd);
}

static bool is_same(const struct stat *st, dev_t dev, ino_t ino)
{
	return st->st_dev == dev && st->st_ino == ino;
}

/* Does the name of 'r' lead to its file? If not, 'r' becomes a map of a copy. */
static bool is_named(struct soft *s, const struct tracee *t, struct region *r, struct stat *st)
{
	bool named = !stat(r->name, st), found;
	struct stat mapped;
	int fd;

	if (named && is_same(st, makedev(r->maj, r->min), r->ino))
		return true;
	fd = open_mapped(t, r);
	if (fd < 0)
		return false;
	/* In some file systems the numbers in maps are others. */
	found = named && !fstat(fd, &mapped) && is_same(st, mapped.st_dev, mapped.st_ino);
	if (!found)
		place(s, r, fd);
	close(fd);
	return found;
}

void trans_file_map(struct soft *s, const struct tracee *t, const struct region *r)
{
	bool keeps = r->ino && (!s->r->w.pipe || s->r->code_fd >= 0), named;
	struct region told = *r;
	struct stat st;

	if (!s->files)
		s->files = NEW(s->r->arena, struct soft_files, 1);
	named = keeps && is_named(s, t, &told, &st);
	soft_write_map(s, t->pid, t->tid, &told);
	/* A flight recorder runs for days: it must not hold all files of that time. */
	if (named && !s->r->w.pipe && !(CONFIG_SOFT_SNAPSHOT && s->kept) &&
	    st.st_ctime >= s->since.tv_sec)
		hold(s, t, r, &st);
}

bool trans_files_are_held(const struct soft *s)
{
	return s->files && s->files->young;
}

void trans_files_end(struct soft *s)
{
	struct young *y = s->files ? s->files->young : NULL;
	struct stat st;

	for (; y; y = y->next) {
		if (y->file.len && (stat(y->r.name, &st) || !is_same(&st, y->dev, y->ino)))
			y->copy = copy(s, y->r.name, y->file);
		if (!y->first->copy.name)
			continue;
		y->r.name = y->first->copy.name;
		y->r.pgoff += y->first->copy.off;
		s->when = y->when;
		soft_write_map(s, y->pid, y->tid, &y->r);
	}
}
