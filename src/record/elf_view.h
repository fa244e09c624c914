/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The part of ELF files that a recorder needs: sections, segments and symbols of either class, with
 * all bounds checked. It works without libelf, in every build.
 */
#ifndef ELF_VIEW_H
#define ELF_VIEW_H

#include <pt/base.h>

struct elf_view {
	struct bytes file;
	bool wide;		/* 64-bit class */
	u64 phoff, shoff;
	u32 phnum, shnum, phsize, shsize;
};

struct elf_section { u32 type, link; u64 flags, off, size, item; };
struct elf_segment { u32 type, flags; u64 off, addr, size; };
struct elf_symbol { const char *name; u64 value, size; u8 bind, type; u16 section; };

/* False if it is not a little-endian ELF file. 'e' borrows 'file'. */
bool elf_view_open(struct elf_view *e, struct bytes file);

/* Read section i; false if it does not exist, or if its contents are not in the file. (A section
 * without bytes in the file has size 0.) */
bool elf_view_section(const struct elf_view *e, u32 i, struct elf_section *s);
bool elf_view_segment(const struct elf_view *e, u32 i, struct elf_segment *s);

/* Read symbol i of the table in section 's'. */
bool elf_view_symbol(const struct elf_view *e, const struct elf_section *s, u32 i,
		struct elf_symbol *sym);

/* The offset in the file of the byte that is loaded at 'addr'; false if there is none. */
bool elf_view_offset(const struct elf_view *e, u64 addr, u64 *off);

#endif
