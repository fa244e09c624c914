/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One x86 instruction: bytes to length, kind and branch target.
 *
 * An opcode is looked up twice: in a map of shapes (is there a ModRM byte, how large is the
 * immediate) and in a map of kinds. An opcode that depends on more than its byte has a kind of its
 * own, OP_*, which special() turns into a shape and a kind. Nearly all 64-bit code has no legacy
 * prefixes; for it the same steps are compiled again with no prefixes.
 *
 * Undefined opcodes are read like their neighbours, since a later processor may define them. But an
 * instruction that must fault is never taken for a branch.
 *
 * Manual: SDM volume 2, "Instruction Format" and "Opcode Map"; APX
 * architecture specification, "REX2 Prefix" and "Extended EVEX Prefix".
 */
#include "insn_maps.h"

/* The prefixes: the byte REX, or its equivalent from VEX, EVEX and REX2, and a bit for each legacy
 * prefix that matters. */
enum {
	REX_R = 0x04,
	REX_W = 0x08,
	REX = 0x40,
	PREFIX_66 = 0x100,
	PREFIX_67 = 0x200,
	PREFIX_F0 = 0x400,
	PREFIX_F2 = 0x800,	/* the last of F2 and F3 */
	PREFIX_F3 = 0x1000,
	PREFIX_REP = PREFIX_F2 | PREFIX_F3,
};

struct op {
	const u8 *at;		/* the bytes after the opcode */
	unsigned int prefixes;
	unsigned int shape;
	unsigned int kind;
};

/* The bytes that decode() may read: fourteen prefixes, the longest opcode, and the bytes that its
 * length depends on. */
enum { WINDOW = 24 };

#define INLINE static inline __attribute__((always_inline))

/* The size of ModRM, SIB and displacement. */
INLINE unsigned int modrm_size(enum insn_mode mode, const u8 *at, unsigned int prefixes)
{
	unsigned int modrm = at[0];

	if (mode != INSN_64 && (mode == INSN_16) != !!(prefixes & PREFIX_67))
		return modrm16_sizes[modrm >> 6] + ((modrm & 0xc7) == 6 ? 2 : 0);
	if (unlikely((modrm & 0xc7) == 4) && (at[1] & 7) == 5)
		return 6;
	return modrm_sizes[modrm];
}

/* Decode everything after the opcode. Returns the length of the instruction; if it is invalid,
 * minus the number of bytes that show this. */
INLINE int finish(struct insn *insn, enum insn_mode mode, const u8 *code, struct op op)
{
	bool is16 = (mode == INSN_16) != !!(op.prefixes & PREFIX_66) && !(op.prefixes & REX_W);
	unsigned int imm = op.shape / SHAPE_IMM, len;
	const u8 *at = op.at;
	bool wraps = false;
	i32 rel = 0;

	if (mode == INSN_64 && unlikely(op.shape & SHAPE_NOT64))
		return code - at;
	if ((op.prefixes & PREFIX_F0) && op.kind >= INSN_JUMP)
		return code - at;
	at += modrm_size(mode, at, op.prefixes) & -(op.shape & SHAPE_MODRM);
	if (is16 && (op.shape & SHAPE_Z))
		imm -= 2;
	if (op.shape & op.prefixes & SHAPE_V)
		imm += 4;
	if (op.kind >= INSN_JUMP && op.kind <= INSN_COND) {
		wraps = is16 && mode != INSN_64;
		if (wraps && imm > 2)
			imm = 2;
		rel = (i32)(get32(at) << (32 - 8 * imm)) >> (32 - 8 * imm);
	}
	len = at + imm - code;
	if (unlikely(len > INSN_MAX))
		return -INSN_MAX;
	insn->len = len;
	insn->kind = op.kind;
	insn->wraps = wraps;
	insn->rel = rel;
	return len;
}

/* The forms of VEX and similar prefixes: the number of bytes before the opcode, the bits of the
 * first byte that are the map, and the valid maps. */
struct vex {
	u8 payload, map_bits;
	u16 maps;
};

static const struct vex vex2 = { 1, 0x00, 1 << 0 };		/* 0 stands for map 1 */
static const struct vex vex3 = { 2, 0x1f, 0xee };		/* 1 2 3 5 6 7 */
static const struct vex evex = { 3, 0x07, 0xfe };		/* and 4 */
static const struct vex xop = { 2, 0x1f, 0x700 };		/* 8 9 10 */

/* The shape of an opcode in one of these maps. */
static unsigned int vex_shape(unsigned int map, unsigned int opcode)
{
	switch (map) {
	case 1:
		return M | (shapes1[opcode] == MB ? B : 0);
	case 3: case 8:
		return MB;
	case 7: case 10:
		return M | D;
	default:
		return M;
	}
}

/* Map 4 of EVEX has the opcodes of map 0, and some of maps 1 and 2, with a third operand. */
static unsigned int map4_shape(unsigned int opcode, unsigned int modrm)
{
	switch (opcode) {
	case 0x24: case 0x2c: case 0x6b: case 0x80: case 0x83: case 0xc0: case 0xc1: case 0xd4:
		return MB;
	case 0x69: case 0x81:
		return MZ;
	case 0xf6:
		return modrm & 0x30 ? M : MB;
	case 0xf7:
		return modrm & 0x30 ? M : MZ;
	default:
		return M;
	}
}

/* Read the bytes after C4, C5, 62 or 8F, if these are not older instructions. */
static bool read_vex(struct op *op, const struct vex *vex)
{
	const u8 *at = op->at;
	unsigned int map = at[0] & vex->map_bits, opcode = at[vex->payload];

	op->at = at + vex->payload + 1;
	if (!(vex->maps >> map & 1))
		return false;
	if (vex == &evex && map == 4) {
		op->prefixes = (at[1] >> 4 & REX_W) | ((at[1] & 3) == 1 ? PREFIX_66 : 0);
		op->shape = map4_shape(opcode, op->at[0]);
	} else {
		op->shape = vex_shape(vex == &vex2 ? 1 : map, opcode);
	}
	if (opcode == 0x77 && vex != &evex && map < 2)
		op->shape = 0;			/* vzeroupper, vzeroall */
	return true;
}

/* Read the byte after D5 in 64-bit mode: a REX with more bits and the map. */
static bool read_rex2(struct op *op)
{
	unsigned int payload = op->at[0], map = payload >> 7, opcode = op->at[1], row = opcode >> 4;
	unsigned int legacy = op->prefixes & ~0xff;
	bool rex = op->prefixes & REX;

	op->at += 2;
	op->prefixes = legacy | (payload & 0xf) | (payload >> 4 & REX_R);
	if (rex)
		return false;
	if (!map && opcode == 0xa1) {
		op->shape = Q;			/* jmpabs */
		op->kind = INSN_JUMP_INDIRECT;
		return !(payload & REX_W) && !legacy;
	}
	if (map ? row == 3 || row == 8 : row == 4 || row == 7 || row == 0xa || row == 0xe)
		return false;
	op->shape = map ? shapes1[opcode] : shapes0[opcode];
	op->kind = map ? kinds1[opcode] : kinds0[opcode];
	if (op->kind == OP_XOP)
		op->kind = INSN_OTHER;
	return op->kind < OP_ESCAPE || op->kind > OP_XOP;
}

/* The kind of 0F 01, from its ModRM and the prefix. */
static unsigned int group7_kind(enum insn_mode mode, unsigned int modrm, unsigned int prefixes)
{
	unsigned int select = prefixes & (prefixes & PREFIX_REP ? PREFIX_REP : PREFIX_66);

	switch (select << 8 | modrm) {
	case 0xc1:
		return INSN_VMCALL;
	case 0xc2: case 0xc3:
		return INSN_VMENTRY;
	case 0xc6:
		return INSN_WRMSR;		/* wrmsrns */
	case PREFIX_F3 << 8 | 0xca:		/* eretu */
	case PREFIX_F2 << 8 | 0xca:		/* erets */
	case PREFIX_F3 << 8 | 0xec:		/* uiret */
		return mode == INSN_64 ? INSN_IRET : INSN_OTHER;
	}
	return INSN_OTHER;
}

static const u8 group5_kinds[8] = {
	[2] = INSN_CALL_INDIRECT, [3] = INSN_FAR_CALL,
	[4] = INSN_JUMP_INDIRECT, [5] = INSN_FAR_JUMP,
};

/* Replace an OP_ kind by a shape and a kind. False if the instruction is invalid; op->at is then
 * after the bytes that show it. */
static bool special(struct op *op, enum insn_mode mode)
{
	unsigned int kind = op->kind, next = op->at[0], reg = next >> 3 & 7;
	unsigned int prefixes = op->prefixes;

	op->kind = INSN_OTHER;
	switch (kind) {
	case OP_REX2:
		if (mode != INSN_64)
			return true;
		return read_rex2(op) && (op->kind < OP_ESCAPE || special(op, mode));
	case OP_VEX2:
		return (mode != INSN_64 && next < 0xc0) || read_vex(op, &vex2);
	case OP_VEX3:
		return (mode != INSN_64 && next < 0xc0) || read_vex(op, &vex3);
	case OP_EVEX:
		return (mode != INSN_64 && next < 0xc0) || read_vex(op, &evex);
	case OP_XOP:
		return (next & 0x1f) < 8 || read_vex(op, &xop);
	case OP_MOFFS:
		op->shape = mode == INSN_64 ? Q : mode == INSN_32 ? D : W;
		if (prefixes & PREFIX_67)
			op->shape = mode == INSN_32 ? W : D;
		return true;
	case OP_TEST:
		if (reg > 1)
			op->shape = M;
		return true;
	case OP_GROUP5:
		op->kind = group5_kinds[reg];
		if (reg < 7 && !((reg == 3 || reg == 5) && next >= 0xc0))
			return true;
		op->at++;
		return false;
	case OP_MAP2:
		op->at++;
		op->shape = M;
		return true;
	case OP_MAP3:
		op->at++;
		op->shape = MB;
		return true;
	case OP_GROUP7:
		op->kind = group7_kind(mode, next, prefixes);
		return true;
	case OP_MOV_CR:
		if (op->at[-1] == 0x22 && reg == 3 && !(prefixes & REX_R))
			op->kind = INSN_MOV_CR3;
		return true;
	case OP_VMREAD:
		if (prefixes & PREFIX_REP ? prefixes & PREFIX_F2 : prefixes & PREFIX_66)
			op->shape = M | W;
		return true;
	case OP_GROUP15:
		if (reg == 4 && (prefixes & (PREFIX_F3 | PREFIX_66)) == PREFIX_F3)
			op->kind = INSN_PTWRITE;
		return true;
	case OP_GROUP9:
		if (reg == 6 && next < 0xc0 && !(prefixes & (PREFIX_REP | PREFIX_66)))
			op->kind = INSN_VMPTRLD;
		return true;
	}
	return true;
}

/* Without branches, since the next prefix is hard to predict. */
static unsigned int prefix_bit(unsigned int byte)
{
	return (byte == 0x66) * PREFIX_66 | (byte == 0x67) * PREFIX_67 |
		(byte == 0xf0) * PREFIX_F0 | (byte == 0xf2) * PREFIX_F2 |
		(byte == 0xf3) * PREFIX_F3;
}

/* Read legacy prefixes and REX, which is valid only if no prefix follows it. Returns the place of
 * the opcode, or the end of the longest possible instruction. */
static const u8 *read_prefixes(unsigned int *prefixes, enum insn_mode mode, const u8 *at)
{
	const u8 *end = at + INSN_MAX;
	unsigned int got = 0;

	for (; at < end; at++) {
		unsigned int byte = *at, kind = kinds0[byte];

		if (kind == OP_PREFIX) {
			if (byte >= 0xf2)
				got &= ~PREFIX_REP;
			got = (got & ~0xffu) | prefix_bit(byte);
		} else if (kind == OP_REX && mode == INSN_64) {
			got = (got & ~0xffu) | byte;
		} else {
			break;
		}
	}
	*prefixes = got;
	return at;
}

INLINE struct op read_opcode(const u8 *at, unsigned int prefixes)
{
	if (*at == 0x0f)
		return (struct op){ at + 2, prefixes, shapes1[at[1]], kinds1[at[1]] };
	return (struct op){ at + 1, prefixes, shapes0[*at], kinds0[*at] };
}

/* Decode any instruction in any mode; returns as finish(). */
static int decode(struct insn *insn, enum insn_mode mode, const u8 *code)
{
	unsigned int prefixes;
	const u8 *at = read_prefixes(&prefixes, mode, code);
	struct op op;

	if (at == code + INSN_MAX)
		return -INSN_MAX;
	op = read_opcode(at, prefixes);
	if (op.kind >= OP_ESCAPE && !special(&op, mode))
		return code - op.at;
	return finish(insn, mode, code, op);
}

/* If there is less code than decode() may read, decode a copy. */
static int decode_last(struct insn *insn, enum insn_mode mode, struct bytes code)
{
	u8 copy[WINDOW] = { 0 };
	struct insn got;
	int seen;

	memcpy(copy, code.at, code.len);
	seen = decode(&got, mode, copy);
	if (MIN(seen < 0 ? -seen : seen, INSN_MAX) > (int)code.len)
		return 0;
	if (seen > 0)
		*insn = got;
	return seen;
}

static __attribute__((noinline)) int decode_slowly(struct insn *insn, enum insn_mode mode,
						   struct bytes code)
{
	int len;

	if (!code.len)
		return 0;
	len = code.len < WINDOW ? decode_last(insn, mode, code) : decode(insn, mode, code.at);
	return MAX(len, -1);
}

/* These decode 64-bit code with no prefix except REX, which is nearly all code. */
INLINE struct op read_simply(const u8 *at)
{
	return (*at & 0xf0) == REX ? read_opcode(at + 1, *at) : read_opcode(at, 0);
}

INLINE bool is_simple(struct op op)
{
	return op.kind < OP_ESCAPE && !(op.shape & ((op.prefixes & REX_W) | SHAPE_NOT64));
}

INLINE int finish_simply(struct insn *insn, const u8 *code, struct op op)
{
	op.prefixes = 0;
	return finish(insn, INSN_64, code, op);
}

int insn_decode(struct insn *insn, enum insn_mode mode, struct bytes code)
{
	struct op op;

	if (unlikely(code.len < WINDOW || mode != INSN_64))
		return decode_slowly(insn, mode, code);
	op = read_simply(code.at);
	return likely(is_simple(op)) ? finish_simply(insn, code.at, op) :
				       decode_slowly(insn, mode, code);
}

/* The same for a branch: simple ones have no ModRM byte. */
INLINE void finish_branch(struct insn *insn, const u8 *code, struct op op)
{
	unsigned int imm = op.shape / SHAPE_IMM;

	*insn = (struct insn){ .len = op.at - code + imm, .kind = op.kind };
	if (op.kind <= INSN_COND)
		insn->rel = imm == 1 ? (i8)*op.at : (i32)get32(op.at);
}

/* Like finish(), without the parts for branches. */
u32 insn_pass(struct insn *insn, enum insn_mode mode, struct bytes *code, u32 max, u8 *last_len)
{
	const u8 *start = code->at, *at = start, *last = start;
	const u8 *end = mode == INSN_64 && code->len >= WINDOW ? at + code->len - WINDOW + 1 : at;
	struct op op;
	u32 n;

	insn->len = 0;
	for (n = 0; n < max && at < end; n++) {
		op = read_simply(at);
		if (op.kind >= INSN_JUMP || !is_simple(op)) {
			if (is_simple(op))
				finish_branch(insn, at, op);
			break;
		}
		last = at;
		at = op.at + (modrm_size(INSN_64, op.at, 0) & -(op.shape & SHAPE_MODRM)) +
		     op.shape / SHAPE_IMM;
	}
	if (n) {
		*last_len = at - last;
		*code = bytes_skip(*code, at - start);
	}
	return n;
}
