/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An integer instruction of 64-bit mode, to what exec.c can do.
 *
 * Length and kind come from insn.c; here only operands are told apart. What has
 * no case stays OP_NATIVE.
 * Manual: SDM volume 2, "Opcode Map".
 */
#include "exec.h"

bool decode_prefixes(struct form *f)
{
	for (; f->at < f->end; f->at++) {
		switch (*f->at) {
		case 0x66: f->narrow_op = true; break;
		case 0x67: f->narrow_addr = true; break;
		case 0xf2: f->repne = true, f->rep = false; break;
		case 0xf3: f->rep = true, f->repne = false; break;
		case 0xf0: f->lock = true; break;
		case 0x64: f->segment = 1; break;
		case 0x65: f->segment = 2; break;
		case 0x26: case 0x2e: case 0x36: case 0x3e: break;
		default:
			if ((*f->at & 0xf0) != 0x40)
				return true;
			f->rex = *f->at++;
			f->rexed = true;
			f->wide = f->rex & 8;
			return f->at < f->end;	/* another prefix behind it: no opcode below */
		}
	}
	return false;
}

static u8 byte_reg(const struct form *f, u8 n)
{
	return !f->rexed && n >= 4 && n < 8 ? HIGH | (n - 4) : n;
}

static u64 signed_at(const u8 *p, unsigned int size)
{
	switch (size) {
	case 1: return (i8)*p;
	case 2: return (i16)get16(p);
	case 4: return (i32)get32(p);
	}
	return get64(p);
}

bool decode_modrm(struct form *f, struct uop *u, u64 next)
{
	u8 modrm, mod, rm;
	unsigned int disp = 0;

	if (f->at == f->end)
		return false;
	modrm = *f->at++, mod = modrm >> 6, rm = modrm & 7;
	u->reg = (modrm >> 3 & 7) | (f->rex & 4) << 1;
	u->base = u->index = ZERO;
	u->rm = rm | (f->rex & 1) << 3;
	if (mod == 3)
		return true;
	u->rm = ZERO;
	u->seg = f->segment;
	u->narrow = f->narrow_addr;
	u->base = rm | (f->rex & 1) << 3;
	if (rm == 4) {
		u8 sib;

		if (f->at == f->end)
			return false;
		sib = *f->at++;
		u->scale = sib >> 6;
		u->index = (sib >> 3 & 7) | (f->rex & 2) << 2;
		if (u->index == 4)
			u->index = ZERO;
		rm = sib & 7;
		u->base = rm | (f->rex & 1) << 3;
		if (rm == 5 && mod == 0)
			u->base = ZERO, disp = 4;
	} else if (rm == 5 && mod == 0) {
		u->base = ZERO, disp = 4;
		u->disp = next;
	}
	if (mod)
		disp = mod == 1 ? 1 : 4;
	if (f->end - f->at < disp)
		return false;
	if (disp)
		u->disp += signed_at(f->at, disp);
	f->at += disp;
	return true;
}

/* ModRM, with the places of a register and of a register or memory. */
static bool operands(struct form *f, struct uop *u, u64 next)
{
	if (!decode_modrm(f, u, next))
		return false;
	if (u->size == 1) {
		u->reg = byte_reg(f, u->reg);
		if (u->rm != ZERO)
			u->rm = byte_reg(f, u->rm);
	}
	return true;
}

static u8 rm_place(const struct uop *u)
{
	return u->rm == ZERO ? AT_MEM : AT_RM;
}

static void immediate(const struct form *f, struct uop *u, unsigned int size)
{
	u->imm = signed_at(f->end - size, size);
}

static unsigned int imm_size(const struct uop *u)
{
	return MIN(u->size, 4);
}

/* add ... cmp in their six forms. */
static void decode_alu(struct form *f, struct uop *u, u8 op, u64 next)
{
	u->sub = op >> 3 & 7;
	if (!(op & 1))
		u->size = 1;
	u->op = OP_ALU;
	if ((op & 7) >= 4) {
		u->dst = AT_RM, u->rm = 0;
		u->src = AT_IMM;
		immediate(f, u, imm_size(u));
		return;
	}
	if (!operands(f, u, next))
		u->op = OP_NATIVE;
	u->dst = op & 2 ? AT_REG : rm_place(u);
	u->src = op & 2 ? rm_place(u) : AT_REG;
}

/* Opcodes with an operand in ModRM.rm, and another or none. */
static bool with_rm(struct form *f, struct uop *u, u64 next, enum uop_op op, u8 src)
{
	if (!operands(f, u, next))
		return false;
	u->op = op;
	u->dst = rm_place(u);
	u->src = src;
	return true;
}

static bool into_reg(struct form *f, struct uop *u, u64 next, enum uop_op op)
{
	if (!operands(f, u, next))
		return false;
	u->op = op;
	u->dst = AT_REG;
	u->src = rm_place(u);
	return true;
}

static void decode_f6(struct form *f, struct uop *u, u64 next)
{
	static const u8 ops[8] = {
		OP_TEST, OP_TEST, OP_NOT, OP_NEG, OP_MUL, OP_IMUL, OP_DIV, OP_IDIV
	};
	u8 which = *f->at >> 3 & 7;

	if (!with_rm(f, u, next, ops[which], AT_NOWHERE) || which > 1)
		return;
	u->src = AT_IMM;
	immediate(f, u, imm_size(u));
}

static void decode_ff(struct form *f, struct uop *u, u64 next)
{
	u8 which = *f->at >> 3 & 7;

	if (which <= 1) {
		with_rm(f, u, next, which ? OP_DEC : OP_INC, AT_NOWHERE);
		return;
	}
	if (u->size == 1 || which == 3 || which == 5 || which == 7)
		return;
	if (f->narrow_op)
		return;
	u->size = 8;
	if (!operands(f, u, next))
		return;
	u->dst = AT_NOWHERE;
	u->src = rm_place(u);
	u->op = which == 2 ? OP_CALL_RM : which == 4 ? OP_JUMP_RM : OP_PUSH;
}

static void decode_string(struct form *f, struct uop *u, u8 op)
{
	if (f->segment || f->narrow_addr || f->repne)
		return;
	u->op = (op & 0xfe) == 0xa4 ? OP_MOVS : (op & 0xfe) == 0xaa ? OP_STOS : OP_LODS;
	u->sub = f->rep;
}

/* The stack's width is 64 bits; a 66h prefix makes it 16, which nobody uses. */
static void decode_stack(struct form *f, struct uop *u, enum uop_op op, u8 place, u8 reg)
{
	if (f->narrow_op)
		return;
	u->op = op;
	u->size = 8;
	u->rm = reg;
	if (op == OP_PUSH)
		u->src = place;
	else
		u->dst = place;
}

static void decode_two_byte(struct form *f, struct uop *u, u64 next)
{
	u8 op, which;
	unsigned int size;

	if (f->at == f->end)
		return;
	op = *f->at++;
	switch (op) {
	case 0x18 ... 0x1f:
		u->op = OP_NOP;
		return;
	case 0xae:
		if (f->rep && !f->narrow_op && (*f->at >> 3 & 7) == 4 && operands(f, u, next)) {
			u->op = OP_PTWRITE;
			u->dst = AT_NOWHERE;
			u->src = rm_place(u);
		}
		return;
	case 0x0d:
		if (*f->at < 0xc0)	/* a prefetch; AMD has no other */
			u->op = OP_NOP;
		return;
	case 0x40 ... 0x4f:
		if (into_reg(f, u, next, OP_CMOV))
			u->sub = op & 15;
		return;
	case 0x80 ... 0x8f:
		u->op = OP_JCC;
		u->sub = op & 15;
		return;
	case 0x90 ... 0x9f:
		u->size = 1;
		if (with_rm(f, u, next, OP_SETCC, AT_NOWHERE))
			u->sub = op & 15;
		return;
	case 0xa3: case 0xab: case 0xb3: case 0xbb:
		if (with_rm(f, u, next, OP_BT, AT_REG))
			u->sub = op >> 3 & 3;
		if (u->dst == AT_MEM)	/* the bit may lie anywhere in memory */
			u->op = OP_NATIVE;
		return;
	case 0xba:
		which = *f->at >> 3 & 7;
		if (which < 4 || !with_rm(f, u, next, OP_BT, AT_IMM))
			return;
		u->sub = which & 3;
		u->imm = f->end[-1];
		return;
	case 0xa4: case 0xa5: case 0xac: case 0xad:
		if (!with_rm(f, u, next, op & 8 ? OP_SHRD : OP_SHLD, AT_REG))
			return;
		u->sub = op & 1;	/* by CL */
		u->imm = f->end[-1];
		return;
	case 0xaf:
		into_reg(f, u, next, OP_IMUL2);
		return;
	case 0xb0: case 0xb1:
		u->size = op & 1 ? u->size : 1;
		with_rm(f, u, next, OP_CMPXCHG, AT_REG);
		return;
	case 0xb6: case 0xb7: case 0xbe: case 0xbf:
		size = u->size;
		u->size = op & 1 ? 2 : 1;
		if (!decode_modrm(f, u, next))
			return;
		if (u->size == 1 && u->rm != ZERO)
			u->rm = byte_reg(f, u->rm);
		u->op = OP_MOVSX;
		u->sub = size | (op & 8 ? 0 : WITH_ZERO);
		u->dst = AT_REG;
		u->src = rm_place(u);
		return;
	case 0xb8:
		if (f->rep && into_reg(f, u, next, OP_BITS))
			u->sub = BITS_POPCNT;
		return;
	case 0xbc: case 0xbd:
		if (into_reg(f, u, next, OP_BITS))
			u->sub = (op & 1) + (f->rep ? BITS_TZCNT : BITS_BSF);
		return;
	case 0xc0: case 0xc1:
		u->size = op & 1 ? u->size : 1;
		with_rm(f, u, next, OP_XADD, AT_REG);
		return;
	case 0xc8 ... 0xcf:
		if (u->size == 2)
			return;
		u->op = OP_BSWAP;
		u->dst = AT_RM;
		u->rm = (op & 7) | (f->rex & 1) << 3;
		return;
	}
}

static void decode_one_byte(struct form *f, struct uop *u, u8 op, u64 next)
{
	switch (op) {
	case 0x00 ... 0x3f:
		if ((op & 7) < 6)
			decode_alu(f, u, op, next);
		return;
	case 0x50 ... 0x57:
		decode_stack(f, u, OP_PUSH, AT_RM, (op & 7) | (f->rex & 1) << 3);
		return;
	case 0x58 ... 0x5f:
		decode_stack(f, u, OP_POP, AT_RM, (op & 7) | (f->rex & 1) << 3);
		return;
	case 0x63:
		if (!f->wide)
			return;
		u->size = 4;
		if (!decode_modrm(f, u, next))
			return;
		u->op = OP_MOVSX;
		u->sub = 8;
		u->dst = AT_REG;
		u->src = rm_place(u);
		return;
	case 0x68: case 0x6a:
		decode_stack(f, u, OP_PUSH, AT_IMM, 0);
		immediate(f, u, op == 0x68 ? 4 : 1);
		return;
	case 0x69: case 0x6b:
		if (into_reg(f, u, next, OP_IMUL3))
			immediate(f, u, op == 0x6b ? 1 : imm_size(u));
		return;
	case 0x70 ... 0x7f:
		u->op = OP_JCC;
		u->sub = op & 15;
		return;
	case 0x80: case 0x81: case 0x83:
		u->size = op & 1 ? u->size : 1;
		u->sub = *f->at >> 3 & 7;
		if (with_rm(f, u, next, OP_ALU, AT_IMM))
			immediate(f, u, op == 0x81 ? imm_size(u) : 1);
		return;
	case 0x84: case 0x85:
		u->size = op & 1 ? u->size : 1;
		with_rm(f, u, next, OP_TEST, AT_REG);
		return;
	case 0x86: case 0x87:
		u->size = op & 1 ? u->size : 1;
		with_rm(f, u, next, OP_XCHG, AT_REG);
		return;
	case 0x88: case 0x89:
		u->size = op & 1 ? u->size : 1;
		with_rm(f, u, next, OP_MOV, AT_REG);
		return;
	case 0x8a: case 0x8b:
		u->size = op & 1 ? u->size : 1;
		into_reg(f, u, next, OP_MOV);
		return;
	case 0x8d:
		if (into_reg(f, u, next, OP_LEA) && u->src != AT_MEM)
			u->op = OP_NATIVE;
		u->seg = 0;
		return;
	case 0x8f:
		if (f->narrow_op || (*f->at >> 3 & 7) || !operands(f, u, next) || u->rm == ZERO)
			return;		/* its address is that of after the pop */
		decode_stack(f, u, OP_POP, AT_RM, u->rm);
		return;
	case 0x90:
		if (f->rexed && (f->rex & 1))
			return;
		u->op = OP_NOP;
		return;
	case 0x91 ... 0x97:
		u->op = OP_XCHG;
		u->dst = AT_RM, u->src = AT_REG;
		u->rm = 0, u->reg = (op & 7) | (f->rex & 1) << 3;
		return;
	case 0x98: u->op = OP_WIDEN; return;
	case 0x99: u->op = OP_SIGN; return;
	case 0x9c: decode_stack(f, u, OP_PUSHF, AT_NOWHERE, 0); return;
	case 0x9d: decode_stack(f, u, OP_POPF, AT_NOWHERE, 0); return;
	case 0x9e: u->op = OP_SAHF; return;
	case 0x9f: u->op = OP_LAHF; return;
	case 0xa4: case 0xaa: case 0xac:
		u->size = 1;
		decode_string(f, u, op);
		return;
	case 0xa5: case 0xab: case 0xad:
		decode_string(f, u, op);
		return;
	case 0xa8: case 0xa9:
		u->size = op & 1 ? u->size : 1;
		u->op = OP_TEST;
		u->dst = AT_RM, u->rm = 0;
		u->src = AT_IMM;
		immediate(f, u, imm_size(u));
		return;
	case 0xb0 ... 0xbf:
		if (op < 0xb8)
			u->size = 1;
		u->op = OP_MOV;
		u->dst = AT_RM, u->src = AT_IMM;
		u->rm = (op & 7) | (f->rex & 1) << 3;
		if (u->size == 1)
			u->rm = byte_reg(f, u->rm);
		immediate(f, u, u->size);
		return;
	case 0xc0: case 0xc1: case 0xd0 ... 0xd3:
		u->size = op & 1 ? u->size : 1;
		u->sub = *f->at >> 3 & 7;
		if (u->sub == 6)
			return;
		if (!with_rm(f, u, next, OP_SHIFT, AT_IMM))
			return;
		u->imm = op < 0xd0 ? f->end[-1] : 1;
		if (op >= 0xd2)
			u->src = AT_NOWHERE;
		return;
	case 0xc3: u->op = OP_RET; return;
	case 0xc2: u->op = OP_RET, u->imm = get16(f->end - 2); return;
	case 0xc6: case 0xc7:
		u->size = op & 1 ? u->size : 1;
		if ((*f->at >> 3 & 7) || !with_rm(f, u, next, OP_MOV, AT_IMM))
			return;
		immediate(f, u, imm_size(u));
		return;
	case 0xc9: decode_stack(f, u, OP_LEAVE, AT_NOWHERE, 0); return;
	case 0xe0 ... 0xe3:
		if (f->rep || f->repne)	/* AMD goes by ZF as these say, not the opcode */
			return;
		u->op = OP_LOOP;
		u->sub = op & 3;
		u->narrow = f->narrow_addr;
		return;
	case 0xe8: u->op = OP_CALL; return;
	case 0xe9: case 0xeb: u->op = OP_JUMP; return;
	case 0xf5: u->op = OP_FLAG, u->sub = FLAG_CMC; return;
	case 0xf8: u->op = OP_FLAG, u->sub = FLAG_CLC; return;
	case 0xf9: u->op = OP_FLAG, u->sub = FLAG_STC; return;
	case 0xfc: u->op = OP_FLAG, u->sub = FLAG_CLD; return;
	case 0xfd: u->op = OP_FLAG, u->sub = FLAG_STD; return;
	case 0xf6: case 0xf7:
		u->size = op & 1 ? u->size : 1;
		decode_f6(f, u, next);
		return;
	case 0xfe: case 0xff:
		u->size = op & 1 ? u->size : 1;
		decode_ff(f, u, next);
		return;
	}
}

static bool may_lock(const struct uop *u)
{
	const u64 takes_it = 1ULL << OP_ALU | 1ULL << OP_NOT | 1ULL << OP_NEG | 1ULL << OP_INC |
		1ULL << OP_DEC | 1ULL << OP_XCHG | 1ULL << OP_BT | 1ULL << OP_XADD |
		1ULL << OP_CMPXCHG;

	if ((u->op == OP_ALU && u->sub == 7) || (u->op == OP_BT && u->sub == 0))
		return false;
	return u->dst == AT_MEM && (takes_it >> u->op & 1);
}

bool exec_decode(struct uop *u, struct bytes code, u64 ip)
{
	struct form f = { .at = code.at };
	struct insn insn;
	u8 op;

	*u = (struct uop){ .base = ZERO, .index = ZERO };
	if (insn_decode(&insn, INSN_64, code) <= 0)
		return false;
	f.end = code.at + insn.len;
	u->len = insn.len;
	u->kind = insn.kind;
	if (!decode_prefixes(&f))
		return false;
	u->size = f.wide ? 8 : f.narrow_op ? 2 : 4;
	op = *f.at++;
	if (op == 0x0f)
		decode_two_byte(&f, u, ip + insn.len);
	else
		decode_one_byte(&f, u, op, ip + insn.len);
	if (f.narrow_op && u->kind >= INSN_JUMP)
		u->op = OP_NATIVE;
	if (f.lock && !may_lock(u))
		u->op = OP_NATIVE;
	if (u->kind == INSN_JUMP || u->kind == INSN_CALL || u->kind == INSN_COND)
		u->imm = insn_target(&insn, INSN_64, ip);
	if (u->op == OP_NATIVE && u->kind == INSN_OTHER)
		return here_decode(u, (struct bytes){ code.at, insn.len }, ip + insn.len);
	return u->op != OP_NATIVE;
}
