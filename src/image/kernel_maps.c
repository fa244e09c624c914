/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The kernel's maps, if a kcore tells what is where.
 *
 * perf then uses the parts of kcore as maps, so that modules are no longer distinguished from the
 * kernel; only code that was generated at run time is. This file does the same, because the DSO of
 * a symbol is part of each line.
 */
#define _GNU_SOURCE	/* memrchr() */
#include <unistd.h>

#include "image.h"
#include "kernel.h"

enum { LIST_MAX = 1 << 20, EXEC = 4 };

/* The hexadecimal number after the last 'x' of a line, or 0. */
static u64 last_hex(const char *line, const char *end)
{
	const char *x = memrchr(line, 'x', end - line);
	u64 v = 0;

	while (x && ++x < end) {
		unsigned int digit = (u8)*x - '0', letter = (u8)(*x | 0x20) - 'a';

		if (digit > 9 && letter > 5)
			break;
		v = v << 4 | (digit <= 9 ? digit : letter + 10);
	}
	return v;
}

/* Does the line of 'module', "[name]", have the address 'addr'? */
static bool is_at(const char *list, const char *module, u64 addr)
{
	size_t len = strlen(module);
	const char *end;

	for (; (end = strchr(list, '\n')); list = end + 1)
		if (len > 2 && !strncmp(list, module + 1, len - 2) && list[len - 2] == ' ')
			return last_hex(list, end) == addr;
	return false;
}

static const char *read_list(int fd, struct arena *a)
{
	char *list = NEW(a, char, LIST_MAX + 1);
	size_t len = 0;
	ssize_t n;

	while (len < LIST_MAX && (n = read(fd, list + len, LIST_MAX - len)) > 0)
		len += n;
	return list;
}

bool kernel_modules_same(struct images *im, int fd)
{
	struct arena scratch = { 0 };
	const char *list = read_list(fd, &scratch);
	const struct map *m = space_next(images_kernel(im), 0);
	bool same = true;

	for (; m && same; m = space_next(images_kernel(im), m->end))
		if (m->dso->kind == DSO_MODULE)
			same = is_at(list, m->dso->name, m->dso->start);
	arena_free(&scratch);
	return same;
}

void kernel_adopt(struct images *im, const struct kcore *c, struct dso *kernel)
{
	struct space *s = images_kernel(im), *old = space_fork(im, s);
	const struct map *m;
	u32 i;

	space_clear(im, s);
	for (i = 0; i < c->n_parts; i++) {
		const struct kcore_part *p = &c->parts[i];

		space_map(im, s, p->start, p->end - p->start, p->start, kernel, EXEC, 0);
	}
	for (m = space_next(old, 0); m; m = space_next(old, m->end))
		if (m->dso->kind == DSO_GENERATED)
			space_map(im, s, m->start, m->end - m->start, m->pgoff, m->dso, m->prot,
				  m->flags);
	space_clear(im, old);
}
