/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An ELF file to its build-id, without libelf: what was recorded can be told
 * from another build of it in every configuration.
 *
 * It is a note, found through the program headers, or through the section
 * headers where there are none (kernel modules).
 * Source: System V ABI, "Note Section"; NT_GNU_BUILD_ID of name "GNU".
 */
#include <elf.h>

#include "image.h"

/* The bytes [off, off+len) of 'b', as far as they are there. */
static struct bytes slice(struct bytes b, u64 off, u64 len)
{
	return off > b.len ? (struct bytes){ 0 } : bytes_first(bytes_skip(b, off), MIN(len, b.len));
}

struct bytes note_find_build_id(struct bytes notes)
{
	while (notes.len >= sizeof(Elf64_Nhdr)) {
		u32 name = get32(notes.at), desc = get32(notes.at + 4), type = get32(notes.at + 8);
		u64 at = sizeof(Elf64_Nhdr) + round_up(name, 4);

		if (at + desc > notes.len)
			break;
		if (type == NT_GNU_BUILD_ID && name == 4 && desc &&
		    !memcmp(notes.at + sizeof(Elf64_Nhdr), "GNU", 4))
			return bytes_first(bytes_skip(notes, at), desc);
		notes = bytes_skip(notes, at + round_up(desc, 4));
	}
	return (struct bytes){ 0 };
}

/* A table of headers: program headers, or section headers. */
struct table {
	struct bytes all;
	u32 type;		/* of a header that is about notes */
	u64 size;		/* of a header */
	u32 type_at, off_at, len_at;
	bool wide;		/* 64-bit class */
};

static struct bytes search(struct bytes elf, struct table t)
{
	struct bytes id, rest;

	for (rest = t.all; rest.len >= t.size; rest = bytes_skip(rest, t.size)) {
		u64 off = t.wide ? get64(rest.at + t.off_at) : get32(rest.at + t.off_at);
		u64 len = t.wide ? get64(rest.at + t.len_at) : get32(rest.at + t.len_at);

		if (get32(rest.at + t.type_at) != t.type)
			continue;
		id = note_find_build_id(slice(elf, off, len));
		if (id.len)
			return id;
	}
	return (struct bytes){ 0 };
}

/* The headers 'h->prefix_off' has, all 'h->prefix_num' of them. */
#define TABLE(header, list, about, prefix, off_field, len_field, wide) (struct table){ \
	slice(elf, h->list##off, (u64)h->list##num * sizeof(header)), about, sizeof(header), \
	offsetof(header, prefix##_type), offsetof(header, off_field), \
	offsetof(header, len_field), wide }

static struct bytes build_id_64(struct bytes elf)
{
	const Elf64_Ehdr *h = (const void *)elf.at;
	struct bytes id = search(elf, TABLE(Elf64_Phdr, e_ph, PT_NOTE, p, p_offset, p_filesz,
					       true));

	return id.len ? id : search(elf,
			TABLE(Elf64_Shdr, e_sh, SHT_NOTE, sh, sh_offset, sh_size, true));
}

static struct bytes build_id_32(struct bytes elf)
{
	const Elf32_Ehdr *h = (const void *)elf.at;
	struct bytes id = search(elf, TABLE(Elf32_Phdr, e_ph, PT_NOTE, p, p_offset, p_filesz,
					       false));

	return id.len ? id : search(elf,
			TABLE(Elf32_Shdr, e_sh, SHT_NOTE, sh, sh_offset, sh_size, false));
}

struct bytes note_build_id(struct bytes elf)
{
	if (elf.len < sizeof(Elf64_Ehdr) || memcmp(elf.at, ELFMAG, SELFMAG) ||
	    elf.at[EI_DATA] != ELFDATA2LSB)
		return (struct bytes){ 0 };
	return elf.at[EI_CLASS] == ELFCLASS64 ? build_id_64(elf) : build_id_32(elf);
}
