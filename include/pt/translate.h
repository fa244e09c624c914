/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translate a block of a program's instructions to code in a code cache that does the same and
 * records each branch in a ring. The head of arch/x86/translate.c describes the idea.
 *
 * This code does not map memory, look up addresses or handle threads; its caller, the agent, does.
 */
#ifndef PT_TRANSLATE_H
#define PT_TRANSLATE_H

#include <pt/arch.h>

/* Is the program's code 32-bit code? What is made of it is 64-bit code. In the agent this is
 * agent_narrow, since the same agent runs in all programs; tests compile the translator for each
 * kind. */
#ifndef TRANSLATE_NARROW
#define TRANSLATE_NARROW 0
#endif

extern const u8 agent_narrow __attribute__((visibility("hidden")));

#define TRANSLATE_MODE (TRANSLATE_NARROW ? INSN_32 : INSN_64)

/* Reasons to leave the cache for the agent. */
enum translate_kind {
	EXIT_BRANCH,		/* a direct branch to 'ip' that is not linked yet */
	EXIT_CHECK,		/* the ring needs a check; then continue at 'ip' */
	EXIT_MISS,		/* an indirect branch: its target is in the ring's last record */
	EXIT_CALL,		/* a system call at 'ip' */
	EXIT_ODD,		/* the instruction at 'ip' cannot run in the cache */
	EXIT_LOST,		/* like EXIT_MISS, for a return that does not match its call */
	EXIT_PTWRITE,		/* a PTWRITE at 'ip'; the value is in spill[2] */
	EXIT_XBEGIN,		/* an XBEGIN at 'ip': each transaction is aborted at once */
	EXIT_CHANGED,		/* the code at 'ip' is no longer that of the block */
};

/* An exit: code that leaves the cache, with the address of the exit in r11, and what the agent has
 * to know. */
struct translate_exit {
	u8 code[17];
	u8 kind;		/* enum translate_kind */
	u8 checked;		/* EXIT_BRANCH: link to the entry that checks the ring, unless
				 * the block is brief, or TRANSLATE_ALWAYS; EXIT_PTWRITE: the
				 * size of the operand; EXIT_CHECK: translate.compares */
	u8 linked;		/* EXIT_BRANCH: it is in a list of exits that are linked to the
				 * same block: the agent's */
	i32 patch;		/* EXIT_BRANCH: offset from here to the rel32 that leads here;
				 * EXIT_CHECK: to the entry without a check;
				 * EXIT_PTWRITE: the length of the instruction;
				 * EXIT_XBEGIN: from 'ip' to where the program continues */
	u64 ip;
	u32 next;		/* only EXIT_BRANCH: the next exit in that list: the agent's */
};

/* Where the program's registers are at an address in the cache. */
struct translate_state {
	u64 ip;			/* the program's IP, or one of TRANSLATE_... below */
	i32 pending;		/* bytes from the pointer to the ring's end; may be negative */
	i32 sp;			/* subtract this from RSP */
	u8 swapped;		/* r11 has the program's value, and the pointer is in 'ring' */
	u8 spilled;		/* the register with this number minus one is saved */
	u8 second;		/* the same for another register, saved 8 bytes after that one */
	u8 scratch;		/* they are at this offset from the pointer; 0: in spill[0] and
				 * [1] */
	u8 zeros;		/* number of the last pending bytes that are REC_NOT_TAKEN, and
				 * not yet written */
	u8 late;		/* one more record follows, not yet written: its tag plus one */
	u8 held;		/* 32-bit code: r13 has the register with this number minus one */
};

#define TRANSLATE_LAST (~0ULL)	/* the target in the last record */
#define TRANSLATE_RCX (~1ULL)	/* rcx, which a return went to; there is no record yet */
#define TRANSLATE_RDX (~2ULL)	/* the same, but rdx */
#define TRANSLATE_EXIT (~3ULL)	/* that of the exit at translate_left() */

/* A place in the cache: its address, and where to write. */
struct translate_code {
	u64 at;
	u8 *to;
};

/* The code for a branch to 'to' that is taken. It is emitted when the block ends, and then the
 * rel32 at 'rel' leads there. 'now' is the state at its start. */
struct translate_side {
	struct translate_state now;
	struct translate_code rel;
	u64 to;
	bool checked;
};

enum {
	TRANSLATE_MAX = 96,	/* instructions in a block */
	TRANSLATE_HOT = 4096,	/* limits of the size of a block */
	TRANSLATE_COLD = 8192,
	TRANSLATE_ENTER = 192,	/* size of the code that all blocks share */
	TRANSLATE_CALLS = 64,	/* size of the stack of calls */
	TRANSLATE_EXITS = 8,	/* more than most blocks have */
	TRANSLATE_BACKS = 4,	/* calls in a block, at most: see 'backs' */
	TRANSLATE_CONDS = 4,	/* conditional branches in a block: the code after more of them is
				 * often never executed */
	TRANSLATE_ALWAYS = 2,	/* in translate_exit.checked */
};

/* Offsets from %gs for emitted code, all of 8 bytes. */
struct translate_offsets {
	u16 ring, limit, below, r11, spill;	/* below: -limit; spill: three words, and one to
						 * which an exit writes its address */
	u16 top;				/* of the stack of calls */
	u16 gs;					/* the program's base of %gs */
	i8 calls;				/* this stack */
};

/* The status flags at the start of a block. */
enum translate_flags {
	TRANSLATE_LIVE = 1,
	TRANSLATE_DEAD,		/* written before they are read */
};

/* A block. The caller sets the first part, and zeroes the rest up to 'backs'. To look up an address
 * in the cache, it sets 'flags', 'max' and 'span' to the results 'flags', 'n' and 'span' of the
 * first translation. */
struct translate {
	/* Set by the caller. */
	u64 ip;			/* start of the program's code */
	struct translate_code hot, cold;	/* 'hot' grows up, 'cold' down */
	u64 enter;		/* code made by translate_enter(), in the same 4 GiB */
	u32 table;		/* the table of indirect targets, below 2 GiB: 65,536 addresses */
	u32 max;		/* instructions, at most */
	struct translate_offsets off;
	bool stores_end;	/* it ends after what may store, perhaps into what follows */
	bool may_change;	/* the code: 'span' then contains all that was looked at */
	bool compares;		/* each time, before it is executed, it compares the code with
				 * that of now. Becomes false if this is out of reach. */
	u8 flags;		/* enum translate_flags; if 0, it is found out */
	bool calls;		/* record returns that match their calls as REC_TAKEN */
	bool ptwrite;		/* EXIT_PTWRITE; if false, PTWRITE is copied */
	bool halves;		/* 32-bit code: PUSH of a segment writes two of four bytes */
	bool gsbase;		/* there are RDGSBASE and WRGSBASE */
	bool found;		/* 'find' was reached; 'state' describes it */
	u64 find;		/* an address in the cache to look up; then no code is kept */
	struct translate_state state;
	struct bytes (*fetch)(void *who, u64 ip);	/* code that may be executed there */
	/* Returns 'ip' if another block begins there; else an address after it, such that no other
	 * block begins in between. */
	u64 (*border)(void *who, u64 ip);
	void *who;		/* the first argument of both */
	/* NULL, or room for the addresses of TRANSLATE_EXITS exits of EXIT_BRANCH. */
	struct translate_exit **exits;

	/* Results. 'hot' and 'cold' are the places after the block. */
	u64 checked, entry;	/* the entries with and without a check of the ring */
	u32 n;			/* number of instructions */
	u32 span;		/* the program's bytes from 'ip' that contain them */
	u32 n_exits, n_backs;
	bool brief;		/* its only branch is a return or indirect, at its end */
	bool sure;		/* nothing leaves it before the first exit */
	bool int3;		/* it contains INT3 */
	bool far;		/* an operand is out of reach: the code would differ elsewhere */

	/* Private. */
	struct translate_state now;
	bool saved;		/* while r11 is the pointer: 'ring' has the same value */
	bool changed;		/* while r11 is the program's: 'r11' may have another value */
	u64 quiet;		/* before this address nothing ends the block */
	u32 n_sides;

	/* From here on it need not be zero. */
	u64 backs[TRANSLATE_BACKS];	/* addresses in the cache to which its calls return */
	struct translate_side sides[TRANSLATE_CONDS];
};

/* Translate a block. False if its first instruction cannot be read. */
bool translate_block(struct translate *t);

/* Are the status flags dead at t->ip: written before they are read? With t->may_change, t->span
 * becomes what was looked at. */
bool translate_flags_are_dead(struct translate *t);

/* Write the code that all blocks share at t->hot, which becomes t->enter, TRANSLATE_ENTER bytes:
 * the way to the agent, and the target of indirect branches that miss the table. 'agent' is
 * entered with the address of a struct translate_exit in r11 and the pointer in 'ring'. */
struct translate_shared {
	u16 miss;		/* offset of the code for a target that is not in the table */
	u16 no_call;		/* offset of the code for an empty stack of calls */
};
struct translate_shared translate_enter(struct translate *t, u64 agent);

/* Write the stub for a target of indirect branches at t->hot. t->ip is the target. A branch to
 * another target goes on to 'next'; a branch to this target goes to the exit, which is returned. */
struct translate_exit *translate_stub(struct translate *t, u64 next);

/* The exit that is being left: 'at' is an address in the code of translate_enter(), and 'low' the
 * fourth word of 'spill', of which only the lower half may be written yet. */
static inline struct translate_exit *translate_left(u64 at, u64 low)
{
	return (struct translate_exit *)(at >> 32 << 32 | (u32)low);
}

/* Link the exit to 'entry', which is within 2 GiB; or unlink it, so that it goes to the agent
 * again. Both are one atomic store. */
void translate_link(struct translate_exit *x, u64 entry);
void translate_unlink(struct translate_exit *x);

/* The code of block 't', which was just translated in its place, is no longer valid: returns to the
 * calls in it go to the agent. Each is one atomic store, 'off' bytes after the code's address. */
void translate_lose(const struct translate *t, u64 off);

#endif
