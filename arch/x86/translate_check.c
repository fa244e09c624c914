/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a block does before its first instruction: it checks the ring and, if its code may change
 * unseen, compares the code with what it was made from. The head of translate.c describes blocks.
 *
 * The comparison is after the block, since only then is it known how much code there is. It does
 * not change flags, either:
 *
 *	check:   cmp %r11, limit; jae ------------------> call the agent: CHECK
 *	entry:   jmp compare
 *	body:    ...
 *
 *	differs: mov 24(%r11), %rcx; jmp ---------------> call the agent: CHANGED
 *	compare: mov %rcx, 24(%r11)
 *	         mov code(%rip), %ecx                    (four bytes of the program's code)
 *	         lea -0xc3c03148(%rcx), %ecx; jrcxz 1f   (what they were)
 *	         jmp differs
 *	1:       ...
 *	         mov 24(%r11), %rcx; jmp body
 */
#include <pt/translate.h>

#include "translate.h"
#include "translate_emit.h"

enum { NEAR = 1 << 24 };	/* more than the size of a stretch of the cache */

/* Check the ring without changing flags: BSWAP moves the sign of pointer - limit to CL, and JRCXZ
 * tests it. */
static void check_keeping_flags(struct translate *t)
{
	struct translate_code *c = &t->hot;

	spill(t, RCX);
	mark(t, c);
	emit_load(c, RCX, t->off.below);
	mark(t, c);
	EMIT(c, 0x49, 0x8d, 0x0c, 0x0b);	/* lea (%r11,%rcx), %rcx */
	mark(t, c);
	EMIT(c, 0x48, 0x0f, 0xc9);		/* bswap %rcx */
	mark(t, c);
	EMIT(c, 0x0f, 0xb6, 0xc9);		/* movzbl %cl, %ecx */
	mark(t, c);
	EMIT(c, 0xe3, 2);			/* jrcxz: not below */
	mark(t, c);
	EMIT(c, 0xeb, 9);
	fill(t);
	mark(t, c);
	EMIT(c, 0xe9);
	t->now.spilled = RCX + 1;
}

void translate_check(struct translate *t)
{
	struct translate_code cold = take_cold(t, LEAVE_SIZE);
	u64 leaves = cold.at;

	t->checked = t->hot.at;
	if (t->flags == TRANSLATE_DEAD) {
		mark(t, &t->hot);
		EMIT(&t->hot, SLOT_PREFIX, 0x4c, 0x3b, 0x1c, 0x25);
		emit32(&t->hot, t->off.limit);
		mark(t, &t->hot);
		EMIT(&t->hot, 0x0f, 0x83);
		emit_rel(&t->hot, leaves);
	} else {
		check_keeping_flags(t);
		emit_rel(&t->hot, leaves);
		fill(t);
	}
	t->entry = t->hot.at;
	translate_leave(t, &cold, &(struct translate_exit){
		.ip = t->ip, .kind = EXIT_CHECK, .patch = t->entry - leaves,
		.checked = t->compares,
	});
}

bool translate_can_compare(const struct translate *t)
{
	i64 far = t->ip - t->hot.at, most = far + NEAR, least = far - NEAR;

	return most == (i32)most && least == (i32)least;
}

/* Compare a byte or four at 'ip', which now are 'v'. Go to 'differs' if they are not. */
static void compare_bytes(struct translate *t, u64 ip, bool four, u32 v, u64 differs)
{
	struct translate_code *c = &t->hot;

	mark(t, c);
	if (four)
		EMIT(c, 0x8b, 0x0d);		/* mov ip(%rip), %ecx */
	else
		EMIT(c, 0x0f, 0xb6, 0x0d);	/* movzbl ip(%rip), %ecx */
	emit_rel(c, ip);
	mark(t, c);
	EMIT(c, 0x8d, 0x89);			/* lea -v(%rcx), %ecx */
	emit32(c, -v);
	mark(t, c);
	EMIT(c, 0xe3, 5);
	mark(t, c);
	EMIT(c, 0xe9);
	emit_rel(c, differs);
}

void translate_compare(struct translate *t, struct translate_code from)
{
	struct translate_code *c = &t->hot, cold = take_cold(t, LEAVE_SIZE);
	const u8 *code = t->fetch(t->who, t->ip).at;
	u64 leaves = cold.at, differs = c->at, back = from.at + 4;
	u32 i, n = t->span, step = n < 4 ? 1 : 4;

	t->now = (struct translate_state){ .ip = t->ip };
	translate_leave(t, &cold, &(struct translate_exit){
		.ip = t->ip, .kind = EXIT_CHANGED,
	});
	t->now.spilled = RCX + 1;
	t->now.scratch = SCRATCH;
	fill(t);
	mark(t, c);
	EMIT(c, 0xe9);
	emit_rel(c, leaves);
	emit_rel(&from, c->at);
	spill(t, RCX);
	for (i = 0; i < n; i += step) {
		i = MIN(i, n - step);
		compare_bytes(t, t->ip + i, step == 4, step == 4 ? get32(code + i) : code[i],
			      differs);
	}
	fill(t);
	mark(t, c);
	EMIT(c, 0xe9);
	emit_rel(c, back);
}
