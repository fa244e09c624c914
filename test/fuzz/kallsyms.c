/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lists of symbols: kallsyms, and maps of JITs.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "src/image/image.h"
#include "src/image/kernel.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n)
{
	struct arena arena = { 0 };
	struct images im = { .arena = &arena };
	struct kallsyms list = { .reference = "_text", .reference_addr = 0xffffffff81000000 };
	struct symbols *s;
	u64 addr;
	int fd = memfd_create("kallsyms", 0);

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET))
		return 0;
	kallsyms_load(&list, fd);
	s = kallsyms_finish(&list, &arena);
	for (addr = 0xffffffff81000000; addr < 0xffffffff81010000; addr += 0x80)
		symtab_find(s, addr);
	s = symbols_of_jit(&im, (struct bytes){ bytes, n });
	for (addr = 0; addr < 0x4000; addr += 8)
		symtab_find(s, addr);
	close(fd);
	arena_free(&arena);
	return 0;
}
