/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which instructions the time between two stamps belongs to.
 *
 * After a stamp, the address of the program is known. From there the records are followed through
 * the code for a short way, the window, and a block of code in it is drawn at random, weighted by
 * its cost. The time packet stands before the record of the branch that ends the block: decoders
 * read packets first, and then walk to the branch, so that the block is what they sample.
 *
 *	records    STAMP  T   N   T   TIP   N  T ...
 *	blocks          400 40c 412 430   500  51a        each with its cost
 *
 * Costs are learned. Some windows are run through a simple model of an out-of-order processor: a
 * limited number of instructions begins in a cycle, each waits for its operands, in registers or in
 * memory at a known address, and takes its latency; they retire in order. The cost of a block is
 * how long it keeps the next one from retiring: that is what samples of a timer show. After a
 * branch that its own history does not predict, the front end begins anew.
 */
#include <pt/agent.h>
#include <pt/arch.h>
#include <pt/base.h>
#include <pt/operands.h>

#include "cycles.h"

enum {
	MAX_BLOCKS = 48, MAX_RECORDS = 24,	/* of a window */
	MAX_OPS = 32,			/* of a block */
	N_OPS = 1 << 14, N_BLOCKS = 1 << 13,	/* tables, by address */
	N_PREDICTED = 1 << 14,
	N_RETURNS = 64,
	PAGE = 4096, N_PAGES = 1 << 10,	/* of code that was read */
	LEARN_ALL = 256,			/* the first windows are all simulated, */
	LEARN_ONE_IN = 256,		/* later ones only one in this many */
	/* The processor. */
	WIDTH = 8, IN_FLIGHT = 448, LOAD = 4, RESTART = 13, N_STORES = 64,
	UNIT = 256,			/* costs are in parts of a cycle */
};

struct op {
	u64 ip;				/* 0: an empty entry */
	u64 to;				/* the target of a direct branch */
	struct operands uses;
	u32 space;
	u8 len, kind;
};

/* A page of code, and the bytes after it that its last instruction may have. */
struct page {
	u64 ip;
	u32 space, len;
	u8 code[PAGE + INSN_MAX];
};

/* Code up to the next branch, with it. */
struct block {
	u64 ip;
	u64 to;				/* the branch's target; of a return the last one */
	u64 after;			/* the address after it */
	u32 space;
	u32 cost;			/* average, in UNITs */
	u16 history;			/* of a conditional branch */
	u8 n;				/* instructions */
	u8 kind;			/* of the branch */
	bool learned;
};

/* A block of the window. */
struct seen {
	struct block *block;
	u32 at;				/* offset of the record that leads out of here */
	bool missed;			/* its branch was predicted wrongly */
};

struct cycles {
	struct op ops[N_OPS];
	struct block blocks[N_BLOCKS];
	u8 predicted[N_PREDICTED];	/* by address and history: 0 or 1 not taken, 2 or 3 taken */
	struct seen seen[MAX_BLOCKS];
	u32 n_seen, n_windows, seed;
	u64 returns[N_RETURNS];
	u32 depth;
	struct cycles_space space;
	struct page *pages[N_PAGES];	/* by address */
	struct arena *arena;
};

struct cycles *cycles_open(struct arena *a)
{
	struct cycles *c = NEW(a, struct cycles, 1);

	c->arena = a;
	return c;
}

static u32 mix(const struct cycles *c, u64 ip)
{
	return (ip + c->space.id) * 0x9e3779b97f4a7c15ull >> 32;
}

/* -- The window ---------------------------------------------------------------------- */

static struct bytes code_at(struct cycles *c, u64 ip)
{
	u64 start = ip & ~(u64)(PAGE - 1);
	struct page **at = &c->pages[mix(c, start) % N_PAGES], *page = *at;

	if (!page)
		page = *at = NEW(c->arena, struct page, 1);
	if (!page->len || page->ip != start || page->space != c->space.id) {
		page->ip = start;
		page->space = c->space.id;
		page->len = c->space.fetch(c->space.who, start, page->code, sizeof(page->code));
	}
	return bytes_skip((struct bytes){ page->code, page->len },
			  MIN(ip - start, (u64)page->len));
}

static const struct op *op_at(struct cycles *c, u64 ip)
{
	struct op *op = &c->ops[mix(c, ip) % N_OPS];
	struct bytes code;
	struct insn insn;

	if (likely(op->ip == ip && op->space == c->space.id))
		return op;
	code = code_at(c, ip);
	if (insn_decode(&insn, INSN_64, code) <= 0)
		return NULL;
	*op = (struct op){ .ip = ip, .space = c->space.id, .len = insn.len, .kind = insn.kind,
			   .to = insn_target(&insn, INSN_64, ip) };
	operands_read(&op->uses, (struct bytes){ code.at, insn.len }, ip);
	return op;
}

static struct block *block_at(struct cycles *c, u64 ip)
{
	struct block *b = &c->blocks[mix(c, ip) % N_BLOCKS];
	const struct op *op;

	if (likely(b->ip == ip && b->space == c->space.id))
		return b;
	*b = (struct block){ .ip = ip, .space = c->space.id, .after = ip };
	do {
		op = op_at(c, b->after);
		if (!op) {
			b->ip = 0;
			return NULL;
		}
		b->after += op->len;
		b->cost += op->uses.latency > LOAD ? op->uses.latency * UNIT : UNIT / 4;
	} while (op->kind <= INSN_PTWRITE && ++b->n < MAX_OPS);
	b->n += op->kind > INSN_PTWRITE;
	b->kind = op->kind;
	b->to = op->to;
	return b;
}

/* A conditional branch: was it predicted wrongly? */
static bool misses(struct cycles *c, struct block *b, bool taken)
{
	u8 *p = &c->predicted[(mix(c, b->ip) ^ b->history * 0x85ebca6bu) >> 18];
	bool wrong = *p >> 1 != taken;

	b->history = b->history << 1 | taken;
	*p += taken ? *p < 3 : -(*p > 0);
	return wrong;
}

static void push(struct cycles *c, u64 ip)
{
	c->returns[c->depth++ % N_RETURNS] = ip;
}

/* Follow the record at the front of '*in' from the end of a block. Returns the next address, or 0
 * if they do not match or it is unknown. */
static u64 follow(struct cycles *c, struct seen *s, struct bytes *in)
{
	u8 tag = in->len ? *in->at : REC_SLOW;
	struct block *b = s->block;

	if (tag == REC_INDIRECT && in->len >= 8 && b->kind != INSN_COND) {
		b->to = (i64)get64(in->at) >> 8;
		*in = bytes_skip(*in, 8);
		if (b->kind == INSN_CALL_INDIRECT)
			push(c, b->after);
		else if (b->kind == INSN_RET)
			c->depth = 0;
		return b->to;
	}
	if (tag > REC_TAKEN || (b->kind != INSN_COND && b->kind != INSN_RET))
		return 0;
	*in = bytes_skip(*in, 1);
	if (b->kind == INSN_RET) {
		if (c->depth)
			b->to = c->returns[--c->depth % N_RETURNS];
		return tag == REC_TAKEN ? b->to : 0;
	}
	s->missed = misses(c, b, tag);
	return tag ? b->to : b->after;
}

static void look(struct cycles *c, u64 ip, struct bytes in)
{
	const u8 *start = in.at;
	u32 records = 0, at = 0;
	struct seen *s;

	c->depth = c->n_seen = 0;
	while (ip && c->n_seen < MAX_BLOCKS && records < MAX_RECORDS) {
		s = &c->seen[c->n_seen];
		*s = (struct seen){ block_at(c, ip), at, false };
		if (!s->block)
			break;
		c->n_seen++;
		switch (s->block->kind) {
		case INSN_OTHER:
		case INSN_PTWRITE:
			ip = s->block->after;
			break;
		case INSN_CALL:
			push(c, s->block->after); /* fall through */
		case INSN_JUMP:
			ip = s->block->to;
			break;
		case INSN_COND: case INSN_RET: case INSN_JUMP_INDIRECT: case INSN_CALL_INDIRECT:
			ip = follow(c, s, &in);
			at = in.at - start;
			records++;
			break;
		default:
			ip = 0;
		}
	}
}

/* -- The processor ------------------------------------------------------------------- */

struct store { u64 place; u32 base, version, ready; };

struct core {
	u32 ready[N_OPERANDS], version[N_OPERANDS];
	struct store stores[N_STORES];
	u32 retired[IN_FLIGHT];
	u32 begins, n_begun;		/* cycle, and instructions in it so far */
	u32 retires, n_retired;
	u32 done;			/* of the last instruction */
};

static struct store *store_of(struct core *p, const struct operands *o)
{
	return &p->stores[(o->place * 0x9e3779b97f4a7c15ull + o->base * 0x9e3779b9u) >> 58];
}

static bool holds(const struct core *p, const struct store *s, const struct operands *o)
{
	return s->place == o->place && s->base == o->base &&
	       (o->base == OPERAND_NONE || s->version == p->version[o->base]);
}

/* The cycle in which its operands are there. */
static u32 operands_ready(struct core *p, const struct operands *o, u32 cycle)
{
	u64 left;

	for (left = o->reads; left; left &= left - 1)
		cycle = MAX(cycle, p->ready[__builtin_ctzll(left)]);
	if (o->load && o->placed && holds(p, store_of(p, o), o))
		cycle = MAX(cycle, store_of(p, o)->ready);
	return cycle;
}

static void write_results(struct core *p, const struct operands *o, u32 cycle)
{
	u64 left;
	u32 n;

	if (o->store && o->placed)
		*store_of(p, o) = (struct store){ o->place, o->base,
			o->base == OPERAND_NONE ? 0 : p->version[o->base], cycle + 1 };
	for (left = o->writes; left; left &= left - 1) {
		n = __builtin_ctzll(left);
		p->ready[n] = cycle;
		p->version[n]++;
	}
}

static void begin_in(struct core *p, u32 cycle)
{
	if (cycle > p->begins) {
		p->begins = cycle;
		p->n_begun = 0;
	}
}

/* The 'i'th instruction of the window. */
static void execute(struct core *p, const struct operands *o, u32 i)
{
	u32 done;

	if (p->n_begun >= WIDTH)
		begin_in(p, p->begins + 1);
	if (i >= IN_FLIGHT)
		begin_in(p, p->retired[i % IN_FLIGHT]);
	p->n_begun++;
	done = operands_ready(p, o, p->begins) + o->latency + (o->load ? LOAD : 0);
	write_results(p, o, done);
	p->done = done;
	if (done > p->retires) {
		p->retires = done;
		p->n_retired = 1;
	} else if (++p->n_retired == WIDTH) {
		p->retires++;
		p->n_retired = 0;
	}
	p->retired[i % IN_FLIGHT] = p->retires;
}

/* Run a block; instructions before it: 'i'. Returns for how long it kept others from retiring. */
static u32 run(struct cycles *c, struct core *p, const struct seen *s, u32 i)
{
	u32 before = p->retires * WIDTH + p->n_retired, n;
	const struct op *op;
	u64 ip = s->block->ip;

	for (n = 0; n < s->block->n; n++) {
		op = op_at(c, ip);
		if (!op)
			break;
		execute(p, &op->uses, i + n);
		ip += op->len;
	}
	if (s->missed)
		begin_in(p, p->done + RESTART);
	else
		begin_in(p, p->begins + 1);
	return (p->retires * WIDTH + p->n_retired - before) * (UNIT / WIDTH);
}

static void learn(struct cycles *c)
{
	struct core p = { 0 };
	struct block *b;
	u32 i, n = 0, cost;

	for (i = 0; i < c->n_seen; i++) {
		b = c->seen[i].block;
		cost = run(c, &p, &c->seen[i], n);
		n += b->n;
		b->cost = b->learned ? b->cost + ((i32)(cost - b->cost) >> 3) : cost;
		b->learned = true;
	}
}

/* -- The choice ---------------------------------------------------------------------- */

static u32 draw(struct cycles *c, u64 total)
{
	u64 left;
	u32 i;

	c->seed = c->seed * 1664525 + 1013904223;
	left = total * c->seed >> 32;
	for (i = 0; i + 1 < c->n_seen && left >= c->seen[i].block->cost; i++)
		left -= c->seen[i].block->cost;
	return c->seen[i].at;
}

bool cycles_choose(struct cycles *c, const struct cycles_space *space, u64 ip,
		   struct bytes records, u32 *at, u32 n)
{
	u64 total = 0;
	u32 i, k, place;

	c->space = *space;
	look(c, ip, records);
	if (c->n_windows++ < LEARN_ALL || c->n_windows % LEARN_ONE_IN == 0)
		learn(c);
	for (i = 0; i < c->n_seen; i++)
		total += c->seen[i].block->cost;
	if (!total)
		return false;
	for (i = 0; i < n; i++) {
		place = draw(c, total);
		for (k = i; k && at[k - 1] > place; k--)
			at[k] = at[k - 1];
		at[k] = place;
	}
	return true;
}
