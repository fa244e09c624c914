/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * As much of an ELF file as a recorder has to know: sections and segments of
 * either class, every bound checked. It works without libelf, in every build.
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

/* False if it is no little-endian ELF file. */
bool elf_view_open(struct elf_view *e, struct bytes file);

/* The i-th; false if it is not there, or what it describes is not in the file
 * (a section without bytes in it has size 0). */
bool elf_view_section(const struct elf_view *e, u32 i, struct elf_section *s);
bool elf_view_segment(const struct elf_view *e, u32 i, struct elf_segment *s);

/* The i-th symbol of the table in section 's'. */
bool elf_view_symbol(const struct elf_view *e, const struct elf_section *s, u32 i,
		struct elf_symbol *sym);

/* The offset in the file of what is loaded at 'addr', or of 'addr' itself in a
 * file without segments. */
bool elf_view_offset(const struct elf_view *e, u64 addr, u64 *off);

#endif
