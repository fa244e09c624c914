/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Emit code that several files of the translator need.
 */
#include "translate.h"
#include "translate_emit.h"

void translate_emit(struct translate_code *c, u64 bytes, unsigned int n)
{
	set64(c->to, bytes);
	c->at += n;
	c->to += n;
}

void translate_scratch(struct translate *t, u8 op, u8 reg, u8 n)
{
	mark(t, &t->hot);
	if (t->now.scratch)
		EMIT(&t->hot, 0x49, op, 0x43 | reg << 3, t->now.scratch + n);
	else
		emit_slot(&t->hot, op, reg, t->off.spill + n);
}

void translate_swap_in(struct translate *t)
{
	if (t->now.swapped)
		return;
	if (!t->saved) {
		mark(t, &t->hot);
		emit_save(&t->hot, R11, t->off.ring);
		t->saved = true;
	}
	mark(t, &t->hot);
	emit_load(&t->hot, R11, t->off.r11);
	t->now.swapped = true;
	t->changed = false;
}

void translate_swap_out(struct translate *t)
{
	if (!t->now.swapped)
		return;
	if (t->changed) {
		mark(t, &t->hot);
		emit_save(&t->hot, R11, t->off.r11);
	}
	mark(t, &t->hot);
	emit_load(&t->hot, R11, t->off.ring);
	t->now.swapped = false;
}
