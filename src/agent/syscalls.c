/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls. Most are made unchanged, from one place in the agent with the program's registers.
 * Some change state that the agent tracks, and the agent makes a few itself.
 */
#include <pt/arch_calls.h>
#include <pt/config/SOFT_FILTERS.h>

#include "own.h"

enum {
	NR_MMAP = 9, NR_MPROTECT = 10, NR_MUNMAP = 11, NR_SIGACTION = 13, NR_SIGPROCMASK = 14,
	NR_SIGRETURN = 15, NR_MREMAP = 25, NR_MADVISE = 28, NR_SHMAT = 30, NR_CLONE = 56,
	NR_FORK = 57, NR_VFORK = 58, NR_EXECVE = 59, NR_SHMDT = 67, NR_PTRACE = 101,
	NR_PRCTL = 157, NR_PRCTL_ARCH = 158, NR_MLOCKALL = 151, NR_SETRLIMIT = 160,
	NR_PRLIMIT = 302, NR_GETPID = 39, NR_SECCOMP = 317, NR_EXECVEAT = 322,
	NR_PKEY_MPROTECT = 329, NR_PKEY_ALLOC = 330, NR_RSEQ = 334,
	NR_URETPROBE = 335, NR_UPROBE = 336, NR_CLONE3 = 435, NR_SIGSUSPEND = 130,
	NR_PSELECT6 = 270, NR_PPOLL = 271, NR_EPOLL_PWAIT = 281, NR_EPOLL_PWAIT2 = 441,
	NR_IO_PGETEVENTS = 333,
};
enum { PROT_READ = 1, PROT_EXEC = 4 };
enum { PR_SET_NAME = 15, PR_SET_SECCOMP = 22, FILTER = 1, PR_SET_TSC = 26,
       TSC_ENABLE = 1, PR_SYSCALL_DISPATCH = 59, PR_SET_MDWE = 65 };
enum { TRACEME = 0, ATTACH = 16, SEIZE = 0x4206, SEGV = 11 };
enum { EPERM = 1, EINTR = 4, EFAULT = 14, ENOSYS = 38, EOPNOTSUPP = 95 };
enum { ARCH_SET_GS = 0x1001, ARCH_GET_GS = 0x1004, ARCH_SHSTK_ENABLE = 0x5001 };
enum { RSEQ_UNREGISTER = 1, RLIMIT_DATA = 2, RLIMIT_AS = 9 };
enum { LEAST_DATA = 128 << 20 };	/* the agent has up to 64 MiB of private memory */
#define NO_LIMIT (~0ULL)
#define TASK_SIZE 0x7ffffffff000ull
enum { SYSCALL_SIZE = 2, MAP_SHARED = 1, MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, SHM_REMAP = 040000,
       MREMAP_FIXED = 2, DONTNEED = 4, FREE = 8, REMOVE = 9, DONTNEED_LOCKED = 24 };

static u64 make(struct agent_thread *t, u64 ip)
{
	ring_write(t, SLOW_OFF, ip, 0, 0);
	t->call_ip = ip + SYSCALL_SIZE;
	t->regs.ip = ip;
	t->next_r11 = t->ring;
	return OWN_ENTRY(agent_make_call);
}

/* After the call: its result is in RAX. */
static u64 made(struct agent_thread *t, u64 ip)
{
	t->call_ip = 0;
	if (!TRANSLATE_NARROW)
		t->regs.r[RCX] = ip;
	ring_write(t, SLOW_ON, ip, 0, 0);
	return agent_at(t, ip);
}

/* After a call that the agent made itself. */
static u64 done(struct agent_thread *t, u64 ip)
{
	guard_end(t, false);
	ring_write(t, SLOW_OFF, ip, 0, 0);
	if (!TRANSLATE_NARROW)
		t->regs.r[R11] = t->regs.flags;
	return made(t, ip + SYSCALL_SIZE);
}

/* rt_sigreturn(): the kernel returns into the cache. */
static u64 sigreturn(struct agent_thread *t, u64 ip)
{
	struct ucontext *uc = (struct ucontext *)t->regs.r[RSP];
	u64 back = uc->g[G_RIP], to;

	if ((u16)uc->g[G_SEGMENTS] != CODE_64)
		return agent_refuse(t, ip, AGENT_ODD);
	ring_write(t, SLOW_OFF, ip, 0, 0);
	ring_write(t, SLOW_ON, back, 0, 0);
	to = agent_at(t, back);
	t->call_ip = ip + 2;
	t->back_ip = back;
	t->back_r11 = uc->g[G_R11];
	t->segv_was = t->segv;
	t->segv = uc->mask & BIT(SEGV);
	uc->mask -= t->segv;
	t->regs.ip = ip;
	t->regs.r[R11] = uc->g[G_R11];
	uc->g[G_RIP] = to;
	uc->g[G_R11] = t->next_r11;
	return OWN_ENTRY(agent_make_call);
}

/* The agent has %gs, and the program's base is in the slot. */
static bool arch_prctl(struct agent_thread *t)
{
	u64 *r = t->regs.r;

	switch (r[RDI]) {
	case ARCH_GET_GS:
		r[RAX] = sys_write(r[RSI], &t->gs, sizeof(t->gs)) ? 0 : (u64)-EFAULT;
		return true;
	case ARCH_SET_GS:
		r[RAX] = r[RSI] < TASK_SIZE ? 0 : (u64)-EPERM;
		if (!r[RAX])
			t->gs = r[RSI];
		return true;
	case ARCH_SHSTK_ENABLE:		/* calls in the cache do not use it */
		r[RAX] = (u64)-EOPNOTSUPP;
		return true;
	}
	return false;
}

/* The call is about to change memory. (A new mapping without a fixed address replaces no code.)
 * True if pt should read the maps before. */
static bool begin_change(struct agent_thread *t, u32 nr)
{
	u64 from = syscalls_arg(t, 0), size = syscalls_arg(t, 1), to = 0;

	switch (nr) {
	case NR_MMAP:
		if (syscalls_arg(t, 3) & MAP_FIXED)
			to = from + size;
		break;
	case NR_MPROTECT: case NR_PKEY_MPROTECT: case NR_MUNMAP:
		to = from + size;
		break;
	case NR_MADVISE:
		switch (syscalls_arg(t, 2)) {
		case DONTNEED: case FREE: case REMOVE: case DONTNEED_LOCKED:
			to = from + size;
		}
		break;
	case NR_MREMAP:
		to = from + MAX(size, PAGE);
		if (syscalls_arg(t, 3) & MREMAP_FIXED) {
			from = MIN(from, syscalls_arg(t, 4));
			to = MAX(to, syscalls_arg(t, 4) + syscalls_arg(t, 2));
		}
		break;
	case NR_SHMAT:
		from = size;
		if (syscalls_arg(t, 2) & SHM_REMAP)
			to = from + PAGE;
		break;
	case NR_SHMDT:
		to = from + PAGE;
		break;
	default:
		if (t->agent->n_guarded)
			writes_begin(t, nr);
	}
	return to && guard_begin(t, from, (to + PAGE - 1) & ~(u64)(PAGE - 1));
}

/* Is this a call that limits the program's system calls? */
static bool is_filter(const struct agent_thread *t, u32 nr)
{
	u64 what = syscalls_arg(t, 0);

	return nr == NR_SECCOMP ? what <= FILTER :
	       what == PR_SET_SECCOMP || (what == PR_SYSCALL_DISPATCH && syscalls_arg(t, 1));
}

static bool is_cache(const struct agent *a, u64 from, u64 to)
{
	const struct stretch *s = a->stretches, *end = s + a->n_stretches;

	for (; s < end; s++)
		if (s->size && from < s->at + s->size && to > s->at)
			return true;
	return false;
}

/* Would the call change the agent's memory? Most programs do not know of memory there, but one may
 * unmap all that it does not need. */
static bool harms(const struct agent_thread *t)
{
	const struct agent_shared *s = t->shared;
	u64 from = syscalls_arg(t, 0), size = syscalls_arg(t, 1), to;
	u64 own = TRANSLATE_NARROW ? SYS_OWN_32 : OWN_AT;
	u64 end = TRANSLATE_NARROW ? s->blob + s->blob_size : OWN_LAST;

	switch (syscalls_number(t)) {
	case NR_MMAP:
		if (!(syscalls_arg(t, 3) & MAP_FIXED))
			return false;
		break;
	case NR_MREMAP:
		if (!(syscalls_arg(t, 3) & MREMAP_FIXED))
			return false;
		from = syscalls_arg(t, 4);
		size = syscalls_arg(t, 2);
		break;
	case NR_MPROTECT: case NR_MUNMAP:
		break;
	default:
		return false;
	}
	to = from + ((size + PAGE - 1) & ~(u64)(PAGE - 1));
	return (from < end && to > own) || is_cache(t->agent, from, to) ||
	       (from < (u64)t->agent->targets + TABLES_SIZE && to > (u64)t->agent->targets);
}

/* The limit 'what' of its own memory that the program is about to set, or NO_LIMIT. */
static COLD u64 new_limit(const struct agent_thread *t, u32 nr, u32 what)
{
	u64 pid = nr == NR_PRLIMIT ? syscalls_arg(t, 0) : 0, i = nr == NR_PRLIMIT, limit = 0;

	return (nr == NR_PRLIMIT || nr == NR_SETRLIMIT) && !t->actions &&
		syscalls_arg(t, i) == what && syscalls_arg(t, i + 1) &&
		(!pid || pid == (u64)sys_call(NR_GETPID, 0, 0, 0, 0, 0, 0)) &&
		sys_read(&limit, syscalls_arg(t, i + 1), TRANSLATE_NARROW && !i ? 4 : 8) ?
		limit : NO_LIMIT;
}

/* Why the call cannot be made here, or AGENT_CAN. */
static enum agent_refusal refusal(const struct agent_thread *t, u64 ip, u32 nr)
{
	if (TRANSLATE_NARROW && !calls_entry(ip))
		return AGENT_ODD;
	if ((nr == NR_PRCTL || nr == NR_SECCOMP) && is_filter(t, nr))
		return AGENT_FILTER;
	if (nr == NR_URETPROBE)		/* it must come from the kernel's own code */
		return AGENT_ODD;
	if (nr == NR_PRCTL && syscalls_arg(t, 0) == PR_SET_TSC && syscalls_arg(t, 1) != TSC_ENABLE)
		return AGENT_TSC;
	return harms(t) || new_limit(t, nr, RLIMIT_DATA) < LEAST_DATA ||
	       new_limit(t, nr, RLIMIT_AS) < LEAST_DATA ? AGENT_ROOM : AGENT_CAN;
}

/* If the program gives up rights, it leaves the file of blocks: processes that keep their rights
 * must not run what it can write. If it locks its memory, that file should not take more of it. */
static COLD void leave_reuse(struct agent_thread *t, u32 nr)
{
	static const u16 calls[] = {
		105, 106, 113, 114, 116, 117, 119, 122, 123, 126,	/* IDs, capabilities */
		155, 161, 272, 308, NR_SECCOMP, NR_MLOCKALL,	/* roots, namespaces */
	};
	u32 i;

	for (i = 0; i < N_ELEM(calls); i++) {
		if (calls[i] != nr)
			continue;
		agent_lock(t->agent);
		reuse_close(t->agent);
		agent_unlock(t->agent);
	}
}

/* The program is about to install a filter, or to call PR_SET_MDWE: then the rights of pages can
 * perhaps not be changed any more. */
static COLD void heed_limit(const struct agent_thread *t)
{
	struct agent *a = t->agent;

	agent_lock(a);
	guard_open(a, 0, ~0ULL);
	a->mute |= t->limits & AGENT_MUTE;
	agent_unlock(a);
}

static bool is_to_trace(u64 request)
{
	return request == TRACEME || request == ATTACH || request == SEIZE;
}

u64 syscalls_make(struct agent_thread *t, u64 ip)
{
	enum agent_refusal why;
	u64 to;
	u32 nr;

	guard_end(t, false);	/* of a call that a signal prevented */
	t->call_nr = t->regs.r[RAX];
	nr = syscalls_number(t);
	why = refusal(t, ip, nr);
	if (REUSE && t->agent->reuse)
		leave_reuse(t, why == AGENT_FILTER ? NR_SECCOMP : nr);
	if (CONFIG_SOFT_FILTERS && why == AGENT_FILTER) {	/* pt looks at it */
		t->wanted = sys_call(NR_GETPID, 0, 0, 0, 0, 0, 0);
		if (!agent_request(t, ip, why))
			return ip;
		why = agent_pt_is_gone(t) ? AGENT_FILTER : AGENT_CAN;
		heed_limit(t);
	}
	if (why)
		return agent_refuse(t, ip, why);
	if (nr == NR_PTRACE && is_to_trace(syscalls_arg(t, 0))) {
		t->wanted = syscalls_arg(t, 0) == TRACEME ? 0 : syscalls_arg(t, 1);
		if (!agent_request(t, ip, AGENT_TRACES))	/* a process has only one tracer */
			return ip;
	}
	if (TRANSLATE_NARROW)
		ip = calls_enter(t, ip);
	if (begin_change(t, nr))
		ring_drain(t->agent);
	switch (nr) {
	case NR_SIGACTION:
		(TRANSLATE_NARROW ? calls_action : handlers_action)(t);
		return done(t, ip);
	case NR_SIGPROCMASK:
		masks_change(t);
		return done(t, ip);
	case NR_SIGRETURN:
		return (TRANSLATE_NARROW ? frames_return : sigreturn)(t, ip);
	case NR_CLONE: case NR_CLONE3: case NR_FORK: case NR_VFORK:
		if (sys_traps(t, nr))
			break;
		to = threads_clone(t, ip);
		return to ? to : done(t, ip);
	case NR_UPROBE:			/* a probe that does not fire: see origin_of_file() */
		return done(t, ip);
	case NR_PRCTL_ARCH:
		if (arch_prctl(t))
			return done(t, ip);
		break;
	/* The kernel would compare the addresses of a restartable sequence with those of the
	 * cache. A program that began without pt has registered already, and its libc insists on
	 * that for further threads. */
	case NR_RSEQ:
		if (t->agent->joined || syscalls_arg(t, 2) & RSEQ_UNREGISTER)
			break;
		t->regs.r[RAX] = (u64)-ENOSYS;
		return done(t, ip);
	case NR_MLOCKALL:
		if (sys_traps(t, nr))
			break;
		threads_lock(t);
		return done(t, ip);
	case NR_PRCTL:
		if (syscalls_arg(t, 0) == PR_SET_MDWE)
			heed_limit(t);
		break;
	case NR_SETRLIMIT: case NR_PRLIMIT:
		if (new_limit(t, nr, RLIMIT_AS) != NO_LIMIT)
			threads_limit(t, new_limit(t, nr, RLIMIT_AS));
		break;
	case NR_EXECVE: case NR_EXECVEAT:	/* the current maps will go */
		masks_show(t);
		ring_drain(t->agent);
		return make(t, ip);
	}
	return make(t, ip);
}

/* [at, at + size) now has these rights. There may be new code, or code may have gone. */
static void changed(struct agent_thread *t, u64 at, u64 size, u64 prot)
{
	struct agent *a = t->agent;
	u64 to = at + ((size + PAGE - 1) & ~(u64)(PAGE - 1));
	bool rights;
	u32 nr;

	if (!(prot & PROT_EXEC) && !t->changes)
		return;
	nr = syscalls_number(t);
	rights = nr == NR_MPROTECT || nr == NR_PKEY_MPROTECT;
	agent_lock(a);
	if (prot & PROT_EXEC && !(prot & PROT_READ))
		sys_use_keys(a);
	cache_forget(a, at, to);
	(rights ? maps_protect : maps_set)(a, at, to, prot);
	agent_unlock(a);
	ring_write(t, SLOW_MAP, at, to - at, rights ? 0 : nr == NR_MUNMAP ? AGENT_UNMAPPED :
		   AGENT_UNMAPPED | AGENT_NEW_CODE);
	t->mapped = t->head;
	t->n_code--;		/* its next record, too, gets AGENT_NEW_CODE */
	if (!rights)
		ring_new_code(t);
	__atomic_store_n(&t->hurry, 1, __ATOMIC_RELEASE);
}

/* After mremap(), moved code is translated again when it is executed. */
static void moved(struct agent_thread *t)
{
	changed(t, syscalls_arg(t, 0), MAX(syscalls_arg(t, 1), PAGE), 0);
	changed(t, t->regs.r[RAX], MAX(syscalls_arg(t, 2), PAGE), 0);
}

static void look_at_result(struct agent_thread *t)
{
	u64 at = syscalls_arg(t, 0), size = syscalls_arg(t, 1), flags;
	u32 prot = syscalls_arg(t, 2);

	switch (syscalls_number(t)) {
	case NR_MMAP:
		flags = syscalls_arg(t, 3);
		changed(t, t->regs.r[RAX], size, prot | (flags & MAP_SHARED ? MAPS_SHARED : 0) |
			(flags & MAP_ANONYMOUS || (prot & PROT_EXEC &&
			 !maps_program(syscalls_arg(t, 4))) ? MAPS_MADE : 0));
		break;
	case NR_MPROTECT: case NR_PKEY_MPROTECT:
		changed(t, at, size, prot);
		break;
	case NR_MUNMAP:
		changed(t, at, size, 0);
		break;
	case NR_MREMAP:
		moved(t);
		break;
	case NR_SHMDT:
		changed(t, at, PAGE, 0);
		break;
	case NR_PKEY_ALLOC:
		sys_use_keys(t->agent);
		break;
	case NR_PRCTL:
		if (at == PR_SET_NAME)
			ring_write(t, SLOW_NAME, 0, 0, 0);
		break;
	}
}

/* Did it fail although no handler has interrupted it? Then the thread was stopped, or got a signal
 * that does nothing, which another thread may have taken from it. */
static bool was_cut_off(const struct agent_thread *t)
{
	return (i64)t->regs.r[RAX] == -EINTR && arch_calls_cut(t->call_nr, TRANSLATE_NARROW);
}

/* Did the call fail because the agent made a page read-only? Then it has to be made again. */
static bool guard_failed(struct agent_thread *t)
{
	struct agent *a = t->agent;
	bool any;

	if ((i64)t->regs.r[RAX] != -EFAULT)
		return false;
	agent_lock(a);
	any = a->n_guarded;
	guard_open(a, 0, ~0ULL);
	agent_unlock(a);
	return any;
}

bool syscalls_over(struct agent_thread *t)
{
	bool failed = t->regs.r[RAX] > (u64)-4096;

	if (guard_failed(t))
		return false;
	if (!failed)
		look_at_result(t);
	guard_end(t, failed);
	return true;
}

u64 syscalls_mask(const struct agent_thread *t, u64 mask)
{
	u64 at = 0;

	if ((i64)t->regs.r[RAX] != -EINTR)
		return mask;
	switch (syscalls_number(t)) {
	case NR_SIGSUSPEND:
		at = syscalls_arg(t, 0);
		break;
	case NR_PPOLL:
		at = syscalls_arg(t, 3);
		break;
	case NR_EPOLL_PWAIT: case NR_EPOLL_PWAIT2:
		at = syscalls_arg(t, 4);
		break;
	case NR_PSELECT6: case NR_IO_PGETEVENTS:	/* a struct that begins with the pointer */
		sys_read(&at, syscalls_arg(t, 5), TRANSLATE_NARROW ? 4 : 8);
	}
	if (at)
		sys_read(&mask, at, sizeof(mask));
	return mask;
}

u64 syscalls_made(struct agent_thread *t)
{
	if (!was_cut_off(t) && syscalls_over(t)) {
		if (syscalls_number(t) == NR_EXECVE || syscalls_number(t) == NR_EXECVEAT)
			masks_hide(t);
		return made(t, t->call_ip);
	}
	t->regs.r[RAX] = t->call_nr;
	t->next_r11 = t->ring;
	return OWN_ENTRY(agent_make_call);
}
