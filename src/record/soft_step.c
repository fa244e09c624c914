/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Record a thread by single steps, as records in the format of a ring.
 *
 * The processor executes one instruction, the thread stops, and its registers and the bytes of the
 * instruction show what happened. A step takes 25 us. It is the most reliable way: tests compare
 * translated programs with it, and programs that cannot be translated use it.
 *
 *	look at the next instruction ----> a system call: PTRACE_SYSCALL (soft_follow.c)
 *	   ^              |          \---> PTWRITE: emulated, the processor may lack it
 *	   |              v
 *	record it   PTRACE_SINGLESTEP
 *	   |              |
 *	   \----------- stop
 *
 * Manual: ptrace(2), "PTRACE_SINGLESTEP".
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <pt/config/SOFT_STEP_CODE.h>
#include <pt/hash.h>
#include <pt/host.h>
#include <pt/target.h>
#include <pt/translate.h>

#include "soft.h"

enum { STEP_RECORDS = 16 << 10, STEP_SLACK = 128, STAMP_US = 100 };
enum { CLOCK_READS = 5, CLOCK_CODE = 4096, CLOCK_FRAME = 512 };

/* Records. */

static void put_words(struct step_state *st, u8 kind, u32 more, const u64 *words, u32 n)
{
	const struct agent_slow slow = { REC_SLOW, kind, n, more };

	memcpy(st->records + st->n, &slow, sizeof(slow));
	st->n += sizeof(slow);
	memcpy(st->records + st->n, words, 8 * n);
	st->n += 8 * n;
	st->stamped = *words;
}

static void put_slow(struct step_state *st, u8 kind, u64 ip, u32 more)
{
	put_words(st, kind, more, (u64[]){ host_tsc(), ip }, 2);
}

static void put_bit(struct step_state *st, bool taken)
{
	st->records[st->n++] = taken ? REC_TAKEN : REC_NOT_TAKEN;
}

static void put_target(struct step_state *st, u64 to)
{
	set64(st->records + st->n, to << 8 | REC_INDIRECT);
	st->n += 8;
}

/* Clear the stack of calls at a place where a decoder may begin. */
static u32 forget_calls(struct tracee *t)
{
	if (t->pack.psb_at && t->pack.off < t->pack.psb_at)
		return 0;
	t->step->depth = 0;
	return AGENT_FORGOT;
}

void step_flush(struct tracee *t)
{
	struct step_state *st = t->step;
	u8 *buf = t->pack.buf;
	bool pad;

	if (!st || !st->n)
		return;
	if (st->on)
		put_slow(st, SLOW_STAMP, st->from, forget_calls(t));
	/* 'buf' may have packets of a translated thread, whose records say that maps changed. */
	t->pack.buf = t->pack.at = buf + PACK_BUFFER;
	trans_pack(&t->pack, (struct bytes){ st->records, st->n }, &pad);
	trans_pack_flush(&t->pack);
	t->pack.buf = t->pack.at = buf;
	st->n = 0;
}

/* Make room for a few records. */
static struct step_state *room(struct soft *s, struct tracee *t)
{
	struct step_state *st = t->step;

	if (!st) {
		st = t->step = NEW(s->r->arena, struct step_state, 1);
		st->records = arena_alloc(s->r->arena, STEP_RECORDS + 8);
	}
	if (st->n > STEP_RECORDS - STEP_SLACK)
		step_flush(t);
	return st;
}

void step_stamp(struct soft *s, struct tracee *t)
{
	struct step_state *st = room(s, t);

	if (st->on)
		put_slow(st, SLOW_STAMP, st->from, 0);
}

void step_on(struct soft *s, struct tracee *t, u64 ip)
{
	struct step_state *st = room(s, t);

	if (st->on)
		return;
	st->mode = tracee_mode(&t->regs);
	put_slow(st, SLOW_ON, ip, forget_calls(t) | (st->mode == INSN_32 ? AGENT_NARROW : 0));
	st->from = ip;
	st->on = true;
}

static void off(struct soft *s, struct tracee *t, u8 kind, u64 ip)
{
	struct step_state *st = room(s, t);

	if (st->on)
		put_slow(st, kind, ip, 0);
	st->on = false;
}

void step_off(struct soft *s, struct tracee *t)
{
	off(s, t, SLOW_OFF, 0);
}

void step_interrupt(struct soft *s, struct tracee *t, u64 ip)
{
	off(s, t, SLOW_INTERRUPT, ip);
}

void step_exec(struct tracee *t)
{
	if (t->step)
		t->step->depth = 0;
}

static void put_call(struct step_state *st, u64 next)
{
	st->calls[st->top++ % AGENT_CALLS] = next;
	st->depth = MIN(st->depth + 1, AGENT_CALLS);
}

/* Record a return; a return to its call is compressed to a taken branch. After a return that does
 * not match, the stack of calls is cleared: decoders differ in what such a return pops, and agree
 * only on later calls. */
static void put_ret(struct step_state *st, u64 to, bool compress)
{
	if (compress && st->depth && st->calls[(st->top - 1) % AGENT_CALLS] == to) {
		st->top--;
		st->depth--;
		put_bit(st, true);
		return;
	}
	st->depth = 0;
	put_target(st, to);
}

/* Record a far branch, which may go to code of another mode. Decoders differ in whether far calls
 * and returns change the stack of calls. */
static void put_far(struct step_state *st, u64 to, enum insn_mode mode)
{
	st->depth = 0;
	st->mode = mode;
	put_slow(st, SLOW_FAR, to, mode == INSN_32 ? AGENT_NARROW : 0);
}

static void look_at(struct tracee *t, u64 ip)
{
	struct step_state *st = t->step;
	size_t n;

	st->from = ip;
	st->mode = tracee_mode(&t->regs);
	st->insn = (struct insn){ 0 };
	for (n = INSN_MAX; n && !vm_read(t->vm, ip, st->code, n); n--)
		;
	insn_decode(&st->insn, st->mode, (struct bytes){ st->code, n });
}

/* Did the instruction go where a decoder expects? On AMD, near branches with a 66h prefix have
 * 16-bit targets also in 64-bit mode. (A transaction is aborted by the step: it was interrupted at
 * XBEGIN, and goes on elsewhere.) */
static bool goes_as_read(const struct step_state *st, u64 ip)
{
	u64 next = st->from + st->insn.len, to = insn_target(&st->insn, st->mode, st->from);

	switch (st->insn.kind) {
	case INSN_JUMP: case INSN_CALL:
		return ip == to;
	case INSN_COND:
		return ip == to || ip == next;
	}
	return st->insn.kind > INSN_COND || ip == next;
}

static bool is_call(const struct step_state *st)
{
	return st->insn.len && tracee_is_call(&st->insn, (struct bytes){ st->code, st->insn.len });
}

/* Record the instruction at st->from, which was executed; the next one is at 'ip'. */
static void put_insn(struct soft *s, struct tracee *t, u64 ip)
{
	struct step_state *st = room(s, t);
	u64 next = st->from + st->insn.len;

	/* A step over MOV SS, or over what the kernel emulates (SMSW), executes two. */
	if (st->insn.kind == INSN_OTHER && ip != next &&
	    !tracee_is_xbegin((struct bytes){ st->code, st->insn.len })) {
		look_at(t, next);
		next += st->insn.len;
	}
	/* A few steps take longer than the period of MTC packets. */
	if (st->insn.kind >= INSN_COND && host_tsc() - st->stamped > STAMP_US * soft_us(s))
		step_stamp(s, t);
	if (is_call(st)) {
		step_off(s, t);
		return;
	}
	if (!goes_as_read(st, ip)) {
		step_interrupt(s, t, st->from);
		if (st->insn.kind != INSN_OTHER)
			put_slow(st, SLOW_GAP, 0, 0);
		st->depth = 0;
		return;
	}
	switch (st->insn.kind) {
	case INSN_CALL:
		if (ip != next)
			put_call(st, next);
		break;
	case INSN_COND:
		put_bit(st, ip != next);
		break;
	case INSN_RET:
		put_ret(st, ip, !(s->r->pt_config & PT_CFG_NORETCOMP));
		break;
	case INSN_CALL_INDIRECT:
		put_call(st, next);
		/* fall through */
	case INSN_JUMP_INDIRECT:
		put_target(st, ip);
		st->entry = t->regs;
		st->tsc_reads = 0;
		break;
	default:
		if (st->insn.kind >= INSN_FAR_CALL)
			put_far(st, ip, tracee_mode(&t->regs));
	}
	st->from = ip;
}

/* Steps. */

/* Read the instruction that the processor executes next. */
static void look(struct tracee *t)
{
	t->step->trapping = tracee_traps(&t->regs);
	look_at(t, tracee_ip(&t->regs));
}

/* Code that is in no file is recorded before it is executed, also where it has changed. */
static void put_code(struct soft *s, struct tracee *t)
{
	struct step_state *st = t->step;
	u64 words[4] = { host_tsc(), st->from }, hash, *told = &st->told[st->from % STEP_TOLD];
	u32 i;

	if (!CONFIG_SOFT_STEP_CODE || !st->insn.len || !soft_in_no_file(t, st->from))
		return;
	memcpy(words + 2, st->code, st->insn.len);
	hash = hash_mix(hash_mix(words[1], words[2]), words[3]);
	if (*told == hash)
		return;
	/* Instructions that overlap it were of other bytes, and may come back. */
	for (i = 1; i < INSN_MAX; i++)
		st->told[(st->from - i) % STEP_TOLD] = 0;
	for (i = 1; i < st->insn.len; i++)
		st->told[(st->from + i) % STEP_TOLD] = 0;
	*told = hash;
	put_words(room(s, t), SLOW_CODE, st->insn.len, words, 4);
}

/* Emulate PTWRITE, which the processor may lack. */
static bool compute_ptwrite(struct soft *s, struct tracee *t)
{
	struct step_state *st = t->step;
	u64 words[3];
	u32 size;

	if (st->insn.kind != INSN_PTWRITE || !(s->r->pt_config & PT_CFG_PTW))
		return false;
	words[0] = host_tsc();
	words[1] = st->from;
	size = tracee_ptwrite(&t->regs, (struct bytes){ st->code, st->insn.len }, t->vm->mem,
			      &words[2]);
	if (!size)
		return false;
	put_words(room(s, t), SLOW_PTWRITE, size, words, 3);
	t->regs.raw.rip += st->insn.len;
	t->set_regs = true;
	return true;
}

/* The vsyscall page at the top of the address space: the kernel handles a call there as a fault,
 * and returns to the caller. A step then executes one instruction after the return. */
static void pass_kernel_page(struct soft *s, struct tracee *t)
{
	u64 ip = tracee_ip(&t->regs), back;

	if (!tracee_kernel_page(ip) || !vm_read(t->vm, t->regs.raw.rsp, &back, 8))
		return;
	step_interrupt(s, t, ip);
	t->regs.raw.rip = back;
	step_on(s, t, back);
	look(t);
	t->regs.raw.rip = ip;
}

/* The functions of the vDSO that tell the time begin anew if the kernel has changed the time
 * meanwhile, as it does at each tick of its clock (1 to 10 ms). In single steps they may never end.
 * So pt makes their system call after some attempts, and continues after their return. A handler
 * may have called such a function, too: then the stack pointer is far away. */
static bool leave_clock(struct tracee *t)
{
	struct step_state *st = t->step;
	u64 ip = tracee_ip(&t->regs), dev;
	const struct region *r;

	if (st->mode == INSN_32 || !tracee_reads_tsc(st->code) || ++st->tsc_reads < CLOCK_READS ||
	    ip - tracee_ip(&st->entry) + CLOCK_CODE > 2 * CLOCK_CODE ||
	    st->entry.raw.rsp - t->regs.raw.rsp > CLOCK_FRAME)
		return false;
	r = vm_region(t->vm, ip);
	return r && is_vdso(r) &&
	       target_namespace(t->tid, "time", &dev) == target_namespace(getpid(), "time", &dev) &&
	       tracee_tell_time(&t->regs, &st->entry, t->vm->mem);
}

/* Resume for one step. A program that has the trap flag set stops by itself. */
static void resume(struct soft *s, struct tracee *t, int signal)
{
	s->steps++;
	tracee_resume(s, t, t->step->trapping ? PTRACE_CONT : PTRACE_SINGLESTEP, signal,
		      TRACEE_STEP);
}

void step_into(struct soft *s, struct tracee *t, int signal)
{
	step_on(s, t, tracee_ip(&t->regs));
	look(t);
	put_code(s, t);
	resume(s, t, signal);
}

void step_next(struct soft *s, struct tracee *t)
{
	u64 ip = tracee_ip(&t->regs);

	step_on(s, t, ip);
	if (tracee_restarts(t->tid, &t->regs, t->vm->mem) || leave_clock(t)) {
		step_interrupt(s, t, ip);
		t->set_regs = true;
		step_on(s, t, tracee_ip(&t->regs));
	}
	do {
		look(t);
		put_code(s, t);
	} while (compute_ptwrite(s, t));
	pass_kernel_page(s, t);
	if (is_call(t->step)) {
		t->call = tracee_call(&t->regs, t->step->insn.kind == INSN_INT, t->args);
		tracee_resume(s, t, PTRACE_SYSCALL, 0, TRACEE_ENTER);
		return;
	}
	resume(s, t, 0);
}

bool step_pops_flags(const struct tracee *t)
{
	return tracee_pops_flags((struct bytes){ t->step->code, t->step->insn.len });
}

void step_done(struct soft *s, struct tracee *t)
{
	struct step_state *st = t->step;
	const struct bytes code = { st->code, st->insn.len };
	u64 ip = tracee_ip(&t->regs);

	if (!st->trapping)
		t->set_regs |= tracee_stepped(&t->regs, code, t->vm->mem);
	if (ip != st->from || !tracee_repeats(code))
		put_insn(s, t, ip);
}
