/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the agent's files share. One struct agent is one address space: its caches and what is
 * mapped there. It lies in private memory, so that a child by fork() has its own.
 */
#ifndef PT_AGENT_OWN_H
#define PT_AGENT_OWN_H

#include <pt/agent.h>
#include <pt/translate.h>

#include "offsets.h"

enum {
	N_STRETCHES = 16,
	STRETCH_SIZE = 16 << 20,
	CACHE_MAX = 48 << 20,		/* bytes of code and blocks in use: then all begins anew */
	STRETCH_BLOCKS = 1 << 18,
	N_BLOCKS = 1 << 21,		/* places in the table of blocks */
	N_RANGES = 1 << 12,
	N_TARGETS = 1 << 16,
	N_SIGNALS = 64,
	N_GUARDED = 1 << 10,
	N_PAGES = 1 << 12,
	PAGE = 4096,
};

enum block_kind {
	BLOCK,
	BLOCK_STUB,		/* of an indirect branch's target */
	BLOCK_BRIDGE,		/* a jump to another stretch */
};

/* A piece of code in a stretch. They are in the order of their addresses. */
struct block {
	u64 ip;
	u64 links;		/* the exits that are linked to it */
	u32 hot;		/* where it begins */
	u32 cold;		/* where its cold part ends: it begins where the next one's ends */
	u16 checked, entry;	/* from 'hot' */
	u16 span;		/* bytes of the program that it was made of, from 'ip' */
	u8 n;			/* instructions */
	u8 kind : 4;		/* enum block_kind */
	u8 dead : 1;		/* its code has changed */
	u8 unsure : 1;		/* its code may change unseen: it is compared each time */
	u32 sum;		/* of its code, if unsure */
	u32 fill;
};

/* One piece of the cache, within 2 GiB of the code that it is for. */
struct stretch {
	u64 at, size;		/* no size: it is free */
	u32 old;		/* left at this epoch: nobody comes here any more; 0: not left */
	u32 fill;
	u32 hot, cold;		/* what is free is between these */
	u32 hot_pages, cold_pages;	/* that were asked for begin and end there */
	struct translate_shared enter;
	u32 n;
	struct block *blocks;
};

struct range {
	u64 from, to;
	u32 writable;		/* WRITE of 'prot', and MAPS_SHARED: there or elsewhere */
	u32 made;		/* not of a file: its bytes have to be told */
};

/* What the program asked for, by rt_sigaction(). */
struct action {
	u64 handler, flags, restorer, mask;
};

struct agent {
	struct agent_space in;
	u32 lock;		/* of all but 'actions' */
	u32 n_stretches;	/* that are or were in use */
	u32 n_old;		/* of these are left */
	u32 epoch;		/* how often the cache began anew, from 1 on */
	u32 space;		/* agent_thread.space of the threads here */
	u32 n_ranges;
	u32 n_guarded;		/* pages made read-only, because they hold code */
	u64 *targets;		/* the table of indirect branches: addresses of stubs */
	u64 no_call;		/* what is in agent_thread.calls where nothing is */
	u32 *blocks;		/* by hash of ip: stretch << 24 | index + 1 */
	struct range *ranges;	/* executable, sorted */
	struct agent_shared *shared;
	struct agent_thread *now;	/* the owner of the lock */
	bool joined;		/* it ran before, without pt */
	u32 own_segv;		/* SIGSEGV is the agent's, whatever the program wants of it */
	u64 stack;		/* of the first thread */
	u64 guarded[N_GUARDED];
	u16 writes[N_PAGES];	/* by hash of the page: how often it was written to */
	u32 live[N_PAGES];	/* ... and how many blocks it has */
	struct action actions[N_SIGNALS + 1];
	struct stretch stretches[N_STRETCHES];
};

/* The kernel. */
i64 sys_call(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f);
void *sys_map(u64 size);
void sys_unmap(const void *at, u64 size);
bool sys_read(void *to, u64 at, u64 n);		/* false: no such memory of the program */
bool sys_write(u64 at, const void *from, u64 n);
u64 sys_map_at(u64 at, u64 size, u64 prot);	/* 0: something is there */

/* cache.c: from the program's addresses to the cache's, and back. The thread 't' goes where it is
 * told; 0: there is no code. */
bool cache_open(struct agent *a, u64 ip);
void cache_close(struct agent *a);
u64 cache_entry(struct agent_thread *t, u64 ip);
u64 cache_link(struct agent_thread *t, struct translate_exit *x);
u64 cache_target(struct agent_thread *t, u64 ip);	/* and indirect branches know it then */
u64 cache_single(struct agent_thread *t, u64 ip);	/* only the instruction, as it is now */
void cache_leave(struct agent_thread *t);		/* it does not run there any more */
bool cache_find(struct agent *a, u64 at, struct translate_state *state);
void cache_forget(struct agent *a, u64 from, u64 to);

/* guard.c: pages that code was translated from and that the program may write to. */
bool guard_page(struct agent *a, u64 ip);	/* false: it cannot be guarded */
bool guard_hit(struct agent *a, u64 at);	/* a write to 'at' faulted: true if it was that */
bool guard_open_all(struct agent *a);
void guard_drop(struct agent *a, u64 from, u64 to);

/* maps.c: what is executable. */
void maps_read(struct agent *a);
struct bytes maps_code(struct agent *a, u64 ip);
bool maps_touch(const struct agent *a, u64 at, u64 size);
bool maps_writable(const struct agent *a, u64 ip);
bool maps_shared(const struct agent *a, u64 ip);
bool maps_made(const struct agent *a, u64 ip);
enum { MAPS_MADE = 1 << 16, MAPS_SHARED = 1 << 17 };	/* with 'prot' */
void maps_set(struct agent *a, u64 from, u64 to, u64 prot);

/* ring.c: records that are not emitted code's. */
void ring_open(struct agent_thread *t);
void ring_check(struct agent_thread *t, u64 ip);
void ring_tell_code(struct agent_thread *t, u64 ip, u32 n);
void ring_tell(struct agent_thread *t, u8 kind, u64 word, u64 word2, u32 more);
void ring_forget_calls(struct agent_thread *t);	/* also when their code goes from the cache */
u64 ring_target(const struct agent_thread *t);
void ring_publish(struct agent_thread *t);
void ring_drain(struct agent_thread *t);	/* let pt read all, if it is quick */

/* agent.c: each returns the address in the cache to go on at. */
u64 agent_at(struct agent_thread *t, u64 ip);
u64 agent_run(struct agent_thread *t, struct translate_exit *x);
u64 agent_begin(struct agent_thread *t);
u64 agent_continue(struct agent_thread *t);
u64 agent_back(struct agent_thread *t);
void agent_open(struct agent_thread *t);
void agent_close(struct agent_thread *t);
void agent_drop(struct agent_thread *t);
/* pt is to take all threads here, this one at 'ip'; if it is gone, they go without it. */
u64 agent_refuse(struct agent_thread *t, u64 ip, enum agent_refusal why);
bool agent_pt_is_gone(const struct agent_thread *t);
void agent_leave(struct agent *a);	/* who comes to the agent leaves it */
void agent_lock(struct agent *a);
void agent_unlock(struct agent *a);

/* syscalls.c: a system call at 'ip', and what it came to; in the child, too. */
u64 syscalls_make(struct agent_thread *t, u64 ip);
u64 syscalls_made(struct agent_thread *t);
u64 syscalls_cloned(struct agent_thread *t);
u64 syscalls_child(struct agent_thread *t);

/* threads.c */
u64 threads_clone(struct agent_thread *t, u64 ip);

/* signals.c */
struct ucontext;
void signals_block(struct agent_thread *t);
bool signals_own_segv(struct agent *a);
u64 signals_return(struct agent_thread *t, u64 ip);
void signals_action(struct agent_thread *t);
void signals_adopt(struct agent *a);		/* the program has handlers already */
void signals_give_back(struct agent *a);	/* the kernel gets the program's own */
void signals_locate(struct agent_thread *t);	/* regs: of the processor, then the program's */
void signals_give(struct agent_thread *t);	/* regs are the program's: give them to pt */
void signals_defer(u32 sig, void *info, struct ucontext *uc, struct agent_thread *t);
struct agent_thread *signals_thread(void);	/* that runs here; NULL: it is not the agent's */
u64 signals_out(u32 sig, void *info);		/* the handler to call; 0: none */
u64 signals_take(u32 sig, void *info, struct ucontext *uc, u64 sp, struct agent_thread *t);

/* Or the compiler would look for them in a table of addresses. */
#pragma GCC visibility push(hidden)
extern const u8 agent_text[], agent_make_call[], agent_made_call[], agent_make_clone[];
extern const u8 agent_signal[], agent_restorer[], agent_leaving[], agent_restored[], agent_left[];
extern const u8 agent_end[];
#pragma GCC visibility pop

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11 };

#endif
