/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The contract between pt and the agent: the code that pt puts into a process to translate and
 * record it. Both sides include this file; neither knows anything else of the other.
 *
 * pt makes one shared memory (a memfd) for each program image and maps it, with the agent's
 * code, into the process:
 *
 *	+--------------+--------------------+--------------------+-----
 *	| agent_shared | slot 0             | slot 1             | ...
 *	+--------------+--------------------+--------------------+-----
 *	                       |
 *	                       | agent_thread, the agent's own data  | AGENT_PAGES
 *	                       | the agent's stack (grows down)      | AGENT_BLOCK in all
 *	                       | the ring                            | ring_size
 *
 * A slot belongs to one thread. %gs of that thread is the address of its struct agent_thread.
 * Children by fork() share the memory with their parent: they, too, get a slot of their own
 * before they run. After exec there is another shared memory.
 *
 * The ring has one writer, the thread, and one reader, pt. Positions count bytes from the
 * beginning of the recording; position p is at ring[p % ring_size]. A record never crosses the
 * border of a quarter: a thread that comes near it writes SLOW_PAD and goes on at the border.
 * Everything below 'head' is written; everything below 'tail' was read.
 */
#ifndef PT_AGENT_H
#define PT_AGENT_H

#include <pt/base.h>

enum {
	AGENT_VERSION = 1,
	AGENT_SLOTS = 2048,		/* threads at a time; unused ones take no memory */
	AGENT_PAGES = 16 << 10,		/* of a slot: struct agent_thread and data of the agent */
	AGENT_BLOCK = 64 << 10,		/* ... and its stack, up to here */
	AGENT_RING = 1 << 20,
	AGENT_MARGIN = 8 << 10,		/* may be written beyond 'limit' before the next check */
	AGENT_STRETCH = 4096,		/* bytes of records from one stamp to the next, about */
	AGENT_CALLS = 64,		/* that are remembered */
};

/* Where the shared memory is in each process: the agent finds it without %gs, too. */
#define AGENT_SHARED_AT 0x680000000000ull

/* The first byte of a record. The addresses in records have 56 bits, and are sign-extended:
 * one that writes 9 bytes (a tag, then a whole address) may overwrite the last one. A return that
 * goes where its call said is REC_TAKEN, as processors tell it: the writer remembers the calls. */
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

/* What happened between two branches; the first word is always the TSC. 'ip' is an address of
 * the program, never one of the cache. */
enum agent_kind {
	SLOW_PAD,		/* nothing from here to the end of the quarter (no words) */
	SLOW_STAMP,		/* tsc, ip: of the next instruction */
	SLOW_OFF,		/* tsc, ip: the instruction there enters the kernel by itself */
	SLOW_INTERRUPT,		/* tsc, ip: interrupted (a signal) before the instruction
				 * there */
	SLOW_ON,		/* tsc, ip: runs on there: after a system call, at a handler, at
				 * the begin of a thread */
	SLOW_MAP,		/* tsc, start, len: code was mapped, unmapped or protected there */
	SLOW_NAME,		/* tsc: the thread's name may have changed */
	SLOW_CODE,		/* tsc, ip, then bytes ('more' of them, padded to words): they are
				 * what runs at ip from here on, and are in no file */
	SLOW_PTWRITE,		/* tsc, ip, value; 'more': 4 or 8 bytes */
	SLOW_GAP,		/* tsc: records were lost here; SLOW_ON comes next */
	SLOW_FAR,		/* tsc, ip: a far branch to there; more as in SLOW_ON (no agent
				 * writes this, but the recorder of single steps) */
	N_SLOW
};

/* 'more' of SLOW_STAMP, SLOW_ON and SLOW_FAR. */
enum {
	AGENT_FORGOT = 1,	/* calls up to here are forgotten: a decoder may begin here */
	AGENT_NARROW = 2,	/* the code is 32-bit code */
};

/* General registers by their number in instructions. */
struct agent_regs {
	u64 r[16];
	u64 ip, flags, fs, gs;
};

enum agent_state {		/* of a slot */
	SLOT_FREE,
	SLOT_TAKEN,		/* by the agent, for a child that it is about to make */
	SLOT_LIVE,		/* of a thread that pt knows */
	SLOT_DEAD,		/* the thread is gone; pt reads the rest and frees it */
};

/* At the begin of a slot. Fixed offsets: emitted code has them. */
struct agent_thread {
	/* What emitted code touches. */
	u64 self;		/* the address of this */
	u64 ring;		/* write pointer, while r11 is the program's */
	u64 limit;		/* the pointer at which to stop and look */
	u64 below;		/* minus 'limit' */
	u64 r11;		/* the program's, while r11 is the write pointer */
	u64 spill[4];		/* of emitted code */

	/* Of the agent. */
	struct agent *agent;		/* what it knows of the process */
	struct agent_shared *shared;	/* where it is in this process */
	u8 *ring_start;			/* the ring's first byte */
	u64 base;			/* position of ring_start in this round, so that a
					 * position is pointer - ring_start + base */
	u64 head;			/* written up to here */
	u32 state;			/* enum agent_state */
	u32 index;			/* of the slot */
	u32 child;			/* the slot of the child being made; 0: none */
	u32 inside;			/* runs code of the agent: registers are elsewhere */
	u64 call_ip;			/* in a system call, which ends at this address; or 0 */
	u32 deferred;		/* signals came while the agent was busy */
	u32 call_nr;			/* which one */
	u64 mask;			/* of signals, while they are deferred */
	u64 next_r11;			/* r11 when the agent is left */
	u64 parent;			/* the thread that makes this one */
	u64 back_ip;			/* where an rt_sigreturn that is being made goes */
	u64 back_r11;			/* ... and the r11 that it restores */
	u32 shares;			/* memory with the parent, as threads do */
	u32 away;			/* it runs its own code, not recorded */
	u32 hurry;			/* pt should read now: maps are about to change */
	u32 waits;			/* for 'tail' to change: a futex */
	u32 epoch;			/* of the cache's code that it may run; ~0: of none */
	u32 space;			/* its address space, by a number */
	u32 refused;			/* enum agent_refusal: pt is to ask for all its threads */
	u32 no_room;		/* for code that it was about to run */

	/* Of pt: a cache line of its own. */
	u64 tail;			/* read up to here */
	i32 tid, pid;
	u32 asked;			/* enum agent_ask: something to do at the next check */
	u32 fill;
	u64 fill2[2];

	/* The program's registers when pt hands a thread over, or takes it back. */
	struct agent_regs regs;

	/* Where in the cache the last calls come back to. Of emitted code. */
	u64 calls[AGENT_CALLS];
	u64 forgot;			/* position where all were forgotten */
	u32 top;			/* its byte 0 is the next call's number times 4 */
	u32 calls_epoch;		/* they are in that epoch's code */
};

enum agent_ask {
	AGENT_LEAVE = 1,	/* put the program's registers into 'regs', then make the system
				 * call that ends at agent_head.trap: pt takes the thread there */
};

/* What cannot be done translated: single steps have to do it. */
enum agent_refusal {
	AGENT_CAN,
	AGENT_ODD,		/* an instruction */
	AGENT_GS,		/* the program wants %gs for itself */
	AGENT_FILTER,		/* it limits its system calls, and so the agent's */
	AGENT_STEPS,		/* it sets the trap flag */
	AGENT_ROOM,		/* no memory for the cache near its code */
};

/* Page 0. */
struct agent_shared {
	u32 version, n_slots;
	u32 ring_size, slot_size;	/* slot i is at slots + i * slot_size */
	u64 slots;			/* offset from here */
	u64 blob;			/* address of the agent's code in the process */
	u32 blob_size;
	i32 fd;				/* the memfd in the process: start() closes it */
	u32 flags;			/* enum agent_flag */
	u32 taken;			/* a hint: slots below this were taken once */
	u32 psb_every;			/* bytes of records after which calls are forgotten */

	/* A robust futex of pt's: FUTEX_OWNER_DIED (bit 30) is set when pt has died, however. */
	u32 owner;
	u32 spaces;			/* address spaces, counted as they are made */
	u64 owner_link;			/* the kernel's way there, in pt's address space */
	u64 beat;			/* TSC when pt last looked: every 50 ms or sooner */
	u64 tsc_hz;
	u32 ptraced;			/* ptrace() failed: the program is traced already */
	u32 fill;
	u64 caught;			/* signals that the program has handlers for already */
	u64 space;			/* address of struct agent_space in the processes */
};

/* The agent's private memory begins so: each address space has its own. */
struct agent_space {
	u32 out;	/* who comes to the agent goes on in the program's own code: it was not
			 * let in yet, or is about to be let go */
	u32 fill;
};

enum { AGENT_OWNER_DIED = 1 << 30 };	/* in 'owner': FUTEX_OWNER_DIED */

enum agent_flag {
	AGENT_NOCALLS = 1,	/* do not remember calls: returns are REC_INDIRECT */
	AGENT_OVERRUN = 2,	/* never wait for pt: a flight recorder */
	AGENT_PTWRITE = 4,	/* write SLOW_PTWRITE */
	AGENT_FSGSBASE = 8,	/* WRGSBASE may be used (AT_HWCAP2) */
};

/* The blob's first bytes: offsets into it, no relocations. pt maps it readable and executable,
 * not writable; what the agent changes is in memory that it maps itself, or in slots. */
struct agent_head {
	u32 magic;		/* AGENT_MAGIC */
	u32 size;
	/* Where pt starts a thread. %gs is its agent_thread, regs are the program's registers,
	 * rsp is the end of the agent's stack (16-byte aligned). */
	u32 start;		/* the first thread of an image: the agent sets itself up */
	u32 resume;		/* any other (pt attached) */
	/* Run by pt in a stopped thread to learn where it is: regs are what the thread has,
	 * rsp as above, and all signals are blocked, 'mask' and 'deferred' saying how they were.
	 * Comes to the trap with the program's registers in regs, and the ring complete up to
	 * there. Not where the thread is in the agent's code, but for what follows. */
	u32 locate;
	/* Where a system call ends that does nothing: pt stops the thread in it and takes it.
	 * Where nobody does, because pt died, the thread goes on translated. */
	u32 trap;
	/* The same when all threads are stopped in the agent, or in system calls of theirs. 'open'
	 * takes the program's signal handlers over, and agent_space.out is 0. 'close' gives them
	 * back, and it is 1: from then on pt may die, and all go on by themselves. 'drop' unmaps
	 * what the agent mapped, when no thread is left in there but this one. */
	u32 open, close, drop;
	u32 call;		/* the program's system calls are made by the instruction there */
	u32 restored, left;	/* between these, registers are in place already: then
				 * 'locate' is not run, but ... */
	u32 give;		/* ... this, by which the thread gives itself up */
};

#define AGENT_MAGIC 0x74676174u

static inline struct agent_thread *agent_slot(struct agent_shared *s, u32 i)
{
	return (struct agent_thread *)((u8 *)s + s->slots + (u64)i * s->slot_size);
}

/* Position 0 of every quarter is the begin of a record. */
static inline u64 agent_quarter(const struct agent_shared *s)
{
	return s->ring_size / 4;
}

#endif
