/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interface between the agent's files. A struct agent is one address space: its caches and its
 * executable memory. It is in private memory, so that a child by fork() has its own copy.
 */
#ifndef PT_AGENT_OWN_H
#define PT_AGENT_OWN_H

#include <pt/agent.h>
#include <pt/config/SOFT_SPEED.h>
#include <pt/translate.h>

#include "offsets.h"

/* In 32-bit programs the agent and the cache are 64-bit code, and %fs has the place of %gs. An
 * address to go to has its code segment in the upper half if that is not the agent's. */
enum { CODE_32 = 0x23, CODE_64 = 0x33 };

static inline u64 own_code(u64 ip)
{
	return TRANSLATE_NARROW ? ip | (u64)CODE_32 << 32 : ip;
}

/* Copy 'n' bytes, rounded up to a multiple of eight. */
static inline void own_copy(u8 *to, const u8 *from, u32 n)
{
	const u8 *end = from + n;

	for (; end - from > 24; from += 32, to += 32) {
		set64(to, get64(from));
		set64(to + 8, get64(from + 8));
		set64(to + 16, get64(from + 16));
		set64(to + 24, get64(from + 24));
	}
	for (; from < end; from += 8, to += 8)
		set64(to, get64(from));
}

enum {
	N_STRETCHES = 16,
	STRETCH_SIZE = 16 << 20,
	CACHE_MAX = 48 << 20,		/* bytes of code and blocks: then a new epoch begins */
	BLOCK_BITS = 18, NR_BITS = 22,	/* of a block's number in its stretch, and of all */
	STRETCH_BLOCKS = 1 << BLOCK_BITS,
	N_BLOCKS = 1 << 18,		/* of the table of blocks; a new epoch begins before it is
					 * full */
	N_RANGES = 1 << 12,
	N_TARGETS = 1 << 16,
	TABLES_SIZE = 2 << 20,		/* of these three, and struct reuse_near: a huge page */
	N_SIGNALS = 64,
	N_GUARDED = 1 << 13,
	N_PAGES = 1 << 15,
	PAGE = 4096,
	START = 16,			/* see page.starts */
	MIXED_PAGES = -1,
	PAGE_CODE = PAGE + 16,		/* limit of the bytes of a block */
};

enum block_kind {
	BLOCK,
	STUB,		/* of an indirect branch's target */
	BRIDGE,		/* a jump to another stretch */
};

/* A block of code in a stretch. Blocks are in the order of their addresses. */
struct block {
	u64 ip;
	u32 hot;		/* start of the hot part */
	u32 cold;		/* start of the cold part: a copy of the program's code, then
				 * exits up to stretch_cold() */
	u16 checked, entry;	/* offsets from 'hot' */
	u16 span : 15;		/* the program's bytes from 'ip' that it was made from */
	u16 calls : 1;		/* it continues after calls */
	u8 n;			/* number of instructions */
	u8 kind : 2;		/* enum block_kind */
	u8 dead : 1;		/* its code may have changed: nothing leads to it any more */
	u8 unsure : 1;		/* its code may change unseen: compare it each time */
	u8 compares : 1;	/* ... which it does itself: translate.compares */
	u8 flags : 2;		/* enum translate_flags */
	u8 brief : 1;		/* translate.brief */
	u32 same_page;		/* the next block of a page; as in agent.blocks */
	u32 links;		/* list of the exits that are linked to it: see kill_block() */
};

/* One part of the cache, within 2 GiB of the code that it is for. */
struct stretch {
	u64 at, size;		/* size 0: it is free */
	u64 to;			/* where it is written: 'at', or else it is mapped twice */
	u32 old;		/* the epoch that replaced it; 0: it is in use */
	u32 middle;		/* where the hot part starts, and the cold part ends */
	u32 hot, cold;		/* the free parts are after 'hot' and before 'cold' */
	u32 ready_hot, ready_cold;	/* the pages between these are mapped */
	struct translate_shared enter;
	u32 n, ready_n;
	struct block *blocks;
};

struct range {
	u64 from, to;
	u32 writable;		/* WRITE of 'prot', and MAPS_SHARED: there or elsewhere */
	u32 made;		/* not of a file: its bytes must be recorded */
};

/* What the program has set by rt_sigaction(). */
struct action {
	u64 handler, flags, restorer, mask;
};

enum { REUSE_NEAR = 2048 };	/* words that are read at once */

/* A copy of some of the file of reuse.c. */
struct reuse_near {
	u32 from, end;		/* in words; blocks that begin before 'end' are complete */
	u32 next;		/* what follows the last block that was used */
	u64 known[REUSE_NEAR];
};

enum { SCRATCH_ROOM = (TRANSLATE_HOT + TRANSLATE_COLD) / 8 + 16 };

struct agent {
	struct agent_space in;	/* its lock is for all except 'actions' */
	u32 n_stretches;	/* stretches that are or were in use */
	u32 n_old;		/* of these, replaced ones */
	u32 n_blocks;		/* entries of 'blocks' */
	u32 less;		/* the size of the cache is shifted right by this */
	u32 epoch;		/* number of the current epoch, beginning with 1 */
	u32 space;		/* agent_thread.space of the threads here */
	u32 n_slots;		/* that are mapped here; the threads here have no others */
	u32 n_ranges;
	u32 n_guarded;		/* pages made read-only, because they hold code */
	u64 guards_from, guards_to;	/* bounds of these */
	u64 hits, hits_at;	/* of guards: how many may come now; when this was */
	u32 n_code;		/* changes of code: see ring_new_code() */
	u32 n_changes;		/* threads whose system calls change memory that may hold code */
	u64 *targets;		/* the table of indirect branches: addresses of stubs; the memory
				 * of 'blocks' and 'ranges' follows */
	u64 no_call;		/* value of empty entries of agent_thread.calls */
	u32 *blocks;		/* by hash of ip: a tag, stretch, and index + 1 */
	struct range *ranges;	/* executable, sorted */
	struct agent_shared *shared;
	struct agent_thread *now;	/* the owner of the lock */
	bool joined;		/* it ran before, without pt */
	bool fresh;		/* no page of a file was changed yet */
	bool keys;		/* the program's PKRU may forbid to read its code */
	u32 pkru;		/* its PKRU, while the lock is held: see sys_open_keys() */
	bool mute;		/* a filter kills for most calls: AGENT_MUTE */
	bool twice;		/* there was a stretch that was mapped twice, as shared memory */
	u32 own_segv;		/* the agent handles SIGSEGV, whatever the program has set */
	u64 stack;		/* of the first thread */
	u64 guarded[N_GUARDED];
	struct page {		/* by hash of its number */
		u64 starts[PAGE / START / 64];	/* a bit for each START bytes: blocks begin there,
						 * or did */
		u32 blocks;		/* list of its living blocks */
		u32 high;		/* its number / N_PAGES, or MIXED_PAGES */
		u8 looks;		/* comparisons of unsure blocks */
		u8 written : 1;		/* often: no guard */
		u8 rights : 1;		/* the program has changed them */
		u8 no_file : 1;		/* it was in no file when an INT3 was found there */
		u16 guarded : 1;	/* it once was */
		u16 anonymous : 1;	/* it was in no file when its rights were changed last */
		u16 rewritten : 1;	/* other code was there */
		u16 guard : 13;		/* index in 'guarded', of one of its pages */
	} pages[N_PAGES];
	struct action actions[N_SIGNALS + 1];
	struct stretch stretches[N_STRETCHES];
	struct translate_exit *exits[TRANSLATE_EXITS];	/* of the block made last */
	u32 n_exits;
	bool sure;		/* translate.sure of this block */
	struct reuse *reuse;	/* of reuse.c; NULL: none */
	struct reuse_near *near;	/* what this process has read of it */
	bool share;		/* others may use the block that is being made */
	u64 scratch[SCRATCH_ROOM];	/* struct scratch of cache.c */
};

/* What all files ask. */

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11 };

static inline bool agent_pt_is_gone(const struct agent_thread *t)
{
	return __atomic_load_n(&t->shared->owner, __ATOMIC_ACQUIRE) & AGENT_OWNER_DIED;
}

/* No thread runs in the cache: pt has not opened the agent yet, or has closed it. */
static inline bool agent_is_out(const struct agent_thread *t)
{
	return !t->agent || __atomic_load_n(&t->agent->in.out, __ATOMIC_SEQ_CST);
}

/* The program's code at 'ip' is translated soon, and is rarely in a data cache. */
static inline void agent_fetch(u64 ip)
{
	__builtin_prefetch((const void *)ip);
	__builtin_prefetch((const void *)(ip + 64));
}

/* How many slots may belong to threads of this address space. */
static inline u32 agent_taken(const struct agent *a)
{
	return MIN(__atomic_load_n(&a->shared->taken, __ATOMIC_ACQUIRE), a->n_slots);
}

/* The thread in slot 'i' of this address space, or NULL. */
static inline struct agent_thread *agent_thread_in(const struct agent *a, u32 i)
{
	struct agent_thread *t = agent_slot(a->shared, i);

	return t->space == a->space && t->state != SLOT_FREE ? t : NULL;
}

/* calls_32.c: of a 32-bit program, the same as below. */
u32 calls_number(const struct agent_thread *t);
u64 calls_arg(const struct agent_thread *t, u32 i);

/* The thread's call as 64-bit programs know it: its number and arguments. */
static inline u32 syscalls_number(const struct agent_thread *t)
{
	return TRANSLATE_NARROW ? calls_number(t) : t->call_nr;
}

static inline u64 syscalls_arg(const struct agent_thread *t, u32 i)
{
	static const u8 order[] = { RDI, RSI, RDX, R10, R8, R9 };

	return TRANSLATE_NARROW ? calls_arg(t, i) : t->regs.r[order[i]];
}

/* System calls. */
i64 sys_call(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f);
/* The same for a call that the agent can do without: it fails if a filter would send a signal. */
i64 sys_try(u64 nr, u64 a, u64 b, u64 c, u64 d);

static inline bool sys_traps(const struct agent_thread *t, u32 nr)
{
	return t->limits >> nr % 64 & 1;
}

struct agent_thread *sys_self(void);	/* if %gs (%fs) is the agent's */
void *sys_map(u64 size);
void sys_unmap(const void *at, u64 size);
bool sys_read(void *to, u64 at, u64 n);		/* false: 'at' is not mapped */
u32 sys_peek(void *to, u64 at, u32 n);		/* how much of it could be read, without faults */
bool sys_write(u64 at, const void *from, u64 n);
bool sys_equal(const u8 *a, const u8 *b, u32 n);
/* Wait until the futex 'word' is woken, but 'ns' at most; not at all if it is not 'value'. */
void sys_wait(u32 *word, u32 value, u64 ns);
bool sys_is_dead(const struct agent_thread *t);	/* has it ended without pt noticing? */
/* Private memory, or shared memory if it is not to be written. Returns 0 if the addresses are in
 * use. */
u64 sys_map_at(u64 at, u64 size, u64 prot);
void agent_lock(struct agent *a);
/* Protection keys: perhaps the program may execute code, but not read it. While keys are in use,
 * the agent reads code with a PKRU that allows all. sys_open_keys() returns the program's PKRU, or
 * NO_KEYS. */
#define NO_KEYS (~0u)
void sys_use_keys(struct agent *a);
u32 sys_open_keys(const struct agent *a);
void sys_close_keys(u32 pkru);
void sys_read_code(const struct agent *a, void *to, u64 ip, u32 n);
void agent_lock_by(struct agent *a, u32 owner);	/* agent_space.lock */
void agent_unlock(struct agent *a);
#define SYS_OWN_32 0x6c000000ULL		/* from here to AGENT_SHARED_AT_32: sys_map() */

/* origin.c: the code of a block. */
struct origin {
	struct agent *a;
	const u8 *copy;		/* 'len' bytes from 'ip' on; or NULL */
	u64 ip;
	u32 len;
	bool may_change;
	u64 page, from, to;	/* its range */
};

/* Find the code at 'ip'. If it is changing now, it is copied to 'copy', which has PAGE_CODE bytes.
 * False if there is no code. */
bool origin_open(struct origin *s, struct agent *a, u64 ip, u8 *copy);
struct bytes origin_fetch(void *who, u64 ip);	/* translate.fetch; 'who' is the origin */
bool origin_of_file(struct origin *s, u8 *copy);	/* use what the file has there: uprobes */
/* Use a copy, since the code may change soon: a block must compare what it is made from. */
void origin_copy(struct origin *s, u8 *copy);

/* room.c: stretches of the cache. One near 'ip', so that operands relative to RIP are copied as
 * they are, or another; NULL: there is none. */
struct stretch *stretch_for(struct agent *a, u64 ip);
struct stretch *stretch_new(struct agent *a, u64 ip, u32 most);	/* of 'most' in all */
struct stretch *stretch_at(struct agent *a, u64 at);		/* that contains 'at' */
/* Map the memory of the next block, and get it into the processor's caches while the block is
 * translated. */
void stretch_prepare(struct stretch *s);
bool stretch_has_room(const struct stretch *s);
bool stretch_is_used(const struct stretch *s);
u32 stretch_cold(const struct stretch *s, u32 n);	/* where the cold part of block n ends */
/* The code at 'off' in the stretch: its address, and where to write it. */
static inline struct translate_code stretch_code(const struct stretch *s, u32 off)
{
	return (struct translate_code){ s->at + off, (u8 *)s->to + off };
}
void stretch_drop(struct stretch *s);
void stretch_give_back(struct agent *a);	/* those that no thread runs any more */
u64 stretch_used(const struct agent *a);	/* bytes of code and blocks */
/* Set up for translate_enter(), which writes the code that its blocks share to 'to'. */
struct translate stretch_enter(struct agent *a, const struct stretch *s, u8 *to);

/* cache.c: from the program's addresses to the cache's, and back. Thread 't' continues at the
 * returned address; 0: there is no code. */
bool cache_open(struct agent *a, u64 ip);
void cache_close(struct agent *a);
void cache_forked(struct agent *a, u64 ip);	/* in the child, at 'ip' */
u64 cache_entry(struct agent_thread *t, u64 ip);
/* Count the code at 'ip', whose block compares, as looked at many times. Without the lock: a count
 * that is lost does not matter. */
void cache_sample(struct agent *a, u64 ip);
u64 cache_link(struct agent_thread *t, struct translate_exit *x);
u64 cache_target(struct agent_thread *t, u64 ip);	/* also enters it into the table */
u64 cache_single(struct agent_thread *t, u64 ip);	/* only one instruction, not cached */
void cache_leave(struct agent_thread *t);		/* it no longer runs in the cache */
bool cache_find(struct agent *a, u64 at, struct translate_state *state);
void cache_forget(struct agent *a, u64 from, u64 to);	/* code in [from, to) may change */
bool cache_has(const struct agent *a, u64 from, u64 to);	/* false: no blocks of code there */

/* reuse.c: blocks that another process has translated. */
#define REUSE (CONFIG_SOFT_SPEED && !TRANSLATE_NARROW)
enum { REUSE_BLOCKS = 1 << 14 };	/* of a process: more would take longer than they save */
void reuse_open(struct agent *a);
void reuse_close(struct agent *a);
/* Make block b->ip in the stretch if it is known. 'code' is the program's from there on. */
bool reuse_block(struct agent *a, struct stretch *s, struct block *b, struct bytes code);
/* This block was made there, by 'made'. */
void reuse_offer(struct agent *a, const struct stretch *s, const struct block *b,
		 const struct translate *made, struct bytes code);

/* guard.c: code that changes. */
static inline struct page *guard_of(struct agent *a, u64 ip)
{
	return &a->pages[ip / PAGE % N_PAGES];
}
/* The word of page.starts that has the bit of 'ip', and this bit. */
static inline u64 *guard_starts(const struct page *p, u64 ip)
{
	return (u64 *)&p->starts[ip % PAGE / (START * 64)];
}
static inline u64 guard_start(u64 ip)
{
	return 1ULL << ip / START % 64;
}
bool guard_page(struct agent *a, u64 ip);	/* false: it cannot be guarded */
bool guard_hit(struct agent *a, u64 at);	/* was a write fault at 'at' caused by a guard? */
void guard_open(struct agent *a, u64 from, u64 to);
/* The thread's system call is about to change [from, to), and has done so. True if code of a file
 * was there. */
bool guard_begin(struct agent_thread *t, u64 from, u64 to);
/* ... may write to [at, at + size), among others. */
void guard_write(struct agent_thread *t, u64 at, u64 size);
void guard_end(struct agent_thread *t, bool failed);
bool guard_changing(const struct agent *a, u64 from, u64 to);	/* ... by any thread */
void guard_forked(struct agent *a);		/* in the child: there are no other threads */

/* maps.c: executable memory. */
void maps_read(struct agent *a);
struct bytes maps_code(struct agent *a, u64 ip);
bool maps_touch(const struct agent *a, u64 at, u64 size);
/* The bounds of the range of 'ip', which has been looked up. */
bool maps_bounds(const struct agent *a, u64 ip, u64 *from, u64 *to);
bool maps_may_write(u64 at);			/* as the kernel says now */
bool maps_writable(const struct agent *a, u64 ip);
bool maps_shared(const struct agent *a, u64 ip);
bool maps_made(const struct agent *a, u64 ip);
bool maps_file(const struct agent *a, u64 from, u64 to);	/* is code of a file there? */
enum { MAPS_MADE = 1 << 16, MAPS_SHARED = 1 << 17 };	/* with 'prot' */
void maps_set(struct agent *a, u64 from, u64 to, u64 prot);
/* Read up to 'n' bytes of the file that is mapped at 'at'. Returns their number, or at most 0. */
i64 maps_original(void *to, u64 at, u32 n);
enum { MAPS_UPROBES = -1000 };			/* ... if the kernel handles uprobes there */
bool maps_program(i64 fd);			/* is it an ELF file that has a name? */
void maps_protect(struct agent *a, u64 from, u64 to, u64 prot);	/* after mprotect() */

/* ring.c: records that the agent writes. */
void ring_open(struct agent_thread *t);
void ring_check(struct agent_thread *t, u64 ip);
void ring_write_code(struct agent_thread *t, u64 ip, const u8 *code, u32 n);
void ring_write(struct agent_thread *t, u8 kind, u64 word, u64 word2, u32 more);
void ring_forget_calls(struct agent_thread *t);	/* also when their code leaves the cache */
u64 ring_target(const struct agent_thread *t);	/* the whole address, before the next record */
void ring_publish(struct agent_thread *t);
/* The thread has just written a record of new code: others write the time before they run it. */
void ring_new_code(struct agent_thread *t);
/* Wait until pt has read all records of maps, of all threads here; at most 1 s. */
void ring_drain(const struct agent *a);

/* undo.c: if the branch of the last record leads to an address that cannot exist, remove the record
 * and restore the program's registers before the branch. Returns its address, or 0. */
u64 undo_branch(struct agent_thread *t);

/* enter.c: each returns the address at which to continue. */
u64 agent_at(struct agent_thread *t, u64 ip);	/* in the cache, at 'ip' of the program */
u64 agent_continue(struct agent_thread *t);	/* the same for a thread that begins */
u64 enter_to(struct agent_thread *t, u64 ip, u64 to);	/* in the cache, at 'to', if not 0 */
u64 enter_out(struct agent_thread *t, u64 ip);	/* in the program's own code */
/* The program was interrupted at 'from', and continues at 'to'. */
u64 enter_after(struct agent_thread *t, u64 from, u64 to);
/* Request that pt takes all threads, this one at 'ip'. If pt is gone, they leave by themselves. */
u64 agent_refuse(struct agent_thread *t, u64 ip, enum agent_refusal why);
/* Wait until pt has done it; false: pt takes this thread, at 'ip'. */
bool agent_request(struct agent_thread *t, u64 ip, enum agent_refusal why);
void agent_leave(struct agent *a);	/* from now on, threads that enter the agent leave it */
/* The agent is closed, and will be open (0) or never open (AGENT_NEVER). False if another thread
 * has already decided the other. */
bool enter_decide(struct agent *a, u32 out);

/* agent.c: each returns the address at which to continue. */
u64 agent_run(struct agent_thread *t, struct translate_exit *x);
u64 agent_begin(struct agent_thread *t);
u64 agent_back(struct agent_thread *t);
void agent_open(struct agent_thread *t);
void agent_close(struct agent_thread *t);
void agent_drop(struct agent_thread *t);

/* syscalls.c: make the system call at 'ip', and handle its result, in the child too. */
u64 syscalls_make(struct agent_thread *t, u64 ip);
u64 syscalls_made(struct agent_thread *t);
bool syscalls_over(struct agent_thread *t);	/* false: it must be made again */
/* The mask to which a signal that has interrupted the thread's call adds its own: that of the call,
 * as in ppoll(), or 'mask'. */
u64 syscalls_mask(const struct agent_thread *t, u64 mask);
u64 syscalls_cloned(struct agent_thread *t);
u64 syscalls_child(struct agent_thread *t);

/* writes.c: the thread's system call may write to guarded pages: open them. */
void writes_begin(struct agent_thread *t, u32 nr);

/* threads.c */
u64 threads_clone(struct agent_thread *t, u64 ip);
/* The program limits its memory to 'limit' bytes: unmap slots that it will not need. */
void threads_limit(struct agent_thread *t, u64 limit);
void threads_lock(struct agent_thread *t);

/* handlers.c */
static inline struct action *handlers_actions(const struct agent_thread *t)
{
	return t->actions ? t->actions : t->agent->actions;
}
void handlers_hook(struct action *act);
void handlers_adopt(struct agent *a);		/* take over the program's handlers */
void handlers_give_back(struct agent *a);	/* restore the program's handlers */
bool handlers_own_segv(struct agent *a);
void handlers_action(struct agent_thread *t);	/* rt_sigaction() */
i64 handlers_set(struct agent_thread *t, u64 sig, const struct action *new, struct action *old);

/* masks.c */
#define BIT(sig) (1ULL << ((sig) - 1))
void masks_block(struct agent_thread *t);	/* all signals */
/* The program's mask will be 'mask' when the agent is left. Signals may come here; they do not
 * change t->mask if t->deferred is set. */
void masks_set(struct agent_thread *t, u64 mask);
void masks_change(struct agent_thread *t);	/* rt_sigprocmask() */
void masks_hide(struct agent_thread *t);	/* unblock SIGSEGV: 't' enters the agent */
void masks_show(struct agent_thread *t);	/* ... and leaves it */

/* signals.c */
enum { G_R8, G_R9, G_R10, G_R11, G_R12, G_R13, G_R14, G_R15, G_RDI, G_RSI, G_RBP, G_RBX, G_RDX,
       G_RAX, G_RCX, G_RSP, G_RIP, G_FLAGS, G_SEGMENTS, G_ERROR, G_TRAP, G_OLDMASK, G_CR2,
       N_GREGS };

struct ucontext {
	u64 flags, link, stack[3];
	u64 g[N_GREGS];
	u64 fpstate, reserved[8];
	u64 mask;
};

struct siginfo {
	i32 signo, errno, code, fill;
	u64 addr;
};
void signals_locate(struct agent_thread *t);	/* change regs from the thread's to the program's */
void signals_give(struct agent_thread *t);	/* give the program's regs to pt */
void signals_defer(u32 sig, void *info, struct ucontext *uc, struct agent_thread *t);
/* The current thread; NULL: the signal is not the agent's. */
struct agent_thread *signals_thread(u32 sig, void *info, const struct ucontext *uc);
/* The handler to call, where the thread is not the agent's; 0: none. */
u64 signals_out(u32 sig, void *info, struct ucontext *uc);
u64 signals_take(u32 sig, void *info, struct ucontext *uc, u64 sp, struct agent_thread *t);

/* calls_32.c: the calls of 32-bit programs. calls_entry(): the address of INT 80h that does the
 * same as the call at 'ip'; 0: there is none. calls_enter() sets its registers, too. */
u64 calls_entry(u64 ip);
u64 calls_enter(struct agent_thread *t, u64 ip);
bool calls_clears_fs(const struct agent_thread *t, u64 ip);	/* and does nothing else */
void calls_action(struct agent_thread *t);
i64 calls_kernel_action(u64 sig, const struct action *act);

/* frames_32.c: the frames of their handlers. Returns the frame. */
u64 frames_make(struct agent *a, const struct action *act, u32 sig, const struct siginfo *info,
		const struct ucontext *uc, u64 sp);
u64 frames_return(struct agent_thread *t, u64 ip);

/* Without this the compiler would read their addresses from a table. */
#pragma GCC visibility push(hidden)
extern const u8 agent_text[], agent_enter[], agent_enter_32[], agent_make_clone[];
extern const u8 agent_make_call[], agent_made_call[], agent_make_clone_32[];
extern const u8 agent_make_call_32[], agent_made_call_32[];
extern const u8 agent_signal[], agent_restorer[], agent_leaving[], agent_restored[], agent_left[];
extern const u8 agent_end[];
extern const struct translate_offsets stretch_offsets;
#pragma GCC visibility pop

/* What entry.S has twice. */
#define OWN_ENTRY(name) ((u64)(TRANSLATE_NARROW ? name##_32 : name))

/* The agent's place in this process, and what is at a fixed distance from it. */
#define OWN_AT (TRANSLATE_NARROW ? 0 : (u64)agent_text >> 32 << 32)
#define OWN_REUSE (OWN_AT + 0xf00000000)
#define OWN_MAPPED (OWN_AT + 0x1000000000)	/* 4 GiB in which sys_map() looks for room */
#define OWN_LAST (OWN_MAPPED + 0x100000000)

static inline struct agent_shared *own_shared(void)
{
	return (struct agent_shared *)(TRANSLATE_NARROW ? AGENT_SHARED_AT_32 :
				       OWN_AT + AGENT_SHARED);
}

#endif
