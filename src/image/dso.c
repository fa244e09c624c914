/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * DSOs: names to files, files to bytes.
 *
 * A DSO is identified by its name; two builds that were recorded under one name are two DSOs. Its
 * file is mapped when its bytes are first needed.
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <pt/bundle.h>
#include <pt/config/BUNDLE.h>
#include <pt/config/GUESTS.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/text.h>

#include "image.h"
#include "segment.h"

struct dso_file {
	struct bytes bytes;
	bool ours;		/* mapped here, so it has to be unmapped */
};

enum { BUCKETS_MIN = 32 };

void images_say(struct images *im, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (!im->say)
		return;
	va_start(ap, fmt);
	fmt_vstr(line, sizeof(line), fmt, ap);
	va_end(ap);
	im->say(im->who, line);
}

static u32 hash(const char *s)
{
	u32 h = 2166136261u;

	while (*s)
		h = (h ^ (u8)*s++) * 16777619u;
	return h ^ h >> 16;
}

/* May 'dso' be the build 'id'? */
static bool is_build(const struct dso *dso, const u8 *id, unsigned int size)
{
	return !size || !dso->build_id_size ||
	       (dso->build_id_size == size && !memcmp(dso->build_id, id, size));
}

static void set_build_id(struct dso *dso, const u8 *id, unsigned int size)
{
	if (size)
		memcpy(dso->build_id, id, size);
	dso->build_id_size = size;
}

static enum dso_kind kind_of(const char *name)
{
	static const struct { const char *start; u8 kind; } table[] = {
		{ "[kernel.kallsyms]", DSO_KERNEL },
		{ "[guest.kernel.kallsyms", DSO_KERNEL },
		{ "[vdso", DSO_VDSO },
		{ "[vsyscall]", DSO_GENERATED },
		{ "[stack", DSO_ANON },
		{ "[heap]", DSO_ANON },
		{ "[uprobes", DSO_GENERATED },
		{ "//anon", DSO_ANON },
		{ "/dev/zero", DSO_ANON },
		{ "/anon_hugepage", DSO_ANON },
		{ "/SYSV", DSO_ANON },
	};
	size_t i;

	for (i = 0; i < N_ELEM(table); i++)
		if (!strncmp(name, table[i].start, strlen(table[i].start)))
			return table[i].kind;
	if (!strncmp(name, "/tmp/perf-", 10) && text_after(name, ".map"))
		return DSO_JIT;
	return DSO_FILE;
}

/* The last part of the name; of /tmp/perf-PID.map as perf calls it. */
static const char *short_name(struct arena *arena, const struct dso *dso)
{
	const char *slash = strrchr(dso->name, '/');
	char jit[32];
	u64 pid;

	if (dso->kind == DSO_JIT && num_read(dso->name + 10, 10, &pid)) {
		fmt_str(jit, sizeof(jit), "[JIT] tid %llu", pid);
		return arena_str(arena, jit);
	}
	return slash && slash[1] ? slash + 1 : dso->name;
}

struct dso *dso_add(struct images *im, const char *name)
{
	struct dso *dso = NEW(im->arena, struct dso, 1);

	dso->name = arena_str(im->arena, name);
	dso->kind = kind_of(name);
	dso->short_name = short_name(im->arena, dso);
	dso->index = im->n_dsos++;
	if (CONFIG_GUESTS && im->host) {
		dso->index = im->host->n_dsos++;
		dso->guest = im;
	}
	if (!im->last)
		im->last = &im->dsos;
	*im->last = dso;
	im->last = &dso->next;
	return dso;
}

/* Double the hash table, so that lookups stay fast. */
static void grow_hash(struct images *im)
{
	struct dso *dso, **bucket;

	im->n_buckets = im->n_buckets ? 2 * im->n_buckets : BUCKETS_MIN;
	im->by_name = NEW(im->arena, struct dso *, im->n_buckets);
	for (dso = im->dsos; dso; dso = dso->next) {
		if (!dso->by_name)
			continue;
		bucket = &im->by_name[hash(dso->name) & (im->n_buckets - 1)];
		dso->same_hash = *bucket;
		*bucket = dso;
	}
}

struct dso *dso_get(struct images *im, const char *name, const u8 *build_id, unsigned int size)
{
	struct dso **bucket, *dso;

	size = MIN(size, (unsigned int)NOTE_ID);
	if (im->n_dsos >= im->n_buckets)
		grow_hash(im);
	bucket = &im->by_name[hash(name) & (im->n_buckets - 1)];
	for (dso = *bucket; dso; dso = dso->same_hash)
		if (!strcmp(dso->name, name) && is_build(dso, build_id, size))
			break;
	if (!dso) {
		dso = dso_add(im, name);
		dso->by_name = true;
		dso->same_hash = *bucket;
		*bucket = dso;
	}
	if (size && !dso->build_id_size)
		set_build_id(dso, build_id, size);
	return dso;
}

const char *dso_kernel_name(const struct images *im)
{
	return CONFIG_GUESTS && im->host ? im->kernel_name : "[kernel.kallsyms]";
}

void dso_say_missing(struct images *im, struct dso *dso)
{
	char id[NOTE_ID_TEXT];
	int err = dso->unsaid;

	if (!err)
		return;
	dso->unsaid = 0;
	dso_id_text(dso, id);
	images_say(im, "cannot read %s%s%s%s: %s", dso->name, *id ? " (build-id " : "", id,
		   *id ? ")" : "", err == -ENOEXEC ? "it is not an ELF file" : strerror(-err));
}

/* Report a file that is not the one that was recorded. */
static void compare_build(struct images *im, const struct dso *dso, struct bytes file)
{
	char was[NOTE_ID_TEXT], is[NOTE_ID_TEXT];
	struct bytes id;

	if (!dso->build_id_size)
		return;
	id = note_build_id(file);
	if (!id.len || (id.len == dso->build_id_size && !memcmp(id.at, dso->build_id, id.len)))
		return;
	dso_id_text(dso, was);
	note_id_text(is, id.at, id.len);
	images_say(im, "%s is not the file that was recorded: build-id %s, recorded %s",
		   dso->path ? dso->path : dso->name, is, was);
}

/* The vDSO of this process. Its length is only in its own headers; they are the kernel's and can
 * be trusted. */
static struct bytes own_vdso(void)
{
	const u8 *at = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	enum { SHOFF = 40, SHENTSIZE = 58, SHNUM = 60 };	/* in Elf64_Ehdr */

	if (!at || sizeof(long) != 8)
		return (struct bytes){ 0 };
	return (struct bytes){ at, round_up(get64(at + SHOFF) + get16(at + SHENTSIZE) *
					    get16(at + SHNUM), 4096) };
}

int images_open_bundled(const struct images *im, const char *name, const u8 *id,
			unsigned int id_size)
{
	return CONFIG_BUNDLE && im->bundle ? bundle_file(im->bundle, name, id, id_size) : -ENOENT;
}

/* Map the file of 'fd', and close it. */
static int map_file(struct dso *dso, int fd)
{
	int err;

	if (fd < 0)
		return fd;
	err = file_map(&dso->file->bytes, fd);
	dso->file->ours = !err;
	close(fd);
	return err;
}

/* The right vDSO is that of the recorded machine. This machine's is used if it is known to be the
 * same machine, or if the build-id is the same. */
static int open_vdso(struct images *im, struct dso *dso)
{
	struct bytes own = own_vdso(), id = own.len ? note_build_id(own) : own;

	if (im->vdso) {
		dso->path = im->vdso;
		return map_file(dso, file_open(im->vdso));
	}
	if (!map_file(dso, images_open_bundled(im, dso->name, dso->build_id, dso->build_id_size)))
		return 0;
	if (!map_file(dso, cache_open(im, dso, "vdso")))
		return 0;
	if (strcmp(dso->name, "[vdso]"))
		return -ENOENT;
	if (dso->build_id_size ? is_build(dso, id.at, id.len) && id.len : im->this_machine)
		dso->file->bytes = own;
	return dso->file->bytes.len ? 0 : -ENOENT;
}

/* A recording may name any file, /etc/shadow too. The bytes of a file that is not a program are
 * not printed as instructions, unless the command line says that they are code. */
static int map_program(struct images *im, struct dso *dso, int fd)
{
	int err = map_file(dso, fd);
	struct bytes *b = &dso->file->bytes;

	if (err || im->any_file_is_code || (b->len > 4 && !memcmp(b->at, "\177ELF", 4)))
		return err;
	file_unmap(b);
	dso->file->ours = false;
	return -ENOEXEC;
}

static int open_file(struct images *im, struct dso *dso)
{
	int fd = images_open_bundled(im, dso->name, dso->build_id, dso->build_id_size);

	if (fd < 0)
		fd = cache_open(im, dso, "elf");
	if (fd >= 0)
		return map_file(dso, fd);
	return map_program(im, dso, file_open_below(im->symfs, dso->path ? dso->path : dso->name));
}

static struct bytes open_dso(struct images *im, struct dso *dso)
{
	int err;

	if (dso->file)
		return dso->file->bytes;
	dso->file = NEW(im->arena, struct dso_file, 1);
	if (dso->kind != DSO_FILE && dso->kind != DSO_VDSO) {
		dso->missing = true;
		return dso->file->bytes;
	}
	err = dso->kind == DSO_VDSO ? open_vdso(im, dso) : open_file(im, dso);
	dso->missing = err;
	dso->unsaid = err;
	if (!err)
		compare_build(im, dso, dso->file->bytes);
	return dso->file->bytes;
}

struct bytes dso_code(struct images *im, struct dso *dso, u64 off)
{
	struct bytes b = open_dso(im, dso);

	return off < b.len ? bytes_skip(b, off) : (struct bytes){ 0 };
}

struct bytes dso_file_bytes(struct images *im, struct dso *dso)
{
	struct bytes b = open_dso(im, dso);

	dso_say_missing(im, dso);
	return b;
}

struct bytes dso_bytes(struct images *im, struct dso *dso, u64 off)
{
	dso_file_bytes(im, dso);
	return dso_code(im, dso, off);
}

void dso_close_all(struct images *im)
{
	struct dso *dso;

	for (dso = im->dsos; dso; dso = dso->next)
		if (dso->file && dso->file->ours)
			file_unmap(&dso->file->bytes);
}
