/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Between exec_decode.c, which says what an instruction is, and exec.c, which
 * does it.
 */
#ifndef X86_EXEC_H
#define X86_EXEC_H

#include <pt/exec.h>

enum { ZERO = 16, HIGH = 32 };	/* cpu.r[ZERO]; registers AH CH DH BH */
enum { STATUS_FLAGS = 0x8d5 };	/* of RFLAGS: OF SF ZF AF PF CF */

/* uop.dst and uop.src */
enum { AT_NOWHERE, AT_REG, AT_RM, AT_MEM, AT_IMM };

enum uop_op {
	OP_NATIVE,
	OP_NOP, OP_MOV,
	OP_MOVSX,		/* sub: bytes of the destination; WITH_ZERO: movzx */
	OP_LEA, OP_XCHG, OP_PUSH, OP_POP, OP_LEAVE,
	OP_ALU,			/* sub: add or adc sbb and sub xor cmp */
	OP_TEST, OP_NOT, OP_NEG, OP_INC, OP_DEC,
	OP_SHIFT,		/* sub: rol ror rcl rcr shl shr - sar; by CL if src is nowhere */
	OP_SHLD, OP_SHRD,
	OP_IMUL2, OP_IMUL3, OP_MUL, OP_IMUL, OP_DIV, OP_IDIV,
	OP_CMOV, OP_SETCC,	/* sub: condition */
	OP_WIDEN,		/* cbw cwde cdqe */
	OP_SIGN,		/* cwd cdq cqo */
	OP_BT,			/* sub: bt bts btr btc */
	OP_BITS,		/* sub: enum bits */
	OP_BSWAP, OP_XADD, OP_CMPXCHG,
	OP_MOVS, OP_STOS, OP_LODS,	/* sub: 1 with REP */
	OP_PUSHF, OP_POPF, OP_LAHF, OP_SAHF,
	OP_FLAG,		/* sub: enum flag_op */
	OP_PTWRITE,
	OP_JUMP,
	OP_HERE,		/* src or dst: memory; sub: which is aligned; imm: VEX.vvvv */
	OP_CALL, OP_RET, OP_JUMP_RM, OP_CALL_RM,
	OP_JCC,			/* sub: condition */
	OP_LOOP,		/* sub: 0 loopne, 1 loope, 2 loop, 3 jrcxz */
};

enum { WITH_ZERO = 0x80 };
enum bits { BITS_BSF, BITS_BSR, BITS_TZCNT, BITS_LZCNT, BITS_POPCNT };
enum flag_op { FLAG_CMC, FLAG_CLC, FLAG_STC, FLAG_CLD, FLAG_STD };

/* Prefixes, opcode and operands of a legacy instruction. */
struct form {
	const u8 *at;		/* behind what was read */
	const u8 *end;
	u8 rex, segment;	/* segment: 1 fs, 2 gs */
	bool rexed, wide, narrow_op, narrow_addr, rep, repne, lock;
};

/* Legacy prefixes and REX; false if that is all. */
bool decode_prefixes(struct form *f);

/* ModRM, SIB and displacement at f->at; false if they do not fit. */
bool decode_modrm(struct form *f, struct uop *u, u64 next);

/* Where the memory operand of 'u' is. */
static inline u64 uop_address(const struct cpu *cpu, const struct uop *u)
{
	u64 at = u->disp + cpu->r[u->base] + (cpu->r[u->index] << u->scale);

	if (unlikely(u->narrow))
		at = (u32)at;
	if (unlikely(u->seg))
		at += u->seg == 1 ? cpu->fs : cpu->gs;
	return at;
}

/* Is 'code' an instruction that this processor can do here? Then '*u' says so. */
bool here_decode(struct uop *u, struct bytes code, u64 next);

/* Do 'line', which is such; false if it faults, which changes nothing. */
bool here_run(struct exec *x, const struct exec_line *line);

/* Vector registers that changed go back. */
void here_flush(struct exec *x);

/* Memory as exec.c has it: eight bytes of it; and one byte, if all of 'size' may
 * be stored. */
bool exec_load(struct exec *x, u64 at, u64 *v);
bool exec_may_store(struct exec *x, u64 at, unsigned int size);
void exec_store(struct exec *x, u64 at, u8 v);

#endif
