/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Following threads: the meaning of each stop, and how the thread continues.
 *
 * There are a few ways to resume a thread. Its state says which one was used, so that the next stop
 * can be understood. From the entry of a system call to the return to its own code a thread is in
 * the kernel: packets are disabled, and the kernel handles signals and restarts as usual. Manual:
 * ptrace(2), "Stopped states" and "Group-stop".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/config/CMD_CRASH.h>
#include <pt/config/SOFT_AGAIN.h>
#include <pt/config/SOFT_FILTERS.h>
#include <pt/config/SOFT_SNAPSHOT.h>
#include <pt/config/SOFT_TRANSLATE.h>
#include <pt/host.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/text.h>
#include <pt/textfile.h>

#include "trans.h"

#define TRAP_BIT (1ULL << (SIGTRAP - 1))

enum {
	SYSCALL_STOP = SIGTRAP | 0x80,
	FLAG_VM = 0x100, FLAG_THREAD = 0x10000,	/* of clone() */
	ORPHAN_TICKS = 40,
};

static int fetch_regs(struct tracee *t)
{
	int err = t->have_regs ? 0 : tracee_get(t->tid, &t->regs);

	t->have_regs = !err;
	return err;
}

/* If a trap comes while SIGTRAP is blocked, the kernel resets the program's handler for SIGTRAP.
 * Therefore SIGTRAP is unblocked while a trap of ours may come. */
static void look_at_mask(struct tracee *t)
{
	u64 mask = 0;

	ptrace(PTRACE_GETSIGMASK, t->tid, 8, &mask);
	t->blocked = mask & TRAP_BIT ? mask : 0;
}

static void open_mask(struct tracee *t)
{
	u64 mask = t->blocked & ~TRAP_BIT;

	t->opened = t->blocked && !ptrace(PTRACE_SETSIGMASK, t->tid, 8, &mask);
}

static void close_mask(struct tracee *t)
{
	if (t->opened)
		ptrace(PTRACE_SETSIGMASK, t->tid, 8, &t->blocked);
	t->opened = false;
}

void tracee_resume(struct soft *s, struct tracee *t, int request, int signal,
		   enum tracee_state state)
{
	if (t->set_regs)
		tracee_set(t->tid, &t->regs);
	t->set_regs = t->have_regs = false;
	t->state = state;
	if (state == TRACEE_STEP)
		open_mask(t);
	/* If this fails the thread was killed, and waitpid() will report it. */
	ptrace(request, t->tid, 0, signal);
}

/* Stepped threads run on the same CPU as the tracer, except while the program reads its CPU
 * mask. */
void tracee_pin(struct soft *s, struct tracee *t, bool pin)
{
	cpu_set_t one;

	if (s->cpu < 0)
		return;
	CPU_ZERO(&one);
	CPU_SET(s->cpu, &one);
	sched_setaffinity(t->tid, sizeof(one), pin ? &one : &t->cpus);
}

/* Kernels before 5.9 do not count them: then 1 or 0. */
u64 soft_filters(i32 tid)
{
	u64 n = target_status(tid, "\nSeccomp_filters", 10);

	return n ? n : target_status(tid, "\nSeccomp", 10);
}

/* System calls. */
static void affinity_done(struct soft *s, struct tracee *t)
{
	struct tracee *of = t->args[0] ? tracee_find(s, t->args[0]) : t;

	if (t->call == CALL_SET_AFFINITY && of)
		sched_getaffinity(of->tid, sizeof(of->cpus), &of->cpus);
	tracee_pin(s, t, true);
	if (of && of != t)
		tracee_pin(s, of, true);
}

/* The program reads or sets the CPU mask of a thread: restore the true mask for that time. */
static void affinity_begins(struct soft *s, struct tracee *t)
{
	struct tracee *of = t->args[0] ? tracee_find(s, t->args[0]) : t;

	if (of)
		tracee_pin(s, of, false);
}

/* The traced program uses ptrace itself: say once that it fails. */
void soft_say_traced(struct soft *s, const struct tracee *t)
{
	if (s->said_traced)
		return;
	s->said_traced = true;
	record_say(s->r, 0, "process %d uses ptrace, which fails: pt traces it", t->pid);
}

static bool asks_to_trace(const struct tracee *t)
{
	enum { TRACEME = 0, ATTACH = 16, SEIZE = 0x4206 };

	return t->args[0] == TRACEME || t->args[0] == ATTACH || t->args[0] == SEIZE;
}

static void call_done(struct soft *s, struct tracee *t)
{
	bool again;
	i64 result;

	if (fetch_regs(t))
		return;
	result = tracee_result(&t->regs, &again);
	if (again) {
		tracee_resume(s, t, PTRACE_SYSCALL, 0, TRACEE_AGAIN);
		return;
	}
	if (t->call == CALL_GET_AFFINITY || t->call == CALL_SET_AFFINITY)
		affinity_done(s, t);
	if (t->call == CALL_MASK)
		look_at_mask(t);
	if (t->call == CALL_PTRACE && result < 0 && asks_to_trace(t))
		soft_say_traced(s, t);
	vm_call(s, t, result);
	if (soft_waits(t))
		step_into(s, t, 0);
	else
		step_next(s, t);
}

static void call_stop(struct soft *s, struct tracee *t)
{
	switch (t->state) {
	case TRACEE_AGAIN:		/* the kernel restarts the call */
		if (fetch_regs(t))
			return;
		step_on(s, t, tracee_ip(&t->regs) - MAX(t->step->insn.len, 2));
		/* fall through */
	case TRACEE_ENTER:
		step_off(s, t);
		if (t->call == CALL_GET_AFFINITY || t->call == CALL_SET_AFFINITY)
			affinity_begins(s, t);
		tracee_resume(s, t, PTRACE_SYSCALL, 0, TRACEE_CALL);
		return;
	case TRACEE_CALL:
		call_done(s, t);
		return;
	}
	tracee_resume(s, t, PTRACE_SYSCALL, 0, TRACEE_CALL);
}

/* Signals. */
/* Does the signal come from an INT n, which was executed? Or from a system call that the kernel
 * turned into a signal (PR_SET_SYSCALL_USER_DISPATCH)? */
static bool is_trap(const struct tracee *t, int signal)
{
	if (tracee_ip(&t->regs) == t->step->from)
		return false;
	return t->state == TRACEE_ENTER ? signal == SIGSYS :
	       t->state == TRACEE_STEP && t->step->insn.kind == INSN_INT &&
	       (signal == SIGTRAP || signal == SIGSEGV);
}

/* Before the delivery of a signal: was the interrupted instruction executed? */
static void interrupted(struct soft *s, struct tracee *t, int signal)
{
	if (is_trap(t, signal))
		step_off(s, t);
	else
		step_interrupt(s, t, tracee_ip(&t->regs));
}

/* Make the thread stop before it runs more of its own code. PTRACE_CONT makes the kernel forget
 * that it was stepped; otherwise, after the step of a POPF, the kernel would take the trap flag
 * for the program's own and show it to a signal handler. */
static void stop_at_once(struct soft *s, struct tracee *t, int signal, enum tracee_state state)
{
	ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
	tracee_resume(s, t, PTRACE_CONT, signal, state);
}

static void deliver(struct soft *s, struct tracee *t, int signal)
{
	bool again = t->state == TRACEE_AGAIN, trap;
	enum disposition is = soft_disposition(t, signal);
	siginfo_t info;

	if (fetch_regs(t))
		return;
	if (CONFIG_CMD_CRASH && is == DEFAULT && !ptrace(PTRACE_GETSIGINFO, t->tid, 0, &info))
		soft_doomed(s, t, &info, true);
	if (t->state == TRACEE_STEP && step_pops_flags(t) && tracee_ip(&t->regs) == t->step->from &&
	    tracee_traps(&t->regs) && !t->step->trapping) {
		tracee_untrap(&t->regs);
		t->set_regs = true;
	}
	trap = is == DEFAULT && is_trap(t, signal);
	if (trap)
		step_off(s, t);
	if (is == DEFAULT && soft_is_init(t)) {
		if (trap)
			t->regs.raw.rip = t->step->from;
		soft_die_untraced(s, t, signal);
		return;
	}
	if (is == DEFAULT && !again) {	/* it stops, dies, or continues */
		step_into(s, t, signal);
		return;
	}
	interrupted(s, t, signal);
	if (is == CAUGHT)
		stop_at_once(s, t, signal, TRACEE_SIGNAL);
	else if (again)
		tracee_resume(s, t, PTRACE_SYSCALL, signal, TRACEE_AGAIN);
	else
		step_next(s, t);
}

static int trap_code(const struct tracee *t)
{
	siginfo_t info;

	return ptrace(PTRACE_GETSIGINFO, t->tid, 0, &info) ? 0 : info.si_code;
}

/* Is it the SIGTRAP of our step, which the program must not see? The kernel may have written INT3
 * over an instruction (uprobes), and executes that instead. */
static bool ours(struct soft *s, struct tracee *t)
{
	enum { INT3 = 0xcc };
	const struct step_state *st = t->step;
	int code;

	if (fetch_regs(t))
		return true;
	if (t->state != TRACEE_STEP)
		return false;
	code = trap_code(t);
	if (st->insn.kind == INSN_INT) {
		if (code < 0 || code == SI_KERNEL || st->code[st->insn.len - 1] != INT3)
			return false;
		step_interrupt(s, t, st->from);
		return true;
	}
	if (code <= 0 || code == SI_KERNEL)	/* INT3, also in segments with a base */
		return false;
	step_done(s, t);
	return !t->step->trapping;
}

static void stepped(struct soft *s, struct tracee *t)
{
	if (t->have_regs && step_pops_flags(t))
		stop_at_once(s, t, 0, TRACEE_STEP);
	else if (t->have_regs)
		step_next(s, t);
}

/* A stopping signal: the thread stays stopped until SIGCONT causes another stop. */
static void group_stop(struct soft *s, struct tracee *t)
{
	t->state = TRACEE_STOPPED;
	step_stamp(s, t);
	ptrace(PTRACE_LISTEN, t->tid, 0, 0);
}

void soft_make_again(struct tracee *t)
{
	if (!soft_waits(t))
		t->set_regs |= tracee_make_again(&t->regs);
}

void soft_ignore(struct tracee *t, int signal)
{
	if (soft_disposition(t, signal) == IGNORED && !fetch_regs(t))
		soft_make_again(t);
}

/* Will it run translated, after all threads of its address space have stopped? Until then it runs
 * without stops of ours: a thread that is stepped would die with pt. */
static bool will_translate(const struct soft *s, const struct tracee *t)
{
	return CONFIG_SOFT_TRANSLATE && !t->image && t->vm && !t->vm->stepped &&
	       (s->r->translate || (CONFIG_SOFT_AGAIN && t->vm->left));
}

/* Continue a thread in a system call whose result is not needed. */
static void carry_on(struct soft *s, struct tracee *t)
{
	if (CONFIG_SOFT_TRANSLATE && t->image)
		trans_resume(s, t, 0);
	else if (will_translate(s, t))
		tracee_resume(s, t, PTRACE_CONT, 0, TRACEE_NEW);
	else
		tracee_resume(s, t, PTRACE_SYSCALL, 0, TRACEE_CALL);
}

/* Hold it until all threads of its address space are stopped. First it finishes what a pt that was
 * killed has begun. */
static void hold(struct soft *s, struct tracee *t)
{
	if (!CONFIG_SOFT_AGAIN || !trans_is_between(t)) {
		trans_hold(s, t);
		return;
	}
	tracee_resume(s, t, PTRACE_CONT, 0, TRACEE_NEW);
	usleep(1000);
	ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
}

/* Continue a thread that is stopped in the kernel. */
void soft_go_on(struct soft *s, struct tracee *t)
{
	bool again = false;

	if (CONFIG_SOFT_TRANSLATE && t->image && (s->ending || t->vm->stepped)) {
		trans_ending(s, t, PTRACE_EVENT_STOP, SIGTRAP);
		return;
	}
	/* A child by vfork() whose parent was not yet stopped runs by itself, until its exec: the
	 * parent can stop only after that. */
	if (t->image || (t->vforked && will_translate(s, t))) {
		carry_on(s, t);
		return;
	}
	if (will_translate(s, t)) {
		hold(s, t);
		return;
	}
	if (fetch_regs(t))
		return;
	soft_choose_cpu(s);
	tracee_pin(s, t, true);
	look_at_mask(t);
	step_stamp(s, t);
	if (tracee_in_call(&t->regs))
		tracee_result(&t->regs, &again);
	if (again) {
		tracee_resume(s, t, PTRACE_SYSCALL, 0, TRACEE_AGAIN);
		return;
	}
	soft_make_again(t);
	step_next(s, t);
}

/* Births and deaths. */
/* What the kernel tells with an event: a thread, or how this one ends. */
static i32 message_of(const struct tracee *t)
{
	unsigned long message = 0;

	ptrace(PTRACE_GETEVENTMSG, t->tid, 0, &message);
	return message;
}

static void born(struct soft *s, struct tracee *t)
{
	if (t->known && t->stopped_once)
		soft_go_on(s, t);
}

static bool shares_memory(struct tracee *t, u64 *flags)
{
	*flags = 0;
	if (t->call == CALL_CLONE)
		*flags = t->args[0];
	else if (t->call == CALL_CLONE3)
		vm_read(t->vm, t->args[0], flags, 8);
	else if (t->call == CALL_VFORK)
		*flags = FLAG_VM;
	return *flags & FLAG_VM;
}

/* The call that the thread is in. */
static enum tracee_call call_of(struct tracee *t)
{
	t->call = fetch_regs(t) ? CALL_OTHER :	/* there may have been no stop at the entry */
		  tracee_call_made(&t->regs, t->image && trans_is_narrow(t->image), t->args);
	return t->call;
}

static void birth(struct soft *s, struct tracee *t, i32 tid, int event)
{
	struct tracee *c = tracee_find(s, tid);
	u64 flags;

	call_of(t);
	/* It has died, and that was reported. Or this thread was killed: 'tid' is then 0. */
	if (c ? c->known : !soft_traces(tid))
		return;
	if (!c)
		c = tracee_add(s, tid);
	c->vm = shares_memory(t, &flags) ? t->vm : vm_copy(s, t->vm, tid);
	c->vm->users++;
	c->pid = flags & FLAG_THREAD ? t->pid : c->tid;
	c->cpus = t->cpus;
	c->quiet = t->quiet;
	c->filtered = t->filtered;
	c->limits = t->limits;
	c->vm->stepped = t->vm->stepped;
	if (CONFIG_SOFT_AGAIN)
		c->vm->left = t->vm->left;
	c->vforked = event == PTRACE_EVENT_VFORK && c->vm == t->vm;
	c->known = true;
	soft_write_task(s, PERF_FORK, c, t->pid, t->tid);
	if (CONFIG_SOFT_TRANSLATE && t->image)
		trans_birth(s, t, c);
	born(s, c);
}

/* A thread that is killed while it makes a child does not tell of it. */
static void last_birth(struct soft *s, struct tracee *t)
{
	enum tracee_call call = call_of(t);
	bool again;

	if (call >= CALL_CLONE && call <= CALL_VFORK)
		birth(s, t, tracee_result(&t->regs, &again), 0);
}

/* Is a thread of 'pid' about to tell of a child? On a busy machine it may get no time for long. */
static bool has_child_due(const struct soft *s, i32 pid)
{
	struct tracee *t = NULL;

	while ((t = tracee_next(s, t)))
		if (t->pid == pid && t->slot && t->slot->child)
			return true;
	return false;
}

/* Threads whose birth was not told for two seconds: their parents were killed before. */
void soft_adopt(struct soft *s)
{
	struct tracee *t = NULL;

	while ((t = tracee_next(s, t))) {
		if (t->known || !t->stopped_once || t->ticks++ < ORPHAN_TICKS)
			continue;
		t->pid = target_status(t->tid, "\nTgid", 10);
		if (CONFIG_SOFT_TRANSLATE && (has_child_due(s, t->pid) ||
		    has_child_due(s, target_status(t->tid, "\nPPid", 10)))) {
			t->ticks = ORPHAN_TICKS;	/* look again at the next tick */
			continue;
		}
		soft_know(s, t);
		if (CONFIG_SOFT_TRANSLATE)
			trans_adopt(s, t);
		t->vm->stepped |= !t->image;	/* so do its parent's threads */
		if (s->ending && !t->image)
			soft_let_go(s, t, 0);
		else
			soft_go_on(s, t);
		return;		/* this may have changed the list */
	}
}

/* A traced program gets no rights from setuid. Say so. */
static void say_refusal(const struct soft *s, i32 tid)
{
	char path[32], name[16] = "";
	struct stat st;

	fmt_str(path, sizeof(path), "/proc/%d/exe", tid);
	if (!geteuid() || stat(path, &st) || !(st.st_mode & S_ISUID) || st.st_uid == geteuid())
		return;
	target_comm(tid, name, sizeof(name));
	record_say(s->r, 0, "%s is not setuid while it is traced", name);
}

/* The process now runs another program, with this thread only. */
static void exec(struct soft *s, struct tracee *t)
{
	i32 old_tid = message_of(t);
	struct vm *before;
	struct tracee *old;
	bool stepped;
	int err = 0;

	old = old_tid == t->tid ? NULL : tracee_find(s, old_tid);
	if (old) {		/* it gets the ID of the first thread, which may be gone */
		if (!t->vm) {
			t->vm = old->vm;
			t->vm->users++;
		}
		t->quiet = old->quiet;
		t->filtered = old->filtered;
		t->limits = old->limits;
		tracee_drop(s, old);
	}
	before = t->vm;
	stepped = before && before->stepped;
	if (CONFIG_SOFT_TRANSLATE) {
		trans_leave(s, t);
		trans_send_deadly(t);
		t->deadly.si_signo = 0;
	}
	if (before)
		vm_drop(s, before);
	t->vm = vm_new(s, t->tid);
	t->vm->users++;
	/* After vfork() the parent's threads may have waited for this one. */
	if (CONFIG_SOFT_TRANSLATE && before)
		trans_settle(s, before);
	t->pid = t->tid;
	if (CONFIG_SOFT_TRANSLATE)
		trans_code_gone(s, t);
	t->call = CALL_OTHER;
	step_exec(t);
	say_refusal(s, t->tid);
	soft_write_comm(s, t, true);
	vm_load(s, t->vm, t, VM_ALL);
	t->vforked = false;
	if (s->ending) {
		soft_let_go(s, t, 0);
		return;
	}
	if (CONFIG_SOFT_TRANSLATE && s->r->translate) {
		if (CONFIG_SOFT_FILTERS && stepped)	/* nobody has looked at its filters */
			t->filtered |= soft_filters(t->tid) > soft_filters(getpid());
		err = t->filtered ? -EPERM : trans_begin(s, t);
		if (err == -ESRCH)
			return;
	}
	if (err)
		t->vm->stepped = true;
	if (t->vm->stepped || !s->r->translate)
		soft_choose_cpu(s);
	tracee_pin(s, t, !t->image);
	carry_on(s, t);
}

/* End the thread's packets: in the system call that it was resumed into, or where it is. The last
 * step of a killed thread was done without a stop. */
static void cut(struct soft *s, struct tracee *t)
{
	struct step_state *st = t->step;

	if (!st || !st->on || fetch_regs(t))
		return;
	if (tracee_ip(&t->regs) != st->from) {
		if (t->state == TRACEE_ENTER ||
		    (t->state == TRACEE_STEP && st->insn.kind == INSN_INT))
			step_off(s, t);
		else if (t->state == TRACEE_STEP)
			step_done(s, t);
	}
	step_interrupt(s, t, tracee_ip(&t->regs));
}

static void ended(struct soft *s, i32 tid, struct tracee *t, int status)
{
	i32 pid;

	if (tid == s->child) {
		s->r->result.wait_status = status;
		s->r->result.waited = true;
		s->child = 0;
		s->ending = true;
	}
	if (!t)
		return;
	if (CONFIG_CMD_CRASH)
		soft_died(s, t, status);
	if (t->vm)
		soft_write_task(s, PERF_EXIT, t, t->pid, t->pid);
	pid = t->pid;
	tracee_drop(s, t);		/* it is free, but not used again yet */
	if (vm_of(s, pid))
		return;
	if (CONFIG_SOFT_TRANSLATE)
		trans_code_gone(s, t);
	if (CONFIG_SOFT_SNAPSHOT && s->kept && WIFSIGNALED(status))
		s->died = true;
}

/* The thread ends with this status. Make the last 'request'. */
static void end(struct soft *s, struct tracee *t, int status, int request)
{
	struct vm *vm = t->vm;
	i32 tid = t->tid;

	if (!t->image)
		cut(s, t);
	if (tid == s->child) {		/* pt is its parent */
		tracee_count_cpu(s, t);
		if (CONFIG_SOFT_TRANSLATE)
			trans_leave(s, t);
		t->state = TRACEE_FREE;
	} else {
		ended(s, tid, t, status);
	}
	ptrace(request, tid, 0, 0);
	if (CONFIG_SOFT_TRANSLATE && vm)
		trans_settle(s, vm);
}

/* The thread dies. For a killed thread there was no stop at the entry of a call. It dies untraced,
 * if possible: a process that is traced until its end can be seen by a pidfd as dead before its
 * parent can wait for it, and a parent that tries only once would wait for ever. */
static void dying(struct soft *s, struct tracee *t)
{
	last_birth(s, t);
	end(s, t, message_of(t), t->tid == s->child ? PTRACE_CONT : PTRACE_DETACH);
}

void soft_die_untraced(struct soft *s, struct tracee *t, int signal)
{
	tracee_set(t->tid, &t->regs);
	tracee_pin(s, t, false);
	end(s, t, signal, PTRACE_DETACH);
}

void soft_event(struct soft *s, struct tracee *t, int event, int signal)
{
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		birth(s, t, message_of(t), event);
		carry_on(s, t);
		return;
	case PTRACE_EVENT_EXEC:
		exec(s, t);
		return;
	case PTRACE_EVENT_EXIT:
		dying(s, t);
		return;
	case PTRACE_EVENT_STOP:
		if (t->state == TRACEE_FREE) {
			ptrace(signal == SIGTRAP ? PTRACE_CONT : PTRACE_LISTEN, t->tid, 0, 0);
		} else if (t->state == TRACEE_NEW && signal != SIGTRAP && t->vm && !t->image &&
		    s->r->translate) {
			group_stop(s, t);
		} else if (t->state == TRACEE_NEW) {
			t->stopped_once = true;
			born(s, t);
		} else if (signal == SIGTRAP) {
			soft_go_on(s, t);
		} else {
			group_stop(s, t);
		}
		return;
	}
	if (t->image)
		carry_on(s, t);
	else
		tracee_resume(s, t, PTRACE_SYSCALL, 0, t->state);
}

void soft_let_go(struct soft *s, struct tracee *t, int signal)
{
	if (t->set_regs)
		tracee_set(t->tid, &t->regs);
	tracee_pin(s, t, false);
	if (!ptrace(PTRACE_DETACH, t->tid, 0, signal))
		tracee_drop(s, t);
	/* Else it was killed meanwhile, and pt must handle the stop at its end. */
}

/* Detach a thread that stopped with 'signal'; it gets the signal if that is its own. */
void soft_release(struct soft *s, struct tracee *t, int signal)
{
	if (signal == SYSCALL_STOP || (signal == SIGTRAP && ours(s, t)))
		signal = 0;
	cut(s, t);
	if (!signal && !fetch_regs(t))
		soft_make_again(t);
	soft_let_go(s, t, signal);
}

/* Also detach the child that it has just made. */
static void release_event(struct soft *s, struct tracee *t, int event, int signal)
{
	struct tracee *c;
	i32 tid;

	/* It has made its step, and the trap of that is pending: it would die of it. */
	if (event == PTRACE_EVENT_STOP && t->state == TRACEE_STEP && soft_pending(t) & TRAP_BIT) {
		tracee_resume(s, t, PTRACE_CONT, 0, TRACEE_STEP);
		return;
	}
	if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	    event == PTRACE_EVENT_CLONE) {
		tid = message_of(t);
		c = tracee_find(s, tid);
		if (!c)
			tracee_add(s, tid)->known = true;
		else if (c->state == TRACEE_NEW && c->stopped_once)
			soft_release(s, c, 0);
	}
	soft_release(s, t, event ? 0 : signal);
}

/* Its filters may forbid restart_syscall(), by which the kernel continues some calls after a stop,
 * and kill for it. Without pt there would be no stop. */
static void avoid_restart(struct tracee *t)
{
	if (!tracee_get(t->tid, &t->regs) && tracee_whole_call(&t->regs) &&
	    soft_filters(t->tid) > soft_filters(getpid()))
		tracee_set(t->tid, &t->regs);
}

void soft_stopped(struct soft *s, i32 tid, int status)
{
	struct tracee *t = tracee_find(s, tid);
	int signal = WSTOPSIG(status), event = status >> 16;

	if (!WIFSTOPPED(status)) {
		ended(s, tid, t, status);
		return;
	}
	if (!t)			/* a child whose birth was not yet reported */
		t = tracee_add(s, tid);
	close_mask(t);
	t->have_regs = false;
	if (signal != SYSCALL_STOP && t->state != TRACEE_STEP)
		avoid_restart(t);
	if (CONFIG_SOFT_AGAIN && t->image && t->image->left)
		trans_fetch(t);
	if (CONFIG_SOFT_TRANSLATE && t->image && (s->ending || t->vm->stepped))
		trans_ending(s, t, event, signal);
	else if (s->ending && (s->r->translate || (CONFIG_SOFT_AGAIN && s->left)) &&
		 t->state == TRACEE_NEW && !t->known && event == PTRACE_EVENT_STOP)
		t->stopped_once = true;		/* its birth will be reported */
	else if ((s->ending || (t->vm && t->vm->stuck)) && event != PTRACE_EVENT_EXEC)
		release_event(s, t, event, signal);
	else if (event)
		soft_event(s, t, event, signal);
	else if (CONFIG_SOFT_TRANSLATE && t->image && signal == SYSCALL_STOP)
		trans_call(s, t);
	else if (CONFIG_SOFT_TRANSLATE && t->image)
		trans_signal(s, t, signal);
	else if (signal == SYSCALL_STOP)
		call_stop(s, t);
	else if (t->state == TRACEE_FREE || t->state == TRACEE_NEW) {
		soft_ignore(t, signal);
		tracee_resume(s, t, PTRACE_CONT, signal, t->state);
	} else if (signal == SIGTRAP && ours(s, t))
		stepped(s, t);
	else
		deliver(s, t, signal);
}

void soft_detach(struct soft *s)
{
	struct tracee *t, *next;

	s->ending = true;
	for (t = tracee_next(s, NULL); t; t = next) {
		next = tracee_next(s, t);
		if (t->state == TRACEE_HELD && !t->image)
			soft_release(s, t, 0);
		else
			ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
	}
}
