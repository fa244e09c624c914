/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Running another process's code by computing what it does: its registers are
 * at hand, its memory is read and written by pages.
 *
 * Known are integer instructions of 64-bit mode and, after exec_open(), vector
 * instructions. Whatever else comes, or cannot be done without the kernel or
 * other threads taking part, is left to the processor: exec_run() stops in front
 * of it, with nothing of it done.
 */
#ifndef PT_EXEC_H
#define PT_EXEC_H

#include <pt/arch.h>

struct cpu {
	u64 r[17];		/* in the order of their numbers; the last is always 0 */
	u64 ip;
	u64 fs, gs;		/* base addresses */
	u32 status;		/* as LAHF and SETO leave them in AX */
	u32 rest;		/* RFLAGS without those six */
};

u64 cpu_flags(const struct cpu *cpu);
void cpu_set_flags(struct cpu *cpu, u64 flags);

enum { EXEC_PAGE = 4096, EXEC_PAGES = 4096, EXEC_LINES = 1 << 14 };
enum { EXEC_STATE = 16 << 10 };	/* bytes of XSAVE's image, at most */

/* One page of the process, as it is, plus what was stored there and is to be
 * written back. */
struct exec_page {
	u64 base;
	u32 gen;		/* of exec.gen: else void */
	u32 writable;		/* of exec.maps: else not known to be */
	bool dirty;		/* it is in exec.dirty */
	u64 stored[EXEC_PAGE / 64];	/* a bit per byte */
	u8 bytes[EXEC_PAGE];
};

/* An instruction, ready to be done. */
struct uop {
	u8 op, kind, len, size;	/* kind: enum insn_kind */
	u8 dst, src;		/* where: enum in exec.c */
	u8 reg, rm;		/* registers; + 32: bits 15:8 of (n & 3) */
	u8 base, index, scale, seg;
	u8 sub;			/* which of the kind: condition, ALU operation */
	u8 narrow;		/* addresses are of 32 bits */
	u64 disp;
	u64 imm;		/* direct branches: target */
};

struct exec_line {
	u64 ip;
	u32 code;		/* of exec.code: else void */
	bool fixed;		/* nobody can have changed the code since */
	u8 bytes[INSN_MAX];
	struct uop u;
};

struct exec {
	struct cpu cpu;
	u32 gen, maps, code;	/* counted up when pages, rights, or code are void */
	u64 stop;		/* budget: instructions left */
	u64 n;			/* instructions done, ever */
	struct exec_page page[EXEC_PAGES];
	u16 dirty[EXEC_PAGES];	/* pages, by index */
	u32 n_dirty;
	struct exec_line line[EXEC_LINES];

	/* The memory's owner. load: fill p->bytes from p->base; false: cannot be read
	 * this way. store: will a store at 'at' in this page succeed? flush: write
	 * back what was stored. fixed: is code at 'ip' safe from being changed by stores? */
	bool (*load)(void *who, struct exec_page *p);
	bool (*store)(void *who, struct exec_page *p, u64 at);
	void (*flush)(void *who, struct exec_page *p);
	bool (*fixed)(void *who, u64 ip);

	/* Takes what PTWRITE at cpu.ip writes, of u->size bytes; NULL: it is the processor's. */
	bool (*ptwrite)(void *who, const struct uop *u, u64 value);

	/* Vector registers, as XSAVE stores them in its standard form: load returns
	 * how many bytes there are, 0 if none can be had. */
	u32 (*load_vectors)(void *who, u8 state[EXEC_STATE]);
	void (*store_vectors)(void *who, const u8 *state, u32 n);
	u32 n_vectors;		/* 0: those at hand are void */
	bool vectors_changed;
	struct exec_here *here;
	void *who;
};

/* Do vector instructions, too, if this processor and the system let us. Faults
 * of this process are handled from here on, but only those of such are new. */
void exec_open(struct exec *x);

/* What exec_run() stopped for. Branches are done: cpu.ip is where they went. */
enum exec_stop {
	EXEC_NATIVE,		/* the instruction at cpu.ip is the processor's */
	EXEC_BUDGET,
	EXEC_TAKEN, EXEC_NOT_TAKEN,
	EXEC_CALL,		/* direct; 'from' is where it returns to */
	EXEC_RET,
	EXEC_INDIRECT,
	EXEC_INDIRECT_CALL,
};

/* Run until one of these. '*from': the address behind the branch. */
enum exec_stop exec_run(struct exec *x, u64 *from);

/* The instruction at 'ip', or NULL if its bytes cannot be read that way. */
const struct exec_line *exec_at(struct exec *x, u64 ip);

/* It is a PTWRITE. */
bool exec_is_ptwrite(const struct exec_line *line);

/* Only how the instruction at the front of 'code' would be done; false if it
 * would not be. */
bool exec_decode(struct uop *u, struct bytes code, u64 ip);

/* Does what 'line' holds not touch memory, or only where the registers as they
 * are now say, outside of [lo, hi)? 'changed': registers, by bit, that something
 * before it may have changed since; those that it may change are added. */
bool exec_harmless(const struct cpu *cpu, const struct exec_line *line, u32 *changed, u64 lo,
		   u64 hi);

/* Write back what was stored, and vectors that changed. */
void exec_flush(struct exec *x);

#endif
