/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Instructions as text, in AT&T syntax, like perf 6.9 and later, which use the same library.
 */
#ifndef PT_DISASM_H
#define PT_DISASM_H

#include <pt/base.h>

struct disasm {
	char name[32];		/* "callq" */
	char operands[160];	/* "0x401000", "%rsp, %rbp", or "" */
	bool has_target;	/* its only operand is an immediate, which may be an address */
	u64 target;
};

/* Disassemble the instruction at the front of 'code', which is at 'ip', in 64-bit mode, or in
 * 32-bit mode if 'narrow'. False if it is invalid or incomplete. */
bool disasm(struct disasm *to, struct bytes code, u64 ip, bool narrow);

#endif
