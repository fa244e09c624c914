/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a stopped thread does next, told as branches.
 *
 * Integer code is computed (exec.c). Where that ends, the processor takes over
 * for a stretch of straight code up to the next branch, or to an instruction
 * that might read the breakpoint which then lies there. It is the only one in
 * its address space, is there only while that thread runs, and only that thread
 * of the address space runs meanwhile: nobody can see it. Code that may change
 * under our feet, and what has no straight way, is done by single steps.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/ptrace.h>

#include <pt/host.h>

#include "soft.h"

enum {
	SLICE = 200 * 1000,	/* instructions, then signals have a chance */
	SHORT_SLICE = 5000,	/* the same where other threads wait, perhaps to be waited for */
	STRETCH = 1024,		/* bytes of code at most that are run by themselves */
};

/* Tell the branch that exec_run() did; 'from' is the address behind it. */
static void tell(struct emit *e, enum exec_stop stop, u64 from, u64 to)
{
	switch (stop) {
	case EXEC_TAKEN:
	case EXEC_NOT_TAKEN:
		emit_cond(e, stop == EXEC_TAKEN);
		break;
	case EXEC_CALL:
		if (to != from)
			emit_call(e, from);
		break;
	case EXEC_RET:
		emit_ret(e, to);
		break;
	case EXEC_INDIRECT_CALL:
		emit_call(e, from);
		emit_indirect(e, to);
		e->work += TIMING_INDIRECT;
		break;
	case EXEC_INDIRECT:
		emit_indirect(e, to);
		e->work += TIMING_INDIRECT;
		break;
	default:
		break;
	}
}

/* exec_run() is at a PTWRITE of the thread whose time passes. */
bool path_ptwrite(void *who, const struct uop *u, u64 value)
{
	struct soft *s = who;
	struct emit *e = &s->last->emit;

	if (emit_due(e))
		emit_sync(e, s->x->cpu.ip);
	emit_ptwrite(e, s->x->cpu.ip, value, u->size);
	return true;
}

/* Compute as far as it goes. True if the thread got anywhere. */
static bool compute(struct soft *s, struct thread *t, u32 most)
{
	struct exec *x = s->x;
	struct emit *e = &t->emit;
	enum exec_stop stop;
	u64 from, before = x->n, seen = before;

	tracee_to_cpu(&t->regs, &x->cpu);
	x->stop = x->n + most;
	for (;;) {
		stop = exec_run(x, &from);
		e->work += x->n - seen;
		seen = x->n;
		if (stop <= EXEC_BUDGET)
			break;
		tell(e, stop, from, x->cpu.ip);
		if (unlikely(emit_due(e)))
			emit_sync(e, x->cpu.ip);
	}
	if (x->n == before)
		return false;
	tracee_from_cpu(&t->regs, &x->cpu);
	t->set_regs = true;
	exec_flush(x);
	return true;
}

/* The instruction at 'ip', with its kind. */
static const struct exec_line *line_of(struct soft *s, struct thread *t, u64 ip,
				       struct exec_line *spare)
{
	const struct exec_line *line = NULL;
	enum insn_mode mode = tracee_mode(&t->regs);
	struct insn insn;
	size_t n;

	if (mode == INSN_64)
		line = exec_at(s->x, ip);
	if (line && line->u.len)
		return line;
	*spare = (struct exec_line){ .ip = ip };
	for (n = INSN_MAX; n && !memory_read(t->vm, ip, spare->bytes, n); n--)
		;
	if (insn_decode(&insn, mode, (struct bytes){ spare->bytes, n }) <= 0)
		return spare;
	spare->u.len = insn.len;
	spare->u.kind = insn.kind;
	spare->u.imm = insn_target(&insn, mode, ip);
	return spare;
}

/* Where a breakpoint may go so that the processor does what lies between: an
 * address behind 'ip', or 'ip' itself if there is no such place. */
static u64 stretch_end(struct soft *s, struct thread *t, u64 ip)
{
	struct cpu *cpu = &s->x->cpu;
	u64 lo = ip, hi = ip + STRETCH, at = ip;
	u32 changed = 0;

	tracee_to_cpu(&t->regs, cpu);
	if (cpu->r[4] + 4096 - lo < STRETCH + 8192 || cpu->r[5] + 4096 - lo < STRETCH + 8192)
		return ip;
	t->stretch = 0;
	while (at + 2 * INSN_MAX < hi) {
		const struct exec_line *line = exec_at(s->x, at);

		if (!line || !line->fixed || !line->u.len || line->u.kind >= INSN_JUMP ||
		    exec_is_ptwrite(line) || !exec_harmless(cpu, line, &changed, lo, hi))
			break;
		at += line->u.len;
		t->stretch++;
	}
	return at;
}

/* A program that has the trap flag on stops by itself. */
static void run_step(struct soft *s, struct thread *t, int signal)
{
	s->steps++;
	thread_resume(s, t, t->trapping ? PTRACE_CONT : PTRACE_SINGLESTEP, signal, THREAD_STEP);
}

static bool run_to(struct soft *s, struct thread *t, u64 end)
{
	const struct exec_line *line = exec_at(s->x, end);

	if (line && line->fixed && line->code == s->x->code)
		t->stop_byte = line->bytes[0];
	else if (!memory_read(t->vm, end, &t->stop_byte, 1))
		return false;
	if (tracee_break(t->vm->mem, end))
		return false;
	t->broken = true;
	t->stop_at = end;
	s->stops++;
	thread_resume(s, t, PTRACE_CONT, 0, THREAD_NATIVE);
	return true;
}

/* The page at the top of the address space: a call there is done by the kernel,
 * as a fault, and comes back to where it was called from. */
static bool run_kernel_page(struct soft *s, struct thread *t)
{
	u64 back;

	if (!memory_read(t->vm, t->regs.raw.rsp, &back, 8))
		return false;
	emit_interrupt(&t->emit, tracee_ip(&t->regs));
	return run_to(s, t, back);
}

static void run_call(struct soft *s, struct thread *t)
{
	t->call = tracee_call(&t->regs, t->line.u.kind == INSN_INT, t->args);
	thread_resume(s, t, PTRACE_SYSCALL, 0, THREAD_ENTER);
}

/* Packets are on, and know of what the file was told since. Its time passes from here on,
 * and nobody else's. */
static void go_on(struct soft *s, struct thread *t)
{
	if (s->last && s->last != t)
		emit_pause(&s->last->emit, host_tsc());
	s->last = t;
	if (t->side_band != s->side_band)
		emit_exact(&t->emit);
	else
		emit_resume(&t->emit);
	t->side_band = s->side_band;
	if (!t->emit.on)
		emit_begin(&t->emit, tracee_ip(&t->regs), tracee_mode(&t->regs));
}

static bool is_call(const struct exec_line *line)
{
	const struct insn insn = { line->u.len, line->u.kind };

	return line->u.len && tracee_is_call(&insn, (struct bytes){ line->bytes, line->u.len });
}

/* What the processor is to begin with. */
static void look(struct soft *s, struct thread *t)
{
	struct exec_line spare;

	t->from = tracee_ip(&t->regs);
	t->line = *line_of(s, t, t->from, &spare);
	t->trapping = tracee_traps(&t->regs);
}

void path_step(struct soft *s, struct thread *t, int signal)
{
	memory_enter(s, t);
	go_on(s, t);
	look(s, t);
	run_step(s, t, signal);
}

/* Only this address space sees a breakpoint at 'at'. */
static bool is_private(const struct thread *t, u64 at)
{
	const struct region *r = vm_region(t->vm, at);

	return r && !(r->flags & MAP_SHARED);
}

/* PTWRITE is computed even if all else is stepped: the processor may not have it. */
static bool at_ptwrite(struct soft *s, struct thread *t)
{
	const struct exec_line *line = NULL;

	if (s->x->ptwrite && tracee_mode(&t->regs) == INSN_64)
		line = exec_at(s->x, tracee_ip(&t->regs));
	return line && exec_is_ptwrite(line);
}

void path_run(struct soft *s, struct thread *t)
{
	bool slow = s->r->step || tracee_mode(&t->regs) != INSN_64 || tracee_traps(&t->regs);
	struct bytes code;
	u64 end;

	if (t->vm->users > 1)
		memory_changed(s, t->vm);
	memory_enter(s, t);
	go_on(s, t);
	if (!slow)
		compute(s, t, t->vm->users > 1 ? SHORT_SLICE : SLICE);
	while (slow && at_ptwrite(s, t) && compute(s, t, 1))
		;
	if (tracee_kernel_page(tracee_ip(&t->regs)) && run_kernel_page(s, t))
		return;
	end = tracee_ip(&t->regs);
	if (tracee_restarts(t->tid, &t->regs, t->vm->mem)) {
		emit_interrupt(&t->emit, end);
		t->set_regs = true;
		go_on(s, t);
	}
	look(s, t);
	code = (struct bytes){ t->line.bytes, t->line.u.len };
	if (is_call(&t->line)) {
		run_call(s, t);
		return;
	}
	end = slow ? t->from : stretch_end(s, t, t->from);
	/* After a step over POPF the kernel is not sure whose trap flag it is, and leaves it
	 * to a handler of the next signal. */
	if (end == t->from && tracee_pops_flags(code) && t->line.u.kind < INSN_JUMP &&
	    is_private(t, end + t->line.u.len))
		end += t->line.u.len;
	if (end == t->from || !run_to(s, t, end))
		run_step(s, t, 0);
}

void path_unbreak(struct thread *t)
{
	if (t->broken)
		tracee_unbreak(t->vm->mem, t->stop_at, t->stop_byte);
	t->broken = false;
}

/* Did it go where who reads the trace will believe? AMD's near branches with a
 * 66h prefix have 16-bit targets in 64-bit mode, too; and a step over MOV SS is
 * two. */
static bool goes_as_read(const struct uop *u, u64 next, u64 ip)
{
	switch (u->kind) {
	case INSN_JUMP: case INSN_CALL:
		return ip == u->imm;
	case INSN_COND:
		return ip == u->imm || ip == next;
	}
	return u->kind > INSN_COND || ip == next;
}

/* The instruction t->line was done; the next one is at 'ip'. */
static void tell_step(struct thread *t, u64 ip)
{
	const struct uop *u = &t->line.u;
	u64 next = t->from + u->len;
	enum insn_mode mode = tracee_mode(&t->regs);
	struct emit *e = &t->emit;

	e->work++;
	if (is_call(&t->line)) {
		emit_end(e);
		return;
	}
	if (!goes_as_read(u, next, ip)) {
		emit_interrupt(e, t->from);
		emit_overflow(e);
		return;
	}
	switch (u->kind) {
	case INSN_CALL:
		tell(e, EXEC_CALL, next, ip);
		return;
	case INSN_COND:
		emit_cond(e, ip != next);
		return;
	case INSN_RET:
		emit_ret(e, ip);
		return;
	case INSN_CALL_INDIRECT:
		tell(e, EXEC_INDIRECT_CALL, next, ip);
		return;
	case INSN_JUMP_INDIRECT:
		emit_indirect(e, ip);
		return;
	}
	if (u->kind >= INSN_FAR_CALL)
		emit_far(e, ip, mode);
}

void path_stepped(struct soft *s, struct thread *t)
{
	const struct bytes code = { t->line.bytes, t->line.u.len };
	u64 ip = tracee_ip(&t->regs);

	if (!t->trapping)
		t->set_regs |= tracee_stepped(&t->regs, code, t->vm->mem);
	if (ip == t->from && tracee_repeats(code))
		return;
	tell_step(t, ip);
	if (t->emit.on && emit_due(&t->emit))
		emit_sync(&t->emit, ip);
}
