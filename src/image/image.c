/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The meaning of MMAP and KSYMBOL records: which DSO is where.
 *
 * perf reads the kernel's records by rules of its own, which this file repeats: executable memory
 * without a file is described by the map file of a JIT; a vDSO starts at its first byte whatever
 * its record says; a module is called [name] whichever file it came from.
 */
#include <pt/config/GUESTS.h>
#include <pt/config/KERNEL.h>
#include <pt/out.h>

#include "image.h"

enum { EXEC = 4, HUGETLB = 0x40000 };	/* PROT_EXEC, MAP_HUGETLB */

const struct map *space_mmap(struct images *im, struct space *s, const struct mapping *m)
{
	struct dso *dso = dso_get(im, m->name, m->build_id, m->build_id_size);
	u64 pgoff = m->pgoff;
	char name[40];

	if (dso->kind == DSO_ANON || m->flags & HUGETLB) {
		if (m->prot & EXEC && m->pid > 0) {
			fmt_str(name, sizeof(name), "/tmp/perf-%d.map", m->pid);
			dso = dso_get(im, name, NULL, 0);
		}
		pgoff = m->start;
	} else if (dso->kind == DSO_VDSO) {
		pgoff = 0;
	}
	return space_map(im, s, m->start, m->len, pgoff, dso, m->prot, m->flags);
}

u64 map_addr(struct images *im, const struct map *m, u64 addr)
{
	return addr - m->start + m->pgoff;
}

/* The end of the code at 'm': the file may continue in the next map. */
static u64 end_of_code(const struct space *s, const struct map *m)
{
	const struct map *next;

	while ((next = space_find(s, m->end)) && next->dso == m->dso &&
	       next->start == m->end && next->pgoff - m->pgoff == m->end - m->start)
		m = next;
	return m->end;
}

struct bytes space_bytes(struct images *im, struct space *s, u64 addr)
{
	const struct map *m = space_find(s, addr);

	if (!m)
		return (struct bytes){ 0 };
	if (CONFIG_GUESTS && s->guest)
		im = s->guest;
	if (CONFIG_KERNEL && s->is_kernel && m->dso->kind != DSO_FILE)
		return bytes_first(kernel_bytes(im, m->dso, addr), m->end - addr);
	return bytes_first(dso_code(im, m->dso, map_addr(im, m, addr)),
			   end_of_code(s, m) - addr);
}

/* perf's name of the module in file 'path': "[name]", with '_' for '-', or the last part of the
 * path if it does not end with .ko. */
static const char *module_name(struct images *im, const char *path)
{
	const char *base = strrchr(path, '/'), *dot;
	char *name, *c;

	base = base ? base + 1 : path;
	if (*base == '[')
		return base;
	dot = strrchr(base, '.');
	if (dot && dot - base > 3 && (!strcmp(dot, ".gz") || !strcmp(dot, ".xz")))
		dot -= 3;
	if (dot && dot > base && !strncmp(dot, ".ko", 3)) {
		name = NEW(im->arena, char, dot - base + 3);
		*name = '[';
		memcpy(name + 1, base, dot - base);
		name[dot - base + 1] = ']';
	} else {
		name = arena_str(im->arena, base);
	}
	for (c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

static struct dso *module(struct images *im, const char *path, const u8 *id, unsigned int size)
{
	struct dso *dso = dso_get(im, module_name(im, path), id, size);

	dso->kind = DSO_MODULE;
	if (*path == '/' && !dso->path)
		dso->path = arena_str(im->arena, path);
	return dso;
}

bool image_is_kernel_name(const char *name)
{
	return !strncmp(name, "[kernel.kallsyms", 16) ||
	       !strncmp(name, "[guest.kernel.kallsyms", 22);
}

const struct map *images_kernel_mmap(struct images *im, const struct mapping *m)
{
	const char *symbol = strchr(m->name, ']');
	u64 len = m->len;
	struct dso *dso;

	if (image_is_kernel_name(m->name)) {
		dso = dso_get(im, dso_kernel_name(im), m->build_id, m->build_id_size);
		if (CONFIG_KERNEL && symbol)
			kernel_reference(im, symbol + 1, m->pgoff);
		if (!m->start && !len)
			len = ~0ULL;
	} else if (*m->name == '/' || *m->name == '[') {
		dso = module(im, m->name, m->build_id, m->build_id_size);
		dso->start = m->start;
	} else {
		return NULL;
	}
	return space_map(im, images_kernel(im), m->start, len, m->start, dso, EXEC, 0);
}

void images_ksymbol(struct images *im, u64 addr, u32 len, bool gone, const char *name)
{
	struct space *s = images_kernel(im);
	const struct map *m = space_find(s, addr);
	struct dso *dso;

	if (gone && m && m->dso->kind != DSO_KERNEL)
		space_unmap(im, s, addr);
	if (gone || m)
		return;
	dso = dso_add(im, name);
	dso->kind = DSO_GENERATED;
	dso->loaded = true;
	dso->symbols = symbols_of_one(im, addr, len, dso->name);
	space_map(im, s, addr, len, addr, dso, EXEC, 0);
}

void images_text_poke(struct images *im, u64 addr, struct bytes now)
{
	const struct map *m = space_find(images_kernel(im), addr);

	if (!CONFIG_KERNEL || !m)
		return;
	kernel_poke(im, addr, bytes_first(now, m->end - addr), m->dso->kind == DSO_GENERATED);
	space_changed(im, im->kernel);
}

void images_build_id(struct images *im, const char *name, const u8 *id, unsigned int size)
{
	const char *last = module_name(im, name);

	if (image_is_kernel_name(name))
		dso_get(im, "[kernel.kallsyms]", id, size);
	else if (*last == '[' && *name == '/')
		module(im, name, id, size);
	else
		dso_get(im, name, id, size);
}

void images_close(struct images *im)
{
	if (CONFIG_KERNEL)
		kernel_close(im);
	dso_close_all(im);
}
