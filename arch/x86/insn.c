/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One x86 instruction: bytes to length, kind and branch target.
 *
 * An opcode is looked up twice: in a map of shapes (is there a ModRM byte, how
 * large is the immediate) and in a map of kinds. What these cannot say alone
 * has a kind of its own, an OP_, that special() turns into a shape and a kind.
 * Code without legacy prefixes in 64-bit mode, nearly all there is, takes the
 * same steps with the prefixes known to be absent.
 *
 * Undefined opcodes are read as their neighbours are, for the next processor
 * may define them; but nothing that must fault is called a branch.
 *
 * Manual: SDM volume 2, "Instruction Format" and "Opcode Map"; APX
 * architecture specification, "REX2 Prefix" and "Extended EVEX Prefix".
 */
#include "insn_maps.h"

/* What came before the opcode. */
struct prefixes {
	u8 rex;			/* what REX or its like (VEX, EVEX, REX2) says of W, R, X, B */
	u8 rep;			/* the last of F2 and F3 */
	bool osz, asz, lock;	/* 66, 67, F0 */
};

enum { REX_R = 4, REX_W = 8 };

struct op {
	const u8 *at;		/* what follows the opcode */
	struct prefixes pre;
	u8 shape;
	u8 kind;
};

/* How many bytes decode() may look at: fourteen prefixes, and the longest
 * opcode with what its length depends on. */
enum { WINDOW = 24 };

#define INLINE static inline __attribute__((always_inline))

static bool is_near(unsigned int kind)
{
	return kind >= INSN_JUMP && kind <= INSN_COND;
}

static bool has16(enum insn_mode mode, struct prefixes pre)
{
	return (mode == INSN_16) != pre.osz && !(pre.rex & REX_W);
}

/* ModRM, SIB and displacement. */
INLINE unsigned int modrm_size(enum insn_mode mode, const u8 *at, struct prefixes pre)
{
	unsigned int modrm = at[0], mod0 = modrm < 0x40, rm = modrm & 7;

	if (mode != INSN_64 && (mode == INSN_16) != pre.asz)
		return modrm16_sizes[modrm >> 6] + ((mod0 & (rm == 6)) << 1);
	return modrm_sizes[modrm] + ((mod0 & (rm == 4) & ((at[1] & 7) == 5)) << 2);
}

/* Everything behind the opcode. Returns the length of the instruction; or how
 * many bytes show that it is none, as a negative number. */
INLINE int finish(struct insn *insn, enum insn_mode mode, const u8 *code, struct op op)
{
	unsigned int imm = op.shape & SHAPE_IMM;
	bool near = is_near(op.kind), is16 = has16(mode, op.pre);
	const u8 *at = op.at;

	if (unlikely(op.shape & SHAPE_NOT64) && mode == INSN_64)
		return code - at;
	if (op.pre.lock && op.kind >= INSN_JUMP)
		return code - at;
	if (op.shape & SHAPE_MODRM)
		at += modrm_size(mode, at, op.pre);
	if (is16 && (op.shape & SHAPE_Z))
		imm -= 2;
	if (op.shape & SHAPE_V)
		imm += (op.pre.rex & REX_W) >> 1;

	insn->kind = op.kind;
	insn->rel = 0;
	insn->wraps = 0;
	if (near) {
		if (mode != INSN_64 && is16) {
			insn->wraps = 1;
			imm = MIN(imm, 2);
		}
		insn->rel = imm == 1 ? (i8)at[0] : imm == 2 ? (i16)get16(at) : (i32)get32(at);
	}
	return insn->len = at + imm - code;
}

/* Where VEX and its like may stand: how many bytes say more before the opcode,
 * which bits of the first are the map, and which maps there are. */
struct vex {
	u8 payload, map_bits;
	u16 maps;
};

static const struct vex vex2 = { 1, 0x00, 1 << 0 };
static const struct vex vex3 = { 2, 0x1f, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 7 };
static const struct vex evex = {
	3, 0x07, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7
};
static const struct vex xop = { 2, 0x1f, 1 << 8 | 1 << 9 | 1 << 10 };

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

/* Map 4 of EVEX is map 0, and some of maps 1 and 2, with a third operand. */
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

/* Behind C4, C5, 62 or 8F, where these are not old instructions. */
static bool read_vex(struct op *op, const struct vex *vex)
{
	const u8 *at = op->at;
	unsigned int map = at[0] & vex->map_bits, opcode = at[vex->payload];

	op->at = at + vex->payload + 1;
	if (!(vex->maps >> map & 1))
		return false;
	op->pre.rex = vex->payload > 1 ? at[1] >> 4 & REX_W : 0;
	op->pre.osz = vex->payload == 3 && (at[1] & 3) == 1;
	op->shape = vex->payload == 3 && map == 4 ? map4_shape(opcode, op->at[0]) :
		vex_shape(vex->payload == 1 ? 1 : map, opcode);
	if (opcode == 0x77 && vex->payload < 3 && map < 2)
		op->shape = 0;			/* vzeroupper, vzeroall */
	return true;
}

/* Behind D5 in 64-bit mode: a REX with more bits, and with the map. */
static bool read_rex2(struct op *op)
{
	unsigned int payload = op->at[0], map = payload >> 7, opcode = op->at[1], row = opcode >> 4;
	bool rex = op->pre.rex;

	op->at += 2;
	op->pre.rex = (payload & 0xf) | (payload >> 4 & REX_R);
	if (rex)
		return false;
	if (!map && opcode == 0xa1) {
		op->shape = 8;			/* jmpabs */
		op->kind = INSN_JUMP_INDIRECT;
		return !(payload & REX_W) && !op->pre.osz && !op->pre.asz && !op->pre.rep;
	}
	if (map ? row == 3 || row == 8 : row == 4 || row == 7 || row == 0xa || row == 0xe)
		return false;
	op->shape = map ? shapes1[opcode] : shapes0[opcode];
	op->kind = map ? kinds1[opcode] : kinds0[opcode];
	if (op->kind == OP_XOP)
		op->kind = INSN_OTHER;
	return op->kind < OP_ESCAPE || op->kind > OP_XOP;
}

/* 0F 01, by its ModRM and the prefix that selects. */
static unsigned int group7_kind(enum insn_mode mode, unsigned int modrm, struct prefixes pre)
{
	unsigned int select = pre.rep ? pre.rep : pre.osz ? 0x66 : 0;

	switch (select << 8 | modrm) {
	case 0x00c1:
		return INSN_VMCALL;
	case 0x00c2: case 0x00c3:
		return INSN_VMENTRY;
	case 0x00c6:
		return INSN_WRMSR;		/* wrmsrns */
	case 0xf3ca: case 0xf2ca:		/* eretu, erets */
	case 0xf3ec:				/* uiret */
		return mode == INSN_64 ? INSN_IRET : INSN_OTHER;
	}
	return INSN_OTHER;
}

static const u8 group5_kinds[8] = {
	[2] = INSN_CALL_INDIRECT, [3] = INSN_FAR_CALL,
	[4] = INSN_JUMP_INDIRECT, [5] = INSN_FAR_JUMP,
};

/* What a kind from OP_ESCAPE on stands for. False if for no instruction:
 * op->at is then behind what shows it. */
static bool special(struct op *op, enum insn_mode mode)
{
	unsigned int kind = op->kind, next = op->at[0], reg = next >> 3 & 7;
	struct prefixes pre = op->pre;

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
		op->shape = mode == INSN_64 ? 8 >> pre.asz : (mode == INSN_16) != pre.asz ? 2 : 4;
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
		op->kind = group7_kind(mode, next, pre);
		return true;
	case OP_MOV_CR:
		if (op->at[-1] == 0x22 && reg == 3 && !(pre.rex & REX_R))
			op->kind = INSN_MOV_CR3;
		op->at++;
		op->shape = 0;
		return true;
	case OP_VMREAD:
		if (pre.rep ? pre.rep == 0xf2 : pre.osz)
			op->shape = M | W;
		return true;
	case OP_GROUP15:
		if (reg == 4 && pre.rep == 0xf3 && !pre.osz)
			op->kind = INSN_PTWRITE;
		return true;
	case OP_GROUP9:
		if (reg == 6 && next < 0xc0 && !pre.rep && !pre.osz)
			op->kind = INSN_VMPTRLD;
		return true;
	}
	return true;
}

static int decode_special(struct insn *insn, enum insn_mode mode, const u8 *code, struct op op)
{
	if (!special(&op, mode))
		return code - op.at;
	return finish(insn, mode, code, op);
}

/* Legacy prefixes and REX, which counts only where none follows it. Returns the
 * opcode; or the end of the longest instruction there is. */
static const u8 *read_prefixes(struct prefixes *pre, enum insn_mode mode, const u8 *at)
{
	const u8 *end = at + INSN_MAX;

	for (; at < end; at++) {
		unsigned int kind = kinds0[*at];

		if (kind == OP_REX && mode == INSN_64) {
			pre->rex = *at;
			continue;
		}
		if (kind != OP_PREFIX)
			break;
		pre->rex = 0;
		if (*at >= 0xf2)
			pre->rep = *at;
		pre->osz |= *at == 0x66;
		pre->asz |= *at == 0x67;
		pre->lock |= *at == 0xf0;
	}
	return at;
}

static struct op read_opcode(const u8 *at, struct prefixes pre)
{
	if (*at == 0x0f)
		return (struct op){ at + 2, pre, shapes1[at[1]], kinds1[at[1]] };
	return (struct op){ at + 1, pre, shapes0[*at], kinds0[*at] };
}

/* Any instruction in any mode, as finish() says. */
static int decode(struct insn *insn, enum insn_mode mode, const u8 *code)
{
	struct prefixes pre = { 0 };
	const u8 *at = read_prefixes(&pre, mode, code);
	struct op op;

	if (at == code + INSN_MAX)
		return -INSN_MAX;
	op = read_opcode(at, pre);
	if (op.kind >= OP_ESCAPE)
		return decode_special(insn, mode, code, op);
	return finish(insn, mode, code, op);
}

/* The same in 64-bit mode for code that has no prefix but REX. */
static int decode64(struct insn *insn, const u8 *code)
{
	struct prefixes pre = { 0 };
	const u8 *at = code;
	struct op op;

	if ((*at & 0xf0) == 0x40)
		pre.rex = *at++;
	op = read_opcode(at, pre);
	if (likely(op.kind < OP_ESCAPE))
		return finish(insn, INSN_64, code, op);
	if (op.kind <= OP_REX)
		return decode(insn, INSN_64, code);
	return decode_special(insn, INSN_64, code, op);
}

/* Where 'code' is shorter than what decode() may look at, it gets a copy. */
static int decode_last(struct insn *insn, enum insn_mode mode, struct bytes code)
{
	u8 copy[WINDOW] = { 0 };
	int seen;

	if (!code.len)
		return 0;
	memcpy(copy, code.at, code.len);
	seen = decode(insn, mode, copy);
	if (MIN((size_t)(seen < 0 ? -seen : seen), INSN_MAX) > code.len)
		return 0;
	return seen;
}

int insn_decode(struct insn *insn, enum insn_mode mode, struct bytes code)
{
	struct insn got;
	int len;

	if (unlikely(code.len < WINDOW))
		len = decode_last(&got, mode, code);
	else if (likely(mode == INSN_64))
		len = decode64(&got, code.at);
	else
		len = decode(&got, mode, code.at);
	if (unlikely(len <= 0 || len > INSN_MAX))
		return len ? -1 : 0;
	*insn = got;
	return len;
}
