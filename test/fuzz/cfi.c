/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call frame information, as .eh_frame and as .debug_frame: for the first functions, steps to
 * their callers. Memory is the input.
 */
#include "src/image/cfi.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);

enum { ADDR = 0x1000, FUNCTIONS_MAX = 64, FRAMES_MAX = 4 };

static bool read_memory(void *who, u64 addr, u32 size, u64 *to)
{
	const struct bytes *all = who;

	if (size > 8 || addr - ADDR >= all->len || all->len - (addr - ADDR) < size)
		return false;
	*to = get_le(all->at + (addr - ADDR), size);
	return true;
}

static u64 walk(struct cfi *c, u64 addr)
{
	struct cfi_frame f = { .read = read_memory, .who = &c->bytes };
	struct cfi_row row;
	u32 i;

	f.known = (1u << CFI_REGS) - 1;
	f.reg[CFI_IP] = addr;
	f.reg[CFI_SP] = f.reg[CFI_BP] = ADDR;
	for (i = 0; i < FRAMES_MAX && cfi_row(c, f.reg[CFI_IP], &row); i++)
		if (!cfi_step(c, &row, &f))
			break;
	return f.cfa;
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n)
{
	struct arena arena = { 0 };
	u64 sum = 0;
	u32 eh, i;

	for (eh = 0; eh < 2; eh++) {
		struct cfi c = { .bytes = { bytes, n }, .addr = ADDR, .is_eh = eh };

		cfi_read(&c, &arena);
		for (i = 0; i < MIN(c.n, (u32)FUNCTIONS_MAX); i++) {
			sum += walk(&c, c.functions[i].start);
			sum += walk(&c, c.functions[i].end - 1);
		}
	}
	arena_free(&arena);
	return sum == 1;
}
