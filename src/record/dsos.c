/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The files that code was mapped from, and their build-ids, by which a reader on another machine
 * knows whether it has the same files.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <pt/file.h>
#include <pt/out.h>
#include <pt/target.h>

#include "record.h"

enum { KERNEL = 1, PROT_X = 4, NEAR = 4096 };

static u32 hash(const char *s)
{
	u32 h = 5381;

	while (*s)
		h = h * 33 + (u8)*s++;
	return h % RECORD_DSO_HASH;
}

static struct record_dso *find(struct record_dsos *d, const char *name)
{
	struct record_dso **at = &d->by_name[hash(name)], *dso;

	for (dso = *at; dso; dso = dso->same_hash)
		if (!strcmp(dso->name, name))
			return dso;
	dso = NEW(d->arena, struct record_dso, 1);
	dso->name = arena_str(d->arena, name);
	dso->same_hash = *at;
	*at = *d->last = dso;
	d->last = &dso->next;
	d->n++;
	return dso;
}

/* Add a range. Ranges that overlap, or have at most NEAR bytes between them, become one: code that
 * a program makes has thousands. */
static void add_range(struct record_dsos *d, struct record_dso *dso, u64 off, u64 len)
{
	struct record_range *range;

	for (range = dso->ranges; range; range = range->next) {
		u64 end = MAX(range->off + range->len, off + len);

		if (off > range->off + range->len + NEAR || range->off > off + len + NEAR)
			continue;
		range->off = MIN(range->off, off);
		range->len = end - range->off;
		return;
	}
	range = NEW(d->arena, struct record_range, 1);
	range->off = off;
	range->len = len;
	range->next = dso->ranges;
	dso->ranges = range;
}

void dsos_see(void *who, const struct perf_mmap *m, u16 misc)
{
	bool kernel = (misc & 7) == KERNEL;
	struct record_dso *dso;

	if (!kernel && !(m->prot & PROT_X))
		return;
	dso = find(who, m->name);
	dso->cpumode = misc & 7;
	dso->pid = m->pid;
	if (m->build_id && m->build_id_size <= sizeof(dso->build_id)) {
		memcpy(dso->build_id, m->build_id, m->build_id_size);
		dso->build_id_size = m->build_id_size;
	}
	add_range(who, dso, kernel ? m->start : m->pgoff, m->len);
}

struct bytes dsos_vdso(void)
{
	const u8 *at = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *h = (const void *)at;

	if (!at)
		return (struct bytes){ 0 };
	return (struct bytes){ at, h->e_shoff + (u64)h->e_shnum * h->e_shentsize };
}

static void set_id(struct record_dso *dso, struct bytes id)
{
	if (id.len && id.len <= sizeof(dso->build_id)) {
		memcpy(dso->build_id, id.at, id.len);
		dso->build_id_size = id.len;
	}
}

/* The notes of the kernel and of modules are files in sysfs. */
static void read_notes(struct record_dso *dso, const char *path)
{
	u8 notes[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, notes, sizeof(notes));
	close(fd);
	if (n > 0)
		set_id(dso, note_find_build_id((struct bytes){ notes, n }));
}

static void read_kernel_id(struct record_dso *dso)
{
	const char *name;
	char path[256];
	size_t i;

	if (!strncmp(dso->name, "[kernel", 7)) {
		read_notes(dso, "/sys/kernel/notes");
		return;
	}
	/* "[ext4]" or ".../ext4.ko.xz"; sysfs has '_' for '-' */
	name = strrchr(dso->name, '/');
	name = name ? name + 1 : dso->name + 1;
	fmt_str(path, sizeof(path), "/sys/module/%.*s/notes/.note.gnu.build-id",
		(int)strcspn(name, ".]"), name);
	for (i = strlen("/sys/module/"); path[i] && path[i] != '/'; i++)
		if (path[i] == '-')
			path[i] = '_';
	read_notes(dso, path);
}

int dsos_open(const struct record_dso *dso)
{
	int fd = file_open(dso->name);

	return fd != -ENOENT || !dso->pid ? fd : target_file(dso->pid, dso->name);
}

static void read_file_id(struct record_dso *dso)
{
	struct bytes file;
	int fd;

	if (*dso->name != '/' || !strncmp(dso->name, "//", 2))
		return;
	fd = dsos_open(dso);
	if (fd < 0)
		return;
	if (!file_map(&file, fd)) {
		set_id(dso, note_build_id(file));
		file_unmap(&file);
	}
	close(fd);
}

static void read_id(struct record_dso *dso)
{
	if (dso->cpumode == KERNEL)
		read_kernel_id(dso);
	else if (!strcmp(dso->name, "[vdso]"))
		set_id(dso, note_build_id(dsos_vdso()));
	else
		read_file_id(dso);
}

/* The build-id of the vDSO is left out: with it, perf searches its cache in $HOME, and no longer
 * uses the vDSO of the running kernel. */
static bool has_known_id(const struct record_dso *dso)
{
	return dso->build_id_size && strcmp(dso->name, "[vdso]");
}

/* Here perf uses another name for the kernel than in its maps. */
static const char *build_id_name(const struct record_dso *dso)
{
	bool kernel = dso->cpumode == KERNEL && !strncmp(dso->name, "[kernel", 7);

	return kernel ? "[kernel.kallsyms]" : dso->name;
}

void dsos_write_build_ids(struct record_dsos *d, struct perf_writer *w)
{
	struct record_dso *dso;

	perf_write_feature_start(w, PERF_FEAT_BUILD_ID);
	for (dso = d->first; dso; dso = dso->next) {
		if (!dso->build_id_size)
			read_id(dso);
		if (has_known_id(dso))
			perf_write_build_id(w, dso->cpumode, build_id_name(dso), dso->build_id,
					    dso->build_id_size);
	}
	perf_write_feature_end(w);
}
