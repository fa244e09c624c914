/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * 32-bit code, translated to 64-bit code.
 *
 * Most instructions are the same in both. The upper halves of the program's registers are always
 * zero, since 32-bit operations clear them. The program cannot use r8 to r15; r11 is always the
 * ring's pointer, and r13 is scratch. What differs:
 *
 *	operands in memory	the prefix 67h limits addresses to 32 bits. An address without a
 *				register gets a SIB byte, else it would be relative to RIP
 *	... with %gs		32-bit code adds the base modulo 2^32, and offsets are often
 *				negative; so the offset is sign-extended, and has no 67h
 *	push, pop, ...		these use 8 bytes in 64-bit code: MOV and LEA instead
 *	one-byte INC, DEC	two-byte ones
 *
 * If a signal comes between the store and the LEA of a PUSH, the program is interrupted at its next
 * instruction, and t->now.sp is what ESP still lacks.
 *
 * What 64-bit code cannot do is odd, and so are rare forms: 16-bit addresses, segments other than
 * %gs, far branches, BCD arithmetic, VEX.W and bits of VEX that 32-bit code ignores.
 */
#include <pt/arch.h>

#include "insn_maps.h"
#include "translate.h"
#include "translate_emit.h"

enum { CODE_32 = 0x23 };
enum { PUSHED = 4, MOST_ADDED = 2 };	/* 67h, SIB */

/* What is odd. */

/* Bits of VEX, EVEX and XOP that 32-bit code ignores, and that mean something in 64-bit code. */
static bool vex_is_odd(const struct form *f, const u8 *code)
{
	const u8 *at = code + f->vex_at - 1;
	u8 wide = *at == 0xc5 ? 0 : at[2] & 0x80;

	if (f->r | f->x | f->b || f->v & 8 || (wide && !form_only_vectors(f, code)))
		return true;
	if (*at == 0x62)
		return (at[1] & 0x18) != 0x10 || !(at[3] & 8) || f->map == 4;
	/* The last byte names a register. */
	return (f->map == 8 || (f->map == 3 && (f->op - 0x48u < 5 || f->op - 0x5cu < 0x24))) &&
	       code[f->insn.len - 1] & 0x80;
}

/* Is it an opcode of map 0 that 64-bit code lacks and that is not translated in another way, or one
 * that changes a segment? */
static bool map0_is_odd(const struct form *f, const u8 *code)
{
	u8 op = f->op, reg = code[f->modrm_at] >> 3 & 7;

	switch (op) {
	case 0x06: case 0x0e: case 0x16: case 0x1e:	/* PUSH of a segment */
	case 0x40 ... 0x4f:
		return false;
	case 0x60: case 0x61:
		return f->op16;
	case 0x82:
		return false;
	case 0x63:
		return true;
	case 0x8c:
		return reg == 1;
	case 0x8e:
		return reg != 5;
	case 0xc7:
		return f->op16 && code[f->modrm_at] == 0xf8;
	case 0xc8:
		return f->op16 || code[f->op_at + 3];
	case 0xc9:
		return f->op16;
	}
	return shapes0[op] & SHAPE_NOT64;
}

static bool map1_is_odd(const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at];

	switch (f->op) {
	case 0x00:					/* SLDT, STR: the kernel emulates them */
		return !(modrm & 0x30);
	case 0x01:					/* SGDT, SIDT, SMSW; SWAPGS */
		return (modrm & 0x38) == 0x20 || (modrm < 0xc0 ? !(modrm & 0x30) : modrm == 0xf8);
	case 0xa0: case 0xa1: case 0xa8: case 0xa9:	/* PUSH, POP of FS, GS */
		return f->op != 0xa8;
	case 0xae:					/* RDFSBASE and others */
		return f->rep && modrm >= 0xc0 && modrm < 0xe0;
	case 0xb2: case 0xb4: case 0xb5:
		return true;
	}
	return false;
}

/* An operand in %gs: the forms that copy_gs() cannot do. With a REX prefix AH to BH would be other
 * registers. */
static bool gs_is_odd(const struct form *f, const u8 *code)
{
	u8 reg = code[f->modrm_at] >> 3 & 7;

	if (form_is_moffs(f))
		return false;
	if (f->modrm_at && !form_is_memory(f, code))
		return form_is_implicit(f, code);
	if (f->vex_at || !f->modrm_at)
		return true;
	if (f->rip)
		return false;
	if (reg >= 4 && !(f->op & 1) && (f->map ? f->op == 0xb0 || f->op == 0xc0 :
					 f->op < 0x40 || (f->op & 0xf8) == 0x88 ||
					 f->op == 0x84 || f->op == 0x86))
		return true;
	return f->op == 0x8f && !f->map;
}

/* 64-bit code ignores the prefixes CS, DS, ES and SS. In 32-bit code they may replace an earlier FS
 * or GS, and writes by CS are forbidden. */
static bool segment_is_odd(const struct form *f, const u8 *code)
{
	u8 i;

	if (f->insn.kind >= INSN_JUMP)
		return false;
	for (i = 0; i < f->insn.len && code[i] != SEG_GS && code[i] != SEG_FS; i++)
		;
	if (f->seg && f->seg != SEG_GS && i < (f->vex_at ? f->vex_at - 1u : f->op_at))
		return true;
	if (f->seg == SEG_CS)
		return form_is_memory(f, code) ? !form_is_hint(f) :
			form_is_implicit(f, code) && !form_is_string(f);
	return f->seg == SEG_GS && gs_is_odd(f, code);
}

bool form_is_odd32(const struct form *f, const u8 *code)
{
	switch (f->insn.kind) {
	case INSN_FAR_CALL: case INSN_FAR_JUMP: case INSN_FAR_RET: case INSN_IRET: case INSN_SYSRET:
	case INSN_VMCALL:
		return true;
	case INSN_INT:
		return f->op == 0xce || (f->op == 0xcd && code[f->op_at + 1] != 0x80);
	}
	if (f->addr32 || f->seg == SEG_FS || f->insn.len > INSN_MAX - MOST_ADDED)
		return true;
	if (segment_is_odd(f, code))
		return true;
	if (f->insn.kind >= INSN_JUMP && (f->op16 || f->vex_at))
		return true;
	if (f->vex_at)
		return vex_is_odd(f, code);
	return !f->map ? map0_is_odd(f, code) : f->map == 1 && map1_is_odd(f, code);
}

/* Operands in memory. */

static bool by_offset(const struct form *f)
{
	return f->rip && f->seg == SEG_GS;
}

/* ModRM, SIB and displacement of the operand, with 'reg' in ModRM. Returns what follows them. */
static const u8 *emit_operand(struct translate_code *c, const struct form *f, const u8 *code,
			      u8 reg)
{
	const u8 *at = code + f->modrm_at;
	u8 modrm = (*at & 0xc7) | reg << 3, mod = *at >> 6, rm = *at & 7;
	unsigned int n;

	at++;
	if (f->rip) {
		EMIT(c, modrm - 1, 0x25);
		emit32(c, get32(at));
		return at + 4;
	}
	n = mod == 3 ? 0 : mod == 1 ? 1 : mod == 2 ? 4 : 0;
	if (mod != 3 && rm == 4)
		n += 1 + (!mod && (*at & 7) == 5 ? 4 : 0);
	EMIT(c, modrm);
	emit(c, at, n);
	return at + n;
}

/* r13 = the operand's offset in %gs. */
static void load_offset(struct translate *t, const struct form *f, const u8 *code)
{
	mark(t, &t->hot);
	EMIT(&t->hot, 0x67, 0x44, 0x8d);
	emit_operand(&t->hot, f, code, R13 & 7);
	mark(t, &t->hot);
	EMIT(&t->hot, 0x4d, 0x63, 0xed);		/* movslq %r13d, %r13 */
}

/* MOV between a 32-bit register and the operand, which may be a register, too: 'op' is 8b or 89. */
static void move_operand(struct translate *t, const struct form *f, const u8 *code, u8 op, u8 reg)
{
	struct translate_code *c = &t->hot;
	u8 rex = 0x40 | reg >> 3 << 2;

	if (f->seg == SEG_GS && form_is_memory(f, code) && !f->rip) {
		load_offset(t, f, code);
		mark(t, c);
		EMIT(c, SEG_GS, rex | 1, op, 0x45 | (reg & 7) << 3, 0);	/* gs:(%r13) */
		return;
	}
	mark(t, c);
	if (by_offset(f))
		EMIT(c, SEG_GS);
	else if (form_is_memory(f, code))
		EMIT(c, 0x67);
	EMIT(c, rex, op);
	emit_operand(c, f, code, reg & 7);
}

void translate_target32(struct translate *t, const struct form *f, const u8 *code)
{
	move_operand(t, f, code, 0x8b, RCX);
}

/* An operand in %gs whose address has registers. */
static void copy_gs(struct translate *t, const struct form *f, const u8 *code)
{
	struct translate_code *c = &t->hot, rest = { 0 };
	u8 scratch[INSN_MAX];
	const u8 *from;

	load_offset(t, f, code);
	rest.to = scratch;
	from = emit_operand(&rest, f, code, 0);
	mark(t, c);
	emit(c, code, f->op_at - (f->map == 0 ? 0 : f->map == 1 ? 1 : 2));
	EMIT(c, 0x41);
	emit(c, code + f->op_at - (f->map == 0 ? 0 : f->map == 1 ? 1 : 2),
	     f->modrm_at - f->op_at + (f->map == 0 ? 0 : f->map == 1 ? 1 : 2));
	EMIT(c, 0x45 | (code[f->modrm_at] & 0x38), 0);
	emit(c, from, code + f->insn.len - from);
}

/* MOV between AL or EAX and an offset in %gs. */
static void copy_moffs(struct translate *t, const struct form *f, const u8 *code)
{
	struct translate_code *c = &t->hot;

	mark(t, c);
	emit(c, code, f->op_at);
	EMIT(c, 0x88 | (f->op & 1) | (f->op < 0xa2 ? 2 : 0), 0x04, 0x25);
	emit32(c, get32(code + f->op_at + 1));
}

static void copy(struct translate *t, const struct form *f, const u8 *code)
{
	struct translate_code *c = &t->hot;
	bool is_lea = f->op == 0x8d && !f->map && !f->vex_at;
	const u8 *from;

	mark(t, c);
	if (is_lea ? 0 : form_is_memory(f, code) ? !by_offset(f) : form_is_implicit(f, code))
		EMIT(c, 0x67);
	if (!form_is_memory(f, code) || !f->rip || form_is_gather(f)) {
		emit(c, code, f->insn.len);
		return;
	}
	emit(c, code, f->modrm_at);
	from = emit_operand(c, f, code, code[f->modrm_at] >> 3 & 7);
	emit(c, from, code + f->insn.len - from);
}

/* The stack. */

/* lea n(%rsp), %esp */
static void add_to_esp(struct translate *t, i32 n)
{
	mark(t, &t->hot);
	if (n == (i8)n) {
		EMIT(&t->hot, 0x8d, 0x64, 0x24, n);
	} else {
		EMIT(&t->hot, 0x8d, 0xa4, 0x24);
		emit32(&t->hot, n);
	}
}

/* End an instruction of which only the change of ESP, by n, is left. */
static void end_by(struct translate *t, const struct form *f, i32 n)
{
	t->now.ip += f->insn.len;
	t->now.sp = -n;
	add_to_esp(t, n);
	t->now.sp = 0;
}

/* MOV between a 32-bit register and n(%esp): 'op' is 8b or 89. */
static void move_stack(struct translate *t, u8 op, u8 reg, i32 n)
{
	mark(t, &t->hot);
	EMIT(&t->hot, 0x67, 0x40 | reg >> 3 << 2, op, 0x44 | (reg & 7) << 3, 0x24, n);
}

static void store_below(struct translate *t, u32 v)
{
	mark(t, &t->hot);
	EMIT(&t->hot, 0x67, 0xc7, 0x44, 0x24, -PUSHED);
	emit32(&t->hot, v);
}

void translate_push(struct translate *t, u32 v)
{
	store_below(t, v);
	add_to_esp(t, -PUSHED);
}

void translate_pop_target(struct translate *t, u8 reg, u16 more)
{
	move_stack(t, 0x8b, reg, 0);
	add_to_esp(t, PUSHED + more);
	t->now.sp = PUSHED + more;
}

static void push_register(struct translate *t, const struct form *f, u8 reg)
{
	move_stack(t, 0x89, reg, -PUSHED);
	end_by(t, f, -PUSHED);
}

static void push_value(struct translate *t, const struct form *f, u32 v)
{
	store_below(t, v);
	end_by(t, f, -PUSHED);
}

static void pop_register(struct translate *t, const struct form *f, u8 reg)
{
	move_stack(t, 0x8b, reg, 0);
	if (reg == RSP)
		t->now.ip += f->insn.len;
	else
		end_by(t, f, PUSHED);
}

/* The address is computed with the new ESP. */
static void pop_memory(struct translate *t, const struct form *f, const u8 *code)
{
	move_stack(t, 0x8b, R13, 0);
	add_to_esp(t, PUSHED);
	t->now.sp = PUSHED;
	move_operand(t, f, code, 0x89, R13);
	t->now.sp = 0;
	t->now.ip += f->insn.len;
}

/* PUSHF and POPF of 32 bits are made of those of 64 bits. PUSHF writes 8 bytes below ESP. POPF pops
 * the program's 4 bytes as its upper half, which the processor ignores, and a copy of them as its
 * lower half. It is the last instruction, since it may set the trap flag. */
static void push_flags(struct translate *t, const struct form *f)
{
	mark(t, &t->hot);
	EMIT(&t->hot, 0x9c);
	t->now.sp = -8;
	mark(t, &t->hot);
	EMIT(&t->hot, 0x41, 0x5d);
	t->now.sp = 0;
	push_register(t, f, R13);
}

static void pop_flags(struct translate *t, const struct form *f)
{
	move_stack(t, 0x8b, R13, 0);
	move_stack(t, 0x89, R13, -PUSHED);
	add_to_esp(t, -PUSHED);
	t->now.sp = -PUSHED;
	mark(t, &t->hot);
	EMIT(&t->hot, 0x9d);
	t->now.sp = 0;
	t->now.ip += f->insn.len;
}

static void push_all(struct translate *t, const struct form *f)
{
	u8 reg;

	for (reg = 0; reg < 8; reg++)
		move_stack(t, 0x89, reg, -PUSHED * (reg + 1));
	end_by(t, f, -PUSHED * 8);
}

static void pop_all(struct translate *t, const struct form *f)
{
	u8 reg;

	for (reg = 8; reg-- > 0;)
		if (reg != RSP)
			move_stack(t, 0x8b, reg, PUSHED * (7 - reg));
	end_by(t, f, PUSHED * 8);
}

static void enter(struct translate *t, const struct form *f, u16 size)
{
	move_stack(t, 0x89, RBP, -PUSHED);
	mark(t, &t->hot);
	EMIT(&t->hot, 0x67, 0xc1, 0xa4, 0x24);	/* shll $0: a fault there, as ENTER has it */
	emit32(&t->hot, -PUSHED - size);
	EMIT(&t->hot, 0);
	add_to_esp(t, -PUSHED - size);
	t->now.sp = -PUSHED - size;
	mark(t, &t->hot);
	EMIT(&t->hot, 0x8d, 0xac, 0x24);		/* lea size(%rsp), %ebp */
	emit32(&t->hot, size);
	t->now.sp = 0;
	t->now.ip += f->insn.len;
}

static void leave_frame(struct translate *t, const struct form *f)
{
	mark(t, &t->hot);
	EMIT(&t->hot, 0x67, 0x44, 0x8b, 0x6d, 0);	/* mov (%ebp), %r13d */
	mark(t, &t->hot);
	EMIT(&t->hot, 0x8d, 0x65, PUSHED);		/* lea 4(%rbp), %esp */
	t->now.ip += f->insn.len;
	t->now.held = RBP + 1;
	mark(t, &t->hot);
	EMIT(&t->hot, 0x44, 0x89, 0xed);
	t->now.held = 0;
}

/* One instruction. */

/* PUSH and POP of 16 bits are the same in both modes. */
static bool translate_stack(struct translate *t, const struct form *f, const u8 *code)
{
	u8 reg = code[f->modrm_at] >> 3 & 7;

	if (f->op16 || f->vex_at || f->map)
		return false;
	switch (f->op) {
	case 0x50 ... 0x57:
		push_register(t, f, f->op & 7);
		return true;
	case 0x58 ... 0x5f:
		pop_register(t, f, f->op & 7);
		return true;
	case 0x60:
		push_all(t, f);
		return true;
	case 0x61:
		pop_all(t, f);
		return true;
	case 0x68:
		push_value(t, f, get32(code + f->op_at + 1));
		return true;
	case 0x6a:
		push_value(t, f, (i8)code[f->op_at + 1]);
		return true;
	case 0x8f:
		if (reg)		/* invalid: its copy faults, too */
			return false;
		pop_memory(t, f, code);
		return true;
	case 0x9c:
		push_flags(t, f);
		return true;
	case 0x9d:
		pop_flags(t, f);
		return true;
	case 0xc8:
		enter(t, f, get16(code + f->op_at + 1));
		return true;
	case 0xc9:
		leave_frame(t, f);
		return true;
	case 0xff:
		if (reg != 6)
			return false;
		move_operand(t, f, code, 0x8b, R13);
		push_register(t, f, R13);
		return true;
	}
	return false;
}

/* PUSH of ES, CS, SS, DS or GS; and PUSH of 16 bits of them. */
static bool push_segment(struct translate *t, const struct form *f)
{
	u8 seg = f->map == 1 && f->op == 0xa8 ? 5 : f->op >> 3;

	if (f->vex_at || (f->map ? f->map != 1 || f->op != 0xa8 :
			  (f->op & 7) != 6 || f->op > 0x1e))
		return false;
	mark(t, &t->hot);
	if (seg == 1) {
		EMIT(&t->hot, 0x41, 0xbd);		/* mov $CODE_32, %r13d */
		emit32(&t->hot, CODE_32);
	} else {
		EMIT(&t->hot, 0x41, 0x8c, 0xc5 | seg << 3);
	}
	if (!f->op16) {
		mark(t, &t->hot);
		if (t->halves)
			EMIT(&t->hot, 0x66);
		EMIT(&t->hot, 0x67, 0x44, 0x89, 0x6c, 0x24, -PUSHED);	/* mov %r13d, -4(%esp) */
		end_by(t, f, -PUSHED);
		return true;
	}
	mark(t, &t->hot);
	EMIT(&t->hot, 0x66, 0x41, 0x55);
	t->now.ip += f->insn.len;
	return true;
}

void translate_copy32(struct translate *t, const struct form *f, const u8 *code)
{
	struct translate_code *c = &t->hot;
	u8 same[INSN_MAX];

	/* With LOCK, a copy faults as the original does. */
	if (!f->lock && (push_segment(t, f) || translate_stack(t, f, code)))
		return;
	if (!f->map && !f->vex_at && f->op == 0x82) {		/* the same as 80 */
		memcpy(same, code, f->insn.len);
		same[f->op_at] = 0x80;
		code = same;
	}
	if (!f->map && !f->vex_at && (f->op & 0xf0) == 0x40) {
		mark(t, c);
		if (f->op16)
			EMIT(c, 0x66);
		if (f->lock)
			EMIT(c, 0xf0);
		EMIT(c, 0xff, 0xc0 | (f->op & 15));
	} else if (f->seg == SEG_GS && form_is_moffs(f)) {
		copy_moffs(t, f, code);
	} else if (f->seg == SEG_GS && form_is_memory(f, code) && !f->rip) {
		copy_gs(t, f, code);
	} else {
		copy(t, f, code);
	}
	t->now.ip += f->insn.len;
}
