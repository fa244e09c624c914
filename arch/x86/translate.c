/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translate a block of a program's instructions to code in a code cache that does the same and
 * records each branch in a ring.
 *
 * The program keeps its own stack, registers and addresses: return addresses and pointers to code
 * are the original ones, so the program cannot see a change. Only RIP is in the cache. While the
 * program does not need r11, it is the ring's write pointer; the program's r11 is then in the
 * thread's slot, to which %gs points. 64-bit Linux programs do not use %gs.
 *
 * A block begins at any address of the program. It continues after conditional branches that are
 * not taken, after calls, and along forward jumps, up to an indirect jump, a system call, a
 * backward jump, the fourth conditional branch or call, the end of its page, or an address where
 * another block starts, or will start if one of its own branches is taken:
 *
 *	the program            the cache, hot                     the cache, cold
 *
 *	                check: cmp %r11, limit; jae ------------> call the agent: CHECK
 *	400: add  ...   entry: add  ...
 *	     je   900          je   side
 *	     mov  d(%rip)      mov  d'(%rip)
 *	     jmp  500
 *	500: cmp  ...          cmp  ...
 *	                       movb 0: not taken
 *	     jne  400          setne 1(%r11)
 *	                       lea  2(%r11), %r11
 *	                       jne  check                         (backward: linked to the check)
 *	     call 700          remember 'back'
 *	                       push 506   (the original address)
 *	                       jmp  --------------------------->  call the agent: BRANCH to 700
 *	                 back: return to 506? no --------------->  record the target; LOST
 *	506: sub  ...          movb 1: taken
 *	                       sub  ...
 *	     ret               pop  %rdx; jmp *(the stack of calls)
 *	                 side: movb 1: taken
 *	                       lea  1(%r11), %r11
 *	                       jmp  --------------------------->  call the agent: BRANCH to 900
 *
 * A branch that is not taken is recorded at the next branch, or at the end of the block, since the
 * path up to there implies its direction. Records are written by MOV and SETcc, and the pointer is
 * advanced by LEA, because these do not change flags. An exit leads to the agent until its target
 * is translated; then one store of four bytes links it (translate_link()).
 *
 * A return jumps to the 'back' of the last call on the stack of calls, with its target in RDX.
 * There the two addresses are compared. If they are equal, the return is recorded as a taken
 * branch: processors and decoders compress returns in the same way, also with 64 calls. If not, the
 * agent clears the stack of calls; its empty entries lead to the table. If the program's code
 * changes, translate_lose() makes each 'back' of the block lead to LOST.
 *
 * An indirect branch (or such a return) records its target and jumps through a table that is
 * indexed by the low 16 bits of the target. The entry is the target's stub. It compares the other
 * bits with LEA and JRCXZ, again without changing flags, and leads to the block, or to the next
 * stub with the same low bits, or to the agent:
 *
 *	mov %rcx, 24(%r11); mov ..., %rcx; mov %rcx, 1(%r11); movb $REC_INDIRECT, (%r11)
 *	lea 8(%r11), %r11; movzwl %cx, %ecx; jmp *table(,%rcx,8)
 *
 *	stub of T: mov -5(%r11), %ecx; lea -(T >> 16)(%rcx), %ecx; jrcxz hit; jmp *next
 *	      hit: mov 16(%r11), %rcx
 *
 * Every loop of the program contains a backward jump, a call or an indirect branch. These enter
 * blocks at 'check', so that the amount written between two checks of the ring is limited. (Forward
 * jumps into another page do the same, because there may be long chains of them; so do all exits
 * after a 'back', because up to 64 returns come without a check.) Only a brief block, which has no
 * other branch than a return or an indirect one at its end, is entered without the check, except by
 * an indirect branch: then it is part of no loop that has no check. So are the stubs that link
 * libraries.
 *
 * The mapping from an address in the cache back to the program's registers is not stored. If it is
 * needed (for signals, faults and detaching, which are rare), the block is translated again without
 * keeping the code, up to that address; t->state then says where each register is.
 */
#include <pt/agent.h>
#include <pt/arch.h>
#include <pt/config/SOFT_SPEED.h>

#include "translate.h"
#include "translate_emit.h"

enum { LAST_SIZE = 512 };	/* limit for an instruction and the end of a block */
enum { MANY_BYTES = 80 };	/* after the pointer: see SCRATCH */
enum { MANY_ZEROS = 7 };	/* branches not taken that one store records */
enum { INT3 = 0xcc, POPF = 0x9d, AC = 1 << 18 };

/* Branches not taken. */

/* Record the branches that were not taken, with one store of eight bytes. The next record
 * overwrites the bytes that are too many. */
static void put_zeros(struct translate *t, struct translate_code *c)
{
	if (!t->now.zeros)
		return;
	mark(t, c);
	EMIT(c, 0x49, 0xc7);			/* movq $0, k(%r11) */
	emit_ring(c, 0, t->now.pending - t->now.zeros);
	emit32(c, 0);
	if (!t->now.late)
		t->now.zeros = 0;
}

/* Record the taken branch that comes after the branches not taken: t->now.late. */
static void put_taken(struct translate *t, struct translate_code *c)
{
	i32 k = t->now.pending, zeros = t->now.zeros;

	if (zeros > 3) {
		put_zeros(t, c);
		zeros = 0;
	}
	mark(t, c);
	EMIT(c, 0x41, zeros ? 0xc7 : 0xc6);
	emit_ring(c, 0, k - zeros);
	if (zeros)
		emit32(c, REC_TAKEN << 8 * zeros);
	else
		EMIT(c, REC_TAKEN);
	t->now.late = t->now.zeros = 0;
	t->now.pending = k + 1;
}

/* Exits. */

/* The code is movl $exit, %gs:spill + EXIT_WORD; jmp enter. All words that it accesses are aligned:
 * a program may have asked for faults if they are not (EFLAGS.AC; Java does for a moment). */
void translate_leave(struct translate *t, struct translate_code *c, const struct translate_exit *x)
{
	u64 at = c->at;

	mark(t, c);
	emit64(c, (u64)(t->off.spill + EXIT_WORD) << 32 | 0x2504c700 | SLOT_PREFIX);
	emit32(c, at);
	mark(t, c);
	EMIT(c, 0xe9);
	emit_rel(c, t->enter);
	EMIT(c, x->kind, x->checked, 0);
	emit32(c, x->patch);
	emit64(c, x->ip);
	if (x->kind == EXIT_BRANCH)
		emit64(c, 0);
}

/* Does a link from the program's address 'from' go backward or into another page? */
static bool link_checks(u64 from, u64 to)
{
	return to <= from || (from ^ to) >> 12;
}

/* Must an exit at 'from' to 'to' check the ring? After a call of the block it must, because up to
 * 64 returns come without a check. */
static bool must_check(const struct translate *t, u64 from, u64 to)
{
	return t->n_backs || link_checks(from, to);
}

/* Emit the exit to 'to', to which the rel32 at 'patch' leads. Returns its address. */
static u64 exit_to(struct translate *t, u64 to, u8 checked, u64 patch)
{
	struct translate_code c = take_cold(t, sizeof(struct translate_exit));
	struct translate_state was = t->now;
	u64 start = c.at;

	if (CONFIG_SOFT_SPEED && t->exits && t->n_exits < TRANSLATE_EXITS)
		t->exits[t->n_exits++] = (struct translate_exit *)start;
	t->now.ip = to;
	t->now.pending = 0;		/* cond() may have recorded the branch, and made it -1 */
	translate_leave(t, &c, &(struct translate_exit){
		.ip = to, .kind = EXIT_BRANCH, .checked = checked, .patch = patch - start,
	});
	t->now = was;
	return start;
}

/* Emit a rel32 that leads to a side: code at the end of the block that adds t->now.pending bytes to
 * the pointer, records a delayed taken branch, and goes to 'to'. */
static void side(struct translate *t, u64 to, bool checked)
{
	t->sides[t->n_sides] = (struct translate_side){ t->now, t->hot, to, checked };
	t->sides[t->n_sides++].now.ip = to;
	t->quiet = MIN(t->quiet, to);
	emit32(&t->hot, 0);
}

/* Bring the pointer up to date. */
static void advance(struct translate *t)
{
	put_zeros(t, &t->hot);
	if (!t->now.pending)
		return;
	mark(t, &t->hot);
	emit_advance(&t->hot, t->now.pending);
	t->now.pending = 0;
	t->saved = false;
}

void translate_branch(struct translate *t, i32 cc, u64 to, u8 checked)
{
	unsigned int n = cc < 0 ? 1 : 2;
	u64 patch;

	mark(t, &t->hot);
	emit_align(&t->hot, n);
	mark(t, &t->hot);
	if (cc < 0)
		EMIT(&t->hot, 0xe9);
	else
		EMIT(&t->hot, 0x0f, 0x80 | cc);
	patch = t->hot.at;
	t->sure |= cc < 0 && !t->n_exits && !t->n_sides;
	emit_rel(&t->hot, exit_to(t, to, checked, patch));
}

/* End the block: the agent handles the instruction at t->now.ip. */
static void leave(struct translate *t, struct translate_exit *x)
{
	struct translate_code c;

	translate_swap_out(t);
	advance(t);
	mark(t, &t->hot);
	c = take_cold(t, LEAVE_SIZE);
	EMIT(&t->hot, 0xe9);
	emit_rel(&t->hot, c.at);
	x->ip = t->now.ip;
	translate_leave(t, &c, x);
}

/* Branches. */

static void cond(struct translate *t, u8 cc, u64 next, u64 to)
{
	i32 k;

	translate_swap_out(t);
	k = t->now.pending;
	if (to <= next) {
		put_zeros(t, &t->hot);
		mark(t, &t->hot);
		EMIT(&t->hot, 0x41, 0x0f, 0x90 | cc);
		emit_ring(&t->hot, 0, k);
		mark(t, &t->hot);
		emit_advance(&t->hot, k + 1);
		t->saved = false;
		t->now.pending = -1;
		translate_branch(t, cc, to, true);
		t->now.pending = 0;
	} else {
		if (t->now.zeros == MANY_ZEROS)
			put_zeros(t, &t->hot);
		mark(t, &t->hot);
		EMIT(&t->hot, 0x0f, 0x80 | cc);
		t->now.late = REC_TAKEN + 1;
		side(t, to, must_check(t, t->now.ip, to));
		t->now.late = 0;
		t->now.pending = k + 1;
		t->now.zeros++;
	}
	t->now.ip = next;
}

/* LOOP and JRCXZ have only 8-bit displacements, and LOOP changes RCX, so the branch is recorded
 * after it is executed. */
static COLD void loop(struct translate *t, const struct form *f, u64 next, u64 to)
{
	u64 from = t->now.ip;
	u8 *over;
	i32 k;

	translate_swap_out(t);
	put_zeros(t, &t->hot);
	k = t->now.pending;
	mark(t, &t->hot);
	if (f->addr32 || TRANSLATE_NARROW)
		EMIT(&t->hot, 0x67);
	EMIT(&t->hot, f->op, 7);
	t->now.ip = next;
	t->now.late = 1;
	mark(t, &t->hot);
	EMIT(&t->hot, 0x41, 0xc6);
	emit_ring(&t->hot, 0, k);
	EMIT(&t->hot, REC_NOT_TAKEN);
	t->now.late = 0;
	t->now.pending = k + 1;
	mark(t, &t->hot);
	EMIT(&t->hot, 0xeb, 0);
	over = t->hot.to;
	t->now.ip = to;
	t->now.pending = k;
	t->now.late = 2;
	mark(t, &t->hot);
	EMIT(&t->hot, 0x41, 0xc6);
	emit_ring(&t->hot, 0, k);
	EMIT(&t->hot, REC_TAKEN);
	t->now.late = 0;
	t->now.pending = k + 1;
	mark(t, &t->hot);
	EMIT(&t->hot, 0xe9);
	side(t, to, must_check(t, from, to));
	over[-1] = t->hot.to - over;
	t->now.ip = next;
}

/* Load (opcode 0fb6) or store (88) the 8-bit index 'top' in the thread's slot. */
static void emit_top(struct translate *t, u16 op, u8 reg)
{
	mark(t, &t->hot);
	EMIT(&t->hot, SLOT_PREFIX);
	if (op >> 8)
		EMIT(&t->hot, op >> 8);
	EMIT(&t->hot, op, reg << 3 | 4, 0x25);
	emit32(&t->hot, t->off.top);
}

/* Push the return address 'next'. Returns the place for push_address(), if it is needed. */
static struct translate_code push_return(struct translate *t, u64 next)
{
	struct translate_code at = { 0 };

	if (TRANSLATE_NARROW) {
		translate_push(t, next);
		return at;
	}
	mark(t, &t->hot);
	if (next < 1ULL << 31) {
		EMIT(&t->hot, 0x68);
		emit32(&t->hot, next);
		return at;
	}
	EMIT(&t->hot, 0xff, 0x35);		/* push next(%rip) */
	at = t->hot;
	emit32(&t->hot, 0);
	return at;
}

/* Write the address that PUSH reads. It is after the jump, in a cache line that is fetched
 * anyway. */
static void push_address(struct translate *t, struct translate_code at, u64 next)
{
	if (!at.at)
		return;
	emit_rel(&at, t->hot.at);
	emit64(&t->hot, next);
}

/* Push a call to the stack of calls. Its index 'top' is multiplied by 4, so that a byte wraps
 * after 64 calls; twice that is the offset of its entry: %gs:calls(%rcx,%rcx), which is shorter
 * than with a scale. Returns the place for the address of come_back(). rcx remains spilled. */
static struct translate_code remember(struct translate *t)
{
	struct translate_code back;

	spill(t, RCX);
	spill_second(t, RDX);
	emit_top(t, 0x0fb6, RCX);
	mark(t, &t->hot);
	EMIT(&t->hot, 0x48, 0x8d, 0x15);		/* lea back(%rip), %rdx */
	back = t->hot;
	emit32(&t->hot, 0);
	mark(t, &t->hot);
	EMIT(&t->hot, SLOT_PREFIX, 0x48, 0x89, 0x54, 0x09, t->off.calls); /* mov %rdx, calls */
	mark(t, &t->hot);
	EMIT(&t->hot, 0x8d, 0x49, 4);			/* lea 4(%rcx), %ecx */
	emit_top(t, 0x88, RCX);
	fill_second(t);
	return back;
}

/* Emit the code that the return of a call jumps to: rcx is the index of the call, rdx the target.
 * It clears the call's entry, so that this is not found again after 64 more returns. */
static void come_back(struct translate *t, struct translate_code back, u64 next)
{
	u8 pad = -t->hot.at & 7;	/* see translate_lose() */

	t->hot.at += pad;
	t->hot.to += pad;
	emit_rel(&back, t->hot.at);
	t->backs[t->n_backs++] = t->hot.at;
	t->now = (struct translate_state){
		.ip = TRANSLATE_RDX, .spilled = RCX + 1, .second = RDX + 1,
		.scratch = SCRATCH,
	};
	mark(t, &t->hot);
	EMIT(&t->hot, SLOT_PREFIX, 0xc7, 0x44, 0x09, t->off.calls);	/* movl $..., calls */
	emit32(&t->hot, t->enter + LOST);
	mark(t, &t->hot);
	if (next < 1ULL << 31) {
		EMIT(&t->hot, 0x48, 0x8d, 0x8a);	/* lea -next(%rdx), %rcx */
		emit32(&t->hot, -next);
	} else {
		emit_address(&t->hot, RCX, -next);
		mark(t, &t->hot);
		EMIT(&t->hot, 0x48, 0x8d, 0x0c, 0x11);	/* lea (%rcx,%rdx), %rcx */
	}
	mark(t, &t->hot);
	EMIT(&t->hot, 0xe3, 5);
	mark(t, &t->hot);
	EMIT(&t->hot, 0xe9);
	emit_rel(&t->hot, t->enter + LOST);
	t->now.ip = next;
	t->now.late = REC_TAKEN + 1;
	put_taken(t, &t->hot);
	fill_second(t);
	fill(t);
	t->saved = false;
}

/* False if the block ends with it. */
static bool call(struct translate *t, u64 next, u64 to)
{
	bool remembered = t->calls && to != next;
	struct translate_code back, at;

	translate_swap_out(t);
	advance(t);
	if (remembered) {
		back = remember(t);
		fill(t);
	}
	at = push_return(t, next);
	t->now.ip = to;
	translate_branch(t, -1, to, true);
	push_address(t, at, next);
	if (remembered)
		come_back(t, back, next);
	return remembered;
}

void translate_record(struct translate *t, i32 k)
{
	mark(t, &t->hot);
	EMIT(&t->hot, 0x49, 0x89);
	emit_ring(&t->hot, RCX, k + 1);
	mark(t, &t->hot);
	EMIT(&t->hot, 0x41, 0xc6);
	emit_ring(&t->hot, 0, k);
	EMIT(&t->hot, REC_INDIRECT);
	mark(t, &t->hot);
	emit_advance(&t->hot, k + 8);
	t->now.scratch -= k + 8;
}

void translate_by_table(struct translate *t)
{
	mark(t, &t->hot);
	EMIT(&t->hot, 0x0f, 0xb7, 0xc9);
	mark(t, &t->hot);
	EMIT(&t->hot, 0xff, 0x24, 0xcd);
	emit32(&t->hot, t->table);
	t->now.spilled = 0;
}

static void pop_target(struct translate *t, u8 reg, u16 more)
{
	if (TRANSLATE_NARROW) {
		translate_pop_target(t, reg, more);
		return;
	}
	mark(t, &t->hot);
	EMIT(&t->hot, 0x58 | reg);
	t->now.sp = 8;
	if (!more)
		return;
	mark(t, &t->hot);
	EMIT(&t->hot, 0x48, 0x8d, 0xa4, 0x24);
	emit32(&t->hot, more);
	t->now.sp = 8 + more;
}

static void ret(struct translate *t, const struct form *f, const u8 *code)
{
	u16 more = f->op == 0xc2 ? get16(code + f->op_at + 1) : 0;

	translate_swap_out(t);
	advance(t);
	spill(t, RCX);
	if (!t->calls) {
		pop_target(t, RCX, more);
		translate_record(t, 0);
		t->now.sp = 0;
		t->now.ip = TRANSLATE_LAST;
		translate_by_table(t);
		return;
	}
	spill_second(t, RDX);
	emit_top(t, 0x0fb6, RCX);
	mark(t, &t->hot);
	EMIT(&t->hot, 0x8d, 0x49, 0xfc);		/* lea -4(%rcx), %ecx */
	mark(t, &t->hot);
	EMIT(&t->hot, 0x0f, 0xb6, 0xc9);		/* movzbl %cl, %ecx */
	emit_top(t, 0x88, RCX);
	pop_target(t, RDX, more);
	mark(t, &t->hot);
	EMIT(&t->hot, SLOT_PREFIX, 0xff, 0x64, 0x09, t->off.calls);	/* jmp *calls */
}

/* Does the operand contain rcx (or r9)? */
static bool may_use_rcx(const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at], sib = code[f->modrm_at + 1];

	return (modrm & 7) == RCX ||
	       (modrm < 0xc0 && (modrm & 7) == 4 && ((sib & 7) == RCX || (sib >> 3 & 7) == RCX));
}

/* False if the block ends with it. */
static bool indirect(struct translate *t, const struct form *f, const u8 *code, u64 next)
{
	bool is_call = f->insn.kind == INSN_CALL_INDIRECT, remembered = is_call && t->calls;
	struct translate_code back, at = { 0 };

	translate_swap_out(t);
	if (remembered)
		back = remember(t);
	if (remembered && may_use_rcx(f, code))
		fill(t);
	if (!t->now.spilled)
		spill(t, RCX);
	translate_target(t, f, code);
	translate_swap_out(t);
	put_zeros(t, &t->hot);
	translate_record(t, t->now.pending);
	t->now.pending = -8;
	if (is_call)
		at = push_return(t, next);
	t->now.pending = 0;
	t->now.ip = TRANSLATE_LAST;
	translate_by_table(t);
	push_address(t, at, next);
	if (remembered)
		come_back(t, back, next);
	return remembered;
}

/* The agent records the operand. Processors without PTWRITE do the same. */
static COLD void ptwrite(struct translate *t, const struct form *f, const u8 *code)
{
	spill(t, RCX);
	translate_target(t, f, code);
	translate_swap_out(t);
	mark(t, &t->hot);
	emit_save(&t->hot, RCX, t->off.spill + 16);
	fill(t);
	leave(t, &(struct translate_exit){
		.kind = EXIT_PTWRITE, .checked = form_wide(f, code) ? 8 : 4, .patch = f->insn.len,
	});
}

/* XBEGIN: the agent aborts the transaction at once. Before that, execute an XBEGIN with an XABORT:
 * processors without transactions fault here, as the program expects. */
static COLD void xbegin(struct translate *t, const struct form *f, const u8 *code)
{
	unsigned int len = f->insn.len;

	mark(t, &t->hot);
	EMIT(&t->hot, 0x66, 0xc7, 0xf8, 3, 0, 0xc6, 0xf8, 0);
	leave(t, &(struct translate_exit){
		.kind = EXIT_XBEGIN,
		.patch = len + (f->op16 && !form_wide(f, code) ? (i16)get16(code + len - 2) :
				(i32)get32(code + len - 4)),
	});
}

/* POPF: with the flag AC, misaligned accesses of the cache would fault, so the agent executes one
 * that sets it. The test may change the other flags, since POPF does. */
static COLD void test_flags(struct translate *t)
{
	struct translate_code c;

	translate_swap_out(t);
	advance(t);
	mark(t, &t->hot);
	EMIT(&t->hot, 0xf6, 0x44, 0x24, 2, AC >> 16);	/* testb $AC >> 16, 2(%rsp) */
	mark(t, &t->hot);
	c = take_cold(t, LEAVE_SIZE);
	EMIT(&t->hot, 0x0f, 0x85);
	emit_rel(&t->hot, c.at);
	translate_leave(t, &c, &(struct translate_exit){ .kind = EXIT_ODD, .ip = t->now.ip });
}

/* Blocks. */

/* Translate the instruction at t->now.ip. False if the block ends with it. */
static bool translate_one(struct translate *t, const struct form *f, const u8 *code)
{
	u64 next = t->now.ip + f->insn.len;
	u64 to = insn_target(&f->insn, TRANSLATE_MODE, t->now.ip);

	if (form_is_odd(f, code)) {
		leave(t, &(struct translate_exit){ .kind = EXIT_ODD });
		return false;
	}
	if (form_is_xbegin(f, code)) {
		xbegin(t, f, code);
		return false;
	}
	switch (f->insn.kind) {
	case INSN_COND:
		if (f->map || f->op < 0xe0)
			cond(t, f->op & 15, next, to);
		else
			loop(t, f, next, to);
		return true;
	case INSN_JUMP:
		if (to > t->now.ip && !link_checks(t->now.ip, to)) {
			t->now.ip = to;
			return true;
		}
		translate_swap_out(t);
		advance(t);
		t->now.ip = to;
		translate_branch(t, -1, to, true);
		return false;
	case INSN_CALL:
		return call(t, next, to);
	case INSN_RET:
		ret(t, f, code);
		return false;
	case INSN_CALL_INDIRECT: case INSN_JUMP_INDIRECT:
		return indirect(t, f, code, next);
	case INSN_SYSCALL:
		leave(t, &(struct translate_exit){ .kind = EXIT_CALL });
		return false;
	case INSN_INT:
		t->int3 |= f->op == INT3 && !f->map;
		if (!TRANSLATE_NARROW || f->op != 0xcd || code[f->op_at + 1] != 0x80)
			break;
		leave(t, &(struct translate_exit){ .kind = EXIT_CALL });
		return false;
	case INSN_PTWRITE:
		if (!t->ptwrite)
			break;
		ptwrite(t, f, code);
		return false;
	}
	if (f->op == POPF && !f->map && !f->op16)
		test_flags(t);
	translate_copy(t, f, code);
	return true;
}

/* Copy the instructions at t->now.ip that can be copied without a closer look, and add their number
 * to t->n. Only one, if an address is looked up: there may be one after each of them. True if the
 * block continues with an instruction that needs a closer look. */
static bool copy_plain(struct translate *t, struct bytes *code, u64 full)
{
	u32 most = t->find ? 1 : t->max - t->n, n = most;
	u64 limit = MIN(t->quiet - t->now.ip, full + 1 - t->hot.at);
	u32 len = form_plain_run(*code, limit, &n, NULL), i;

	if (len)	/* else the next instruction may be a jump, which emits nothing */
		mark(t, &t->hot);
	for (i = 0; i < len; i += 8)
		set64(t->hot.to + i, get64(code->at + i));
	t->hot.at += len;
	t->hot.to += len;
	t->now.ip += len;
	if (n)
		t->span = MAX(t->span, t->now.ip - t->ip);
	t->n += n;
	*code = bytes_skip(*code, len);
	return len < limit && n < most && (!n || code->len >= 2 * INSN_MAX);
}

static void emit_sides(struct translate *t)
{
	struct translate_side *s = t->sides, *end = s + t->n_sides;

	for (; s < end; s++) {
		emit_rel(&s->rel, t->hot.at);
		t->now = s->now;
		if (t->now.late)
			put_taken(t, &t->hot);
		advance(t);
		translate_branch(t, -1, s->to, s->checked);
	}
}

/* Continue in another block, because this one is long enough or the other one exists. */
static void go_on(struct translate *t, u64 from)
{
	translate_swap_out(t);
	advance(t);
	translate_branch(t, -1, t->now.ip, must_check(t, from, t->now.ip));
}

/* Does the block end before the instruction at t->now.ip? Finds out how far it does not, too. */
static bool is_over(struct translate *t, u64 full)
{
	u64 ip = t->now.ip, page = (t->ip | 0xfff) + 1;
	u32 i;

	if (t->now.pending > MANY_BYTES || t->hot.at > full)
		return true;
	if (ip < t->quiet)
		return false;
	if (ip == t->ip || (ip ^ t->ip) >> 12)
		return true;
	t->quiet = t->border(t->who, ip);
	if (t->quiet == ip)
		return true;
	t->quiet = MIN(t->quiet, page);
	for (i = 0; i < t->n_sides; i++) {	/* its branches */
		u64 to = t->sides[i].to;

		if (to == ip)
			return true;
		if (to > ip)
			t->quiet = MIN(t->quiet, to);
	}
	return false;
}

/* Translate the block's instructions. False if the first one cannot be read. */
static bool translate_all(struct translate *t)
{
	u64 from = t->ip, full = t->hot.at + TRANSLATE_HOT - LAST_SIZE;
	u32 conds = 0;
	bool ends = false;
	struct form f;

	t->quiet = t->ip + 1;
	t->n = 0;
	while (t->n < t->max && !t->found && !ends && conds < TRANSLATE_CONDS) {
		struct bytes code;

		if (t->n && is_over(t, full))
			break;
		from = t->now.ip;
		code = t->fetch(t->who, from);
		if (!t->stores_end && !copy_plain(t, &code, full))
			continue;
		from = t->now.ip;
		if (form_decode(&f, code) <= 0) {
			if (!t->n)
				return false;
			break;
		}
		t->n++;
		t->span = MAX(t->span, from + f.insn.len - t->ip);
		if (!translate_one(t, &f, code.at)) {
			t->brief = !conds && !t->n_backs && f.insn.kind >= INSN_RET &&
				f.insn.kind <= INSN_CALL_INDIRECT;
			emit_sides(t);
			return true;
		}
		/* After a call, the code may have changed. */
		ends = (t->stores_end && form_may_store(&f, code.at)) ||
			(t->may_change && t->n_backs) || t->n_backs == TRANSLATE_BACKS;
		conds += f.insn.kind == INSN_COND;
	}
	go_on(t, from);
	emit_sides(t);
	return true;
}

bool translate_block(struct translate *t)
{
	struct translate_code from;

	t->now = (struct translate_state){ .ip = t->ip };
	t->compares = t->compares && translate_can_compare(t);
	/* If the comparison finds other code, that may read the flags. */
	if (!t->flags)
		t->flags = !t->compares && translate_flags_are_dead(t) ?
			TRANSLATE_DEAD : TRANSLATE_LIVE;
	translate_check(t);
	if (!t->compares)
		return translate_all(t);
	mark(t, &t->hot);
	EMIT(&t->hot, 0xe9);
	from = t->hot;
	emit32(&t->hot, 0);
	if (!translate_all(t))
		return false;
	translate_compare(t, from);
	return true;
}
