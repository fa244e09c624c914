/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "src/record/elf_view.h"
#include "test.h"

static struct {
	Elf64_Ehdr head;
	Elf64_Phdr segment;
	Elf64_Shdr sections[3];
	char text[16];
} file;

static struct elf_view open_file(void)
{
	struct elf_view e;

	memset(&file, 0, sizeof(file));
	memcpy(file.head.e_ident, ELFMAG, SELFMAG);
	file.head.e_ident[EI_CLASS] = ELFCLASS64;
	file.head.e_ident[EI_DATA] = ELFDATA2LSB;
	file.head.e_phoff = offsetof(typeof(file), segment);
	file.head.e_phnum = 1;
	file.head.e_phentsize = sizeof(Elf64_Phdr);
	file.head.e_shoff = offsetof(typeof(file), sections);
	file.head.e_shnum = 3;
	file.head.e_shentsize = sizeof(Elf64_Shdr);
	file.segment = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = 0x1000, .p_filesz = 16,
				     .p_memsz = 32, .p_offset = offsetof(typeof(file), text) };
	OK(elf_view_open(&e, (struct bytes){ (u8 *)&file, sizeof(file) }));
	return e;
}

TEST(sections_without_bytes_in_the_file_are_empty)
{
	struct elf_view e = open_file();
	struct elf_section s;

	/* The first one has the number of sections, if there are many. */
	file.sections[0] = (Elf64_Shdr){ .sh_type = SHT_NULL, .sh_size = 1 << 20 };
	file.sections[1] = (Elf64_Shdr){ .sh_type = SHT_NOBITS, .sh_size = 1 << 20 };
	file.sections[2] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_size = 1 << 20 };
	OK(elf_view_section(&e, 0, &s));
	EQ(s.size, 0);
	OK(elf_view_section(&e, 1, &s));
	EQ(s.size, 0);
	OK(!elf_view_section(&e, 2, &s));
	OK(!elf_view_section(&e, 3, &s));
}

TEST(an_address_has_a_byte_in_the_file_or_none)
{
	struct elf_view e = open_file();
	u64 off;

	OK(elf_view_offset(&e, 0x1000, &off));
	EQ(off, offsetof(typeof(file), text));
	OK(elf_view_offset(&e, 0x100f, &off));
	EQ(off, offsetof(typeof(file), text) + 15);
	OK(!elf_view_offset(&e, 0x1010, &off));
	OK(!elf_view_offset(&e, 0xfff, &off));
}
