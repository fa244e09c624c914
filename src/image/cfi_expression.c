/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expressions of call frame information: programs for a machine with a stack (DWARF 5, "DWARF
 * Expressions"), as far as they can be about registers and memory of a frame.
 */
#include "cfi.h"
#include "reader.h"

enum {
	OP_ADDR = 0x03, OP_DEREF = 0x06, OP_CONST1U = 0x08, OP_CONST8S = 0x0f, OP_CONSTU,
	OP_CONSTS, OP_DUP, OP_DROP, OP_OVER, OP_PICK, OP_SWAP, OP_ROT,
	OP_ABS = 0x19, OP_AND, OP_DIV, OP_MINUS, OP_MOD, OP_MUL, OP_NEG, OP_NOT, OP_OR, OP_PLUS,
	OP_PLUS_UCONST, OP_SHL, OP_SHR, OP_SHRA, OP_XOR, OP_BRA, OP_EQ, OP_GE, OP_GT, OP_LE, OP_LT,
	OP_NE, OP_SKIP, OP_LIT0, OP_LIT31 = 0x4f, OP_BREG0 = 0x70, OP_BREG31 = 0x8f,
	OP_BREGX = 0x92, OP_DEREF_SIZE = 0x94, OP_NOP = 0x96,

	STACK_MAX = 64, OPERATIONS_MAX = 1024,
};

/* 'bad': the expression has no result. */
struct machine {
	struct reader r;
	const struct cfi_frame *f;
	u64 stack[STACK_MAX];
	u32 n;
};

static void push(struct machine *m, u64 v)
{
	if (m->n < STACK_MAX)
		m->stack[m->n++] = v;
	else
		m->r.bad = true;
}

static u64 pop(struct machine *m)
{
	if (m->n)
		return m->stack[--m->n];
	m->r.bad = true;
	return 0;
}

/* The i-th from the top. */
static void pick(struct machine *m, u32 i)
{
	if (i < m->n)
		push(m, m->stack[m->n - 1 - i]);
	else
		m->r.bad = true;
}

/* Operations on two numbers. */
static u64 combine(struct machine *m, u8 op, u64 a, u64 b)
{
	i64 x = a, y = b;

	switch (op) {
	case OP_AND: return a & b;
	case OP_MINUS: return a - b;
	case OP_MUL: return a * b;
	case OP_OR: return a | b;
	case OP_PLUS: return a + b;
	case OP_XOR: return a ^ b;
	case OP_SHL: return b < 64 ? a << b : 0;
	case OP_SHR: return b < 64 ? a >> b : 0;
	case OP_SHRA: return x >> MIN(b, 63ull);
	case OP_EQ: return x == y;
	case OP_GE: return x >= y;
	case OP_GT: return x > y;
	case OP_LE: return x <= y;
	case OP_LT: return x < y;
	case OP_NE: return x != y;
	case OP_MOD:
		m->r.bad |= !b;
		return b ? a % b : 0;
	case OP_DIV:
		m->r.bad |= !b;
		return b == ~0ULL ? -a : b ? (u64)(x / y) : 0;
	}
	m->r.bad = true;
	return 0;
}

/* Go on elsewhere: 'to' bytes after the operand. */
static void jump(struct machine *m, struct bytes all, i16 to)
{
	i64 off = m->r.rest.at - all.at + to;

	m->r.bad |= off < 0 || off > (i64)all.len;
	if (!m->r.bad)
		m->r.rest = bytes_skip(all, off);
}

static void push_constant(struct machine *m, u8 op)
{
	u32 size = 1u << (op - OP_CONST1U) / 2;
	u64 v = reader_take(&m->r, size);

	if ((op - OP_CONST1U) % 2 && size < 8 && v >> (8 * size - 1))
		v |= ~0ULL << 8 * size;
	push(m, v);
}

static void push_register(struct machine *m, u64 reg)
{
	i64 off = reader_sleb(&m->r);

	m->r.bad |= reg >= CFI_REGS || !(m->f->known >> reg & 1);
	push(m, m->r.bad ? 0 : m->f->reg[reg] + off);
}

static void read_memory(struct machine *m, u32 size)
{
	u64 v = 0;

	m->r.bad |= size > 8 || !m->f->read(m->f->who, pop(m), size, &v);
	push(m, v);
}

/* Operations that only move or change what is on the stack. */
static bool arrange(struct machine *m, u8 op)
{
	u64 a, b, c;

	switch (op) {
	case OP_DUP:
		pick(m, 0);
		return true;
	case OP_DROP:
		pop(m);
		return true;
	case OP_OVER:
		pick(m, 1);
		return true;
	case OP_PICK:
		pick(m, reader_take(&m->r, 1));
		return true;
	case OP_SWAP:
		b = pop(m);
		a = pop(m);
		push(m, b);
		push(m, a);
		return true;
	case OP_ROT:
		c = pop(m);
		b = pop(m);
		a = pop(m);
		push(m, c);
		push(m, a);
		push(m, b);
		return true;
	case OP_ABS:
		a = pop(m);
		push(m, a >> 63 ? -a : a);
		return true;
	case OP_NEG:
		push(m, -pop(m));
		return true;
	case OP_NOT:
		push(m, ~pop(m));
		return true;
	case OP_PLUS_UCONST:
		push(m, pop(m) + reader_uleb(&m->r));
		return true;
	}
	return false;
}

static void operate(struct machine *m, struct bytes all)
{
	u8 op = reader_take(&m->r, 1);
	u64 a, b;

	if (op >= OP_LIT0 && op <= OP_LIT31) {
		push(m, op - OP_LIT0);
	} else if (op >= OP_BREG0 && op <= OP_BREG31) {
		push_register(m, op - OP_BREG0);
	} else if (op >= OP_CONST1U && op <= OP_CONST8S) {
		push_constant(m, op);
	} else if (!arrange(m, op)) {
		switch (op) {
		case OP_ADDR:
			push(m, reader_take(&m->r, 8));
			break;
		case OP_CONSTU:
			push(m, reader_uleb(&m->r));
			break;
		case OP_CONSTS:
			push(m, reader_sleb(&m->r));
			break;
		case OP_BREGX:
			push_register(m, reader_uleb(&m->r));
			break;
		case OP_DEREF:
			read_memory(m, 8);
			break;
		case OP_DEREF_SIZE:
			read_memory(m, reader_take(&m->r, 1));
			break;
		case OP_SKIP:
			jump(m, all, reader_take(&m->r, 2));
			break;
		case OP_BRA:
			a = reader_take(&m->r, 2);
			if (pop(m))
				jump(m, all, a);
			break;
		case OP_NOP:
			break;
		default:
			b = pop(m);
			a = pop(m);
			push(m, combine(m, op, a, b));
		}
	}
}

bool cfi_result(struct bytes expression, const struct cfi_frame *f, u64 start, u64 *result)
{
	struct machine m = { .r.rest = expression, .f = f };
	u32 i;

	push(&m, start);
	for (i = 0; m.r.rest.len && !m.r.bad; i++) {
		if (i == OPERATIONS_MAX)
			return false;
		operate(&m, expression);
	}
	*result = pop(&m);
	return !m.r.bad;
}
