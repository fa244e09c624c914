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

enum { STATE = 12 << 10 };	/* bytes that XSAVE and its kind write, at most */

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
	case OP_HERE:
		return bit(u->reg) | bit(u->rm) | bit(u->imm) | 1 << 1;
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
		harmless = operand_outside(t, u, MAX(u->size, 8));
	*t->changed |= besides(u);
	if (u->dst == AT_REG)
		*t->changed |= bit(u->reg);
	if (u->dst == AT_RM)
		*t->changed |= bit(u->rm);
	return harmless;
}

/* Instructions with ModRM at f->at. */
static bool with_modrm(const struct touch *t, struct form *f, u64 next, u64 size)
{
	struct uop u = { .base = ZERO, .index = ZERO };

	if (!decode_modrm(f, &u, next))
		return false;
	if (u.rm == ZERO && !operand_outside(t, &u, size))
		return false;
	*t->changed |= bit(u.reg) | (u.rm == ZERO ? 0 : bit(u.rm));
	return true;
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
	case 0xae:
		return with_modrm(t, f, next, STATE);
	}
	return false;
}

static bool unknown(const struct touch *t, struct bytes code, u64 next)
{
	struct form f = { .at = code.at, .end = code.at + code.len };

	if (!decode_prefixes(&f) || f.end - f.at < 2)
		return false;
	switch (*f.at) {
	case 0x0f:
		f.at++;
		return two_byte(t, &f, next);
	case 0xd8 ... 0xdf:
		f.at++;
		*t->changed |= 1;
		return with_modrm(t, &f, next, 128);
	}
	return false;
}

bool exec_is_ptwrite(const struct exec_line *line)
{
	return line->u.op == OP_PTWRITE;
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
