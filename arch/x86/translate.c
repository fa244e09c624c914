/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A stretch of a program's instructions to the same instructions in a code cache, with every
 * branch told in a ring.
 *
 * The program keeps its own stack, its own registers and its own addresses: return addresses and
 * pointers to code are those of the original, so nothing the program can look at is changed. Only
 * RIP is in the cache, and r11, while it is not needed, is the ring's write pointer; the program's
 * r11 then lies in the thread's block, which %gs points to. %gs is free in 64-bit Linux programs.
 *
 * A block begins at any address of the program and goes straight on, over conditional branches
 * that are not taken and along jumps forward, until it meets an indirect branch, a call, a system
 * call, a jump back, the begin of another block, or the end of its page:
 *
 *	the program            the cache, hot                     the cache, cold
 *
 *	                check: cmp %r11, limit; jae ------------> tell the agent: CHECK
 *	400: add  ...   entry: add  ...
 *	     je   900          je   --------------------------->  movb 1: taken
 *	     mov  d(%rip)      mov  d'(%rip)                      lea 1(%r11), %r11
 *	     jmp  500                                             jmp  (linked: the block of 900)
 *	500: cmp  ...          cmp  ...                           tell the agent: BRANCH to 900
 *	                       movb 0: not taken
 *	     jne  400          setne 1(%r11)
 *	                       lea  2(%r11), %r11
 *	                       jne  check                         (backward: linked to the check)
 *	     call 700          movl x2: record 506
 *	                       lea  8(%r11), %r11
 *	                       push 506   (the original address)
 *	                       jmp  --------------------------->  tell the agent: BRANCH to 700
 *
 * A branch that is not taken is told where the next one is, or where the block ends: the path
 * up to there says what it was. Records are made by MOV and SETcc, and the pointer is advanced by
 * LEA, since none of these changes a flag. An exit leads to the agent until its target has been translated; then one store
 * of four bytes links it (translate_link()).
 *
 * An indirect branch (a return, too) writes its target as a record and jumps through a table that
 * is indexed by the low 16 bits of the target. There it finds the target's stub, which compares
 * the other bits by LEA and JRCXZ, again without flags, and leads to the block, or to the next
 * stub with the same low bits, or to the agent:
 *
 *	mov %rcx, spill; pop %rcx; mov %rcx, 1(%r11); movb $REC_RETURN, (%r11)
 *	lea 8(%r11), %r11; movzwl %cx, %ecx; jmp *table(,%rcx,8)
 *
 *	stub of T: mov -5(%r11), %ecx; lea -(T >> 16)(%rcx), %ecx; jrcxz hit; jmp *next
 *	      hit: mov spill, %rcx
 *
 * Every cycle of the program's flow has a jump back, a call or an indirect branch in it, and these
 * enter blocks by 'check', which is what bounds how much is written between two looks at the ring.
 * (So does a jump forward into another page, for chains of such.)
 *
 * The way back, from an address in the cache to the program's registers there, is not stored. The
 * same translation is done once more, into nowhere, until it comes to that address: t->now then
 * says what is where. It is needed for signals, faults and detaching, which are rare.
 */
#include <pt/agent.h>
#include <pt/arch.h>

#include "translate.h"
#include "translate_emit.h"

enum { LOOK_AHEAD = 16 };	/* instructions, for dead flags */
enum { LEAVE_CODE = 24, LEAVE_SIZE = 48, EXIT_SIZE = 80 };
enum { MANY_ZEROS = 7 };	/* branches not taken that one store tells */

/* What the next instruction at 'c' starts from is t->now. */
static void mark(struct translate *t, const struct translate_code *c)
{
	if (t->find == c->at && t->find && !t->found) {
		t->found = true;
		t->state = t->now;
	}
}

/* -- Where r11 is -------------------------------------------------------------------- */

/* r11 becomes the program's. */
static void swap_in(struct translate *t)
{
	if (t->now.swapped)
		return;
	mark(t, &t->hot);
	emit_save(&t->hot, R11, t->off.ring);
	mark(t, &t->hot);
	emit_load(&t->hot, R11, t->off.r11);
	t->now.swapped = true;
}

/* r11 becomes the write pointer. */
static void swap_out(struct translate *t)
{
	if (!t->now.swapped)
		return;
	mark(t, &t->hot);
	emit_save(&t->hot, R11, t->off.r11);
	mark(t, &t->hot);
	emit_load(&t->hot, R11, t->off.ring);
	t->now.swapped = false;
}

/* -- Branches not taken --------------------------------------------------------------- */

/* They are told when something else has to be, by one store: what it writes beyond them is
 * written over. */
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

/* The branch that is taken after them, which t->now.late says. */
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

/* -- Exits --------------------------------------------------------------------------- */

/* Take 'n' bytes, a multiple of 8, from the cold end. */
static struct translate_code take_cold(struct translate *t, unsigned int n)
{
	t->cold.at -= n;
	t->cold.to -= n;
	return t->cold;
}

/* Tell the agent. t->now is what holds here. 'patch': the rel32 that leads here, or 0. */
static void emit_leave(struct translate *t, struct translate_code *c, struct translate_exit x,
		       u64 patch)
{
	u64 data = c->at + LEAVE_CODE;

	mark(t, c);
	emit_save(c, R11, t->off.ring);
	mark(t, c);
	EMIT(c, 0x4c, 0x8d, 0x1d);
	emit_rel(c, data);
	t->now.swapped = 2;
	mark(t, c);
	t->now.swapped = 0;
	EMIT(c, 0xe9);
	emit_rel(c, t->enter);
	while (c->at < data)
		EMIT(c, 0xcc);
	if (patch)
		x.patch = patch - data;
	emit(c, &x, sizeof(x));
}

/* Does a link from the program's address 'from' to 'to' have to check the ring? */
static bool link_checks(u64 from, u64 to)
{
	return to <= from || (from ^ to) >> 12;
}

/* Code for the exit to 'to', with t->now.pending bytes still to be added to the pointer, and
 * perhaps a taken branch still to be told. It is linked by the rel32 at 'patch', or by one of its own if 'patch' is 0. Returns its address. */
static u64 exit_to(struct translate *t, u64 to, bool checked, u64 patch)
{
	struct translate_code c = take_cold(t, patch ? LEAVE_SIZE : EXIT_SIZE);
	struct translate_state was = t->now;
	u64 start = c.at;

	t->now.ip = to;
	if (!patch) {
		if (t->now.late)
			put_taken(t, &c);
		mark(t, &c);
		emit_advance(&c, t->now.pending);
		t->now.pending = 0;
		mark(t, &c);
		emit_align(&c, 1);
		mark(t, &c);
		EMIT(&c, 0xe9);
		patch = c.at;
		emit32(&c, 0);
	}
	emit_leave(t, &c, (struct translate_exit){
		.ip = to, .kind = EXIT_BRANCH, .checked = checked,
	}, patch);
	t->now = was;
	return start;
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
}

/* jmp, or jcc by its opcode's low four bits, straight to the block of 'to' once that is there. */
static void branch_to(struct translate *t, i32 cc, u64 to, bool checked)
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
	emit_rel(&t->hot, exit_to(t, to, checked, patch));
}

/* Leave for good: the instruction at t->now.ip is the agent's. */
static void leave(struct translate *t, enum translate_kind kind)
{
	struct translate_code c;

	swap_out(t);
	advance(t);
	mark(t, &t->hot);
	c = take_cold(t, LEAVE_SIZE);
	EMIT(&t->hot, 0xe9);
	emit_rel(&t->hot, c.at);
	emit_leave(t, &c, (struct translate_exit){ .ip = t->now.ip, .kind = kind }, 0);
}

/* -- Branches ------------------------------------------------------------------------ */

static void cond(struct translate *t, u8 cc, u64 next, u64 to)
{
	i32 k;

	swap_out(t);
	k = t->now.pending;
	if (to <= next) {
		put_zeros(t, &t->hot);
		mark(t, &t->hot);
		EMIT(&t->hot, 0x41, 0x0f, 0x90 | cc);
		emit_ring(&t->hot, 0, k);
		mark(t, &t->hot);
		emit_advance(&t->hot, k + 1);
		t->now.pending = -1;
		branch_to(t, cc, to, true);
		t->now.pending = 0;
	} else {
		if (t->now.zeros == MANY_ZEROS)
			put_zeros(t, &t->hot);
		mark(t, &t->hot);
		EMIT(&t->hot, 0x0f, 0x80 | cc);
		t->now.late = REC_TAKEN + 1;
		emit_rel(&t->hot, exit_to(t, to, link_checks(t->now.ip, to), 0));
		t->now.late = 0;
		t->now.pending = k + 1;
		t->now.zeros++;
	}
	t->now.ip = next;
}

/* LOOP and JRCXZ know only one byte, and the first of them change RCX: the record comes after. */
static void loop(struct translate *t, const struct form *f, u64 next, u64 to)
{
	u64 from = t->now.ip;
	u8 *over;
	i32 k;

	swap_out(t);
	put_zeros(t, &t->hot);
	k = t->now.pending;
	mark(t, &t->hot);
	if (f->addr32)
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
	emit_rel(&t->hot, exit_to(t, to, link_checks(from, to), 0));
	over[-1] = t->hot.to - over;
	t->now.ip = next;
}

/* Push the return address 'next', and tell it. Before: t->now is at the call, with the pointer
 * so far short of the records. */
static void push_return(struct translate *t, u64 next)
{
	struct translate_code c;

	mark(t, &t->hot);
	if (next < 1ULL << 31) {
		EMIT(&t->hot, 0x68);
		emit32(&t->hot, next);
		return;
	}
	c = take_cold(t, 8);
	EMIT(&t->hot, 0xff, 0x35);
	emit_rel(&t->hot, c.at);
	emit64(&c, next);
}

/* The record of a call: its return address. Nobody reads it soon, so two halves will do. */
static void record_call(struct translate *t, u64 next, i32 k)
{
	u64 record = next << 8 | REC_CALL;

	mark(t, &t->hot);
	EMIT(&t->hot, 0x41, 0xc7);
	emit_ring(&t->hot, 0, k);
	emit32(&t->hot, record);
	mark(t, &t->hot);
	EMIT(&t->hot, 0x41, 0xc7);
	emit_ring(&t->hot, 0, k + 4);
	emit32(&t->hot, record >> 32);
}

static void call(struct translate *t, u64 next, u64 to)
{
	i32 n = t->calls && to != next ? 8 : 0;

	swap_out(t);
	put_zeros(t, &t->hot);
	if (n)
		record_call(t, next, t->now.pending);
	if (t->now.pending + n) {
		mark(t, &t->hot);
		emit_advance(&t->hot, t->now.pending + n);
	}
	t->now.pending = -n;
	push_return(t, next);
	t->now.pending = 0;
	t->now.ip = to;
	branch_to(t, -1, to, true);
}

/* rcx is the target: tell it, and go by the table. */
static void record_target(struct translate *t, u8 tag, i32 k)
{
	mark(t, &t->hot);
	EMIT(&t->hot, 0x49, 0x89);
	emit_ring(&t->hot, RCX, k + 1);
	mark(t, &t->hot);
	EMIT(&t->hot, 0x41, 0xc6);
	emit_ring(&t->hot, 0, k);
	EMIT(&t->hot, tag);
}

static void go_by_table(struct translate *t)
{
	mark(t, &t->hot);
	EMIT(&t->hot, 0x0f, 0xb7, 0xc9);
	mark(t, &t->hot);
	EMIT(&t->hot, 0xff, 0x24, 0xcd);
	emit32(&t->hot, t->table);
	t->now.spilled = 0;
}

static void spill_rcx(struct translate *t)
{
	mark(t, &t->hot);
	emit_save(&t->hot, RCX, t->off.spill);
	t->now.spilled = RCX + 1;
}

static void ret(struct translate *t, const struct form *f, const u8 *code)
{
	u16 more = f->op == 0xc2 ? get16(code + f->op_at + 1) : 0;

	swap_out(t);
	put_zeros(t, &t->hot);
	spill_rcx(t);
	mark(t, &t->hot);
	EMIT(&t->hot, 0x59);
	t->now.sp = 8;
	record_target(t, REC_RETURN, t->now.pending);
	mark(t, &t->hot);
	emit_advance(&t->hot, t->now.pending + 8);
	t->now.pending = -8;
	if (more) {
		mark(t, &t->hot);
		EMIT(&t->hot, 0x48, 0x8d, 0xa4, 0x24);
		emit32(&t->hot, more);
	}
	t->now.pending = 0;
	t->now.sp = 0;
	t->now.ip = TRANSLATE_LAST;
	go_by_table(t);
}

/* -- Copies -------------------------------------------------------------------------- */

/* A register that the instruction, which has its operand in memory, does not use. Those that
 * instructions use without saying so are not among them. */
static u8 free_register(const struct form *f, const u8 *code)
{
	u8 reg = (code[f->modrm_at] >> 3 & 7) + f->r, i;
	static const u8 may[] = { RSI, RDI, RBP };

	for (i = 0; may[i] == reg || may[i] == f->v; i++)
		;
	return may[i];
}

/* Its bytes, without a prefix GS: that has base 0 to the program, as flat as DS. The
 * displacement, if relative to RIP, becomes 'disp'. */
static void copy_bytes(struct translate_code *c, const struct form *f, const u8 *code, i32 disp)
{
	unsigned int i;

	for (i = 0; i < f->insn.len; i++) {
		if (f->rip && i == f->disp_at) {
			emit32(c, disp);
			i += 3;
		} else if (code[i] != 0x65 || i >= f->op_at || (f->vex_at && i >= f->vex_at - 1u)) {
			EMIT(c, code[i]);
		}
	}
}

static unsigned int copied_len(const struct form *f, const u8 *code)
{
	unsigned int i, len = f->insn.len, end = f->vex_at ? f->vex_at - 1 : f->op_at;

	for (i = 0; i < end; i++)
		len -= code[i] == 0x65;
	return len;
}

static bool fits(i64 v)
{
	return v == (i32)v;
}

/* mov $v, reg */
static void emit_address(struct translate_code *c, u8 reg, u64 v)
{
	EMIT(c, 0x48 | reg >> 3, 0xb8 | (reg & 7));
	emit64(c, v);
}

/* The operand is out of reach: its address goes into a register that is free. */
static void copy_far(struct translate *t, const struct form *f, const u8 *code, u64 at)
{
	u8 reg = free_register(f, code), bytes[INSN_MAX];
	unsigned int len = f->insn.len;
	struct form near = *f;

	memcpy(bytes, code, len);
	bytes[f->modrm_at] = (code[f->modrm_at] & 0x38) | reg;
	if (reg == RBP)		/* which has no form without a displacement */
		bytes[f->modrm_at] |= 0x80;
	mark(t, &t->hot);
	emit_save(&t->hot, reg, t->off.spill);
	t->now.spilled = reg + 1;
	mark(t, &t->hot);
	emit_address(&t->hot, reg, at);
	mark(t, &t->hot);
	if (reg == RBP) {
		copy_bytes(&t->hot, &near, bytes, 0);
	} else {
		near.rip = false;
		near.insn.len = f->disp_at;
		copy_bytes(&t->hot, &near, bytes, 0);
		emit(&t->hot, bytes + f->disp_at + 4, len - f->disp_at - 4);
	}
	t->now.ip += len;
	mark(t, &t->hot);
	emit_load(&t->hot, reg, t->off.spill);
	t->now.spilled = 0;
}

static u64 operand_of(const struct form *f, const u8 *code, u64 ip)
{
	u64 at = ip + f->insn.len + (i32)get32(code + f->disp_at);

	return f->addr32 ? (u32)at : at;
}

/* An instruction that is no branch. */
static void copy(struct translate *t, const struct form *f, const u8 *code)
{
	u64 at = f->rip ? operand_of(f, code, t->now.ip) : 0;
	i64 disp;

	if (form_touches_r11(f, code))
		swap_in(t);
	disp = at - (t->hot.at + copied_len(f, code));
	if (f->rip && (!fits(disp) || f->addr32)) {
		if (f->op == 0x8d && !f->map && !f->vex_at && !f->op16 && !f->addr32) {
			mark(t, &t->hot);
			emit_address(&t->hot, (code[f->modrm_at] >> 3 & 7) + f->r, at);
		} else {
			copy_far(t, f, code, at);
			return;
		}
	} else {
		mark(t, &t->hot);
		copy_bytes(&t->hot, f, code, disp);
	}
	t->now.ip += f->insn.len;
}

/* The target of an indirect jump or call to rcx: the same operand, of a MOV. */
static void load_target(struct translate *t, const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at], rm = modrm & 7;
	u64 at = f->rip ? operand_of(f, code, t->now.ip) : 0;
	u8 rex = 0x48 | (f->x >> 2) | (f->b >> 3);

	if (modrm >= 0xc0 && rm + f->b == R11 && !t->now.swapped) {
		mark(t, &t->hot);
		emit_load(&t->hot, RCX, t->off.r11);
		return;
	}
	if (form_touches_r11(f, code))
		swap_in(t);
	if (f->rip) {
		mark(t, &t->hot);
		emit_address(&t->hot, RCX, at);
		mark(t, &t->hot);
		if (f->seg == 0x64)
			EMIT(&t->hot, 0x64);
		EMIT(&t->hot, 0x48, 0x8b, 0x09);
		return;
	}
	mark(t, &t->hot);
	if (f->seg == 0x64)
		EMIT(&t->hot, 0x64);
	if (f->addr32)
		EMIT(&t->hot, 0x67);
	EMIT(&t->hot, rex, 0x8b, (modrm & 0xc7) | RCX << 3);
	emit(&t->hot, code + f->modrm_at + 1, f->insn.len - f->modrm_at - 1);
}

static void indirect(struct translate *t, const struct form *f, const u8 *code, u64 next)
{
	bool is_call = f->insn.kind == INSN_CALL_INDIRECT;
	i32 n = is_call && t->calls ? 8 : 0, k;

	if (!form_touches_r11(f, code))
		swap_out(t);
	spill_rcx(t);
	load_target(t, f, code);
	swap_out(t);
	put_zeros(t, &t->hot);
	k = t->now.pending;
	if (n)
		record_call(t, next, k);
	record_target(t, REC_INDIRECT, k + n);
	mark(t, &t->hot);
	emit_advance(&t->hot, k + n + 8);
	t->now.pending = -n - 8;
	if (is_call)
		push_return(t, next);
	t->now.pending = 0;
	t->now.ip = TRANSLATE_LAST;
	go_by_table(t);
}

/* -- Blocks -------------------------------------------------------------------------- */

/* Are the status flags dead at 'ip': written before they are read? */
static bool flags_are_dead(const struct translate *t, u64 ip)
{
	struct form f;
	unsigned int i;

	for (i = 0; i < LOOK_AHEAD; i++) {
		struct bytes code = t->fetch(t->who, ip);

		if (form_decode(&f, code) <= 0)
			return false;
		if (f.insn.kind == INSN_JUMP || f.insn.kind == INSN_CALL) {
			ip = insn_target(&f.insn, INSN_64, ip);
			continue;
		}
		if (f.insn.kind != INSN_OTHER || form_flags(&f, code.at) == FLAGS_READ)
			return false;
		if (form_flags(&f, code.at) == FLAGS_KILLED)
			return true;
		ip += f.insn.len;
	}
	return false;
}

/* The same without flags: the sign of pointer - limit, spread over a byte of rcx. */
static void check_keeping_flags(struct translate *t)
{
	struct translate_code *c = &t->hot;

	spill_rcx(t);
	mark(t, c);
	emit_load(c, RCX, t->off.below);
	mark(t, c);
	EMIT(c, 0x49, 0x8d, 0x0c, 0x0b);	/* lea (%r11,%rcx), %rcx */
	mark(t, c);
	EMIT(c, 0x48, 0x0f, 0xc9);		/* bswap %rcx */
	mark(t, c);
	EMIT(c, 0x0f, 0xb6, 0xc9);		/* movzbl %cl, %ecx */
	mark(t, c);
	EMIT(c, 0xe3, 2);			/* jrcxz: not below */
	mark(t, c);
	EMIT(c, 0xeb, 14);
	mark(t, c);
	emit_load(c, RCX, t->off.spill);
	t->now.spilled = 0;
	mark(t, c);
	EMIT(c, 0xe9);
	t->now.spilled = RCX + 1;
}

/* The entry that checks the ring. */
static void check(struct translate *t, bool dead)
{
	struct translate_code cold = take_cold(t, LEAVE_SIZE);
	u64 leaves = cold.at;

	t->checked = t->hot.at;
	if (dead) {
		mark(t, &t->hot);
		EMIT(&t->hot, 0x65, 0x4c, 0x3b, 0x1c, 0x25);
		emit32(&t->hot, t->off.limit);
		mark(t, &t->hot);
		EMIT(&t->hot, 0x0f, 0x83);
		emit_rel(&t->hot, leaves);
	} else {
		check_keeping_flags(t);
		emit_rel(&t->hot, leaves);
		mark(t, &t->hot);
		emit_load(&t->hot, RCX, t->off.spill);
		t->now.spilled = 0;
	}
	emit_leave(t, &cold, (struct translate_exit){ .ip = t->ip, .kind = EXIT_CHECK }, 0);
	t->entry = t->hot.at;
}

/* Instructions that do something to what the cache relies on, or that go on elsewhere. All others
 * that may not be executed in user mode fault in the cache as they would outside. */
static bool is_odd(const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at], reg = modrm >> 3 & 7;

	switch (f->insn.kind) {
	case INSN_FAR_CALL: case INSN_FAR_JUMP: case INSN_FAR_RET: case INSN_IRET:
		return true;
	case INSN_INT:
		return f->op == 0xcd;
	}
	if (f->rip && f->b)
		return true;
	/* What 0x66 does to a branch is not the same everywhere; before REX.W it does nothing. */
	if (f->insn.kind >= INSN_JUMP && f->op16 && !(f->rex_at && code[f->rex_at - 1] & 8))
		return true;
	if (f->insn.kind > INSN_COND && f->vex_at)
		return true;
	if (f->vex_at)
		return false;
	if (!f->map)
		return (f->op == 0x8e && reg == 5) ||
		       (f->op == 0xc7 && modrm == 0xf8);
	return f->map == 1 && ((f->op == 0xae && f->rep && modrm >= 0xc0 && (reg & 5) == 1) ||
			       f->op == 0xa9 || f->op == 0xb5 || f->op == 0x34);
}

/* One instruction at t->now.ip. False if the block ends with it. */
static bool translate_one(struct translate *t, const struct form *f, const u8 *code)
{
	u64 next = t->now.ip + f->insn.len, to = next + f->insn.rel;

	if (is_odd(f, code)) {
		leave(t, EXIT_ODD);
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
		swap_out(t);
		advance(t);
		t->now.ip = to;
		branch_to(t, -1, to, true);
		return false;
	case INSN_CALL:
		call(t, next, to);
		return false;
	case INSN_RET:
		ret(t, f, code);
		return false;
	case INSN_CALL_INDIRECT: case INSN_JUMP_INDIRECT:
		indirect(t, f, code, next);
		return false;
	case INSN_SYSCALL:
		leave(t, EXIT_CALL);
		return false;
	}
	copy(t, f, code);
	return true;
}

/* Go on in another block: this one is long enough, or that one is there. */
static void go_on(struct translate *t, u64 from)
{
	swap_out(t);
	advance(t);
	branch_to(t, -1, t->now.ip, link_checks(from, t->now.ip));
}

bool translate_block(struct translate *t)
{
	u64 from = t->ip;
	struct form f;

	t->now = (struct translate_state){ .ip = t->ip };
	if (form_decode(&f, t->fetch(t->who, t->ip)) <= 0)
		return false;
	check(t, flags_are_dead(t, t->ip));
	for (t->n = 0; t->n < t->max && !t->found; t->n++) {
		struct bytes code = t->fetch(t->who, t->now.ip);

		if (t->n && (t->now.ip == t->ip || t->stop(t->who, t->now.ip) ||
			     (t->now.ip ^ t->ip) >> 12 || t->now.pending > 100))
			break;
		if (form_decode(&f, code) <= 0) {
			if (!t->n)
				return false;
			break;
		}
		from = t->now.ip;
		t->span = from + f.insn.len - t->ip;
		if (!translate_one(t, &f, code.at)) {
			t->n++;
			mark(t, &t->hot);
			return true;
		}
	}
	go_on(t, from);
	return true;
}

/* -- What all blocks share ----------------------------------------------------------- */

u32 translate_enter(struct translate_code code, u64 agent, struct translate_offsets off)
{
	struct translate t = { .hot = code, .off = off, .enter = code.at };
	u64 start = code.at;
	u32 miss;

	EMIT(&t.hot, 0xff, 0x25);
	emit32(&t.hot, 2);
	EMIT(&t.hot, 0xcc, 0xcc);
	emit64(&t.hot, agent);
	miss = t.hot.at - start;
	emit_load(&t.hot, RCX, off.spill);
	emit_leave(&t, &t.hot, (struct translate_exit){
		.ip = TRANSLATE_LAST, .kind = EXIT_MISS,
	}, 0);
	return miss;
}

struct translate_exit *translate_stub(struct translate *t, u64 next)
{
	t->now = (struct translate_state){ .ip = TRANSLATE_LAST, .spilled = RCX + 1 };
	mark(t, &t->hot);
	EMIT(&t->hot, 0x41, 0x8b, 0x4b, 0xfb);		/* mov -5(%r11), %ecx */
	mark(t, &t->hot);
	EMIT(&t->hot, 0x8d, 0x89);			/* lea -(T >> 16)(%rcx), %ecx */
	emit32(&t->hot, -(u32)(t->ip >> 16));
	mark(t, &t->hot);
	EMIT(&t->hot, 0xe3, 14);
	mark(t, &t->hot);
	EMIT(&t->hot, 0xff, 0x25);
	emit32(&t->hot, 0);
	emit64(&t->hot, next);
	mark(t, &t->hot);
	emit_load(&t->hot, RCX, t->off.spill);
	t->now.spilled = 0;
	t->now.ip = t->ip;
	branch_to(t, -1, t->ip, true);
	return (struct translate_exit *)(t->cold.at + LEAVE_CODE);
}

void translate_link(struct translate_exit *x, u64 entry)
{
	u32 *at = (u32 *)((u8 *)x + x->patch);

	__atomic_store_n(at, (u32)(entry - ((u64)at + 4)), __ATOMIC_RELEASE);
}

void translate_unlink(struct translate_exit *x)
{
	translate_link(x, (u64)x - LEAVE_CODE);
}
