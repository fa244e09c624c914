/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where an instruction will touch memory, as far as that can be told before.
 *
 * Needed for those that the processor is to do while a breakpoint lies near in
 * the code: one that might read it must not run then. Encodings that are not
 * known here count as reading everything.
 * Manual: SDM volume 2, "Instruction Format", "Opcode Map".
 */
#include "exec.h"

enum {
	WIDEST = 64,		/* bytes of a vector */
	STATE = 12 << 10,	/* of what XSAVE and its kind write, at most */
};

struct touch {
	const struct cpu *cpu;
	u32 *changed;
	u64 lo, hi;
};

static u32 bit(u8 reg)
{
	return 1u << (reg & HIGH ? reg & 3 : reg);
}

static bool outside(const struct touch *t, u64 at, u64 size)
{
	return at >= t->hi || at + size <= t->lo;
}

static bool operand_outside(const struct touch *t, const struct uop *u, u64 size)
{
	if ((bit(u->base) | bit(u->index)) & *t->changed & 0xffff)
		return false;
	return outside(t, uop_address(t->cpu, u), size);
}

/* What an instruction that exec.c knows changes besides its destination. */
static u32 besides(const struct uop *u)
{
	switch (u->op) {
	case OP_XCHG: case OP_XADD:
		return bit(u->reg);
	case OP_MUL: case OP_IMUL: case OP_DIV: case OP_IDIV: case OP_SIGN: case OP_WIDEN:
	case OP_CMPXCHG: case OP_LAHF:
		return 1 << 0 | 1 << 2;
	case OP_MOVS: case OP_STOS: case OP_LODS:
		return 1 << 0 | 1 << 1 | 1 << 6 | 1 << 7;
	case OP_PUSH: case OP_POP: case OP_PUSHF: case OP_POPF:
		return 1 << 4;
	case OP_LEAVE:
		return 1 << 4 | 1 << 5;
	}
	return 0;
}

static bool string_outside(const struct touch *t, const struct uop *u)
{
	u64 size = u->size * (u->sub ? t->cpu->r[1] : 1);

	if (*t->changed & (1 << 1 | 1 << 6 | 1 << 7) || t->cpu->rest & 1 << 10 || size >> 40)
		return false;
	return outside(t, t->cpu->r[7], size) && outside(t, t->cpu->r[6], size);
}

static bool known(const struct touch *t, const struct uop *u)
{
	bool harmless = true;

	if (u->op >= OP_MOVS && u->op <= OP_LODS)
		harmless = string_outside(t, u);
	else if ((u->dst == AT_MEM || u->src == AT_MEM) && u->op != OP_LEA)
		harmless = operand_outside(t, u, 8);
	*t->changed |= besides(u);
	if (u->dst == AT_REG)
		*t->changed |= bit(u->reg);
	if (u->dst == AT_RM)
		*t->changed |= bit(u->rm);
	return harmless;
}

/* Vector and x87 instructions with ModRM at f->at; 'also' is a register that
 * VEX.vvvv may name. */
static bool with_modrm(const struct touch *t, struct form *f, u64 next, u64 size, u8 also)
{
	struct uop u = { .base = ZERO, .index = ZERO };

	if (!decode_modrm(f, &u, next))
		return false;
	if (u.rm == ZERO && !operand_outside(t, &u, size))
		return false;
	*t->changed |= bit(u.reg) | bit(also) | (u.rm == ZERO ? 0 : bit(u.rm));
	return true;
}

static bool vex(const struct touch *t, struct form *f, u64 next)
{
	const u8 *p = f->at;
	bool evex = p[0] == 0x62;
	unsigned int n = evex ? 4 : p[0] == 0xc4 ? 3 : 2, map = n == 2 ? 1 : p[1] & 7;
	u8 op;

	if (f->end - p < (int)n + 1)
		return false;
	f->rex = (p[1] & 0x80 ? 0 : 4);
	if (n > 2)
		f->rex |= (p[1] & 0x40 ? 0 : 2) | (p[1] & 0x20 ? 0 : 1);
	op = p[n];
	f->at = p + n + 1;
	if (map == 1 && op == 0x77 && !evex)
		return true;
	if (map == 2 && ((op >= 0x90 && op <= 0x93) || (op >= 0xa0 && op <= 0xa3) || op == 0xc6 ||
			 op == 0xc7))
		return false;		/* gathers and scatters */
	/* EVEX scales an 8-bit displacement by the operand's size: be generous. */
	if (evex)
		return with_modrm(t, f, next, WIDEST + 128 * WIDEST, 15 & ~(p[2] >> 3));
	return with_modrm(t, f, next, WIDEST, 15 & ~(p[n - 1] >> 3));
}

static bool two_byte(const struct touch *t, struct form *f, u64 next)
{
	u8 op = *f->at++;

	switch (op) {
	case 0x31:		/* rdtsc */
		*t->changed |= 1 << 0 | 1 << 2;
		return true;
	case 0xa2:		/* cpuid */
		*t->changed |= 15;
		return true;
	case 0x01:		/* xgetbv, rdtscp */
		*t->changed |= 7;
		return *f->at == 0xd0 || *f->at == 0xf9;
	case 0x77:
		return true;
	case 0x38: case 0x3a:
		f->at++;
		return with_modrm(t, f, next, WIDEST, 0);
	case 0xae:
		return with_modrm(t, f, next, STATE, 0);
	case 0x10 ... 0x17: case 0x28 ... 0x2f: case 0x50 ... 0x76: case 0x7c ... 0x7f:
	case 0xa3: case 0xc2 ... 0xc6: case 0xd0 ... 0xfe:
		if (op == 0xa3)
			return false;
		return with_modrm(t, f, next, WIDEST, 0);
	}
	return false;
}

static bool unknown(const struct touch *t, struct bytes code, u64 next)
{
	struct form f = { .at = code.at, .end = code.at + code.len };

	for (; f.at < f.end; f.at++) {
		if (*f.at == 0x67)
			f.narrow_addr = true;
		else if (*f.at == 0x64 || *f.at == 0x65)
			f.segment = *f.at - 0x63;
		else if (*f.at != 0x66 && *f.at != 0xf2 && *f.at != 0xf3 && *f.at != 0xf0 &&
			 (*f.at & 0xe7) != 0x26)
			break;
	}
	if (f.end - f.at > 1 && (*f.at & 0xf0) == 0x40)
		f.rex = *f.at++;
	if (f.end - f.at < 2)
		return false;
	switch (*f.at) {
	case 0xc4: case 0xc5: case 0x62:
		return vex(t, &f, next);
	case 0x0f:
		f.at++;
		return two_byte(t, &f, next);
	case 0xd8 ... 0xdf:
		f.at++;
		*t->changed |= 1;
		return with_modrm(t, &f, next, 128, 0);
	}
	return false;
}

bool exec_harmless(const struct cpu *cpu, const struct exec_line *line, u32 *changed, u64 lo,
		   u64 hi)
{
	struct touch t = { cpu, changed, lo, hi };

	if (line->u.op != OP_NATIVE)
		return known(&t, &line->u);
	if (!line->u.len)
		return false;
	return unknown(&t, (struct bytes){ line->bytes, line->u.len }, line->ip + line->u.len);
}
