/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Copy instructions other than branches to the cache, unchanged except RIP-relative operands and
 * the prefix GS.
 */
#include <pt/arch.h>

#include "translate.h"
#include "translate_emit.h"

enum { LOAD_SIZE = 7 };		/* of MOV from an address relative to RIP */

/* A register that this instruction with a memory operand uses neither in ModRM nor in VEX, nor
 * implicitly. */
static u8 free_register(const struct form *f, const u8 *code)
{
	u8 reg = (code[f->modrm_at] >> 3 & 7) + f->r, i;
	static const u8 may[] = { RSI, RDI, RBP };

	for (i = 0; may[i] == reg || may[i] == f->v; i++)
		;
	return may[i];
}

/* Copy its bytes. For the program the base of GS is 0, like that of DS: a prefix DS, which has no
 * effect, replaces GS. (Without it, a REX before it would have one.) A displacement relative to RIP
 * becomes 'disp'. */
static void copy_bytes(struct translate_code *c, const struct form *f, const u8 *code, i32 disp)
{
	unsigned int i, prefixes = f->vex_at ? f->vex_at - 1u : f->op_at;
	u8 *to = c->to;

	emit(c, code, f->insn.len);
	for (i = 0; i < prefixes; i++)
		if (to[i] == 0x65)
			to[i] = 0x3e;
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
	u8 reg = free_register(f, code), bytes[INSN_MAX];
	unsigned int len = f->insn.len;
	struct form near = *f;

	memcpy(bytes, code, len);
	bytes[f->modrm_at] = (code[f->modrm_at] & 0x38) | reg;
	if (f->rex_at)
		bytes[f->rex_at - 1] &= ~1;	/* B, which RIP ignores */
	if (reg == RBP)		/* RBP has no form without a displacement */
		bytes[f->modrm_at] |= 0x80;
	spill(t, reg);
	mark(t, &t->hot);
	emit_address(&t->hot, reg, at);
	mark(t, &t->hot);
	if (reg == RBP) {
		copy_bytes(&t->hot, &near, bytes, 0);
	} else {
		near.rip = false;
		near.insn.len = f->disp_at;
		copy_bytes(&t->hot, &near, bytes, 0);
		emit(&t->hot, bytes + f->disp_at + 4, len - f->disp_at - 4);
	}
	t->now.ip += len;
	fill(t);
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
