/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The opcode maps of x86: the bytes after an opcode, and its effect on the flow of control. Rows
 * and columns are those of the manual. Manual: SDM volume 2, "Opcode Map"; "ModR/M and SIB Bytes".
 */
#ifndef PT_INSN_MAPS_H
#define PT_INSN_MAPS_H

#include <pt/arch.h>

/* The shape of an instruction after its opcode. The high four bits are the size of the immediate
 * with 32-bit operands. */
enum {
	SHAPE_MODRM = 0x01,
	SHAPE_NOT64 = 0x02,	/* invalid in 64-bit mode */
	SHAPE_Z = 0x04,		/* the immediate is two bytes shorter with 16-bit operands */
	SHAPE_V = 0x08,		/* and four bytes longer with 64-bit operands: REX_W */
	SHAPE_IMM = 0x10,	/* times the size */
};

/* The kinds of opcodes that depend on more than their byte. */
enum {
	OP_ESCAPE = N_INSN_KINDS, /* 0F: the opcode is in map 1 */
	OP_PREFIX,		/* a legacy prefix: the opcode comes later */
	OP_REX,			/* REX in 64-bit mode, else inc or dec */
	OP_REX2,		/* REX2 in 64-bit mode, else aad */
	OP_VEX3,		/* VEX, or les */
	OP_VEX2,		/* VEX, or lds */
	OP_EVEX,		/* EVEX, or bound */
	OP_XOP,			/* XOP, or pop */
	OP_MOFFS,		/* the immediate is an address */
	OP_TEST,		/* group 3: only test has an immediate */
	OP_GROUP5,		/* inc, dec, call, jmp, push */
	OP_MAP2,		/* 0F 38: one more opcode byte */
	OP_MAP3,		/* 0F 3A */
	OP_GROUP7,		/* 0F 01: virtual machines, events, ... */
	OP_MOV_CR,		/* control and debug registers: ModRM is never memory */
	OP_VMREAD,		/* or extrq, insertq, which have two immediates */
	OP_GROUP15,		/* 0F AE: ptwrite and others */
	OP_GROUP9,		/* 0F C7: vmptrld and others */
};

#define IMM(size) (SHAPE_IMM * (size))
#define __ 0			/* no operand bytes, or no such opcode */
#define M  SHAPE_MODRM
#define B  IMM(1)
#define W  IMM(2)
#define E  IMM(3)		/* imm16 and imm8 */
#define D  IMM(4)
#define Q  IMM(8)
#define J  IMM(4)		/* rel32; rel16 with 16-bit operands, but not in 64-bit mode */
#define Z  (IMM(4) | SHAPE_Z)
#define V  (IMM(4) | SHAPE_Z | SHAPE_V)
#define MB (M | B)
#define MZ (M | Z)
#define N_ SHAPE_NOT64
#define NB (N_ | B)
#define NM (N_ | M)
#define NF (N_ | IMM(6) | SHAPE_Z)	/* far pointer */
#define NX (N_ | M | B)

static const u8 shapes0[256] = {
	/*       0   1   2   3   4   5   6   7   8   9   A   B   C   D   E   F */
	/* 0 */ M,  M,  M,  M,  B,  Z,  N_, N_, M,  M,  M,  M,  B,  Z,  N_, __,
	/* 1 */ M,  M,  M,  M,  B,  Z,  N_, N_, M,  M,  M,  M,  B,  Z,  N_, N_,
	/* 2 */ M,  M,  M,  M,  B,  Z,  __, N_, M,  M,  M,  M,  B,  Z,  __, N_,
	/* 3 */ M,  M,  M,  M,  B,  Z,  __, N_, M,  M,  M,  M,  B,  Z,  __, N_,
	/* 4 */ __, __, __, __, __, __, __, __, __, __, __, __, __, __, __, __,
	/* 5 */ __, __, __, __, __, __, __, __, __, __, __, __, __, __, __, __,
	/* 6 */ N_, N_, NM, M,  __, __, __, __, Z,  MZ, B,  MB, __, __, __, __,
	/* 7 */ B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,
	/* 8 */ MB, MZ, NX, MB, M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,
	/* 9 */ __, __, __, __, __, __, __, __, __, __, NF, __, __, __, __, __,
	/* A */ __, __, __, __, __, __, __, __, B,  Z,  __, __, __, __, __, __,
	/* B */ B,  B,  B,  B,  B,  B,  B,  B,  V,  V,  V,  V,  V,  V,  V,  V,
	/* C */ MB, MB, W,  __, NM, NM, MB, MZ, E,  __, W,  __, __, B,  N_, __,
	/* D */ M,  M,  M,  M,  NB, NB, N_, __, M,  M,  M,  M,  M,  M,  M,  M,
	/* E */ B,  B,  B,  B,  B,  B,  B,  B,  J,  J,  NF, B,  __, __, __, __,
	/* F */ __, __, __, __, __, __, MB, MZ, __, __, __, __, __, __, M,  M,
};

static const u8 shapes1[256] = {
	/*       0   1   2   3   4   5   6   7   8   9   A   B   C   D   E   F */
	/* 0 */ M,  M,  M,  M,  __, __, __, __, __, __, __, __, __, M,  __, MB,
	/* 1 */ M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,
	/* 2 */ B,  B,  B,  B,  B,  B,  B,  B,  M,  M,  M,  M,  M,  M,  M,  M,
	/* 3 */ __, __, __, __, __, __, __, __, __, M,  __, M,  M,  M,  M,  M,
	/* 4 */ M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,
	/* 5 */ M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,
	/* 6 */ M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,
	/* 7 */ MB, MB, MB, MB, M,  M,  M,  __, M,  M,  M,  M,  M,  M,  M,  M,
	/* 8 */ J,  J,  J,  J,  J,  J,  J,  J,  J,  J,  J,  J,  J,  J,  J,  J,
	/* 9 */ M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,
	/* A */ __, __, __, M,  MB, M,  M,  M,  __, __, __, M,  MB, M,  M,  M,
	/* B */ M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  MB, M,  M,  M,  M,  M,
	/* C */ M,  M,  MB, M,  MB, MB, MB, M,  __, __, __, __, __, __, __, __,
	/* D */ M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,
	/* E */ M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,
	/* F */ M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,  M,
};

/* Kinds of map 0; an opcode that is not listed is INSN_OTHER. */
static const u8 kinds0[256] = {
	[0x0f] = OP_ESCAPE,
	[0x26] = OP_PREFIX, [0x2e] = OP_PREFIX, [0x36] = OP_PREFIX, [0x3e] = OP_PREFIX,
	[0x40 ... 0x4f] = OP_REX,
	[0x62] = OP_EVEX,
	[0x64 ... 0x67] = OP_PREFIX,
	[0x70 ... 0x7f] = INSN_COND,
	[0x8f] = OP_XOP,
	[0x9a] = INSN_FAR_CALL,
	[0xa0 ... 0xa3] = OP_MOFFS,
	[0xc2 ... 0xc3] = INSN_RET,
	[0xc4] = OP_VEX3, [0xc5] = OP_VEX2,
	[0xca ... 0xcb] = INSN_FAR_RET,
	[0xcc ... 0xce] = INSN_INT,
	[0xcf] = INSN_IRET,
	[0xd5] = OP_REX2,
	[0xe0 ... 0xe3] = INSN_COND,
	[0xe8] = INSN_CALL,
	[0xe9] = INSN_JUMP,
	[0xea] = INSN_FAR_JUMP,
	[0xeb] = INSN_JUMP,
	[0xf0] = OP_PREFIX,
	[0xf1] = INSN_INT,
	[0xf2 ... 0xf3] = OP_PREFIX,
	[0xf6 ... 0xf7] = OP_TEST,
	[0xff] = OP_GROUP5,
};

static const u8 kinds1[256] = {
	[0x01] = OP_GROUP7,
	[0x05] = INSN_SYSCALL,
	[0x07] = INSN_SYSRET,
	[0x20 ... 0x27] = OP_MOV_CR,
	[0x30] = INSN_WRMSR,
	[0x34] = INSN_SYSCALL,
	[0x35] = INSN_SYSRET,
	[0x38] = OP_MAP2,
	[0x3a] = OP_MAP3,
	[0x78] = OP_VMREAD,
	[0x80 ... 0x8f] = INSN_COND,
	[0xae] = OP_GROUP15,
	[0xc7] = OP_GROUP9,
};

/* Size of ModRM, SIB and displacement by ModRM, for 32- and 64-bit addresses. If mod is 0, a SIB
 * without a base has four bytes more. */
#define ROW(...) __VA_ARGS__, __VA_ARGS__
#define MOD(...) ROW(ROW(ROW(__VA_ARGS__)))
static const u8 modrm_sizes[256] = {
	MOD(1, 1, 1, 1, 2, 5, 1, 1),
	MOD(2, 2, 2, 2, 3, 2, 2, 2),
	MOD(5, 5, 5, 5, 6, 5, 5, 5),
	MOD(1, 1, 1, 1, 1, 1, 1, 1),
};

/* The same for 16-bit addresses, by mod; two bytes more if rm is 6 and mod is 0. */
static const u8 modrm16_sizes[4] = { 1, 2, 3, 1 };

#endif
