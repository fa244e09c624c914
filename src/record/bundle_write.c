/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --bundle: store the code that was traced in the recording.
 *
 * Only a decoder could tell which pages were executed. Therefore all ranges that were mapped as
 * executable are stored, once for each file, with the ELF headers, symbols and notes that a reader
 * needs, and without debug information and data.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <pt/bundle.h>
#include <pt/config/DEFLATE.h>
#include <pt/config/UNWIND.h>
#include <pt/zip.h>
#include <pt/file.h>
#include <pt/out.h>

#include "elf_view.h"
#include "own_kernel.h"
#include "record.h"

enum { KERNEL = 1 };

static void pad(struct perf_writer *w)
{
	static const u8 zero[8];

	perf_write_bytes(w, zero, -w->at & 7);
}

static void write_part(struct perf_writer *w, const struct bundle_part *p, struct bytes bytes)
{
	u8 head[BUNDLE_PART_HEAD] = { 0 };
	size_t name = strlen(p->name) + 1;

	set32(head, p->flags);
	set32(head + 4, name);
	set64(head + 8, p->off);
	set64(head + 16, p->size);
	set64(head + 24, bytes.len);
	set64(head + 32, p->whole);
	memcpy(head + 40, p->build_id, sizeof(p->build_id));
	head[60] = p->build_id_size;
	perf_write_bytes(w, head, sizeof(head));
	perf_write_bytes(w, p->name, name);
	pad(w);
	perf_write_bytes(w, bytes.at, bytes.len);
	pad(w);
}

/* Write 'bytes', which are at p->off of the file, in parts, compressed if that makes them
 * smaller. */
static void write_bytes(struct perf_writer *w, struct bundle_part p, struct bytes bytes)
{
	while (bytes.len) {
		struct bytes part = bytes_first(bytes, BUNDLE_PART), smaller = { 0 };
		struct arena scratch = { 0 };

		if (CONFIG_DEFLATE)
			smaller = zip_deflate(part, &scratch);
		p.size = part.len;
		p.flags = smaller.len ? BUNDLE_DEFLATED : 0;
		write_part(w, &p, smaller.len ? smaller : part);
		arena_free(&scratch);
		p.off += part.len;
		bytes = bytes_skip(bytes, part.len);
	}
}

/* Files. */

struct pieces {
	struct { u64 off, end; } *at;
	u32 n, room;
	u64 size;		/* of the file */
	struct arena *arena;
};

static void add_piece(struct pieces *p, u64 off, u64 len)
{
	if (!len || off >= p->size)
		return;
	if (p->n == p->room) {
		p->room = MAX(32, 2 * p->room);
		p->at = arena_grow(p->arena, p->at, sizeof(*p->at), p->n, p->room);
	}
	p->at[p->n].off = off;
	p->at[p->n++].end = off + MIN(len, p->size - off);
}

/* Sections other than data and debug information are small and useful. */
static bool is_useful(const struct elf_section *s)
{
	switch (s->type) {
	case SHT_SYMTAB:
	case SHT_DYNSYM:
	case SHT_STRTAB:
	case SHT_NOTE:
	case SHT_REL:
	case SHT_RELA:
	case SHT_DYNAMIC:
		return true;
	default:
		return false;
	}
}

/* Add .eh_frame, by which recorded stacks are unwound, of a 64-bit file. */
static void add_frames(struct pieces *p, const struct elf_view *e)
{
	static const char wanted[] = ".eh_frame";
	struct elf_section names, s;
	u64 head, name;
	u32 i;

	if (!e->wide || !elf_view_section(e, get16(e->file.at + offsetof(Elf64_Ehdr, e_shstrndx)),
					  &names))
		return;
	for (i = 0; i < e->shnum; i++) {
		head = e->shoff + (u64)i * e->shsize;
		if (!elf_view_section(e, i, &s))
			continue;
		name = get32(e->file.at + head);
		if (name < names.size && names.size - name >= sizeof(wanted) &&
		    !memcmp(e->file.at + names.off + name, wanted, sizeof(wanted)))
			add_piece(p, s.off, s.size);
	}
}

static void add_elf_pieces(struct pieces *p, struct bytes file, bool frames)
{
	struct elf_section s;
	struct elf_view e;
	u32 i;

	if (!elf_view_open(&e, file))
		return;
	add_piece(p, 0, sizeof(Elf64_Ehdr));
	add_piece(p, e.phoff, (u64)e.phnum * e.phsize);
	add_piece(p, e.shoff, (u64)e.shnum * e.shsize);
	for (i = 0; i < e.shnum; i++)
		if (elf_view_section(&e, i, &s) && is_useful(&s))
			add_piece(p, s.off, s.size);
	if (CONFIG_UNWIND && frames)
		add_frames(p, &e);
}

static void sort_pieces(struct pieces *p)
{
	u32 i, j, n = 0;

	for (i = 1; i < p->n; i++)
		for (j = i; j && p->at[j - 1].off > p->at[j].off; j--) {
			u64 off = p->at[j].off, end = p->at[j].end;

			p->at[j] = p->at[j - 1];
			p->at[j - 1].off = off;
			p->at[j - 1].end = end;
		}
	for (i = 0; i < p->n; i++) {
		if (n && p->at[i].off <= p->at[n - 1].end)
			p->at[n - 1].end = MAX(p->at[n - 1].end, p->at[i].end);
		else
			p->at[n++] = p->at[i];
	}
	p->n = n;
}

static void write_file(struct record *r, const struct record_dso *dso, struct bytes file)
{
	struct pieces p = { .size = file.len, .arena = r->arena };
	const struct record_range *range;
	struct bundle_part part = {
		.whole = file.len, .name = dso->name, .build_id_size = dso->build_id_size,
	};
	u32 i;

	memcpy(part.build_id, dso->build_id, sizeof(part.build_id));
	/* An instruction may begin in a range and end up to 15 bytes after it (trans_code.c). */
	for (range = dso->ranges; range; range = range->next)
		add_piece(&p, range->off, range->len + 15);
	add_elf_pieces(&p, file, CONFIG_UNWIND &&
		       r->samples.sample_type >> PERF_S_STACK_USER & 1);
	sort_pieces(&p);
	for (i = 0; i < p.n; i++) {
		part.off = p.at[i].off;
		write_bytes(&r->w, part, bytes_first(bytes_skip(file, p.at[i].off),
						     p.at[i].end - p.at[i].off));
	}
}

/* 0 or -errno. */
static int write_path(struct record *r, const struct record_dso *dso)
{
	struct bytes file;
	int fd = dsos_open(dso), err;

	if (fd < 0)
		return fd;
	err = file_map(&file, fd);
	close(fd);
	if (err)
		return err;
	write_file(r, dso, file);
	file_unmap(&file);
	return 0;
}

/* The symbols of a stripped file may be in a separate file, which is found by build-id. */
static void write_debug(struct record *r, const struct record_dso *dso)
{
	struct record_dso debug = { .build_id_size = dso->build_id_size };
	char name[96], *at = put_str(name, "/usr/lib/debug/.build-id/");
	u32 i;

	if (dso->build_id_size < 2)
		return;
	for (i = 0; i < dso->build_id_size; i++) {
		at = put_byte(at, dso->build_id[i]);
		if (!i)
			at = put_char(at, '/');
	}
	*put_str(at, ".debug") = 0;
	memcpy(debug.build_id, dso->build_id, sizeof(debug.build_id));
	debug.name = name;
	write_path(r, &debug);
}

/* Write one file. A name that is not a path, or a file that was deleted, is skipped. */
static void write_dso(struct record *r, const struct record_dso *dso)
{
	int err;

	if (!strcmp(dso->name, "[vdso]")) {
		write_file(r, dso, dsos_vdso());
		return;
	}
	if (*dso->name != '/' || !strncmp(dso->name, "//", 2))
		return;
	err = write_path(r, dso);
	if (err)
		record_say(r, 1, "--bundle: %s: %s", dso->name, strerror(-err));
	else
		write_debug(r, dso);
}

/* The kernel. */

/* Collects bytes into parts of the usual size. */
struct stream { struct perf_writer *w; struct bundle_part part; u8 *buf; size_t fill; };

static void flush(struct stream *s)
{
	write_bytes(s->w, s->part, (struct bytes){ s->buf, s->fill });
	s->part.off += s->fill;
	s->fill = 0;
}

static bool put(void *who, const void *bytes, size_t len)
{
	struct stream *s = who;

	if (s->fill + len > BUNDLE_PART)
		flush(s);
	memcpy(s->buf + s->fill, bytes, len);
	s->fill += len;
	return !s->w->err;
}

/* The length of a file in /proc, which has no size: read it once and count. */
static u64 length_of(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	u8 buf[4096];
	u64 len = 0;
	ssize_t n;

	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		len += n;
	if (fd >= 0)
		close(fd);
	return len;
}

static void write_list(struct record *r, struct stream *s, const char *path)
{
	u64 left = length_of(path);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	u8 buf[4096];
	ssize_t n;

	s->part = (struct bundle_part){ .name = path, .whole = left };
	while (fd >= 0 && left && (n = read(fd, buf, MIN(sizeof(buf), left))) > 0) {
		put(s, buf, n);
		left -= n;
	}
	flush(s);
	if (fd >= 0)
		close(fd);
}

static void write_kernel(struct record *r)
{
	struct arena scratch = { 0 };
	struct stream s = { .w = &r->w, .buf = arena_alloc(&scratch, BUNDLE_PART) };
	struct own_kernel_code code;
	struct own_kernel k;
	int err = own_kernel_open(&k);

	if (!err) {
		err = own_kernel_code(&code, r->arena) ? 0 : -EPERM;
		s.part = (struct bundle_part){ .name = "/proc/kcore" };
		s.part.whole = own_kernel_core_size(&code);
		if (!err && !own_kernel_core(&k, &code, &(struct own_kernel_sink){ put, &s }))
			err = -EIO;
		flush(&s);
		own_kernel_close(&k);
	}
	if (err) {
		record_say(r, 0, "--bundle: the kernel's code cannot be read: %s", strerror(-err));
	} else {
		write_list(r, &s, "/proc/kallsyms");
		write_list(r, &s, "/proc/modules");
	}
	arena_free(&scratch);
}

void bundle_write(struct record *r)
{
	const struct record_dso *dso;
	bool kernel = false;

	perf_write_feature_start(&r->w, PERF_FEAT_BUNDLE);
	perf_write_bytes(&r->w, BUNDLE_MAGIC, 8);
	perf_write_u32(&r->w, BUNDLE_VERSION);
	perf_write_u32(&r->w, 0);
	for (dso = r->dsos->first; dso; dso = dso->next) {
		kernel |= dso->cpumode == KERNEL;
		if (dso->cpumode != KERNEL)
			write_dso(r, dso);
	}
	if (kernel)
		write_kernel(r);
	perf_write_feature_end(&r->w);
}
