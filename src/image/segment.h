/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The part of ELF that is needed even without libelf: at which addresses a file is loaded, and
 * where its notes are.
 */
#ifndef SEGMENT_H
#define SEGMENT_H

#include <pt/base.h>

enum { SEGMENT_LOAD = 1 };	/* PT_LOAD */

/* A program header, or a section header (then 'vaddr' and 'memsz' are not set). */
struct segment {
	u32 type, flags;
	u64 vaddr, off, filesz, memsz;
};

/* The headers of an ELF file of either class, little-endian. */
struct segments {
	struct bytes rest;
	bool wide, sections;
};

struct segments segments_of(struct bytes elf);
struct segments segments_sections(struct bytes elf);

/* The next header; false at the end. Its contents are not checked. */
bool segment_next(struct segments *all, struct segment *s);

/* The address that offset 'off' of 'elf' has in its headers. False if it is not loaded. */
bool segments_address(struct bytes elf, u64 off, u64 *addr);

/* The bytes [off, off+len) of 'b', as far as they are there. */
static inline struct bytes slice(struct bytes b, u64 off, u64 len)
{
	return off > b.len ? (struct bytes){ 0 } : bytes_first(bytes_skip(b, off), MIN(len, b.len));
}

#endif
