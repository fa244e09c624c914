/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Copies a program without its section headers and their names, which nothing that runs it reads:
 * 0.5 kB. A program of 32 bits is copied as it is. It runs during the build.
 *
 * usage: trim < PROGRAM > PROGRAM
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 << 20 };

static char file[MOST];

int main(void)
{
	size_t size = fread(file, 1, MOST, stdin), end = 0;
	Elf64_Ehdr *head = (Elf64_Ehdr *)file;
	Elf64_Phdr *segment;
	int i;

	if (size == MOST || size < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG))
		return 1;
	if (head->e_ident[EI_CLASS] != ELFCLASS64)
		return fwrite(file, 1, size, stdout) != size;
	if (head->e_phoff + head->e_phnum * sizeof(*segment) > size)
		return 1;
	segment = (Elf64_Phdr *)(file + head->e_phoff);
	for (i = 0; i < head->e_phnum; i++)
		if (segment[i].p_filesz && segment[i].p_offset + segment[i].p_filesz > end)
			end = segment[i].p_offset + segment[i].p_filesz;
	if (end < sizeof(*head) || end > size)
		return 1;
	head->e_shoff = 0;
	head->e_shentsize = head->e_shnum = head->e_shstrndx = 0;
	return fwrite(file, 1, end, stdout) != end;
}
