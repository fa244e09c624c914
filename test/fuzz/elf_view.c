/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The data that a recorder reads from the files of traced programs.
 */
#include "src/record/elf_view.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);

static void walk_symbols(const struct elf_view *e, const struct elf_section *s, u64 *sum)
{
	struct elf_symbol sym;
	u64 off;
	u32 i;

	for (i = 0; i < 1000 && elf_view_symbol(e, s, i, &sym); i++)
		if (elf_view_offset(e, sym.value, &off))
			*sum += off + strlen(sym.name);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n)
{
	struct elf_section s;
	struct elf_view e;
	u64 sum = 0, j;
	u32 i;

	if (!elf_view_open(&e, (struct bytes){ bytes, n }))
		return 0;
	for (i = 0; i < 100; i++) {
		if (!elf_view_section(&e, i, &s))
			continue;
		for (j = 0; j < s.size; j++)
			sum += bytes[s.off + j];
		walk_symbols(&e, &s, &sum);
	}
	*(volatile u64 *)&sum = sum;	/* so that it has to be computed */
	return 0;
}
