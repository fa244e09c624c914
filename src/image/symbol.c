/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses to names: the symbol table of a DSO, loaded when it is first needed.
 */
#include <unistd.h>

#include <pt/config/GUESTS.h>
#include <pt/config/KERNEL.h>
#include <pt/config/LIBELF.h>
#include <pt/config/SRCLINE.h>
#include <pt/num.h>

#include "dwarf_line.h"
#include "image.h"
#include "segment.h"
#include "symtab.h"

/* A line of a JIT's map file: start and length in hexadecimal, and a name, which may contain
 * blanks. */
static void add_line(struct symtab *t, const char *line, size_t len)
{
	const char *at, *end = line + len;
	u64 start, size;

	at = num_read(line, 16, &start);
	if (!at || at + 3 >= end)
		return;
	at = num_read(at + 1, 16, &size);
	if (!at || at + 3 >= end)
		return;
	symtab_add(t, start, size, at + 1, end - at - 1, BIND_GLOBAL);
}

struct symbols *symbols_of_jit(struct images *im, struct bytes text)
{
	struct symtab t = { 0 };
	const char *line = (const char *)text.at, *end = line + text.len, *stop;

	for (; line < end && (stop = memchr(line, '\n', end - line)); line = stop + 1)
		add_line(&t, line, stop - line);
	return symtab_finish(&t, im->arena);
}

struct symbols *symbols_of_one(struct images *im, u64 start, u64 size, const char *name)
{
	struct symtab t = { 0 };

	symtab_add(&t, start, size, name, strlen(name), BIND_GLOBAL);
	return symtab_finish(&t, im->arena);
}

static struct symbols *load_jit(struct images *im, struct dso *dso)
{
	struct symbols *s = NULL;
	struct bytes text;
	int fd = file_open_below(im->symfs, dso->name);

	if (fd < 0)
		return NULL;
	if (!file_map(&text, fd)) {
		s = symbols_of_jit(im, text);
		file_unmap(&text);
	}
	close(fd);
	return s;
}

/* The list of the running kernel has the real addresses of a module's symbols; its file is the
 * second choice. */
static struct symbols *load_module(struct images *im, struct dso *dso)
{
	const struct map *m = space_find(images_kernel(im), dso->start);
	struct symbols *s = kernel_symbols(im);

	if (s && m && symtab_starts_in(s, m->start, m->end))
		return s;
	return CONFIG_LIBELF && dso->path ? symbols_of_module(im, dso) : NULL;
}

static struct symbols *load(struct images *im, struct dso *dso)
{
	switch (dso->kind) {
	case DSO_FILE:
	case DSO_VDSO:
		return CONFIG_LIBELF ? symbols_of_elf(im, dso) : NULL;
	case DSO_JIT:
		return load_jit(im, dso);
	case DSO_KERNEL:
		return CONFIG_KERNEL ? kernel_symbols(im) : NULL;
	case DSO_MODULE:
		return CONFIG_KERNEL ? load_module(im, dso) : NULL;
	default:
		return NULL;
	}
}

const struct symbol *dso_symbol(struct images *im, struct dso *dso, u64 addr)
{
	const struct symbol *s;

	if (!dso->loaded) {
		if (CONFIG_GUESTS && dso->guest)
			im = dso->guest;
		dso->loaded = true;
		dso->symbols = load(im, dso);
	}
	s = symtab_find(dso->symbols, addr);
	/* The last symbol of a module extends to the next module. */
	return s && s->start < dso->start ? NULL : s;
}

bool symbol_is(const struct symbol *sym, const char *name, size_t len)
{
	const char *at;

	for (at = sym->name; *at; at += strlen(at) + 1)
		if (!strncmp(at, name, len) && (!at[len] || !strncmp(at + len, "@@", 2)))
			return true;
	return false;
}

bool symbol_in_list(const struct symbol *sym, const char *list)
{
	size_t n;

	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (symbol_is(sym, list, n))
			return true;
	}
	return false;
}

const struct symbol *dso_symbol_named(struct images *im, struct dso *dso, const char *name)
{
	u32 i;

	dso_symbol(im, dso, 0);
	for (i = 0; dso->symbols && i < dso->symbols->n; i++)
		if (symbol_is(&dso->symbols->at[i], name, strlen(name)))
			return &dso->symbols->at[i];
	return NULL;
}

const struct symbol *dso_symbol_after(struct images *im, struct dso *dso, const char *name,
				      const struct symbol *last)
{
	const struct symbol *s;

	if (!last)
		return dso_symbol_named(im, dso, name);
	for (s = last + 1; s < dso->symbols->at + dso->symbols->n; s++)
		if (symbol_is(s, name, strlen(name)))
			return s;
	return NULL;
}

static const struct line_rows *rows_of(struct images *im, struct dso *dso)
{
	if (!CONFIG_SRCLINE || (dso->kind != DSO_FILE && dso->kind != DSO_VDSO))
		return NULL;
	if (!dso->lines)
		dso->lines = lines_of_elf(im, dso);
	return dso->lines;
}

static struct source_line line_of(const struct line_rows *rows, u32 i)
{
	const struct line_row *row = &rows->rows[i];
	const char *path, *slash;

	if (row->file == LINE_END || !row->line || !*(path = rows->names[row->file]))
		return (struct source_line){ 0 };
	slash = strrchr(path, '/');
	return (struct source_line){ slash ? slash + 1 : path, path, row->line };
}

bool dso_source_row(struct images *im, struct dso *dso, u32 i, u64 *addr, struct source_line *to)
{
	const struct line_rows *rows = rows_of(im, dso);

	if (!rows || i >= rows->n)
		return false;
	*addr = rows->rows[i].addr;
	*to = line_of(rows, i);
	return true;
}

bool dso_source_line(struct images *im, struct dso *dso, u64 addr, struct source_line *to)
{
	const struct line_rows *rows = rows_of(im, dso);
	u32 from = 0, end;

	if (!rows)
		return false;
	/* The last row that is not after the address. */
	for (end = rows->n; from < end;) {
		u32 middle = from + (end - from) / 2;

		if (rows->rows[middle].addr <= addr)
			from = middle + 1;
		else
			end = middle;
	}
	if (!from)
		return false;
	*to = line_of(rows, from - 1);
	return to->file;
}

bool dso_source_file(struct images *im, struct dso *dso, u64 addr, struct source_line *to)
{
	const struct symbol_file *f;
	u32 from = 0, end;

	if (!CONFIG_SRCLINE || dso->kind != DSO_FILE)
		return false;
	if (!dso->files)
		dso->files = symbol_files_of_elf(im, dso);
	f = dso->files->at;
	for (end = dso->files->n; from < end;) {
		u32 middle = from + (end - from) / 2;

		if (f[middle].start <= addr)
			from = middle + 1;
		else
			end = middle;
	}
	if (!from || addr >= f[from - 1].end)
		return false;
	*to = (struct source_line){ f[from - 1].file, f[from - 1].file, 0 };
	return true;
}

u64 dso_own_address(struct images *im, struct dso *dso, u64 off)
{
	u64 addr;

	return dso->kind == DSO_FILE && segments_address(dso_file_bytes(im, dso), off, &addr) ?
		addr : off;
}
