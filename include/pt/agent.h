/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interface between pt and the agent, the code that pt puts into a process to translate and
 * record it. Both sides include this file and share nothing else.
 *
 * pt makes one shared memory (a memfd) for each program image, and maps it into the process
 * together with the agent's code:
 *
 *	+--------------+--------------------+--------------------+-----
 *	| agent_shared | slot 0             | slot 1             | ...
 *	+--------------+--------------------+--------------------+-----
 *	                       |
 *	                       | agent_thread, the agent's own data  | AGENT_PAGES
 *	                       | the agent's stack (grows down)      | AGENT_BLOCK in all
 *	                       | the ring                            | ring_size
 *
 * A slot belongs to one thread; the %gs base of that thread is the address of its struct
 * agent_thread. Children by fork() share the memory with their parent, and also get a slot before
 * they run. After exec the process has a new shared memory.
 *
 * The ring has one writer, the thread, and one reader, pt. Positions count bytes from the
 * beginning of the recording; position p is at ring[p % ring_size]. A record never crosses the
 * border of a quarter of the ring: a thread near the border writes SLOW_PAD and continues at the
 * border. Bytes below 'head' are written, bytes below 'tail' were read.
 */
#ifndef PT_AGENT_H
#define PT_AGENT_H

#include <pt/base.h>

enum {
	AGENT_VERSION = 13,
	AGENT_SLOTS = 16384,		/* limit of threads; unused slots take no memory */
	AGENT_PAGES = 16 << 10,		/* of a slot: struct agent_thread and data of the agent */
	AGENT_BLOCK = 64 << 10,		/* ... and its stack, up to here */
	AGENT_RING = 1 << 20,
	AGENT_CROWD = 32,		/* more threads than this share ... */
	AGENT_UNREAD = 16 << 20,	/* this memory for records */
	AGENT_SLOTS_32 = 448,		/* the same in 32-bit programs */
	AGENT_RING_32 = 256 << 10,
	AGENT_MARGIN = 8 << 10,		/* bytes that may follow 'limit' before a check */
	AGENT_STRETCH = 4096,		/* approximate bytes of records between stamps */
	AGENT_CALLS = 64,		/* size of the stack of calls */
	AGENT_REUSE = 32 << 20,		/* size of the file of src/agent/reuse.c */
};

/* Where the agent's code is in each process: at the first of two places that is free. The shared
 * memory is AGENT_SHARED above it, so that the agent finds it without %gs, too. (All memory of a
 * program with ThreadSanitizer is above the first place.) */
#define AGENT_AT 0x7e8000000000ull
#define AGENT_ELSE 0x6e8000000000ull
#define AGENT_SHARED 0x100000000ull
#define AGENT_AREA 0x1000000000ull	/* aligned; both are in it */
/* In a 32-bit program, which has no memory above 4 GiB: between its heap and mapped memory, so that
 * there is room for large areas. Below it are the agent's own memory and the cache. */
#define AGENT_SHARED_AT_32 0x74000000ull

/* The first byte of a record. Addresses in records have 56 bits and are sign-extended: code may
 * write 9 bytes (a tag, then a whole address), and the next record overwrites the last one. As in
 * Intel PT, a return to its call is compressed to REC_TAKEN; the writer keeps the stack of
 * calls. */
enum agent_record {
	REC_NOT_TAKEN,		/* 1 byte: a conditional branch */
	REC_TAKEN,
	REC_INDIRECT,		/* 8 bytes, address << 8 | tag: target of a jump, call or return */
	REC_SLOW,		/* struct agent_slow */
};

struct agent_slow {
	u8 tag;			/* REC_SLOW */
	u8 kind;		/* enum agent_kind */
	u16 words;		/* that follow */
	u32 more;		/* by kind */
};

/* Events between branches. The first word is always the TSC. 'ip' is an address in the program,
 * never in the code cache. */
enum agent_kind {
	SLOW_PAD,		/* nothing from here to the end of the quarter (no words) */
	SLOW_STAMP,		/* tsc, ip of the next instruction */
	SLOW_OFF,		/* tsc, ip: the instruction there enters the kernel by itself */
	SLOW_INTERRUPT,		/* tsc, ip: interrupted (a signal) before the instruction
				 * there */
	SLOW_ON,		/* tsc, ip: the program continues there, after a system call, at a
				 * signal handler or at the start of a thread */
	SLOW_MAP,		/* tsc, start, len: code was mapped, unmapped or protected there;
				 * 'more': bits, or 0 if it has new rights only */
	SLOW_NAME,		/* tsc: the thread's name may have changed */
	SLOW_CODE,		/* tsc, ip, then 'more' bytes, padded to words: code that runs at
				 * ip from here on, and that is in no file. With AGENT_WITHIN in
				 * 'more', what is in the second page is in a file; with
				 * AGENT_AFTER, what is in the first */
	SLOW_PTWRITE,		/* tsc, ip, value; 'more': 4 or 8 bytes */
	SLOW_GAP,		/* tsc: records were lost here; SLOW_ON comes next */
	SLOW_BEFORE,		/* tsc of the first change of code by another thread since the last
				 * record: what was executed up to here was executed before it */
	SLOW_FAR,		/* tsc, ip: a far branch to there; 'more' as in SLOW_ON */
	N_SLOW
};

/* Bits of 'more'. */
enum {
	AGENT_FORGOT = 1,	/* the stack of calls is empty: a decoder can start here */
	AGENT_NARROW = 2,	/* the code is 32-bit code */
	AGENT_UNMAPPED = 4,	/* of SLOW_MAP: what was there is gone */
	AGENT_NEW_CODE = 8,	/* of SLOW_MAP: something new is there; of SLOW_STAMP and SLOW_ON:
				 * a thread has mapped or changed code since the last one, and
				 * it may run from here on */
	AGENT_WITHIN = 1 << 30, AGENT_AFTER = 1 << 29,	/* of SLOW_CODE */
	AGENT_SIZE = AGENT_AFTER - 1,			/* ... the bits of its size */
};

/* General registers by their number in instructions. */
struct agent_regs {
	u64 r[16];
	u64 ip, flags;
};

enum agent_state {		/* of a slot */
	SLOT_FREE,
	SLOT_TAKEN,		/* reserved by the agent for a child that it will make */
	SLOT_LIVE,		/* belongs to a thread that pt knows */
	SLOT_DEAD,		/* the thread is gone; pt reads the rest and frees it */
};

/* The start of a slot. The offsets are fixed, since emitted code contains them. */
struct agent_thread {
	/* Used by emitted code. */
	u64 self;		/* the address of this */
	u64 ring;		/* write pointer, while r11 has the program's value */
	u64 limit;		/* a check is due when the pointer reaches this */
	u64 below;		/* -limit */
	u64 r11;		/* the program's r11, while r11 is the write pointer */
	u64 spill[4];		/* scratch space of emitted code */

	/* Of the agent. */
	struct agent *agent;		/* the agent's state of the process */
	struct agent_shared *shared;	/* its address in this process */
	u8 *ring_start;			/* the ring's first byte */
	u64 base;			/* position of ring_start in this round, so that a
					 * position is pointer - ring_start + base */
	u64 head;			/* end of the written records */
	u32 state;			/* enum agent_state */
	u32 index;			/* of the slot */

	/* The return addresses of the last calls, in the cache. Used by emitted code. What is
	 * before has an offset of 8 bits. */
	u64 calls[AGENT_CALLS];

	u32 child;			/* the slot of the child being made; 0: none */
	u32 inside;			/* runs code of the agent: registers are saved elsewhere */
	u64 call_ip;			/* in a system call, which ends at this address; or 0 */
	u32 deferred;		/* signals came while the agent was busy */
	u32 call_nr;			/* number of the system call */
	u64 mask;			/* the signal mask, while signals are deferred */
	u64 next_r11;			/* r11 when the agent is left */
	u64 parent;			/* the thread that makes this one */
	u64 back_ip;			/* the target of an rt_sigreturn that is being made */
	u64 back_r11;			/* ... and the r11 that it restores */
	u32 shares;			/* shares memory with the parent, like a thread */
	u32 away;			/* runs the program's own code, not recorded; if 2, with
					 * its own %gs */
	u32 hurry;			/* pt should read now: maps are about to change */
	u32 waits;			/* threads that wait for a change of 'tail' (a futex) */
	u32 epoch;			/* epoch of the cache's code that it may run; ~0: none */
	u32 space;			/* number of its address space */
	u32 refused;			/* enum agent_refusal: pt must take all threads */
	u32 no_room;		/* enum agent_refusal: for code that it was about to run */

	/* Of pt: a cache line of its own. */
	u64 tail;			/* end of the records that were read */
	i32 tid;			/* in the PID namespace of the thread ... */
	u32 pid_ns;			/* ... which has this number; that of the first is 0 */
	u32 asked;			/* enum agent_ask: a request for the next check */
	i32 wanted;			/* see AGENT_TRACES; 0: this thread. AGENT_FILTER: the
					 * process, as it sees itself */
	u64 frame;			/* 32-bit programs: the agent returns from a handler by the
					 * 64-bit frame there */
	u64 mapped;			/* end of its last SLOW_MAP */

	/* The program's registers when pt starts a thread here or takes it back. */
	struct agent_regs regs;

	u64 forgot;			/* position where 'calls' was cleared for a PSB */
	u32 top;			/* its byte 0 is the index of the next call times 4 */
	u32 calls_epoch;		/* the epoch of these addresses */

	/* Its system call changes memory that may hold code. */
	u64 change_from, change_to;
	u32 changes;

	/* The bit of SIGSEGV in the program's signal mask: in the kernel's it is never set. */
	u64 segv;
	u64 segv_was;			/* ... before the rt_sigreturn that is being made */
	u64 segv_came;			/* one was sent meanwhile */
	u64 untraced;			/* CLONE_UNTRACED of a clone() that is being made */
	u32 guarded;			/* the agent handles SIGSEGV, and goes on */
	u64 limits;			/* by filters: AGENT_MUTE, or bit n % 64 for each system
					 * call n that they answer by a signal, if the agent can do
					 * without it, or let the program make it */
	u64 stamp;			/* TSC of its last record */
	u64 before;			/* for SLOW_BEFORE, if n_code is not agent.n_code */
	u32 n_code;			/* agent.n_code of its last check */
	struct action *actions;		/* its signal handlers, if it shares memory with its parent,
					 * but not the handlers (vfork); else NULL */
	u64 gs;				/* the program's base of %gs; not of 32-bit programs */
};

/* In agent_thread.limits: the agent may only block signals, wait for a futex, and give memory
 * back. */
enum { AGENT_MUTE = 1 };

enum agent_ask {
	AGENT_LEAVE = 1,	/* put the program's registers into 'regs', then make the system
				 * call that ends at agent_head.trap: pt takes the thread there */
	AGENT_CLOSE = 2,	/* agent_head.close does all of it, even if pt is dead */
};

/* Reasons why a program cannot be translated and needs single steps. */
enum agent_refusal {
	AGENT_CAN,
	AGENT_ODD,		/* an instruction */
	AGENT_FS,		/* a 32-bit program uses %fs itself */
	AGENT_FILTER,		/* it limits its system calls, and thereby the agent's */
	AGENT_STEPS,		/* it sets the trap flag */
	AGENT_TSC,		/* it forbids RDTSC, which the agent needs */
	AGENT_ROOM,		/* no memory for the cache near its code */
	AGENT_TRACES,		/* it is about to trace thread agent_thread.wanted, whose process
				 * must be let go; then pt clears 'refused' */
	AGENT_BITS,		/* from here on found by pt: it is a 32-bit program */
	AGENT_THREADS,		/* it has more threads than there are slots */
	AGENT_MEMORY,		/* the agent cannot be mapped */
	AGENT_SHADOW,		/* its returns are compared with a shadow stack, which calls in the
				 * cache do not use */
	AGENT_DENIED,		/* a security policy denies it executable memory */
};

/* Page 0. */
struct agent_shared {
	u32 version, n_slots;
	u32 ring_size, slot_size;	/* slot i is at slots + i * slot_size */
	u64 slots;			/* offset from here */
	u64 blob;			/* address of the agent's code in the process */
	u32 blob_size;
	u32 flags;			/* enum agent_flag */
	u32 taken;			/* a hint: slots below this were used once */
	u32 psb_every;			/* bytes of records after which calls are cleared */

	/* A robust futex of pt: the kernel sets FUTEX_OWNER_DIED (bit 30) when pt dies in any
	 * way. */
	u32 owner;
	u32 spaces;			/* number of address spaces so far */
	u64 owner_link;			/* list entry of the robust futex, in pt's address space */
	u64 beat;			/* TSC when pt last read: at least every 50 ms */
	u64 tsc_hz;
	u32 blocks;			/* number of blocks that were translated */
	u32 fill;
	u64 caught;			/* signals for which the program already has handlers */
	u32 sigreturn, rt_sigreturn;	/* their calls in the vDSO of a 32-bit program, or 0 */
	u64 space;			/* address of struct agent_space in the processes */
	char reuse[40];			/* path of the file of src/agent/reuse.c; or empty */
};

/* The agent's private memory begins so: each address space has its own. */
struct agent_space {
	u32 out;	/* threads that enter the agent continue in the program's own code: pt
			 * has not opened the agent yet, or is closing it. AGENT_NEVER: pt died
			 * before it was open, and a thread is out */
	u32 magic;	/* AGENT_MAGIC: the program has no other memory there by now */
	u32 lock;	/* index of the slot of its owner + 1, or 0 */
};

enum { AGENT_NEVER = 2 };
enum { AGENT_OWNER_DIED = 1 << 30 };	/* in 'owner': FUTEX_OWNER_DIED */

enum agent_flag {
	AGENT_NOCALLS = 1,	/* keep no stack of calls: returns are REC_INDIRECT */
	AGENT_PTWRITE = 4,	/* write SLOW_PTWRITE */
	AGENT_SMALL = 16,	/* the program's memory is limited: use little */
	AGENT_FSGSBASE = 8,	/* WRGSBASE may be used (AT_HWCAP2) */
	AGENT_HALVES = 32,	/* translate.halves */
	AGENT_KEYS = 64,	/* the processor and the kernel have protection keys for memory */
};

/* The first bytes of the agent's code: offsets into it, without relocations. pt maps the code
 * readable and executable, not writable. The agent's data are in memory that it maps itself, or in
 * slots. */
struct agent_head {
	u32 magic;		/* AGENT_MAGIC */
	u32 size;
	/* Entry points where pt starts a thread. The %gs base (%fs in 32-bit programs) is its
	 * agent_thread, 'regs' are the program's registers, rsp is the end of the agent's stack
	 * (16-byte aligned). */
	u32 start;		/* the first thread of an image: the agent sets itself up. Its ring
				 * has the text of /proc/PID/maps, ended by a zero: the program
				 * may not see a /proc */
	u32 resume;		/* any other thread (pt attached) */
	/* pt runs this in a stopped thread to find the thread's place in the program. Before:
	 * 'regs' are the thread's registers, rsp is as above, and all signals are blocked; 'mask'
	 * and 'deferred' hold the earlier state of the signals. After, at the trap: 'regs' are
	 * the program's registers, and the ring is complete. pt does not run it if the thread is
	 * in the agent's code, except between 'restored' and 'left': see 'give'. */
	u32 locate;
	/* The end of a system call that does nothing. pt stops the thread in this call and takes
	 * it. If pt died, the thread continues translated. */
	u32 trap;
	/* Entry points for one thread, while all threads are stopped in the agent or in system
	 * calls. 'open' takes over the program's signal handlers and clears agent_space.out.
	 * 'close' restores the handlers and sets agent_space.out: from then on all threads leave
	 * by themselves, even if pt dies. 'drop' unmaps the agent's memory; no other thread may
	 * be in the agent. */
	u32 open, close, drop;
	u32 call;		/* the instruction that makes the program's system calls */
	u32 call_32;		/* ... of 32-bit programs: then pt copies this to 'call' */
	u32 narrow;		/* not 0: the program is a 32-bit program: pt writes it */
	u32 restored, left;	/* between these, the program's registers are in place: pt runs
				 * 'give' instead of 'locate' */
	u32 give;		/* gives the thread to pt */
	u32 undefer;		/* with SOFT_AGAIN: from here to 'left' the thread unblocks its
				 * signals, from 'restored' to here it leaves the agent */
};

#define AGENT_MAGIC 0x74676174u

static inline struct agent_thread *agent_slot(struct agent_shared *s, u32 i)
{
	return (struct agent_thread *)((u8 *)s + s->slots + (u64)i * s->slot_size);
}

static inline u64 agent_size(const struct agent_shared *s)	/* of all that is mapped */
{
	return s->slots + (u64)s->n_slots * s->slot_size;
}

/* The size of a quarter of the ring. A record begins at the start of each quarter. */
static inline u64 agent_quarter(const struct agent_shared *s)
{
	return s->ring_size / 4;
}

#endif
