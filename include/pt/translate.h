/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A stretch of a program's instructions to the same instructions in a code cache, with every
 * branch told in a ring. See the head of arch/x86/translate.c for the idea.
 *
 * Nothing here maps memory, looks anything up or knows threads: the caller does, in the agent.
 */
#ifndef PT_TRANSLATE_H
#define PT_TRANSLATE_H

#include <pt/arch.h>

/* Why code in the cache goes to the agent. */
enum translate_kind {
	EXIT_BRANCH,		/* a direct branch to 'ip' that is not linked yet */
	EXIT_CHECK,		/* the ring needs attention; then on at 'ip' */
	EXIT_MISS,		/* an indirect branch: its target is in the ring's last record */
	EXIT_CALL,		/* a system call at 'ip' */
	EXIT_ODD,		/* the instruction at 'ip' is not for the cache */
	EXIT_LOST,		/* EXIT_MISS of a return that did not go where its call said */
};

/* Lies in the cache beside the code that leaves; r11 points to it then. */
struct translate_exit {
	u64 ip;
	u64 next;		/* of the exits that are linked to the same block: the agent's */
	u8 kind;		/* enum translate_kind */
	u8 checked;		/* EXIT_BRANCH: link to the entry that checks the ring */
	u16 linked;		/* it is in a list of 'next': the agent's */
	i32 patch;		/* EXIT_BRANCH: from here to the rel32 that leads here */
};

/* What the registers are at an address in the cache. */
struct translate_state {
	u64 ip;			/* the program's, or one of TRANSLATE_... below */
	i32 pending;		/* bytes from the pointer to the ring's end; may be negative */
	i32 sp;			/* RSP is so much too high */
	u8 swapped;		/* r11 is the program's, and the pointer is in 'ring' */
	u8 spilled;		/* this register (plus one) is in spill[0] */
	u8 rdx;			/* RDX is in spill[1] */
	u8 zeros;		/* of the pending bytes: the last, REC_NOT_TAKEN, not yet written */
	u8 late;		/* one more record after them, not yet written: its tag plus one */
};

#define TRANSLATE_LAST (~0ULL)	/* the target in the last record */
#define TRANSLATE_RCX (~1ULL)	/* rcx, which a return went to; there is no record yet */
#define TRANSLATE_RDX (~2ULL)	/* the same, but rdx */

/* One piece of the cache: where code goes, and where to write so that it is there. */
struct translate_code {
	u64 at;
	u8 *to;
};

enum {
	TRANSLATE_MAX = 96,	/* instructions in a block */
	TRANSLATE_HOT = 4096,	/* room that a block needs, at most */
	TRANSLATE_COLD = 8192,
	TRANSLATE_ENTER = 192,	/* of what all blocks share */
	TRANSLATE_CALLS = 64,	/* that are remembered, as processors do */
};

/* Offsets from %gs of what emitted code touches, all of 8 bytes. */
struct translate_offsets {
	u16 ring, limit, below, r11, spill;	/* below: minus limit; spill: two of them */
	u16 calls, top;				/* what calls are remembered */
};

/* A block; zeroed but for what the caller sets. */
struct translate {
	/* Set by the caller. */
	u64 ip;			/* where the program's code begins */
	struct translate_code hot, cold;	/* the one grows up, the other down */
	u64 enter;		/* code made by translate_enter(), within 2 GiB */
	u32 table;		/* the table of indirect targets, below 2 GiB: 65,536 addresses */
	u32 max;		/* instructions, at most */
	struct translate_offsets off;
	bool stores_end;	/* it ends after what may store, perhaps into what follows */
	bool calls;		/* returns that go where their calls said are REC_TAKEN */
	bool found;		/* 'find' was met, and is 'state' */
	u64 find;		/* an address in the cache to explain; then nothing is kept */
	struct translate_state state;
	struct bytes (*fetch)(void *who, u64 ip);	/* code that may be executed there */
	bool (*stop)(void *who, u64 ip);	/* a block begins there already */
	void *who;

	/* Results. 'hot' and 'cold' are what is left. */
	u64 checked, entry;	/* the entry that checks the ring, and the one that does not */
	u32 n;			/* instructions */
	u32 span;		/* bytes of the program that they lie in, from 'ip' */

	/* Within. */
	struct translate_state now;
};

/* Translate a block. False if not even its first instruction can be read. */
bool translate_block(struct translate *t);

/* Write what all blocks share at t->hot, which is t->enter, TRANSLATE_ENTER bytes: the way to the
 * agent, and where indirect branches go that find nothing. 'agent' is entered with r11 the address
 * of a struct translate_exit and the pointer in 'ring'. */
struct translate_shared {
	u16 miss;		/* the table's place for a target that is not known */
	u16 no_call;		/* a remembered call's place when there is none */
};
struct translate_shared translate_enter(struct translate *t, u64 agent);

/* Write the entry of an indirect branch's target at t->hot. t->ip is the target; what misses
 * it goes to 'next', and what hits to the exit, which is returned. */
struct translate_exit *translate_stub(struct translate *t, u64 next);

/* Link the exit to 'entry', which is within 2 GiB; or to the agent again. One atomic store. */
void translate_link(struct translate_exit *x, u64 entry);
void translate_unlink(struct translate_exit *x);

#endif
