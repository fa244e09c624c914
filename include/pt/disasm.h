/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Instructions as text, in AT&T syntax: what perf 6.9 and later print by the same library.
 */
#ifndef PT_DISASM_H
#define PT_DISASM_H

#include <pt/base.h>

struct disasm {
	char name[32];		/* "callq" */
	char operands[160];	/* "0x401000", "%rsp, %rbp", or "" */
	bool has_target;	/* its only operand is an immediate: an address, if one is there */
	u64 target;
};

/* The instruction at the beginning of 'code', which lies at 'ip', in 64-bit or in 'narrow',
 * 32-bit, mode. False if it is none, or is cut. */
bool disasm(struct disasm *to, struct bytes code, u64 ip, bool narrow);

#endif
