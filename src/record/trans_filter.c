/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A translated program is about to limit its system calls by a seccomp filter, or has done so when
 * pt attaches. The filter decides on the agent's calls, too, since the agent makes them in the
 * program's threads.
 *
 * The filter, a program of classic BPF, is executed here for each of these calls before the agent
 * makes them. Where the filter looks at an argument that is not known here, all of its paths count.
 * The agent can do without some calls if they fail with an error, or send SIGSYS, as in browsers:
 * then it does not make them (agent_thread.limits). All others have to be allowed, else the program
 * goes by single steps. Several filters can only forbid more, so each is looked at alone.
 *
 * Source: Linux, Documentation/userspace-api/seccomp_filter.rst; linux/seccomp.h, linux/filter.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <pt/target.h>

#include "trans.h"

enum {
	NR_MMAP = 9, NR_MPROTECT = 10, NR_MREMAP = 25, NR_PRCTL = 157, NR_PRCTL_ARCH = 158,
	NR_SECCOMP = 317, NR_OPEN = 2, NR_MEMFD_CREATE = 319, NR_TGKILL = 234, NR_FUTEX = 202,
	NR_QUEUE = 297, NR_QUEUE_ALL = 129,
	SET_GS = 0x1001,
	MAP_OWN = 0x4022,		/* private, of no file, without reserve */
	MAP_TWICE = 0x4021,		/* the same, but shared: code that may not be written */
	SET_SECCOMP = 22, BY_FILTER = 2, BY_CALL = 1, TSYNC = 1,
	N_PATHS = 64,			/* that wait to be followed */
	STEPS = 100000,			/* instructions for one call, on all paths */
};

/* How calls can end. */
enum { ALLOWED = 1, FAILS = 2, ENDS = 4, DIES = 8, TRAPS = 16, ODD = 32 };

/* Calls of the agent, and how they may end. Argument 'arg' has the value 'value'; 0: none is known.
 * With 'own', the flags of mmap() are MAP_OWN, or MAP_TWICE for code that may not be written. */
struct need {
	u32 nr : 9, may : 6, arg : 3, value : 13, own : 1;
};

enum {
	MAY_FAIL = ALLOWED | FAILS,
	NO_MATTER = ALLOWED | FAILS | TRAPS, NEVER = FAILS | ENDS | DIES,
	OF_PROGRAM = ALLOWED | NEVER | TRAPS,
	IF_IT_CAN = NO_MATTER | NEVER | ODD,	/* else the agent does not make it */
};
enum { OWN_PID = 0x1fff };	/* a value: the number of the process */

static const struct need needs[] = {
	{ 0, ALLOWED }, { NR_OPEN, NO_MATTER }, { 3, ALLOWED }, { 5, NO_MATTER },
	{ 17, NO_MATTER },
	{ NR_MMAP, ALLOWED, 3, 3, true }, { NR_MMAP, MAY_FAIL, 3, 5, true },
	{ NR_MMAP, MAY_FAIL, 3, 7, true },
	{ NR_MPROTECT, MAY_FAIL, 3, 3 }, { NR_MPROTECT, MAY_FAIL, 3, 5 },
	{ NR_MPROTECT, MAY_FAIL, 3, 7 },
	{ 11, ALLOWED },					/* munmap */
	{ 13, ALLOWED }, { 14, ALLOWED }, { 15, ALLOWED },	/* signals */
	{ 24, ALLOWED },					/* sched_yield */
	{ 28, NO_MATTER },					/* madvise */
	{ 39, ALLOWED }, { 186, ALLOWED },			/* getpid, gettid */
	{ NR_TGKILL, ALLOWED, 1, OWN_PID },
	{ NR_FUTEX, ALLOWED, 2, 0 }, { NR_FUTEX, ALLOWED, 2, 1 },
	{ NR_QUEUE, NO_MATTER, 1, OWN_PID }, { NR_QUEUE_ALL, IF_IT_CAN, 1, OWN_PID },
	{ 310, NO_MATTER }, { 311, NO_MATTER },			/* process_vm_readv, _writev */
	{ 62, NO_MATTER },					/* kill */
	/* The agent makes these for the program: mlockall and what belongs to it, threads and
	 * processes. */
	{ NR_MREMAP, OF_PROGRAM }, { 150, OF_PROGRAM }, { 151, OF_PROGRAM },
	{ 56, OF_PROGRAM }, { 57, OF_PROGRAM }, { 58, OF_PROGRAM }, { 435, OF_PROGRAM },
	/* The agent needs it to find its slot if there is no FSGSBASE. */
	{ NR_PRCTL_ARCH, ALLOWED, 1, SET_GS },
};

/* The same for an agent that is mute, because the filter forbids most calls. No other code comes
 * into the process, no handler returns, and there are no children. */
static const struct need few_needs[] = {
	{ 11, ALLOWED }, { 14, ALLOWED },			/* munmap, rt_sigprocmask */
	{ 28, NO_MATTER }, { NR_FUTEX, ALLOWED },		/* madvise */
	{ NR_MMAP, NEVER, 3, 5 }, { NR_MPROTECT, NEVER, 3, 5 },
	{ 15, NEVER },						/* rt_sigreturn */
	{ 56, NEVER }, { 57, NEVER }, { 58, NEVER }, { 435, NEVER },	/* clone, fork */
	{ 59, NEVER }, { 322, NEVER },				/* execve, execveat */
};

/* What is known of a word. */
struct word { u32 v; bool known; };

/* The state of the BPF program on one of its paths. */
struct path {
	u32 at;			/* the instruction */
	struct word a, x, mem[BPF_MEMWORDS];
};

struct machine {
	const struct sock_filter *code;
	u32 n, n_paths, left;
	const struct need *call;
	u32 pid;		/* OWN_PID */
	u64 limits;		/* see agent_thread.limits */
	struct path paths[N_PATHS];
};

static u32 kind_of(u32 result)
{
	u32 error = result & SECCOMP_RET_DATA;

	switch (result & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
		return ALLOWED;
	case SECCOMP_RET_ERRNO:		/* these mean something else to the agent */
		return error && error != EFAULT && error != ESRCH && error < 4096 ? FAILS : ODD;
	case SECCOMP_RET_KILL_PROCESS:
		return ENDS;
	case SECCOMP_RET_KILL_THREAD:
		return DIES;
	case SECCOMP_RET_TRAP:
		return TRAPS;
	}
	return ODD;
}

/* A word of struct seccomp_data. */
static struct word load(const struct machine *m, u32 offset)
{
	enum { NR = 0, ARCH = 4, ARGS = 16, FLAGS = 4 };
	const struct need *call = m->call;
	u32 i = offset / 8 - ARGS / 8 + 1, v = call->value;
	bool known = i == call->arg;

	if (offset < ARGS)
		return (struct word){ offset == NR ? call->nr : AUDIT_ARCH_X86_64,
				      offset == NR || offset == ARCH };
	if (call->own && i == FLAGS) {
		v = v == 5 ? MAP_TWICE : MAP_OWN;
		known = true;
	}
	return (struct word){ offset & 4 ? 0 : v == OWN_PID ? m->pid : v, known };
}

static struct word compute(u32 op, struct word a, struct word b)
{
	struct word to = { 0, a.known && b.known };

	switch (op) {
	case BPF_ADD: to.v = a.v + b.v; break;
	case BPF_SUB: to.v = a.v - b.v; break;
	case BPF_MUL: to.v = a.v * b.v; break;
	case BPF_AND: to.v = a.v & b.v; break;
	case BPF_OR: to.v = a.v | b.v; break;
	case BPF_XOR: to.v = a.v ^ b.v; break;
	case BPF_LSH: to.v = a.v << (b.v & 31); break;
	case BPF_RSH: to.v = a.v >> (b.v & 31); break;
	case BPF_NEG: to = (struct word){ -a.v, a.known }; break;
	default: to.known = false;
	}
	return to;
}

static bool holds(u32 op, u32 a, u32 b)
{
	return op == BPF_JEQ ? a == b : op == BPF_JGT ? a > b : op == BPF_JGE ? a >= b : a & b;
}

/* If the direction is not known, continue here, and follow the other path later. */
static void jump(struct machine *m, struct path *p, const struct sock_filter *f)
{
	struct word b = BPF_SRC(f->code) == BPF_X ? p->x : (struct word){ f->k, true };

	if (BPF_OP(f->code) == BPF_JA) {
		p->at += f->k;
	} else if (p->a.known && b.known) {
		p->at += holds(BPF_OP(f->code), p->a.v, b.v) ? f->jt : f->jf;
	} else if (m->n_paths == N_PATHS) {
		m->left = 1;		/* too many paths: give up */
	} else {
		m->paths[m->n_paths] = *p;
		m->paths[m->n_paths++].at += f->jt;
		p->at += f->jf;
	}
}

/* One instruction that is no return. False if there is no such instruction. */
static bool step(struct machine *m, struct path *p, const struct sock_filter *f)
{
	struct word k = { f->k, true }, *slot = &p->mem[f->k % BPF_MEMWORDS];

	switch (f->code) {
	case BPF_LD | BPF_W | BPF_ABS: p->a = load(m, f->k); return true;
	case BPF_LD | BPF_W | BPF_LEN: p->a = (struct word){ sizeof(struct seccomp_data), true };
				       return true;
	case BPF_LDX | BPF_W | BPF_LEN: p->x = (struct word){ sizeof(struct seccomp_data), true };
					return true;
	case BPF_LD | BPF_IMM: p->a = k; return true;
	case BPF_LDX | BPF_IMM: p->x = k; return true;
	case BPF_LD | BPF_MEM: p->a = *slot; return true;
	case BPF_LDX | BPF_MEM: p->x = *slot; return true;
	case BPF_ST: *slot = p->a; return true;
	case BPF_STX: *slot = p->x; return true;
	case BPF_MISC | BPF_TAX: p->x = p->a; return true;
	case BPF_MISC | BPF_TXA: p->a = p->x; return true;
	}
	if (BPF_CLASS(f->code) == BPF_ALU)
		p->a = compute(BPF_OP(f->code), p->a, BPF_SRC(f->code) == BPF_X ? p->x : k);
	else if (BPF_CLASS(f->code) == BPF_JMP)
		jump(m, p, f);
	else
		return false;
	return true;
}

/* All the ways in which the call can end. */
static u32 results(struct machine *m, const struct need *call)
{
	u32 all = 0;

	m->call = call;
	m->left = STEPS;
	m->n_paths = 1;
	m->paths[0] = (struct path){ 0 };
	while (m->n_paths) {
		struct path p = m->paths[--m->n_paths];

		for (;;) {
			const struct sock_filter *f = m->code + p.at++;

			if (p.at > m->n || !--m->left)
				return ODD;
			if (f->code == (BPF_RET | BPF_K)) {
				all |= kind_of(f->k);
				break;
			}
			if (f->code == (BPF_RET | BPF_A)) {
				all |= p.a.known ? kind_of(p.a.v) : ODD;
				break;
			}
			if (!step(m, &p, f))
				return ODD;
		}
	}
	return all;
}

static bool looks_at_place(const struct sock_filter *f, u32 n)
{
	u32 i;

	/* The agent makes the program's calls, too: the filter would see the agent's address. */
	for (i = 0; i < n; i++)
		if (f[i].code == (BPF_LD | BPF_W | BPF_ABS) && (f[i].k == 8 || f[i].k == 12))
			return true;
	return false;
}

/* Can these 'n' calls end only as they may? */
static bool fits_all(struct machine *m, const struct need *calls, u32 n)
{
	u32 i, got;

	for (i = 0; i < n; i++) {
		got = results(m, calls + i);
		if (got & ~calls[i].may)
			return false;
		/* A clone() that this filter allows sometimes is made by the agent. */
		if (got == TRAPS || (got & ~MAY_FAIL && calls[i].may & TRAPS &&
				     calls[i].may != OF_PROGRAM) ||
		    (calls[i].nr == NR_MREMAP && got & ~MAY_FAIL))
			m->limits |= 1ULL << calls[i].nr % 64;
	}
	return true;
}

static u64 judge(struct machine *m, const struct tracee *t)
{
	static const struct need memfd = { NR_MEMFD_CREATE, 0 }, file = { NR_OPEN, 0 };
	static const struct need map = { NR_MMAP, 0 };		/* by pt, with other flags */
	bool has_base = trans_has_fsgsbase();
	u64 fits;
	u32 made;

	m->limits = 0;
	m->pid = t->slot ? t->slot->wanted : target_inner_tid(t->pid);
	if (looks_at_place(m->code, m->n))
		return 0;
	/* Only root can suspend the filter to take a mute thread out of the cache. */
	if (fits_all(m, few_needs, N_ELEM(few_needs)))
		return geteuid() ? 0 : FILTER_FITS | AGENT_MUTE | m->limits;
	if (!fits_all(m, needs, N_ELEM(needs) - has_base))
		return 0;
	fits = FILTER_FITS | m->limits;
	made = results(m, &map) == ALLOWED ? results(m, &memfd) : ODD;
	if (made == ALLOWED)
		return fits;
	return fits | (made == FAILS && results(m, &file) == ALLOWED ? FILTER_NO_MEMFD :
		       FILTER_NO_INJECT);
}

/* Is it a call by which a program finds out what the kernel has? It fails on purpose. */
static bool is_question(u32 nr, u64 op, u64 flags, u64 program)
{
	if (nr == NR_SECCOMP)
		return op == BY_CALL ? !program : !op && (flags || program);
	return op == SET_SECCOMP && flags == BY_FILTER && !program;
}

static bool is_install(u32 nr, u64 op, u64 mode)
{
	return nr == NR_SECCOMP ? op == BY_CALL :
	       nr == NR_PRCTL && op == SET_SECCOMP && mode == BY_FILTER;
}

u64 trans_filters(const struct tracee *t)
{
	struct sock_filter code[BPF_MAXINSNS];
	struct machine m = { .code = code };
	u64 fits = 0, one;
	u64 i;

	for (i = 0;; i++) {
		long n = ptrace(PTRACE_SECCOMP_GET_FILTER, t->tid, i, code);

		if (n < 0)
			return errno == ENOENT ? fits : 0;
		m.n = n;
		one = judge(&m, t);
		if (!one)
			return 0;
		fits |= one;
	}
}

u64 trans_filter(const struct tracee *t)
{
	enum { RDX = 2, RSI = 6, RDI = 7 };
	const u64 *r = t->slot->regs.r;
	struct sock_filter code[BPF_MAXINSNS];
	struct { u16 n, fill[3]; u64 code; } program;
	struct machine m = { .code = code };
	u32 nr = t->slot->call_nr;
	u64 fits;

	if (trans_is_narrow(t->image))
		return 0;
	if (is_question(nr, r[RDI], r[RSI], r[RDX]))
		return FILTER_FITS;
	if (!is_install(nr, r[RDI], r[RSI]) ||
	    !vm_read(t->vm, r[RDX], &program, sizeof(program)) || !program.n ||
	    program.n > BPF_MAXINSNS ||
	    !vm_read(t->vm, program.code, code, program.n * sizeof(*code)))
		return 0;
	m.n = program.n;
	fits = judge(&m, t);
	/* Flags may let other threads have the filter, too, or another process decide. */
	if (fits & AGENT_MUTE && nr == NR_SECCOMP && r[RSI])
		return 0;
	return fits && nr == NR_SECCOMP && r[RSI] & TSYNC ? fits | FILTER_ALL : fits;
}
