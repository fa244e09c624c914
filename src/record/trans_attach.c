/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Attach to a running process: all its threads are stopped, the agent is mapped, and each thread
 * continues in the cache at the same place. When the recording ends, all leave the cache again.
 *
 *	stopped in its own code    starts at agent_head.resume
 *	in a system call           its return leads to the agent; the kernel makes the call once
 *	                           more there, as it would have in the program
 *
 * The program's data are in its own memory at all times. After the last thread has left, nothing of
 * pt is mapped, and the kernel has the program's own signal handlers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>
#include <pt/config/SOFT_AGAIN.h>
#include <pt/config/SOFT_FILTERS.h>
#include <pt/config/SOFT_STEP_CODE.h>
#include <pt/config/SOFT_TRANSLATE_32.h>
#include <pt/out.h>

#include "trans.h"

enum { SYSCALL_STOP = SIGTRAP | 0x80, SYSCALL_SIZE = 2 };
enum { X86_SHSTK = 0x204 };	/* NT_X86_SHSTK of <linux/elf.h>, from Linux 6.6 on */

struct tracee *trans_next(const struct soft *s, const struct vm *vm, struct tracee *t)
{
	do
		t = tracee_next(s, t);
	while (t && (t->vm != vm || t->state == TRACEE_FREE));
	return t;
}

/* Attaching. */

static const char *const refusals[] = {
	[AGENT_ODD] = "it has an instruction that cannot be translated",
	[AGENT_FS] = "it uses the segment %fs",
	[AGENT_FILTER] = "it limits its system calls",
	[AGENT_TSC] = "it forbids RDTSC",
	[AGENT_STEPS] = "it sets the trap flag",
	[AGENT_ROOM] = "the agent gets no memory",
	[AGENT_BITS] = "this pt lacks SOFT_TRANSLATE_32",
	[AGENT_THREADS] = "it has too many threads",
	[AGENT_MEMORY] = "the agent gets no memory",
	[AGENT_SHADOW] = "it has a shadow stack",
	[AGENT_DENIED] = "SELinux (execmem) denies it executable memory",
};

void trans_say_steps(struct soft *s, const struct tracee *t, enum agent_refusal why)
{
	record_say(s->r, 0, "process %d runs by single steps: %s", t->pid, refusals[why]);
}

/* (A program that pt has started gets no shadow stack.) */
static bool has_shadow_stack(i32 tid)
{
	u64 ssp;
	struct iovec to = { &ssp, sizeof(ssp) };

	return !ptrace(PTRACE_GETREGSET, tid, X86_SHSTK, &to);
}

static enum agent_refusal refusal(struct tracee *t)
{
	bool narrow = tracee_mode(&t->regs) != INSN_64;

	if (narrow && !CONFIG_SOFT_TRANSLATE_32)
		return AGENT_BITS;
	if (narrow && (t->regs.raw.fs > 3 || t->regs.raw.fs_base))
		return AGENT_FS;
	if (has_shadow_stack(t->tid))
		return AGENT_SHADOW;
	if (soft_filters(t->tid) <= soft_filters(getpid()))
		return AGENT_CAN;
	t->limits = CONFIG_SOFT_FILTERS && !narrow ? trans_filters(t) : 0;
	t->filtered = !t->limits;
	return t->limits ? AGENT_CAN : AGENT_FILTER;
}

/* All threads run by single steps. */
static void step_all(struct soft *s, struct vm *vm, enum agent_refusal why)
{
	const struct tracee *first = trans_next(s, vm, NULL);
	struct tracee *t = NULL;

	trans_say_steps(s, first, why);
	if (CONFIG_SOFT_STEP_CODE)
		vm_find_changed(vm, first->pid);
	vm->stepped = true;
	while ((t = trans_next(s, vm, t)))
		if (t->state == TRACEE_HELD)
			soft_go_on(s, t);
}

/* Give the thread a slot, as the agent does for a new thread. */
static void give_slot(struct soft *s, struct tracee *t, struct image *image, u32 i,
		      const struct agent_thread *first)
{
	if (i)
		trans_take_slot(s, image, i, t);
	t->slot->agent = first->agent;
	t->slot->space = first->space;
	t->slot->ring = (uintptr_t)t->slot->ring_start;
	t->slot->base = t->slot->head = 0;
	t->slot->forgot = -(u64)image->shared->psb_every;
	t->slot->asked = t->slot->away = t->slot->inside = 0;
	t->slot->epoch = ~0u;
	t->slot->changes = 0;
	t->out = t->asked = t->given = false;
}

/* Make the thread continue in the cache. The kernel restarts an interrupted system call, since it
 * knows whether a signal comes first. But calls that are restarted in any case, such as fork(), are
 * made again by the agent. */
static void enter(struct tracee *t)
{
	enum { ERESTARTNOINTR = 513 };
	u64 ip = tracee_ip(&t->regs);

	soft_make_again(t);
	if ((i64)t->regs.raw.rax == -ERESTARTNOINTR)
		tracee_settle(&t->regs);
	if (tracee_in_call(&t->regs) && tracee_ip(&t->regs) == ip) {
		t->slot->call_ip = ip;
		t->slot->call_nr = t->regs.raw.orig_rax;
		trans_go(t, trans_head(t)->call + SYSCALL_SIZE);
	} else {
		trans_put_regs(t);
		trans_enter(t, trans_head(t)->resume);
	}
	tracee_set(t->tid, &t->regs);
	t->set_regs = false;
}

/* Store in the slot how the thread continues by itself if pt dies while it is in the agent. */
static void put_settled(struct tracee *t)
{
	struct tracee_regs regs = t->regs;

	tracee_settle(&t->regs);
	trans_put_regs(t);
	t->regs = regs;
}

/* Run the agent from offset 'from' to the trap. Afterwards t->regs have their old values, but they
 * are not yet the registers of the thread. */
static int run_agent(struct soft *s, struct tracee *t, u32 from)
{
	struct tracee_regs regs = t->regs;
	int err = trans_run(s, t, from);

	if (!err)
		t->regs = regs;
	return err;
}

/* Let the agent initialize itself in thread 't', which stays in the agent. */
static int set_up(struct soft *s, struct tracee *t, struct image *image)
{
	int err = trans_inject(s, t, image);

	if (err) {
		trans_drop_image(s, image);
		return err;
	}
	trans_add_image(s, image);
	image->shared->caught = soft_caught(t);
	vm_load(s, t->vm, t, VM_ALL);
	trans_put_maps(s, t);
	put_settled(t);
	t->slot->asked = AGENT_LEAVE;
	err = run_agent(s, t, trans_head(t)->start);
	if (!err && !image->shared->space) {
		trans_commit(t);
		trans_unmap(s, t);
		trans_leave(s, t);
		err = -ENOMEM;
	}
	return err;
}

/* All threads wait for each other in the agent. They enter the cache together, or, if pt dies
 * before that, leave the agent together. */
static void let_in(struct soft *s, struct vm *vm, struct tracee *first)
{
	struct image *image = first->image;
	struct tracee *t = NULL;
	u32 n = 0;

	give_slot(s, first, image, 0, first->slot);
	while ((t = trans_next(s, vm, t)))
		if (t != first)
			give_slot(s, t, image, ++n, first->slot);
	image->shared->taken = n + 1;
	while ((t = trans_next(s, vm, t)))
		if (t != first)
			enter(t);
	if (run_agent(s, first, trans_head(first)->open))
		return;
	enter(first);
	if (first->slot->deferred && tracee_ip(&first->regs) != image->shared->blob +
	    trans_head(first)->resume) {
		ptrace(PTRACE_SETSIGMASK, first->tid, 8, &first->slot->mask);
		first->slot->deferred = 0;
	}
	while ((t = trans_next(s, vm, t)))
		tracee_resume(s, t, PTRACE_CONT, 0, TRACEE_CACHE);
}

static void adopt(struct soft *s, struct vm *vm)
{
	struct tracee *first = trans_next(s, vm, NULL), *t = NULL;
	struct image *image = trans_new_image(s, first);
	enum agent_refusal why = AGENT_CAN;
	int err = 0;
	u32 n = 0;

	while (!why && (t = trans_next(s, vm, t))) {
		if (n++ == image->slots)
			why = AGENT_THREADS;
		else if (!tracee_get(t->tid, &t->regs))
			why = refusal(t);
		tracee_restarts(t->tid, &t->regs, vm->mem);
	}
	if (!why)
		err = set_up(s, first, image);
	else
		trans_drop_image(s, image);
	if (err == -ESRCH)
		return;			/* the other threads will end, too */
	if (why || err)
		step_all(s, vm, why ? why : err == -EACCES ? AGENT_DENIED : AGENT_MEMORY);
	else
		let_in(s, vm, first);
}

/* Detaching. */

/* All threads are stopped, in the agent or in system calls. After the first one has closed the
 * agent, all of them can leave without pt, so pt may die at any point from there on. */
static void let_go(struct soft *s, struct vm *vm)
{
	struct tracee *first = trans_next(s, vm, NULL), *t = NULL, *next, *last = NULL;

	put_settled(first);
	if (CONFIG_SOFT_AGAIN && vm->left)
		trans_ask_close(first);
	/* Twice: the first time, the agent opens its guards, but keeps SIGSEGV for their faults. */
	if (run_agent(s, first, trans_head(first)->close) ||
	    run_agent(s, first, trans_head(first)->close))
		return;
	while ((t = trans_next(s, vm, t)))
		if (t != first)
			trans_commit(t);
	if (run_agent(s, first, trans_head(first)->drop))
		return;
	trans_commit(first);
	trans_unmap(s, first);
	if (CONFIG_SOFT_AGAIN && vm->left)
		vm->left = vm->stepped = false;
	for (t = first; t; t = next) {
		next = trans_next(s, vm, t);
		trans_send_deadly(t);
		if (!s->ending && !vm->leaving) {
			trans_leave(s, t);
			soft_go_on(s, t);
		} else if (t->traces) {
			last = t;
		} else {
			soft_let_go(s, t, 0);
		}
	}
	if (last)		/* it will trace the others at once: they must be free before */
		soft_let_go(s, last, 0);
}

static void take_all_out(struct soft *s, struct vm *vm)
{
	struct tracee *t = NULL;

	vm->stepped = true;
	while ((t = trans_next(s, vm, t)))
		ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
}

/* May pt let the process of 't' go? Not if it waits for the exec of a child, or is such a child. */
static bool may_go(const struct soft *s, const struct tracee *t)
{
	struct tracee *other = NULL;

	while ((other = trans_next(s, t->vm, other)))
		if (other->vforked || !other->image)
			return false;
	return true;
}

static u64 namespace_of(i32 tid)
{
	u64 dev;

	return target_namespace(tid, "pid", &dev);
}

/* The thread that thread 'by' calls 'tid'; NULL if pt does not trace it. */
static struct tracee *known_to(struct soft *s, const struct tracee *by, i32 tid)
{
	u64 ns = namespace_of(by->tid);
	struct tracee *t = NULL;

	if (ns == namespace_of(getpid()))
		return tracee_find(s, tid);
	while ((t = tracee_next(s, t)))
		if (target_inner_tid(t->tid) == tid && namespace_of(t->tid) == ns)
			break;
	return t;
}

/* Thread 'by' waits until it can trace another one, or be traced by its parent. */
static void let_trace(struct soft *s, struct tracee *by)
{
	i32 tid = __atomic_load_n(&by->slot->wanted, __ATOMIC_RELAXED);
	struct tracee *t = tid ? known_to(s, by, tid) : by;
	bool alone = by->vforked && t == by;

	if (t && t->vm && (t->vm->leaving || t->leaving))
		return;
	/* pt is the parent of the command: by TRACEME, the command would be traced by pt again. */
	if (!t || !t->vm || !(alone || (may_go(s, t) && (tid || t->pid != s->child)))) {
		if (t)
			soft_say_traced(s, t);
		__atomic_store_n(&by->slot->refused, AGENT_CAN, __ATOMIC_RELEASE);
		return;
	}
	record_say(s->r, 0, "process %d is traced by %s: it continues unrecorded", t->pid,
		   tid ? "the program" : "its parent");
	if (alone) {
		by->leaving = true;
		trans_ask(by);
		ptrace(PTRACE_INTERRUPT, by->tid, 0, 0);
	} else {
		t->vm->leaving = true;
		by->traces = t->vm == by->vm;
		take_all_out(s, t->vm);
	}
}

/* Thread 'by' is about to limit its system calls. False if the agent cannot work under this
 * filter. */
static bool let_limit(struct soft *s, struct tracee *by)
{
	u64 fits = trans_filter(by);
	struct tracee *t = NULL;

	while (fits && (t = trans_next(s, by->vm, t)))
		if (t == by || fits & FILTER_ALL)
			t->slot->limits = t->limits |= fits;
	if (fits)
		__atomic_store_n(&by->slot->refused, AGENT_CAN, __ATOMIC_RELEASE);
	return fits;
}

void trans_look_refused(struct soft *s, struct tracee *t)
{
	u32 refused = __atomic_load_n(&t->slot->refused, __ATOMIC_ACQUIRE);

	if (!refused || refused >= N_ELEM(refusals) || t->vm->stepped)
		return;
	if (refused == AGENT_TRACES) {
		let_trace(s, t);
		return;
	}
	if (CONFIG_SOFT_FILTERS && refused == AGENT_FILTER && let_limit(s, t))
		return;
	trans_say_steps(s, t, refused);
	t->filtered |= refused == AGENT_FILTER;
	if (CONFIG_SOFT_STEP_CODE)
		vm_find_changed(t->vm, t->pid);
	take_all_out(s, t->vm);
}

/* A thread of a pt that was killed continues, and handles its fault; then it stops again. */
static void let_fault(struct soft *s, struct tracee *t)
{
	trans_resume(s, t, 0);
	usleep(1000);
	ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
}

static void take_out(struct soft *s, struct tracee *t)
{
	int err;

	if (CONFIG_SOFT_AGAIN && t->image->left && !t->out && trans_segv_is_due(t)) {
		let_fault(s, t);
		return;
	}
	err = trans_locate(s, t);
	if (!err) {
		trans_hold(s, t);
	} else if (err == -EBUSY) {
		trans_ask(t);
		trans_resume(s, t, 0);
	}
}

/* All threads leave the cache of a pt that was killed; trans_settle() then attaches to them. */
static void take_over(struct soft *s, struct vm *vm)
{
	int err = trans_take_over(s, vm);
	struct tracee *t = trans_next(s, vm, NULL), *next;

	if (err == -ENOENT)
		vm->unused = true;
	else if (err)
		record_say(s->r, 0, "cannot trace %d, which still runs in the code cache of a pt "
			   "that was killed: %s", t->pid, strerror(-err));
	vm->stepped = !err;
	vm->left = err ? LEFT_NONE : vm->left;
	for (; t; t = next) {
		next = trans_next(s, vm, t);
		if (!err)
			take_out(s, t);
		else if (err == -ENOENT)
			soft_go_on(s, t);
		else
			soft_let_go(s, t, 0);
	}
}

void trans_settle(struct soft *s, struct vm *vm)
{
	struct tracee *t = trans_next(s, vm, NULL);
	bool left = CONFIG_SOFT_AGAIN && vm->left;

	if (!t || vm->settling)
		return;
	for (; t; t = trans_next(s, vm, t))
		if (t->state != TRACEE_HELD)
			return;
	vm->settling = true;
	(s->ending || vm->stepped ? let_go : left ? take_over : adopt)(s, vm);
	vm->settling = false;
	if (left)
		trans_settle(s, vm);
}

void trans_hold(struct soft *s, struct tracee *t)
{
	t->state = TRACEE_HELD;
	trans_settle(s, t->vm);
}

/* A child that shares its parent's memory (vfork) calls exec or ends. */
void trans_ending(struct soft *s, struct tracee *t, int event, int signal)
{
	i32 tid = t->tid;

	if (event == PTRACE_EVENT_STOP && !t->vforked) {
		take_out(s, t);
		return;
	}
	if (event == PTRACE_EVENT_STOP && signal == SIGTRAP) {
		trans_resume(s, t, 0);
	} else if (event) {
		soft_event(s, t, event, signal);
	} else if (signal != SYSCALL_STOP) {
		trans_signal(s, t, signal);
	} else if (t->asked && trans_given(t)) {
		/* Stop it after the call but before the program: the agent still has its
		 * signals. */
		ptrace(PTRACE_INTERRUPT, tid, 0, 0);
		tracee_resume(s, t, PTRACE_CONT, 0, TRACEE_CACHE);
		return;
	} else {
		/* The handler in which the thread was stopped has returned to its system call, or
		 * the thread has left the handler in another way. It can be taken here; do not wait
		 * for the end of the call. */
		if (CONFIG_SOFT_AGAIN && t->asked &&
		    (trans_off(t) == trans_head(t)->call + SYSCALL_SIZE ||
		     (t->image->left && trans_where(t) == WHERE_OUT)))
			ptrace(PTRACE_INTERRUPT, tid, 0, 0);
		trans_resume(s, t, 0);
	}
	t = tracee_find(s, tid);
	if (t && t->image && !t->vforked && t->state != TRACEE_HELD &&
	    !t->asked)
		ptrace(PTRACE_INTERRUPT, tid, 0, 0);
}
