/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ELF files of either class, as far as symbols need them.
 */
#ifndef ELF_H
#define ELF_H

#include <pt/base.h>

struct elf_section {
	const char *name;	/* never NULL */
	u32 type, link;
	u64 flags, addr, off, size, entsize;
};

struct elf {
	u16 machine;
	bool wide;		/* of the 64-bit class */
	struct elf_section *sections;	/* from 1 on */
	u32 n_sections;
	struct bytes file;
	struct arena *arena;
};

/* Read the headers of 'file' into 'a'. False if it is not an ELF file. */
bool elf_open(struct elf *e, struct bytes file, struct arena *a);

/* The arena of libelf's memory while elf_open() runs. */
extern struct arena *elf_heap;

/* The section with that name, or 0. */
u32 elf_find(const struct elf *e, const char *name);

/* The contents of a section, decompressed if necessary; empty if it has none. */
struct bytes elf_bytes(struct elf *e, u32 section);

/* The same for a string table: if it is not empty, it ends with NUL. */
struct bytes elf_strings(struct elf *e, u32 section);

/* A section of symbols or relocations: 'n' entries. */
struct elf_table {
	struct bytes bytes;
	u32 n, size;
	bool wide;
};

struct elf_symbol {
	u64 value, size;
	u32 name;		/* an offset in the strings of the section's link */
	u16 section;		/* its number, or SHN_ABS and the like */
	u8 type, bind, visibility;
};

/* False if the section is not such a table. 'i' must be below 'n'. */
bool elf_table(struct elf *e, u32 section, struct elf_table *t);
void elf_symbol(const struct elf_table *t, u32 i, struct elf_symbol *s);

/* The number of the symbol of a REL or RELA entry. */
u32 elf_reloc(const struct elf_table *t, u32 i);

#endif
