/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One instruction set: how long an instruction is, and what it does to the
 * flow of control.
 */
#ifndef PT_ARCH_H
#define PT_ARCH_H

#include <pt/base.h>

/* What an instruction means to a trace. The order matters: kinds from
 * INSN_COND on end a run, because the trace has to say what follows. */
enum insn_kind {
	INSN_OTHER,
	INSN_PTWRITE,		/* a PTW packet may bind to it */
	INSN_MOV_CR3,		/* a PIP */
	INSN_WRMSR,		/* it may switch tracing off */
	INSN_VMPTRLD,		/* a VMCS */
	INSN_JUMP,		/* direct: no packet */
	INSN_CALL,		/* direct: no packet, pushes a return address */
	INSN_COND,		/* one TNT bit: jcc, loop, jrcxz */
	INSN_RET,		/* near: compressed, or a TIP */
	INSN_JUMP_INDIRECT,	/* a TIP */
	INSN_CALL_INDIRECT,	/* a TIP, pushes a return address */
	INSN_FAR_CALL,		/* far calls: a TIP, from here to the end */
	INSN_FAR_JUMP,
	INSN_FAR_RET,
	INSN_INT,		/* int n, int3, into, int1 */
	INSN_IRET,		/* iret, eretu, erets, uiret */
	INSN_SYSCALL,		/* syscall, sysenter */
	INSN_SYSRET,		/* sysret, sysexit */
	INSN_VMENTRY,		/* vmlaunch, vmresume */
	INSN_VMCALL,
	N_INSN_KINDS
};

/* MODE.Exec's three; an index, not a width. */
enum insn_mode { INSN_64, INSN_32, INSN_16 };

enum { INSN_MAX = 15 };		/* bytes */

struct insn {
	u8 len;			/* 1 to 15 */
	u8 kind;		/* enum insn_kind */
	u8 wraps;		/* direct branches: the target has 16 bits */
	i32 rel;		/* direct branches: target - (ip + len), else 0 */
};

/* Read the instruction at the front of 'code'.
 *
 * Returns its length, 0 if 'code' ends inside it, or -1 if it is none: longer
 * than 15 bytes, or an encoding that no processor takes. '*insn' is written
 * only when the result is positive. */
int insn_decode(struct insn *insn, enum insn_mode mode, struct bytes code);

/* About how long this instruction keeps later ones waiting, in quarters of a cycle: 1 or more. */
u32 insn_cost(enum insn_mode mode, struct bytes code);

/* Skip simple instructions at the front of '*code' that are no branches, 'max' at the most.
 * Returns how many; '*last_len' is the length of the last one. '*insn' is then the branch at the
 * front of '*code'; its 'len' is 0 if there is no branch, or not a simple one. */
u32 insn_pass(struct insn *insn, enum insn_mode mode, struct bytes *code, u32 max, u8 *last_len);

/* The target of the direct branch 'insn' at 'ip'. The base of a 16-bit code segment is not in the
 * trace: segments are assumed to begin at multiples of 64 KiB. With 16-bit operands in 32-bit code
 * the base is 0. */
static inline u64 insn_target(const struct insn *insn, enum insn_mode mode, u64 ip)
{
	u64 to = ip + insn->len + insn->rel;

	if (likely(mode == INSN_64))
		return to;
	if (insn->wraps)
		to = (u16)to | (mode == INSN_16 ? ip & 0xffff0000 : 0);
	return (u32)to;
}

#endif
