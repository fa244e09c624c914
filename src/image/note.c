/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An ELF file to its build-id, without libelf: a recorded file can be distinguished from another
 * build of it in every configuration.
 *
 * The build-id is a note. Section headers are tried first, because program headers of separate
 * debug files point to bytes that are not there.
 *
 * Source: System V ABI, "Note Section"; NT_GNU_BUILD_ID of name "GNU".
 */
#include <elf.h>

#include <pt/file.h>
#include <pt/out.h>

#include "segment.h"

struct bytes note_find_build_id(struct bytes notes)
{
	while (notes.len >= sizeof(Elf64_Nhdr)) {
		u32 name = get32(notes.at), desc = get32(notes.at + 4), type = get32(notes.at + 8);
		u64 at = sizeof(Elf64_Nhdr) + round_up(name, 4);

		if (at + desc > notes.len)
			break;
		if (type == NT_GNU_BUILD_ID && name == 4 && desc &&
		    !memcmp(notes.at + sizeof(Elf64_Nhdr), "GNU", 4))
			return slice(notes, at, desc);
		notes = bytes_skip(notes, at + round_up(desc, 4));
	}
	return (struct bytes){ 0 };
}

static struct bytes search(struct bytes elf, struct segments all, u32 type)
{
	struct segment s;
	struct bytes id;

	while (segment_next(&all, &s)) {
		if (s.type != type)
			continue;
		id = note_find_build_id(slice(elf, s.off, s.filesz));
		if (id.len)
			return id;
	}
	return (struct bytes){ 0 };
}

struct bytes note_build_id(struct bytes elf)
{
	struct bytes id = search(elf, segments_sections(elf), SHT_NOTE);

	return id.len ? id : search(elf, segments_of(elf), PT_NOTE);
}

void note_id_text(char *to, const u8 *id, size_t size)
{
	for (size = MIN(size, (size_t)NOTE_ID); size--; )
		to = put_byte(to, *id++);
	*to = 0;
}
