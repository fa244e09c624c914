/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ELF headers of either class to one form.
 * Source: System V ABI, "Object Files".
 */
#include <elf.h>

#include "elf_view.h"

static bool inside(const struct elf_view *e, u64 off, u64 size)
{
	return off <= e->file.len && size <= e->file.len - off;
}

/* Copy a header of the file's class; it may be unaligned in the file. */
#define READ(header, off) ({ \
	header header_ = { 0 }; \
	if (inside(e, off, sizeof(header_))) \
		memcpy(&header_, e->file.at + (off), sizeof(header_)); \
	header_; })

#define TAKE_HEAD(header) do { \
	header h = READ(header, 0); \
	e->phoff = h.e_phoff; \
	e->shoff = h.e_shoff; \
	e->phnum = h.e_phnum; \
	e->shnum = h.e_shnum; \
	e->phsize = h.e_phentsize; \
	e->shsize = h.e_shentsize; \
} while (0)

/* The number of headers, of 'n' with 'size' bytes each, that can be inside the file. This bounds
 * loops over the list. */
static u32 possible(const struct elf_view *e, u64 off, u32 n, u32 size, size_t least)
{
	if (size < least || off > e->file.len)
		return 0;
	return MIN((u64)n, (e->file.len - off + size - 1) / size);
}

bool elf_view_open(struct elf_view *e, struct bytes file)
{
	*e = (struct elf_view){ .file = file };
	if (file.len < sizeof(Elf64_Ehdr) || memcmp(file.at, ELFMAG, SELFMAG) ||
	    file.at[EI_DATA] != ELFDATA2LSB)
		return false;
	e->wide = file.at[EI_CLASS] == ELFCLASS64;
	if (e->wide)
		TAKE_HEAD(Elf64_Ehdr);
	else
		TAKE_HEAD(Elf32_Ehdr);
	e->phnum = possible(e, e->phoff, e->phnum, e->phsize,
			    e->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	e->shnum = possible(e, e->shoff, e->shnum, e->shsize,
			    e->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
	return true;
}

#define TAKE_SECTION(header) do { \
	header h = READ(header, off); \
	*s = (struct elf_section){ .type = h.sh_type, .link = h.sh_link, .flags = h.sh_flags, \
		.off = h.sh_offset, .size = h.sh_size, .item = h.sh_entsize }; \
} while (0)

bool elf_view_section(const struct elf_view *e, u32 i, struct elf_section *s)
{
	u64 off = e->shoff + (u64)i * e->shsize;

	if (i >= e->shnum || !inside(e, off, e->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)))
		return false;
	if (e->wide)
		TAKE_SECTION(Elf64_Shdr);
	else
		TAKE_SECTION(Elf32_Shdr);
	if (s->type == SHT_NOBITS || s->type == SHT_NULL)
		s->size = 0;
	return inside(e, s->off, s->size);
}

#define TAKE_SEGMENT(header) do { \
	header h = READ(header, off); \
	*s = (struct elf_segment){ .type = h.p_type, .flags = h.p_flags, .off = h.p_offset, \
		.addr = h.p_vaddr, .size = h.p_filesz }; \
} while (0)

bool elf_view_segment(const struct elf_view *e, u32 i, struct elf_segment *s)
{
	u64 off = e->phoff + (u64)i * e->phsize;

	if (i >= e->phnum || !inside(e, off, e->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return false;
	if (e->wide)
		TAKE_SEGMENT(Elf64_Phdr);
	else
		TAKE_SEGMENT(Elf32_Phdr);
	return inside(e, s->off, s->size);
}

#define TAKE_SYMBOL(header) do { \
	header h = READ(header, at); \
	name = h.st_name; \
	*sym = (struct elf_symbol){ .value = h.st_value, .size = h.st_size, \
		.bind = h.st_info >> 4, .type = h.st_info & 15, .section = h.st_shndx }; \
} while (0)

bool elf_view_symbol(const struct elf_view *e, const struct elf_section *s, u32 i,
		struct elf_symbol *sym)
{
	u64 size = e->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym), at = s->off + i * size;
	struct elf_section strings;
	u64 name;

	if ((i + 1) * size > s->size || !elf_view_section(e, s->link, &strings))
		return false;
	if (e->wide)
		TAKE_SYMBOL(Elf64_Sym);
	else
		TAKE_SYMBOL(Elf32_Sym);
	sym->name = "";
	if (name < strings.size && memchr(e->file.at + strings.off + name, 0, strings.size - name))
		sym->name = (const char *)e->file.at + strings.off + name;
	return true;
}

bool elf_view_offset(const struct elf_view *e, u64 addr, u64 *off)
{
	struct elf_segment s;
	u32 i;

	for (i = 0; i < e->phnum; i++) {
		if (!elf_view_segment(e, i, &s) || s.type != PT_LOAD || addr < s.addr ||
		    addr - s.addr >= s.size)
			continue;
		*off = s.off + (addr - s.addr);
		return true;
	}
	return false;
}
