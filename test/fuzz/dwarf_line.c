/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Line number programs. The strings that they point to are at the end of the input; all of it is
 * .debug_info, too.
 */
#include "src/image/dwarf_line.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n)
{
	struct arena arena = { 0 };
	struct line_rows rows = { .arena = &arena, .texts = &arena };
	struct bytes all = { bytes, n }, strings = bytes_skip(all, n - MIN(n, 64u));
	u64 sum = 0;
	u32 i;

	dwarf_line_read(&rows, &(struct dwarf_sections){ all, strings, strings, all, strings });
	sum += dwarf_line_is_old(all);
	for (i = 0; i < rows.n; i++)
		if (rows.rows[i].file != LINE_END)
			sum += strlen(rows.names[rows.rows[i].file]);
	arena_free(&arena);
	return sum == 1;
}
