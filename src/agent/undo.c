/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Undo a branch to an address that is not canonical.
 *
 * A processor does not execute such a branch: it faults before it, with RIP at the branch. Emitted
 * code has executed it, and only the target is known. So the branch is searched for as a decoder
 * does it: the program's code is followed along the records in the ring, from the last stamp; or,
 * if a return leads to a call before that, from where the stack of calls was cleared.
 *
 *	... STAMP (forgot) 1 0 0 1 [target] 1 1 0 STAMP 0 1 [0x4141414141414141]
 *	    start ------------------------------- start ----> the branch
 */
#include "own.h"

enum { STEPS = 1 << 14 };	/* instructions between two records */
enum { RET_MORE = 0xc2 };

/* The path so far. 'calls' is a ring, like agent_thread.calls. */
struct path {
	struct agent_thread *t;
	u64 at, end;		/* positions of the next record, and after the last one */
	u64 ip;			/* of the next instruction; 0: it is not known */
	u64 calls[AGENT_CALLS];
	u32 top;
	struct insn insn;	/* at ip */
	u64 from, to;		/* its range of code */
};

static const u8 *record_at(const struct path *p)
{
	return p->t->ring_start + (p->at & (p->t->shared->ring_size - 1));
}

/* Pass a slow record, and return it. '*ip' is the address in it, or 0. */
static struct agent_slow pass_slow(struct path *p, u64 *ip)
{
	const u8 *at = record_at(p);
	u64 quarter = agent_quarter(p->t->shared);
	struct agent_slow s;

	memcpy(&s, at, sizeof(s));
	*ip = s.kind >= SLOW_STAMP && s.kind <= SLOW_ON ? get64(at + sizeof(s) + 8) : 0;
	if (s.kind == SLOW_PAD)
		p->at += quarter - p->at % quarter;
	else
		p->at += sizeof(s) + 8 * s.words;
	return s;
}

static bool is_start(const struct agent_slow *s, u32 bits)
{
	return (s->kind == SLOW_STAMP || s->kind == SLOW_ON) && (s->more & bits) == bits;
}

/* Find the last record that gives the address, and has these 'bits', in this quarter of the ring or
 * in the one before. */
static void find_start(struct path *p, u32 bits)
{
	u64 quarter = agent_quarter(p->t->shared), start, ip;
	struct agent_slow slow;

	p->at = p->end - p->end % quarter;
	p->at -= MIN(p->at, quarter);
	start = p->at;
	while (p->at < p->end) {
		u64 here = p->at;
		u8 tag = *record_at(p);

		if (tag != REC_SLOW) {
			p->at += tag == REC_INDIRECT ? 8 : 1;
			continue;
		}
		slow = pass_slow(p, &ip);
		if (is_start(&slow, bits))
			start = here;
	}
	p->at = start;
	p->ip = 0;
}

static void push(struct path *p, u64 next)
{
	p->calls[p->top++ % AGENT_CALLS] = next;
}

static struct bytes fetch(struct path *p)
{
	struct agent *a = p->t->agent;

	if (p->ip - p->from < p->to - p->from && p->to - p->ip >= INSN_MAX)
		return (struct bytes){ (const u8 *)p->ip, INSN_MAX };
	if (!maps_bounds(a, p->ip, &p->from, &p->to))
		p->from = p->to = 0;
	return maps_code(a, p->ip);
}

/* Go on to 'until', or to the next branch that has a record. False if it is not found. */
static bool go_on(struct path *p, u64 until)
{
	struct agent *a = p->t->agent;
	u64 next, to;
	u32 i;

	for (i = 0; i < STEPS; i++) {
		if (p->ip == until)
			return true;
		if (guard_changing(a, p->ip, p->ip + INSN_MAX) ||
		    insn_decode(&p->insn, INSN_64, fetch(p)) <= 0)
			return false;
		if (p->insn.kind >= INSN_COND)
			return p->insn.kind <= INSN_CALL_INDIRECT;
		next = p->ip + p->insn.len;
		to = insn_target(&p->insn, INSN_64, p->ip);
		if (p->insn.kind == INSN_CALL && to != next)
			push(p, next);
		p->ip = to;	/* of other instructions, this is the next one */
	}
	return false;
}

/* Follow the branch at p->ip by the next record. */
static void follow(struct path *p)
{
	const u8 *record = record_at(p);
	u64 next = p->ip + p->insn.len;

	if (*record == REC_INDIRECT) {
		if (p->insn.kind == INSN_CALL_INDIRECT)
			push(p, next);
		p->ip = (i64)get64(record) >> 8;
		p->at += 8;
		return;
	}
	if (p->insn.kind == INSN_RET)
		p->ip = p->calls[--p->top % AGENT_CALLS];
	else
		p->ip = *record == REC_TAKEN ? insn_target(&p->insn, INSN_64, p->ip) : next;
	p->at++;
}

/* Find the branch of the last record: p->ip, and p->insn. */
static bool find_branch(struct path *p, u32 bits)
{
	struct agent_slow slow;
	u64 ip;

	find_start(p, bits);
	while (p->at < p->end) {
		if (*record_at(p) == REC_SLOW) {
			slow = pass_slow(p, &ip);
			if (ip && p->ip)	/* there may be calls on the way */
				go_on(p, ip);
			if (ip)
				p->ip = is_start(&slow, 0) ? ip : 0;
		} else if (!p->ip || !go_on(p, 0)) {
			return false;
		} else if (p->at == p->end - 8 && *record_at(p) == REC_INDIRECT) {
			return p->insn.kind != INSN_COND;
		} else {
			follow(p);
		}
	}
	return false;
}

COLD u64 undo_branch(struct agent_thread *t)
{
	struct path p = { .t = t, .end = t->ring - (u64)t->ring_start + t->base };
	u8 code[3];
	bool found;

	agent_lock(t->agent);
	/* It is usually enough to begin at the last stamp. */
	found = !maps_code(t->agent, ring_target(t)).len &&
		(find_branch(&p, 0) || find_branch(&p, AGENT_FORGOT));
	agent_unlock(t->agent);
	if (!found)
		return 0;
	if (p.insn.kind == INSN_CALL_INDIRECT)
		t->regs.r[RSP] += 8;
	if (p.insn.kind == INSN_RET)
		t->regs.r[RSP] -= 8;
	if (p.insn.kind == INSN_RET && p.insn.len > 2) {
		sys_read_code(t->agent, code, p.ip + p.insn.len - 3, 3);
		if (*code == RET_MORE)
			t->regs.r[RSP] -= get16(code + 1);
	}
	t->ring -= 8;
	return p.ip;
}
