/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The headers of an ELF file, without libelf.
 *
 * A table has the offsets of fields in both classes, so there is one reader.
 *
 * Source: System V ABI, "Object Files".
 */
#include <elf.h>

#include "segment.h"

static bool is_elf(struct bytes elf)
{
	return elf.len >= sizeof(Elf64_Ehdr) && !memcmp(elf.at, ELFMAG, SELFMAG) &&
	       elf.at[EI_DATA] == ELFDATA2LSB;
}

struct segments segments_of(struct bytes elf)
{
	const Elf64_Ehdr *h64 = (const void *)elf.at;
	const Elf32_Ehdr *h32 = (const void *)elf.at;

	if (!is_elf(elf))
		return (struct segments){ 0 };
	if (elf.at[EI_CLASS] == ELFCLASS64)
		return (struct segments){ slice(elf, get64(&h64->e_phoff),
			get16(&h64->e_phnum) * sizeof(Elf64_Phdr)), .wide = true };
	return (struct segments){ slice(elf, get32(&h32->e_phoff),
		get16(&h32->e_phnum) * sizeof(Elf32_Phdr)) };
}

struct segments segments_sections(struct bytes elf)
{
	const Elf64_Ehdr *h64 = (const void *)elf.at;
	const Elf32_Ehdr *h32 = (const void *)elf.at;

	if (!is_elf(elf))
		return (struct segments){ 0 };
	if (elf.at[EI_CLASS] == ELFCLASS64)
		return (struct segments){ slice(elf, get64(&h64->e_shoff),
			get16(&h64->e_shnum) * sizeof(Elf64_Shdr)),
			.wide = true, .sections = true };
	return (struct segments){ slice(elf, get32(&h32->e_shoff),
		get16(&h32->e_shnum) * sizeof(Elf32_Shdr)), .sections = true };
}

/* The offsets of fields in a header, and its length. */
struct layout {
	u8 size, type, flags, vaddr, off, filesz, memsz;
};

#define SEGMENT(h) { sizeof(h), offsetof(h, p_type), offsetof(h, p_flags), offsetof(h, p_vaddr), \
	offsetof(h, p_offset), offsetof(h, p_filesz), offsetof(h, p_memsz) }
#define SECTION(h) { sizeof(h), offsetof(h, sh_type), offsetof(h, sh_flags), offsetof(h, sh_addr), \
	offsetof(h, sh_offset), offsetof(h, sh_size), offsetof(h, sh_size) }

/* Indexed by sections, wide. */
static const struct layout layouts[2][2] = {
	{ SEGMENT(Elf32_Phdr), SEGMENT(Elf64_Phdr) },
	{ SECTION(Elf32_Shdr), SECTION(Elf64_Shdr) },
};

bool segment_next(struct segments *all, struct segment *s)
{
	const struct layout *l = &layouts[all->sections][all->wide];
	unsigned int word = all->wide ? 8 : 4;
	const u8 *h = all->rest.at;

	if (all->rest.len < l->size)
		return false;
	*s = (struct segment){
		.type = get32(h + l->type),
		.flags = get32(h + l->flags),
		.vaddr = get_le(h + l->vaddr, word),
		.off = get_le(h + l->off, word),
		.filesz = get_le(h + l->filesz, word),
		.memsz = get_le(h + l->memsz, word),
	};
	all->rest = bytes_skip(all->rest, l->size);
	return true;
}

bool segments_address(struct bytes elf, u64 off, u64 *addr)
{
	struct segments all = segments_of(elf);
	struct segment s;

	while (segment_next(&all, &s)) {
		if (s.type == SEGMENT_LOAD && off - s.off < s.filesz) {
			*addr = off - s.off + s.vaddr;
			return true;
		}
	}
	return false;
}
