/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls of 32-bit programs: their numbers, arguments and structs. All other files of the
 * agent know these calls by their numbers in 64-bit programs.
 *
 * A program makes them by INT 80h, or by SYSENTER or SYSCALL in the vDSO, where an INT 80h follows
 * that does the same. After any of them the program continues after that INT 80h.
 */
#include "own.h"

enum { NR_MMAP = 9, NR_MPROTECT = 10, NR_MUNMAP = 11, NR_SIGACTION = 13, NR_MREMAP = 25,
       NR_SHMAT = 30, NR_SHMDT = 67, OTHER = ~0u };
enum { OLD_MMAP = 90, OLD_IPC = 117, OLD_SIGNAL = 48, OLD_SIGACTION = 67, OLD_SIGPROCMASK = 126,
       RT_SIGACTION = 174, OLD_SIGSUSPEND = 72 };
enum { IPC_SHMAT = 21, IPC_SHMDT = 22 };
enum { EINVAL = 22, EFAULT = 14, ONESHOT = 0x80000000, NOMASK = 0x40000000 };

/* Numbers and arguments. */

static const struct { u16 nr, as; } numbers[] = {
	{ OLD_MMAP, NR_MMAP }, { 192, NR_MMAP }, { 125, 10 }, { 91, 11 }, { 163, 25 }, { 219, 28 },
	{ 152, 151 }, { 380, 329 }, { 397, NR_SHMAT }, { 398, NR_SHMDT },		/* memory */
	{ OLD_SIGNAL, NR_SIGACTION }, { OLD_SIGACTION, NR_SIGACTION },
	{ RT_SIGACTION, NR_SIGACTION },
	{ OLD_SIGPROCMASK, 14 }, { 175, 14 }, { 119, 15 }, { 173, 15 },	/* sigreturn */
	{ 2, 57 }, { 120, 56 }, { 190, 58 }, { 435, 435 },		/* fork, clone, vfork */
	{ 11, 59 }, { 358, 322 },					/* execve */
	{ 145, 19 }, { 333, 295 }, { 378, 327 }, { 347, 310 },	/* readv, process_vm_readv */
	{ 372, 47 }, { 337, 299 }, { 417, 299 },			/* recvmsg, recvmmsg */
	{ 179, 130 }, { 309, 271 }, { 414, 271 }, { 308, 270 }, { 413, 270 }, { 319, 281 },
	{ 441, 441 }, { 385, 333 }, { 416, 333 }, { OLD_SIGSUSPEND, 130 },	/* ..._mask() */
	{ 75, 160 }, { 340, 302 }, { 381, 330 },	/* setrlimit, prlimit64, pkey_alloc */
	{ 26, 101 }, { 172, 157 }, { 354, 317 }, { 386, 334 },	/* ptrace, prctl, seccomp, rseq */
};

static u32 ipc(const struct agent_thread *t)
{
	return (u16)t->regs.r[RBX];
}

u32 calls_number(const struct agent_thread *t)
{
	u32 i;

	if (t->call_nr == OLD_IPC && ipc(t) == IPC_SHMAT)
		return NR_SHMAT;
	if (t->call_nr == OLD_IPC && ipc(t) == IPC_SHMDT)
		return NR_SHMDT;
	for (i = 0; i < N_ELEM(numbers); i++)
		if (numbers[i].nr == t->call_nr)
			return numbers[i].as;
	return OTHER;
}

u64 calls_arg(const struct agent_thread *t, u32 i)
{
	static const u8 order[] = { RBX, RCX, RDX, RSI, RDI, RBP };
	const u64 *r = t->regs.r;
	u32 v[6] = { 0 };

	switch (t->call_nr) {
	case OLD_MMAP:			/* a pointer to the arguments */
		sys_read(v, (u32)r[RBX], sizeof(v));
		return v[i];
	case OLD_IPC:
		return (u32)r[i == 2 ? RDX : RDI];
	case OLD_SIGSUSPEND:		/* the mask itself, of 32 signals */
		return (u64)&r[RDX];
	case OLD_SIGPROCMASK:
		if (i == 3)
			return 4;
	}
	return (u32)r[order[i]];
}

enum { INT_80 = 0x80cd, SYSCALL = 0x050f, SYSENTER = 0x340f, NOP = 0x90, MOST_NOPS = 12 };

u64 calls_entry(u64 ip)
{
	const u8 *code = (const u8 *)ip, *to;

	if (get16(code) == INT_80)
		return ip;
	if (get16(code) != SYSCALL && get16(code) != SYSENTER)
		return 0;
	for (to = code + 2; *to == NOP && to < code + MOST_NOPS; to++)
		;
	return get16(to) == INT_80 ? (u64)to : 0;
}

/* SYSCALL overwrites ECX, so the vDSO has its argument in EBP, too; with both, the value of EBP is
 * on the stack. */
u64 calls_enter(struct agent_thread *t, u64 ip)
{
	u64 *r = t->regs.r;
	u32 last = 0;

	if (get16((void *)ip) == INT_80)
		return ip;
	if (get16((void *)ip) == SYSCALL)
		r[RCX] = r[RBP];
	sys_read(&last, r[RSP], sizeof(last));
	r[RBP] = last;
	return calls_entry(ip);
}

/* setcontext() sets %fs to what it was, 0, by MOV from a register. The agent keeps its own base. */
bool calls_clears_fs(const struct agent_thread *t, u64 ip)
{
	enum { PREFIX = 0x66, MOV = 0x8e, TO_FS = 0xe0, NULLS = 3 };
	const u8 *code = (const u8 *)ip;

	if (*code == PREFIX)
		code++;
	return code[0] == MOV && (code[1] & 0xf8) == TO_FS &&
	       (u16)t->regs.r[code[1] & 7] <= NULLS;
}

/* Signal handlers. */

/* A call by INT 80h, of the agent itself. */
static i64 call_32(u32 nr, u64 a, u64 b, u64 c, u64 d)
{
	i64 result;

	asm volatile("int $0x80" : "=a"(result) : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d)
		     : "memory");
	return result;
}

struct action_32 {
	u32 handler, flags, restorer, mask[2];
};

static void narrow(struct action_32 *to, const struct action *from)
{
	*to = (struct action_32){ from->handler, from->flags, from->restorer,
				  { from->mask, from->mask >> 32 } };
}

/* The kernel makes 32-bit frames for handlers that are set by a 32-bit call. */
i64 calls_kernel_action(u64 sig, const struct action *act)
{
	struct action_32 kernel;

	narrow(&kernel, act);
	return call_32(RT_SIGACTION, sig, (u64)&kernel, 0, 8);
}

/* Read the new action of the call. False: EFAULT. */
static bool get_action(const struct agent_thread *t, u64 at, struct action *act)
{
	struct action_32 new = { 0 };
	u32 old[4];

	if (t->call_nr == OLD_SIGNAL) {
		new.handler = at;
		new.flags = ONESHOT | NOMASK;
	} else if (t->call_nr == OLD_SIGACTION) {
		if (!sys_read(old, at, sizeof(old)))
			return false;
		new = (struct action_32){ old[0], old[2], old[3], { old[1] } };
	} else if (!sys_read(&new, at, sizeof(new))) {
		return false;
	}
	act->handler = new.handler;
	act->flags = new.flags;
	act->restorer = new.restorer;
	act->mask = new.mask[0] | (u64)new.mask[1] << 32;
	return true;
}

static bool put_action(const struct agent_thread *t, u64 at, const struct action *act)
{
	struct action_32 was;
	u32 old[4];

	narrow(&was, act);
	if (t->call_nr != OLD_SIGACTION)
		return sys_write(at, &was, sizeof(was));
	old[0] = was.handler;
	old[1] = was.mask[0];
	old[2] = was.flags;
	old[3] = was.restorer;
	return sys_write(at, old, sizeof(old));
}

/* rt_sigaction(), sigaction(), and signal(), which returns the old handler. */
void calls_action(struct agent_thread *t)
{
	u64 *r = t->regs.r, sig = (u32)r[RBX], new = (u32)r[RCX], old = (u32)r[RDX];
	bool simple = t->call_nr == OLD_SIGNAL;
	struct action act, was;
	i64 err;

	if (sig > N_SIGNALS || (t->call_nr == RT_SIGACTION && (u32)r[RSI] != 8)) {
		r[RAX] = (u64)-EINVAL;
		return;
	}
	if ((new || simple) && !get_action(t, new, &act)) {
		r[RAX] = (u64)-EFAULT;
		return;
	}
	err = handlers_set(t, sig, new || simple ? &act : NULL, &was);
	if (!err && simple)
		err = was.handler;
	else if (!err && old && !put_action(t, old, &was))
		err = -EFAULT;
	r[RAX] = err;
}
