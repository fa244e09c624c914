/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Take a thread out of the code cache: it is stopped at any place, and gets the registers that the
 * program has there.
 *
 *	stopped in the cache    the agent finds the registers (agent_head.locate)
 *	... in a system call    all registers are the program's, except RIP
 *	... in the agent        it runs until it gives itself to pt (AGENT_LEAVE)
 *
 * The agent gives a thread to pt in a system call that has no effect, where pt stops it. If pt is
 * killed before that, the thread simply continues.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/config/SOFT_AGAIN.h>

#include "trans.h"

enum { SYSCALL_SIZE = 2, SYSCALL_STOP = SIGTRAP | 0x80 };

static bool is_at_trap(const struct tracee *t)
{
	return trans_off(t) == trans_head(t)->trap;
}

/* Is it in a part of the agent where the program's registers are not yet in the slot? */
static bool is_busy(const struct tracee *t)
{
	u64 off = trans_off(t);

	if (off == trans_head(t)->call)
		return false;
	return off < trans_head(t)->size &&
	       (off < trans_head(t)->restored || off >= trans_head(t)->left);
}

/* Is a SIGSEGV pending, blocked or not? It may come from a write to code, which only the agent's
 * handler understands: the program would get it as soon as the agent is gone. (Compare
 * trans_segv_is_due().) */
static bool segv_is_pending(const struct tracee *t)
{
	return soft_pending(t) >> (SIGSEGV - 1) & 1;
}

/* Has the thread the agent's segment base? */
static bool has_slot(const struct tracee *t)
{
	return t->regs.raw.gs_base - t->image->at < t->image->size;
}

/* The registers that select code and data of the agent. */
void trans_leave_agent(struct tracee *t)
{
	if (trans_is_narrow(t->image)) {
		t->regs.raw.cs = TRACEE_CODE_32;
		t->regs.raw.fs_base = 0;
	} else if (has_slot(t)) {
		t->regs.raw.gs_base = t->slot->gs;
	}
}

void trans_go(struct tracee *t, u32 off)
{
	t->regs.raw.rip = t->image->shared->blob + off;
	if (trans_is_narrow(t->image)) {
		t->regs.raw.cs = TRACEE_CODE_64;
		t->regs.raw.fs_base = t->slot->self;
		/* It is 3 after a handler has returned. Then kernels that do not use FSGSBASE
		 * lose the base when they switch threads. */
		t->regs.raw.fs = 0;
	} else {
		if (!has_slot(t))
			t->slot->gs = t->regs.raw.gs_base;
		t->regs.raw.gs_base = t->slot->self;
	}
}

/* Read the registers that the agent stored in the slot. */
static void take_regs(struct tracee *t)
{
	const struct agent_regs *regs = &t->slot->regs;

	tracee_set_general(&t->regs, regs->r);
	t->regs.raw.rip = regs->ip;
	t->regs.raw.eflags = regs->flags;
	trans_leave_agent(t);
	t->slot->away = 1;
	t->set_regs = t->have_regs = true;
	t->given = true;
}

/* Its system call has ended, or the kernel will restart it. */
static void take_call(struct tracee *t)
{
	t->regs.raw.rip = t->slot->call_ip;
	if (!trans_is_narrow(t->image))
		t->regs.raw.rcx = t->slot->call_ip;
	trans_leave_agent(t);
	t->set_regs = t->have_regs = true;
	soft_make_again(t);
}

void trans_commit(struct tracee *t)
{
	if (t->slot->deferred)
		ptrace(PTRACE_SETSIGMASK, t->tid, 8, &t->slot->mask);
	/* If pt dies here, a handler may still interrupt the agent. So the slot must not say before
	 * that the thread is out. */
	tracee_set(t->tid, &t->regs);
	t->slot->deferred = 0;
	if (CONFIG_SOFT_AGAIN) {
		t->slot->inside = 0;
		if (t->image->left)	/* if pt dies, the next one must know that it is out */
			trans_store(t);
	}
	t->set_regs = false;
	t->have_regs = true;
	t->out = true;
	t->asked = t->given = false;
}

void trans_enter(struct tracee *t, u32 from)
{
	trans_go(t, from);
	if (CONFIG_SOFT_AGAIN)
		t->slot->inside = 1;
	t->regs.raw.rsp = t->slot->self + AGENT_BLOCK;
	t->regs.raw.orig_rax = -1;
	t->set_regs = t->have_regs = true;
}

/* Wait until 'end' (in ticks) for a stop by an event or a system call; other stops are only noted.
 * 0 or -ESRCH. */
static int next_stop(struct soft *s, struct tracee *t, u32 end, int *status, u64 *later)
{
	int got;

	do {
		got = waitpid(t->tid, status, __WALL);
		s->gave_up = soft_is_late(end);
	} while (got < 0 && errno == EINTR && !s->gave_up);
	if (got != t->tid || s->gave_up)
		return -ESRCH;
	if (!WIFSTOPPED(*status) || *status >> 16 == PTRACE_EVENT_EXIT) {
		soft_stopped(s, t->tid, *status);
		return -ESRCH;
	}
	if (!(*status >> 16) && WSTOPSIG(*status) != SYSCALL_STOP)
		*later |= 1ull << (WSTOPSIG(*status) - 1);
	if (CONFIG_SOFT_AGAIN && t->image && t->image->left)
		trans_fetch(t);
	return tracee_get(t->tid, &t->regs);
}

int trans_run_to(struct soft *s, struct tracee *t, u64 at)
{
	u32 end = soft_patience();
	u64 later = 0;
	int request = PTRACE_SYSCALL, status, err;

	if (t->limits & AGENT_MUTE)
		trans_suspend(t, true);
	for (;;) {
		ptrace(request, t->tid, 0, 0);
		err = next_stop(s, t, end, &status, &later);
		if (err)
			return err;
		if (request == PTRACE_CONT && status >> 16 == PTRACE_EVENT_STOP)
			break;
		if (request == PTRACE_CONT || WSTOPSIG(status) != SYSCALL_STOP ||
		    tracee_ip(&t->regs) != at)
			continue;
		/* Let it make the call: a filter of calls may kill for one that is left out. */
		ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
		request = PTRACE_CONT;
	}
	/* Mark it as not in a call; otherwise the kernel would restart the call here. */
	t->regs.raw.orig_rax = -1;
	tracee_set(t->tid, &t->regs);
	if (t->limits & AGENT_MUTE)
		trans_suspend(t, false);
	trans_send_again(t, later);
	return 0;
}

int trans_run(struct soft *s, struct tracee *t, u32 from)
{
	struct agent_thread *slot = t->slot;
	u64 all = ~0ull;

	if (!slot->deferred)
		ptrace(PTRACE_GETSIGMASK, t->tid, 8, &slot->mask);
	slot->deferred = 1;
	trans_enter(t, from);
	if (CONFIG_SOFT_AGAIN && t->image->left)
		trans_store(t);
	tracee_set(t->tid, &t->regs);
	ptrace(PTRACE_SETSIGMASK, t->tid, 8, &all);
	trans_send_deadly(t);		/* still in the stop for that signal, since pt may die */
	return trans_run_to(s, t, t->image->shared->blob + trans_head(t)->trap);
}

void trans_put_regs(struct tracee *t)
{
	struct agent_regs *regs = &t->slot->regs;
	tracee_general(&t->regs, regs->r);
	regs->ip = tracee_ip(&t->regs);
	regs->flags = t->regs.raw.eflags;
}

/* Let the agent find the program's registers. */
static int ask_agent(struct soft *s, struct tracee *t)
{
	int err;

	trans_take(t, true);		/* else the agent might wait for pt */
	if (trans_off(t) >= trans_head(t)->restored && trans_off(t) < trans_head(t)->left) {
		err = trans_run(s, t, trans_head(t)->give);
	} else {
		trans_put_regs(t);
		err = trans_run(s, t, trans_head(t)->locate);
	}
	if (!err)
		take_regs(t);
	return err;
}

int trans_locate(struct soft *s, struct tracee *t)
{
	enum trans_where where = WHERE_IN;
	int err = tracee_get(t->tid, &t->regs);

	if (err || t->out)
		return err;
	if (t->given) {
		take_regs(t);
		return 0;
	}
	if (trans_off(t) == trans_head(t)->call + SYSCALL_SIZE && t->slot->call_ip &&
	    t->regs.raw.rax != (u64)-EFAULT) {
		take_call(t);
		return 0;
	}
	if (CONFIG_SOFT_AGAIN && t->image->left)
		where = trans_where(t);
	if (where == WHERE_OUT) {
		trans_note_out(t);
		return 0;
	}
	if (where == WHERE_ABOVE || is_busy(t) || segv_is_pending(t))
		return -EBUSY;
	return ask_agent(s, t);
}

void trans_ask(struct tracee *t)
{
	__atomic_store_n(&t->slot->asked, AGENT_LEAVE, __ATOMIC_RELEASE);
	if (CONFIG_SOFT_AGAIN && t->image->left)
		trans_store(t);
	t->asked = true;
}

bool trans_given(struct tracee *t)
{
	t->given = !tracee_get(t->tid, &t->regs) && is_at_trap(t);
	return t->given;
}

/* Publish its last records. If r11 points into the ring, it is the write pointer, since the
 * program knows no address in the ring. */
void trans_publish_last(struct tracee *t)
{
	struct agent_thread *slot = t->slot;
	u64 start = (uintptr_t)slot->ring_start, size = trans_ring(t->image), off, at;

	if (t->out || t->given || tracee_get(t->tid, &t->regs))
		return;
	off = t->regs.raw.r11 - start;
	if (trans_off(t) < trans_head(t)->size || off > size)
		off = slot->ring - start;
	at = slot->base + off;
	if (off <= size && at > slot->head && at - slot->head < size / 4)
		slot->head = at;
}
