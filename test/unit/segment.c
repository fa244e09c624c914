/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "src/image/segment.h"

#include "test.h"

static struct { Elf64_Ehdr head; Elf64_Phdr at[3]; } file;

/* Two segments that are neighbours in the file, but not in memory, after one that is not loaded. */
static struct bytes neighbours(void)
{
	memcpy(file.head.e_ident, ELFMAG, SELFMAG);
	file.head.e_ident[EI_CLASS] = ELFCLASS64;
	file.head.e_ident[EI_DATA] = ELFDATA2LSB;
	file.head.e_phoff = sizeof(file.head);
	file.head.e_phnum = N_ELEM(file.at);
	file.at[0] = (Elf64_Phdr){ PT_NOTE, .p_filesz = 0x200, .p_vaddr = 0x9000 };
	file.at[1] = (Elf64_Phdr){ PT_LOAD, .p_filesz = 0x100, .p_vaddr = 0x1000 };
	file.at[2] = (Elf64_Phdr){ PT_LOAD, .p_offset = 0x100, .p_filesz = 0x80,
				   .p_memsz = 0x1000, .p_vaddr = 0x5000 };
	return (struct bytes){ (const u8 *)&file, sizeof(file) };
}

static u64 address(u64 off)
{
	u64 addr;

	return segments_address(neighbours(), off, &addr) ? addr : 0;
}

TEST(an_offset_has_the_address_of_its_own_segment)
{
	EQ(address(0), 0x1000);
	EQ(address(0xff), 0x10ff);
	EQ(address(0x100), 0x5000);
	EQ(address(0x17f), 0x507f);
	EQ(address(0x180), 0);		/* only in memory */
}

TEST(headers_that_are_cut_off_are_not_there)
{
	struct bytes elf = neighbours();
	u64 addr;

	OK(segments_address(bytes_first(elf, elf.len - sizeof(file.at[0])), 0xff, &addr));
	OK(!segments_address(bytes_first(elf, elf.len - 1), 0x100, &addr));
	OK(!segments_address(bytes_first(elf, sizeof(file.head) - 1), 0xff, &addr));
}
