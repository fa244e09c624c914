/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ELF files to sections, symbols and relocations: all uses of libelf.
 *
 * libelf checks the file and reads the section headers. Nothing else is asked of it: the contents
 * are in the file's bytes, and libelf's conversions of section contents would cost 13 kB. String
 * tables are cut after their last NUL, so that every offset inside begins a string that ends
 * inside.
 */
#include <gelf.h>

#include "elf.h"
#include "segment.h"
#include <pt/config/ZLIB.h>
#include <pt/zip.h>

/* The part of the table in which all strings end. */
static struct bytes strings(struct bytes table)
{
	while (table.len && table.at[table.len - 1])
		table.len--;
	return table;
}

/* 'names_at' is the section with the names of the sections. */
static bool read_sections(struct elf *e, Elf *from, u32 names_at)
{
	struct bytes names;
	GElf_Shdr h;
	u32 i, n = 0;

	while (elf_getscn(from, n))
		n++;
	if (!gelf_getshdr(elf_getscn(from, 0), &h))
		return false;
	if (names_at == SHN_XINDEX)
		names_at = h.sh_link;
	if (!gelf_getshdr(elf_getscn(from, names_at), &h))
		return false;
	names = strings(slice(e->file, h.sh_offset, h.sh_size));
	e->sections = NEW(e->arena, struct elf_section, n);
	e->sections[0].name = "";
	for (i = 1; i < n; i++) {
		if (!gelf_getshdr(elf_getscn(from, i), &h))
			return false;
		e->sections[i] = (struct elf_section){
			h.sh_name < names.len ? (const char *)names.at + h.sh_name : "",
			h.sh_type, h.sh_link, h.sh_flags, h.sh_addr, h.sh_offset, h.sh_size,
			h.sh_entsize,
		};
	}
	e->n_sections = n;
	return true;
}

bool elf_open(struct elf *e, struct bytes file, struct arena *a)
{
	struct arena heap = { 0 };
	Elf *handle;
	bool can;
	u32 names_at;

	*e = (struct elf){ .file = file, .arena = a };
	if (file.len < sizeof(Elf64_Ehdr) || memcmp(file.at, ELFMAG, SELFMAG) ||
	    file.at[EI_DATA] != ELFDATA2LSB)
		return false;
	e->machine = get16(file.at + offsetof(Elf64_Ehdr, e_machine));
	e->wide = file.at[EI_CLASS] == ELFCLASS64;
	names_at = get16(file.at + (e->wide ? offsetof(Elf64_Ehdr, e_shstrndx) :
					      offsetof(Elf32_Ehdr, e_shstrndx)));
	elf_heap = &heap;
	elf_version(EV_CURRENT);
	handle = elf_memory((char *)file.at, file.len);
	can = handle && read_sections(e, handle, names_at);
	elf_end(handle);
	elf_heap = NULL;
	arena_free(&heap);
	return can;
}

u32 elf_find(const struct elf *e, const char *name)
{
	u32 i;

	for (i = 1; i < e->n_sections; i++)
		if (!strcmp(e->sections[i].name, name))
			return i;
	return 0;
}

static struct bytes inflate_section(struct elf *e, struct bytes b)
{
	u64 size;
	u32 head;

	if (e->wide) {
		head = sizeof(Elf64_Chdr);
		size = b.len < head ? 0 : get64(b.at + offsetof(Elf64_Chdr, ch_size));
	} else {
		head = sizeof(Elf32_Chdr);
		size = b.len < head ? 0 : get32(b.at + offsetof(Elf32_Chdr, ch_size));
	}
	if (!CONFIG_ZLIB || !size || get32(b.at) != ELFCOMPRESS_ZLIB)
		return (struct bytes){ 0 };
	return zip_inflate(bytes_skip(b, head), size, e->arena);
}

struct bytes elf_bytes(struct elf *e, u32 section)
{
	struct bytes b;

	if (!section || section >= e->n_sections || e->sections[section].type == SHT_NOBITS)
		return (struct bytes){ 0 };
	b = slice(e->file, e->sections[section].off, e->sections[section].size);
	if (e->sections[section].flags & SHF_COMPRESSED)
		b = inflate_section(e, b);
	return b;
}

struct bytes elf_strings(struct elf *e, u32 section)
{
	return strings(elf_bytes(e, section));
}

bool elf_table(struct elf *e, u32 section, struct elf_table *t)
{
	u32 type = section < e->n_sections ? e->sections[section].type : SHT_NULL;

	*t = (struct elf_table){ .bytes = elf_bytes(e, section), .wide = e->wide };
	if (type == SHT_SYMTAB || type == SHT_DYNSYM)
		t->size = e->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	else if (type == SHT_RELA)
		t->size = e->wide ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
	else if (type == SHT_REL)
		t->size = e->wide ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
	else
		return false;
	t->n = MIN(t->bytes.len / t->size, (size_t)INT32_MAX);
	return e->sections[section].entsize == t->size;
}

#define GET_SYMBOL(type, word) do { \
	at += (size_t)i * sizeof(type); \
	s->value = word(at + offsetof(type, st_value)); \
	s->size = word(at + offsetof(type, st_size)); \
	s->name = get32(at + offsetof(type, st_name)); \
	s->section = get16(at + offsetof(type, st_shndx)); \
	info = at[offsetof(type, st_info)]; \
	s->visibility = at[offsetof(type, st_other)] & 3; \
} while (0)

void elf_symbol(const struct elf_table *t, u32 i, struct elf_symbol *s)
{
	const u8 *at = t->bytes.at;
	u8 info;

	if (t->wide)
		GET_SYMBOL(Elf64_Sym, get64);
	else
		GET_SYMBOL(Elf32_Sym, get32);
	s->type = info & 15;
	s->bind = info >> 4;
}

u32 elf_reloc(const struct elf_table *t, u32 i)
{
	const u8 *at = t->bytes.at + (size_t)i * t->size;

	return t->wide ? get64(at + offsetof(Elf64_Rel, r_info)) >> 32 :
		get32(at + offsetof(Elf32_Rel, r_info)) >> 8;
}
