/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code that all blocks of a cache share, the stubs of indirect branches, and links between
 * blocks. The head of translate.c describes the idea.
 */
#include "translate.h"
#include "translate_emit.h"

/* The state after an indirect branch was recorded. */
static const struct translate_state at_target = {
	.ip = TRANSLATE_LAST, .spilled = RCX + 1, .scratch = SCRATCH - 8,
};

/* Record a return to rdx. */
static void record_return(struct translate *t)
{
	t->now = (struct translate_state){
		.ip = TRANSLATE_RDX, .spilled = RCX + 1, .second = RDX + 1,
		.scratch = SCRATCH,
	};
	mark(t, &t->hot);
	EMIT(&t->hot, 0x48, 0x89, 0xd1);		/* mov %rdx, %rcx */
	t->now.ip = TRANSLATE_RCX;
	fill_second(t);
	translate_record(t, 0);
	t->now.ip = TRANSLATE_LAST;
}

COLD struct translate_shared translate_enter(struct translate *t, u64 agent)
{
	struct translate_exit x = { .ip = TRANSLATE_LAST, .kind = EXIT_LOST };
	struct translate_shared at;

	t->now = (struct translate_state){ .ip = TRANSLATE_EXIT };
	mark(t, &t->hot);
	emit_save(&t->hot, R11, t->off.ring);
	mark(t, &t->hot);
	EMIT(&t->hot, SLOT_PREFIX, 0xc7, 0x04, 0x25);	/* movl $..., the upper half */
	emit32(&t->hot, t->off.spill + EXIT_WORD + 4);
	emit32(&t->hot, t->enter >> 32);
	mark(t, &t->hot);
	emit_load(&t->hot, R11, t->off.spill + EXIT_WORD);
	t->now = (struct translate_state){ .swapped = 2 };
	mark(t, &t->hot);
	EMIT(&t->hot, 0xff, 0x25);			/* jmp *agent(%rip) */
	emit32(&t->hot, 4);
	EMIT(&t->hot, 0xcc, 0xcc, 0xcc, 0xcc);
	emit64(&t->hot, agent);
	record_return(t);
	fill(t);
	translate_leave(t, &t->hot, &x);
	at.no_call = t->hot.at - t->enter;
	record_return(t);
	translate_by_table(t);
	at.miss = t->hot.at - t->enter;
	t->now = at_target;
	fill(t);
	x.kind = EXIT_MISS;
	translate_leave(t, &t->hot, &x);
	return at;
}

struct translate_exit *translate_stub(struct translate *t, u64 next)
{
	t->now = at_target;
	mark(t, &t->hot);
	EMIT(&t->hot, 0x41, 0x8b, 0x4b, 0xfb);		/* mov -5(%r11), %ecx */
	mark(t, &t->hot);
	EMIT(&t->hot, 0x8d, 0x89);			/* lea -(T >> 16)(%rcx), %ecx */
	emit32(&t->hot, -(u32)(t->ip >> 16));
	mark(t, &t->hot);
	EMIT(&t->hot, 0xe3, 14);
	mark(t, &t->hot);
	EMIT(&t->hot, 0xff, 0x25);
	emit32(&t->hot, 0);
	emit64(&t->hot, next);
	fill(t);
	t->now.ip = t->ip;
	translate_branch(t, -1, t->ip, TRANSLATE_ALWAYS);
	return (struct translate_exit *)t->cold.at;
}

void translate_link(struct translate_exit *x, u64 entry)
{
	u32 *at = (u32 *)((u8 *)x + x->patch);

	__atomic_store_n(at, (u32)(entry - ((u64)at + 4)), __ATOMIC_RELEASE);
}

COLD void translate_lose(const struct translate *t, u64 off)
{
	u32 i;

	for (i = 0; i < t->n_backs; i++) {
		u64 at = t->backs[i], jump = (t->enter + LOST - (at + 5)) << 8;

		__atomic_store_n((u64 *)(at + off), (jump & 0xffffffff00) | 0xe9,
				 __ATOMIC_RELEASE);
	}
}

COLD void translate_unlink(struct translate_exit *x)
{
	translate_link(x, (u64)x);
}
