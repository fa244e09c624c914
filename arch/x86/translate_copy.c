/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Copy instructions other than branches to the cache, unchanged except operands that are relative
 * to RIP or in %gs.
 *
 * The agent has %gs, and the program's base of it is in the slot. Windows programs (Wine) have a
 * block of their thread there, and Firefox the memory of sandboxed libraries:
 *
 *	mov %gs:8(%r12), %eax		mov %rsi, 24(%r11); mov %rdi, 32(%r11)
 *					lea 8(%r12), %rdi; mov %gs:base, %rsi
 *					mov (%rsi,%rdi), %eax
 *					mov 32(%r11), %rdi; mov 24(%r11), %rsi
 */
#include <pt/arch.h>

#include "translate.h"
#include "translate_emit.h"

enum { LOAD_SIZE = 7 };		/* of MOV from an address relative to RIP */

/* A register that an instruction with a memory operand does not use implicitly, and that is none of
 * these three. (Only with VEX, RBX: there is no BH, which has the number of RDI.) */
static u8 free_register(u8 a, u8 b, u8 c)
{
	static const u8 may[] = { RSI, RDI, RBP, RBX };
	u8 i;

	for (i = 0; may[i] == a || may[i] == b || may[i] == c; i++)
		;
	return may[i];
}

/* Replace GS, or all prefixes of an address. If one were left out, a REX before it would have an
 * effect. */
static void make_void(u8 *code, const struct form *f, bool all)
{
	unsigned int i, prefixes = f->vex_at ? f->vex_at - 1u : f->op_at;

	for (i = 0; i < prefixes; i++)
		if (code[i] == SEG_GS || (all && (code[i] == SEG_FS || code[i] == ADDR32)))
			code[i] = SEG_DS;
}

/* Copy its bytes. If it has a prefix GS, it does not use it. A displacement relative to RIP becomes
 * 'disp'. */
static void copy_bytes(struct translate_code *c, const struct form *f, const u8 *code, i32 disp)
{
	u8 *to = c->to;

	emit(c, code, f->insn.len);
	make_void(to, f, false);
	if (f->rip)
		set32(to + f->disp_at, disp);
}

static bool fits(i64 v)
{
	return v == (i32)v;
}

/* The operand is out of reach: load its address into a free register. */
static void copy_far(struct translate *t, const struct form *f, const u8 *code, u64 at)
{
	u8 reg = free_register((code[f->modrm_at] >> 3 & 7) + f->r, f->v, RBP), bytes[INSN_MAX];
	unsigned int len = f->insn.len;
	struct form near = *f;

	memcpy(bytes, code, len);
	bytes[f->modrm_at] = (code[f->modrm_at] & 0x38) | reg;
	if (f->rex_at)
		bytes[f->rex_at - 1] &= ~1;	/* B, which RIP ignores */
	spill(t, reg);
	mark(t, &t->hot);
	emit_address(&t->hot, reg, at);
	mark(t, &t->hot);
	near.rip = false;
	near.insn.len = f->disp_at;
	copy_bytes(&t->hot, &near, bytes, 0);
	emit(&t->hot, bytes + f->disp_at + 4, len - f->disp_at - 4);
	t->now.ip += len;
	fill(t);
}

/* reg = the offset of the operand in its segment. */
static COLD void load_address(struct translate *t, const struct form *f, const u8 *code, u8 reg)
{
	mark(t, &t->hot);
	if (f->rip) {
		t->far = true;
		emit_address(&t->hot, reg, form_operand(f, code, t->now.ip));
	} else {
		EMIT(&t->hot, f->addr32 ? ADDR32 : SEG_DS, 0x48 | f->x >> 2 | f->b >> 3, 0x8d,
		     (code[f->modrm_at] & 0xc7) | reg << 3);		/* lea */
		emit(&t->hot, code + f->modrm_at + 1, form_operand_end(f, code) - f->modrm_at - 1);
	}
}

/* An operand in %gs becomes (base,offset), with the program's base. */
static COLD void copy_in_gs(struct translate *t, const struct form *f, const u8 *code)
{
	u8 reg = code[f->modrm_at] >> 3 & 7;
	u8 base = free_register(reg + f->r, f->v, RBP);
	u8 offset = free_register(reg + f->r, f->v, base), bytes[INSN_MAX];
	unsigned int len = f->insn.len, end = form_operand_end(f, code);

	memcpy(bytes, code, len);
	make_void(bytes, f, true);
	if (f->rex_at)
		bytes[f->rex_at - 1] &= ~3;			/* X and B */
	if (f->vex_at && bytes[f->vex_at - 1] != 0xc5)
		bytes[f->vex_at] |= 0x60;			/* the same, inverted */
	spill(t, base);
	spill_second(t, offset);
	load_address(t, f, code, offset);
	mark(t, &t->hot);
	emit_load(&t->hot, base, t->off.gs);
	mark(t, &t->hot);
	emit(&t->hot, bytes, f->modrm_at);
	EMIT(&t->hot, reg << 3 | 4, offset << 3 | base);
	emit(&t->hot, bytes + end, len - end);
	t->now.ip += len;
	fill_second(t);
	fill(t);
}

/* RDGSBASE or WRGSBASE; the latter writes 64 bits in any case. */
static COLD void copy_gsbase(struct translate *t, const struct form *f, const u8 *code)
{
	u8 reg = (code[f->modrm_at] & 7) + f->b;
	bool wide = form_wide(f, code), writes = code[f->modrm_at] & 0x10;

	mark(t, &t->hot);
	EMIT(&t->hot, SLOT_PREFIX, (wide ? 0x48 : 0x40) | reg >> 3 << 2, writes ? 0x89 : 0x8b,
	     (reg & 7) << 3 | 4, 0x25);
	emit32(&t->hot, t->off.gs);
	if (writes && !wide) {
		mark(t, &t->hot);
		EMIT(&t->hot, SLOT_PREFIX, 0xc7, 0x04, 0x25);		/* movl $0 */
		emit32(&t->hot, t->off.gs + 4);
		emit32(&t->hot, 0);
	}
	t->now.ip += f->insn.len;
}

void translate_copy(struct translate *t, const struct form *f, const u8 *code)
{
	u64 at = f->rip ? form_operand(f, code, t->now.ip) : 0;
	i64 disp;

	if (TRANSLATE_NARROW) {
		translate_copy32(t, f, code);
		return;
	}
	if (form_touches_r11(f, code)) {
		translate_swap_in(t);
		t->changed |= form_may_write_r11(f, code);
	}
	if (form_uses_gs(f, code)) {
		copy_in_gs(t, f, code);
		return;
	}
	if (t->gsbase && form_is_gsbase(f, code) && !f->lock) {
		copy_gsbase(t, f, code);
		return;
	}
	disp = at - (t->hot.at + f->insn.len);
	if (f->rip && (!fits(disp) || f->addr32)) {
		t->far = true;
		if (f->op == 0x8d && !f->map && !f->vex_at && !f->op16 && !f->addr32) {
			mark(t, &t->hot);
			emit_address(&t->hot, (code[f->modrm_at] >> 3 & 7) + f->r,
				     form_wide(f, code) ? at : (u32)at);
		} else {
			copy_far(t, f, code, at);
			return;
		}
	} else {
		mark(t, &t->hot);
		copy_bytes(&t->hot, f, code, disp);
	}
	t->now.ip += f->insn.len;
}

/* Load the target of an indirect branch: a MOV with the operand of the branch. */
void translate_target(struct translate *t, const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at], rm = modrm & 7;
	u64 at = f->rip ? form_operand(f, code, t->now.ip) : 0;
	u8 wide = f->insn.kind != INSN_PTWRITE || form_wide(f, code) ? 0x48 : 0x40;
	u8 rex = wide | (f->x >> 2) | (f->b >> 3);

	if (TRANSLATE_NARROW) {
		translate_target32(t, f, code);
		return;
	}
	if (modrm >= 0xc0 && rm + f->b == R11 && !t->now.swapped) {
		mark(t, &t->hot);
		emit_load(&t->hot, RCX, t->off.r11);
		return;
	}
	if (form_touches_r11(f, code))
		translate_swap_in(t);
	if (form_uses_gs(f, code)) {
		load_address(t, f, code, RCX);
		translate_swap_out(t);
		spill_second(t, RDX);
		mark(t, &t->hot);
		emit_load(&t->hot, RDX, t->off.gs);
		mark(t, &t->hot);
		EMIT(&t->hot, wide, 0x8b, 0x0c, 0x11);	/* mov (%rcx,%rdx), %rcx */
		fill_second(t);
		return;
	}
	if (f->rip && !f->seg && !f->addr32 && fits(at - (t->hot.at + LOAD_SIZE))) {
		mark(t, &t->hot);
		EMIT(&t->hot, wide, 0x8b, 0x0d);
		emit_rel(&t->hot, at);
		return;
	}
	if (f->rip) {
		t->far = true;
		mark(t, &t->hot);
		emit_address(&t->hot, RCX, at);
		mark(t, &t->hot);
		if (f->seg == 0x64)
			EMIT(&t->hot, 0x64);
		EMIT(&t->hot, wide, 0x8b, 0x09);
		return;
	}
	mark(t, &t->hot);
	if (f->seg == 0x64)
		EMIT(&t->hot, 0x64);
	if (f->addr32)
		EMIT(&t->hot, 0x67);
	EMIT(&t->hot, rex, 0x8b, (modrm & 0xc7) | RCX << 3);
	emit(&t->hot, code + f->modrm_at + 1, f->insn.len - f->modrm_at - 1);
}
