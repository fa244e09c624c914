/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses to names: which table a DSO has, loaded when it is first asked for.
 */
#include <unistd.h>

#include <pt/num.h>

#include "image.h"
#include "symtab.h"

/* A line of a JIT's map: where it starts, how long it is, both in hexadecimal,
 * and a name, which may have blanks in it. */
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

static struct symbols *load(struct images *im, struct dso *dso)
{
	switch (dso->kind) {
	case DSO_FILE:
	case DSO_VDSO:
		return CONFIG_LIBELF ? symbols_of_elf(im, dso) : NULL;
	case DSO_JIT:
		return load_jit(im, dso);
	default:
		return NULL;
	}
}

const struct symbol *dso_symbol(struct images *im, struct dso *dso, u64 addr)
{
	if (!dso->loaded) {
		dso->loaded = true;
		dso->symbols = load(im, dso);
	}
	return symtab_find(dso->symbols, addr);
}
