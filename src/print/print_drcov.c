/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * DynamoRIO's drcov format, with which Lighthouse, bncov, Cutter and others mark executed code. It
 * has a table of modules, and 8 bytes for each executed block: its offset in the module, its size
 * and the number of the module.
 *
 * Manual: DynamoRIO's drcov.c, and drcovlib's documentation.
 */
#include <elf.h>

#include <pt/print_tree.h>

enum { SIZE_MAX_OF_BLOCK = 0xffff, MODULES_MAX = 0xffff };

/* A DSO with its linked addresses. */
struct module {
	struct module *next;
	struct dso *dso;
	u32 nr;
	bool is_elf;
	u64 base, end;
	struct bytes headers;	/* of segments */
	u32 n_headers;
};

static const Elf64_Phdr *load_header(const struct module *m, u32 i)
{
	const Elf64_Phdr *h = (const Elf64_Phdr *)(m->headers.at + i * sizeof(*h));

	return h->p_type == PT_LOAD ? h : NULL;
}

static void read_headers(struct images *im, struct module *m)
{
	struct bytes file = dso_bytes(im, m->dso, 0);
	const Elf64_Phdr *h;
	Elf64_Ehdr e;
	u32 i;

	if (file.len < sizeof(e))
		return;
	memcpy(&e, file.at, sizeof(e));
	if (memcmp(e.e_ident, ELFMAG, SELFMAG) || e.e_ident[EI_CLASS] != ELFCLASS64 ||
	    e.e_phentsize != sizeof(Elf64_Phdr) || e.e_phoff % 8)
		return;
	m->headers = bytes_skip(file, MIN(e.e_phoff, (u64)file.len));
	m->n_headers = MIN(e.e_phnum, m->headers.len / sizeof(Elf64_Phdr));
	m->base = ~0ULL;
	for (i = 0; i < m->n_headers; i++)
		if ((h = load_header(m, i))) {
			m->is_elf = true;
			m->base = MIN(m->base, h->p_vaddr & ~0xfffULL);
			m->end = MAX(m->end, h->p_vaddr + h->p_memsz);
		}
}

/* The linked address of the byte at offset 'off' of the file. */
static u64 address(const struct module *m, u64 off)
{
	const Elf64_Phdr *h;
	u32 i;

	for (i = 0; i < m->n_headers && m->is_elf; i++)
		if ((h = load_header(m, i)) && off - h->p_offset < h->p_filesz)
			return off - h->p_offset + h->p_vaddr;
	return off;
}

static struct module *module_of(struct arena *arena, struct images *im, struct module **first,
				struct dso *dso)
{
	struct module **at = first, *m;

	/* Most blocks are of the same module as the block before. */
	for (; (m = *at); at = &m->next)
		if (m->dso == dso)
			return m;
	m = NEW(arena, struct module, 1);
	m->dso = dso;
	read_headers(im, m);
	if (!m->is_elf)
		m->base = ~0ULL;
	return *at = m;
}

static void put_block(struct out *out, const struct module *m, u64 start, u32 size)
{
	u8 entry[8];

	set32(entry, start - m->base);
	set16(entry + 4, size);
	set16(entry + 6, m->nr);
	out_bytes(out, entry, sizeof(entry));
}

static void put_modules(struct out *out, struct module *first, u32 n)
{
	const struct module *m;
	const char *name;

	out_fmt(out, "DRCOV VERSION: 2\nDRCOV FLAVOR: drcov\nModule Table: version 2, count %u\n"
		"Columns: id, base, end, entry, path\n", n);
	for (m = first; m; m = m->next) {
		out_fmt(out, "%3u, 0x%016llx, 0x%016llx, 0x0, ", m->nr, m->base, m->end);
		for (name = m->dso->name; *name; name++)
			out_char(out, (u8)*name < ' ' || *name == 0x7f ? '?' : *name);
		out_char(out, '\n');
	}
}

void print_drcov(struct out *out, const struct tree *tree, enum tree_weight weight)
{
	struct session *s = &tree->list->session;
	struct module *first = NULL, *m;
	const struct block *block;
	u32 n = 0, n_blocks = 0;
	u32 left;
	u64 at;

	(void)weight;
	for (block = tree->blocks->first; block; block = block->next) {
		if (!block->dso)
			continue;
		m = module_of(&s->arena, &s->images, &first, block->dso);
		n_blocks += (block->len + SIZE_MAX_OF_BLOCK - 1) / SIZE_MAX_OF_BLOCK;
		if (m->is_elf)
			continue;
		m->base = MIN(m->base, block->addr & ~0xfffULL);
		m->end = MAX(m->end, block->addr + block->len);
	}
	for (m = first; m; m = m->next)
		m->nr = n++;
	put_modules(out, first, n);
	out_fmt(out, "BB Table: %u bbs\n", n_blocks);
	for (block = tree->blocks->first; block && !out->err; block = block->next) {
		if (!block->dso)
			continue;
		m = module_of(&s->arena, &s->images, &first, block->dso);
		at = address(m, block->addr);
		for (left = block->len; left > SIZE_MAX_OF_BLOCK; left -= SIZE_MAX_OF_BLOCK) {
			put_block(out, m, at, SIZE_MAX_OF_BLOCK);
			at += SIZE_MAX_OF_BLOCK;
		}
		put_block(out, m, at, left);
	}
}
