/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ELF files, as a program with its symbols, as a module and as a kernel.
 */
#include "src/image/image.h"
#include "src/image/kernel.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n)
{
	struct arena arena = { 0 };
	struct images im = { .arena = &arena };
	struct bytes file = { bytes, n };
	struct symbols *s;
	u64 delta;
	u32 i;

	note_build_id(file);
	delta = symbols_address(file, "_text");
	symbols_of_vmlinux(&im, file, delta);
	s = symbols_of_file(&im, file);
	for (i = 0; i < 4096; i++) {
		const struct symbol *found = symtab_find(s, i * 16);

		if (found && found->len != strlen(found->name))
			__builtin_trap();
	}
	arena_free(&arena);
	return 0;
}
