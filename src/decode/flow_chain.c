/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The fastest way: what a packet makes of a run, in one step.
 *
 * A chain says where a run and the results of one TNT, six at most, or the address
 * of one TIP lead: so many instructions on, to that run, with these calls pushed. It
 * is learned where all links on the way are known, of what nobody heeds, and found in
 * a table without a look at the runs. A return to a caller of before is compared
 * with the stack; if that is another one than when it was learned, the chain is good up
 * to that return, and results that are left are looked up like a TNT of their own.
 *
 * Each step waits for the one before, and for little else: a chain has the place of the
 * next ready but for what the packet adds, and that is known before (a load and an
 * exclusive or: pure loops became a third faster). State is in registers. Time is put
 * down with the first packet behind one that tells it, as no other changes it.
 */
#include "flow_skip.h"

enum { CHAINS_MIN = 1 << 10, CHAINS_MAX = 1 << 14 };

/* What is to be done with a chain beyond going to its end: struct chain.how. */
enum {
	CHAIN_NOT = 1,		/* it is none: somebody heeds what is there, or it is not quick */
	CHAIN_PUSH = 2,		/* calls, some of which may have returned on the way */
	CHAIN_POP = 4,		/* a return to what was called before */
	CHAIN_RET = 8,		/* a TIP: a return */
	CHAIN_REST = 16,	/* results are left */
};

enum {
	TIP_MARK = 1,		/* what else stands there are results below a stop bit: 2 to 127 */
	CHAIN_CALLS = 4,
	LINE = 2 * sizeof(struct chain),
};

#define NO_CYC (~0ULL)

/* Where a chain is, in bytes: it has two places, which share a cache line. What the run adds
 * to that and what the packet does. */
static inline u32 place_of_run(u32 id, u32 mask)
{
	return id * LINE & mask;
}

static inline u32 place_of_results(u32 results, u32 mask)
{
	return results * (0x9e377 * LINE) & mask;
}

static inline u32 place_of_ip(u64 ip, u32 mask)
{
	return (ip * 0x9e3779b97f4a7c15 >> 32) * LINE & mask;
}

static inline struct chain *chain_at(struct chain *chains, u32 place)
{
	return (struct chain *)((u8 *)chains + place);
}

static u32 mask_of(const struct runs *runs)
{
	return runs->n_chains * sizeof(*runs->chains) - LINE;
}

/* The older one of the two at its place goes. */
static struct chain *put(struct runs *runs, const struct chain *new)
{
	u32 mask = mask_of(runs), low = new->key % (1 << RESULT_BITS);
	u32 packet = low == TIP_MARK ? place_of_ip(new->ip, mask) : place_of_results(low, mask);
	struct chain *c = chain_at(runs->chains,
				   place_of_run(new->key >> RESULT_BITS, mask) ^ packet);

	c[1] = c[0];
	c[0] = *new;
	c[0].next = place_of_run(new->end >> RESULT_BITS, mask);
	return c;
}

/* As many as are needed, up to what a cache holds. */
static void grow(struct runs *runs)
{
	u32 n = runs->chains ? runs->n_chains * 2 : CHAINS_MIN, i = runs->n_chains;
	struct chain *old = runs->chains;
	u8 *at = arena_alloc(&runs->arena, n * sizeof(*old) + LINE);

	runs->chains = (struct chain *)(at + -(uintptr_t)at % LINE);
	runs->n_chains = n;
	runs->n_learned = 0;
	while (old && i--)
		if (old[i].key)
			put(runs, &old[i]);
}

/* A chain being learned. */
struct draft {
	struct chain c;
	u64 insns;
	bool any;
	struct call *calls;	/* of one run */
	u32 n_calls;
};

/* As small as 'run' allows. */
static void fill(struct node *node, const struct run *run)
{
	if (run->n > UINT16_MAX)
		return;
	node->way = way(run);
	node->n_calls = MIN(run->n_calls, 7U);
	node->calls = (uintptr_t)run_calls(run);
	node->n = run->n;
}

/* Of the run with that id. */
static struct node *node_at(struct runs *runs, u32 id)
{
	struct node *node;
	u32 n;

	if (unlikely(id >= runs->n_nodes)) {
		n = MAX(runs->n_nodes, 1U << 12);	/* large enough to cost what is touched */
		while (n <= id)
			n *= 2;
		runs->nodes = arena_grow(&runs->arena, runs->nodes, sizeof(*node), runs->n_nodes,
					 n);
		runs->n_nodes = n;
	}
	node = &runs->nodes[id];
	if (unlikely(!node->n))
		fill(node, runs_by_id(runs, id));
	return node;
}

/* The id, plus 1, of the run behind a conditional branch; 0 if there is no link. */
static u32 follow(const struct runs *runs, struct node *node, u32 id, bool taken)
{
	const struct run *next;
	u32 to = taken ? node->taken : node->not_taken;

	if (likely(to))
		return to;
	next = runs_by_id(runs, id)->link[taken];
	to = next ? next->id + 1 : 0;
	if (taken)
		node->taken = to;
	else
		node->not_taken = to;
	return to;
}

static bool add_calls(struct draft *d, const struct node *node)
{
	if (!node->n_calls)
		return true;
	if (d->n_calls || node->n_calls > CHAIN_CALLS)
		return false;
	d->calls = (struct call *)(uintptr_t)node->calls;
	d->n_calls = node->n_calls;
	d->c.how |= CHAIN_PUSH;
	return true;
}

static u32 count_results(u32 results)
{
	return results ? 31 - __builtin_clz(results) : 0;
}

/* The last 'n' of the results. */
static u32 last_results(u32 results, u32 n)
{
	return n ? 1U << n | (results & ((1U << n) - 1)) : 0;
}

/* A return to what was called before the chain, behind so many instructions. The run there, or 0,
 * as in struct call. */
static u32 pop_known(const struct flow *f, struct draft *d, u64 insns, u32 rest)
{
	const struct call *call = f->ret[(f->ret_top - 1) % FLOW_RET_STACK].call;

	d->c.pop_insns = insns;
	d->c.pop_rest = rest;
	d->c.pop = (uintptr_t)call;
	d->c.how |= CHAIN_POP;
	return call->run;
}

/* Results of a TNT from a run on. False if a link is missing: it may be known the next time. */
static bool learn_results(const struct flow *f, struct draft *d, u32 id, u32 results)
{
	u32 n = count_results(results), next;
	struct chain *c = &d->c;

	for (; n; n--, id = next - 1) {
		bool taken = results >> (n - 1) & 1;
		struct node *node = node_at(f->runs, id);

		if (!node->n || node->way == QUICK_NO || node->way == QUICK_INDIRECT ||
		    (node->way == QUICK_RET && (!taken || f->setup.no_compression)))
			break;
		if (d->insns + node->n > UINT16_MAX || !add_calls(d, node))
			break;
		if (node->way != QUICK_RET)
			next = follow(f->runs, node, id, taken);
		else if (d->n_calls)
			next = d->calls[--d->n_calls].run;
		else if (c->how & CHAIN_POP || !f->ret_n)
			break;
		else
			next = pop_known(f, d, d->insns + node->n, last_results(results, n - 1));
		if (!next)
			return false;
		d->insns += node->n;
		d->any = true;
	}
	c->end = id << RESULT_BITS;
	c->insns = d->insns;
	c->n_pushes = d->n_calls;
	c->pushes = (uintptr_t)d->calls;
	c->rest = last_results(results, n);
	if (n)
		c->how |= CHAIN_REST;
	if (!d->any)
		c->how = CHAIN_NOT;
	return true;
}

/* A TIP to 'ip'. */
static bool learn_tip(const struct flow *f, struct chain *c, const struct run *r, u64 ip)
{
	const struct run *end;

	c->ip = ip;
	c->how = CHAIN_NOT;
	if (way(r) < QUICK_RET || (ip ^ r->ip) >> 63 ||
	    r->n_calls > CHAIN_CALLS || r->n > UINT16_MAX)
		return true;
	end = runs_known(f->runs, r->key, ip);
	if (!end)
		return false;
	c->end = end->id << RESULT_BITS;
	c->insns = r->n;
	c->how = r->end == INSN_RET ? CHAIN_RET : 0;
	c->n_pushes = r->n_calls + (r->end == INSN_CALL_INDIRECT);
	if (c->n_pushes)
		c->how |= CHAIN_PUSH;
	c->pushes = (uintptr_t)run_calls(r);
	return true;
}

/* The chain of 'key' and 'ip', learned now; NULL if that was not possible. */
static __attribute__((noinline)) struct chain *learn(struct flow *f, u32 key, u64 ip)
{
	struct draft d = { .c.key = key };
	struct runs *runs = f->runs;
	u32 low = key % (1 << RESULT_BITS), id = key >> RESULT_BITS;

	if (!(low == TIP_MARK ? learn_tip(f, &d.c, runs_by_id(runs, id), ip) :
				learn_results(f, &d, id, low)))
		return NULL;
	if (f->setup.no_compression) {
		d.c.how &= ~(CHAIN_PUSH | CHAIN_RET);
		d.c.n_pushes = 0;
	}
	if (++runs->n_learned > runs->n_chains && runs->n_chains < CHAINS_MAX)
		grow(runs);
	return put(runs, &d.c);
}

/* Where the loop is. */
struct ride {
	const u8 *at;
	u32 run;		/* its id, RESULT_BITS up */
	u32 place;		/* place_of_run() */
	u64 insns, last_ip;
	u32 last;		/* key of the last chain; 0: there was none */
	const struct call *pop;	/* what its return to a caller of before returned from */
	u32 ret_n, ret_top;
	enum { NO_TIME, NEW_TIME, NEW_CYC } time;	/* what the next branch has to put down */
	u64 cyc_n, insns_at_cyc;
	/* What the last branch behind a CYC has to put down, and the last that cycles end at. */
	bool put;
	u64 step_cyc, step_insns, exact_cyc;
	/* Of struct runs. */
	struct chain *chains;
	u32 mask;
};

static inline void be_at(struct ride *d, u32 id)
{
	d->run = id << RESULT_BITS;
	d->place = place_of_run(id, d->mask);
}

static inline void go_on(struct ride *d, u32 key, const struct chain *c)
{
	d->last = key;
	d->insns += c->insns;
	d->run = c->end;
	d->place = c->next;
}

static inline bool is_chain(const struct chain *c, u32 key, u64 ip)
{
	return likely(c->key == key && (!ip || c->ip == ip));
}

/* NULL if it is not known; 'ip' is 0 for results. The one used last is first: a third were not,
 * which the CPU did not guess, and the other one is what goes (python took a tenth longer). */
static inline const struct chain *look_up(const struct ride *d, u32 key, u32 packet, u64 ip)
{
	struct chain *c = chain_at(d->chains, d->place ^ packet), second;

	if (is_chain(c, key, ip))
		return c;
	second = c[1];
	if (!is_chain(&second, key, ip))
		return NULL;
	c[1] = c[0];
	c[0] = second;
	return c;
}

static inline const struct chain *find(struct ride *d, struct skip *k, u32 key, u32 packet, u64 ip)
{
	const struct chain *c = look_up(d, key, packet, ip);

	if (likely(c))
		return c;
	k->f->ret_n = d->ret_n;
	k->f->ret_top = d->ret_top;
	c = learn(k->f, key, ip);
	d->chains = k->f->runs->chains;
	d->mask = mask_of(k->f->runs);
	d->place = place_of_run(d->run >> RESULT_BITS, d->mask);
	return c;
}

static inline void push_calls(struct ride *d, struct flow *f, const struct chain *c)
{
	struct call *calls = (struct call *)(uintptr_t)c->pushes;
	u32 i;

	for (i = 0; i < c->n_pushes; i++)
		f->ret[d->ret_top++ % FLOW_RET_STACK] = (struct ret){ calls[i].back, &calls[i] };
	d->ret_n += i;
}

/* Return to where the stack says: without a look at the run. */
static inline void pop_run(struct ride *d, struct skip *k)
{
	struct flow *f = k->f;
	struct ret *ret = &f->ret[--d->ret_top % FLOW_RET_STACK];
	u32 id = ret->call->run;

	d->ret_n--;
	if (unlikely(!id)) {
		skip_go_back(f, ret);
		skip_look_up(k);
		id = k->run->id + 1;
	}
	be_at(d, id - 1);
}

/* The next branch is the first one behind a sign of time. Of CYCs only the last counts:
 * that is for put_down_cyc(). */
static inline void put_down_time(struct ride *d, struct skip *k, bool cycles, bool taken)
{
	if (d->time == NEW_CYC) {
		d->put = true;
		d->step_cyc = d->cyc_n;
		d->step_insns = d->insns_at_cyc;
		if (cycles)
			d->exact_cyc = d->cyc_n;
	} else {
		skip_heed_threshold(k->f);
		skip_set_time(k, cycles, taken);
	}
	d->time = NO_TIME;
}

static inline void put_down_cyc(const struct ride *d, struct skip *k)
{
	struct flow *f = k->f;
	u64 n = f->setup.approximate ? d->step_cyc : d->exact_cyc;

	f->step_tsc = f->clock.tsc;
	k->step_cyc = d->step_cyc;
	f->step_insns = d->step_insns;
	if (n != NO_CYC)
		f->step_cycles = f->clock.cycles + (n - f->clock.cyc_n);
}

/* Results of a TNT, with their stop bit. Returns those that are left, or 0. */
static inline u32 ride_results(struct ride *d, struct skip *k, u32 results)
{
	struct flow *f = k->f;
	const struct chain *c;
	struct ret *ret;
	u32 key;

	do {
		key = d->run | results;
		c = find(d, k, key, place_of_results(results, d->mask), 0);
		if (unlikely(!c))
			break;
		if (!c->how) {
			go_on(d, key, c);
			return 0;
		}
		if (unlikely(c->how & CHAIN_NOT || d->ret_n > FLOW_RET_STACK - 8))
			break;
		if (c->how & CHAIN_POP) {
			if (unlikely(!d->ret_n))
				break;
			ret = &f->ret[(d->ret_top - 1) % FLOW_RET_STACK];
			if ((uintptr_t)ret->call != c->pop) {
				d->last = key;
				d->pop = NULL;
				d->insns += c->pop_insns;
				results = c->pop_rest;
				pop_run(d, k);
				continue;
			}
			d->pop = ret->call;
			d->ret_n--;
			d->ret_top--;
		}
		push_calls(d, f, c);
		results = c->rest;
		go_on(d, key, c);
	} while (unlikely(results));
	return results;
}

/* TNTs of one byte that only lead on. */
static inline void ride_plain(struct ride *d, const u8 *end)
{
	struct ride r = *d;	/* in registers */
	u32 key, b;

	while (r.at < end && !((b = *r.at) & 1) && b > 2) {
		const struct chain *c;

		key = r.run | b >> 1;
		c = look_up(&r, key, place_of_results(b >> 1, r.mask), 0);
		if (!c || c->how)
			break;
		go_on(&r, key, c);
		r.at++;
	}
	*d = r;
}

static inline bool ride_tip(struct ride *d, struct skip *k, u32 b)
{
	static const u64 keeps[8] = { 0, ~0xffffULL, ~0xffffffffULL, 0, ~0xffffffffffffULL };
	u32 size = packet_bytes[b].size, count = b >> 5, key = d->run | TIP_MARK;
	u64 ip = (get64(d->at + 1) & packet_masks[size]) | (d->last_ip & keeps[count]);
	const struct chain *c;

	if (count == 3)
		ip = (i64)(ip << 16) >> 16;
	if (size < 3 || !ip)
		return false;
	c = find(d, k, key, place_of_ip(ip, d->mask), ip);
	if (unlikely(!c))
		return false;
	if (c->how) {
		if (unlikely(c->how & CHAIN_NOT || d->ret_n > FLOW_RET_STACK - 8))
			return false;
		push_calls(d, k->f, c);
		if (c->how & CHAIN_RET && d->ret_n) {
			d->ret_n--;
			d->ret_top--;
		}
	}
	go_on(d, key, c);
	d->last_ip = ip;
	d->at += size;
	return true;
}

/* A CYC at d->at, while it is not the time to look at the clock. */
static inline bool ride_cyc(struct ride *d, struct skip *k)
{
	u64 n;
	u32 size = packet_cyc(get64(d->at), &n);

	n += d->cyc_n;
	if (!size || n >= k->cyc_stop)
		return false;
	d->at += size;
	d->cyc_n = n;
	d->insns_at_cyc = d->insns;
	d->time = NEW_CYC;
	return true;
}

/* The packets at d->at. Returns results that are left of the last one, or 0. */
static inline u32 ride(struct ride *d, struct skip *k)
{
	struct flow *f = k->f;
	bool first, cyc;
	u32 b, left;

	while (d->at < k->end) {
		b = *d->at;
		cyc = (b & 3) == 3;
		if (cyc) {
			if (!ride_cyc(d, k))
				break;
			f->pkt.kind = PACKET_CYC;
			b = *d->at;
		}
		if (!b) {
			d->at++;
		} else if (!(b & 1)) {
			left = b == 2 ? b >> 1 : ride_results(d, k, b >> 1);
			if (left == b >> 1)
				break;
			d->at++;
			if (d->time) {
				first = packet_bytes[b].bits >> (packet_bytes[b].count - 1);
				put_down_time(d, k, first || f->setup.each_insn, b & (b - 1));
			}
			f->pkt.kind = PACKET_TNT;
			if (unlikely(left))
				return left;
			if (!cyc)
				ride_plain(d, k->end);
		} else if ((b & 0x1f) == 0x0d) {
			if (!ride_tip(d, k, b))
				break;
			if (d->time)
				put_down_time(d, k, true, true);
			f->pkt.kind = PACKET_TIP;
		} else if (!cyc) {
			break;
		}
	}
	return 0;
}

/* The last run that the last chain left behind; 'left' of its results were not used. */
static struct run *last_run(const struct ride *d, const struct runs *runs, u32 left)
{
	u32 results = d->last % (1 << RESULT_BITS), n = count_results(results), i, n_calls = 0;
	struct run *r = runs_by_id(runs, d->last >> RESULT_BITS);
	struct call *calls[CHAIN_CALLS];

	while (results != TIP_MARK) {
		for (i = 0; i < r->n_calls; i++)
			calls[n_calls++] = &run_calls(r)[i];
		if (--n == count_results(left))
			break;
		if (way(r) != QUICK_RET)
			r = r->link[results >> n & 1];
		else if (n_calls)
			r = run_behind(runs, calls[--n_calls]);
		else if (d->pop)
			r = run_behind(runs, d->pop);
		else
			break;
	}
	return r;
}

void skip_chains(struct skip *k)
{
	struct flow *f = k->f;
	struct runs *runs = f->runs;
	struct ride d = {
		.at = k->at, .insns = k->insns, .last_ip = f->last_ip.ip,
		.ret_n = f->ret_n, .ret_top = f->ret_top,
		.cyc_n = f->clock.cyc_n, .time = NEW_TIME, .exact_cyc = NO_CYC,
		.step_cyc = f->clock.cyc_n,
	};
	u32 left;

	if (unlikely(!runs->chains))
		grow(runs);
	if (!k->run)
		skip_look_up(k);
	d.chains = runs->chains;
	d.mask = mask_of(runs);
	be_at(&d, k->run->id);
	left = ride(&d, k);
	if (d.at == k->at)
		return;
	if (d.put || d.time == NEW_CYC) {
		if (!k->late)
			k->step_cyc = k->taken_cyc = 0;
		k->late = true;
		if (d.put)
			put_down_cyc(&d, k);
		f->clock.cycles += d.cyc_n - f->clock.cyc_n;
		f->clock.cyc_n = d.cyc_n;
		f->insns_at_time = d.insns_at_cyc;
		f->clock.cycles_new = d.time == NEW_CYC;
	}
	if (left) {
		f->tnt_n = count_results(left);
		f->tnt = left ^ 1U << f->tnt_n;
	}
	f->tnt_fresh = false;
	f->last_ip.ip = d.last_ip;
	f->ret_n = d.ret_n;
	f->ret_top = d.ret_top;
	k->at = d.at;
	k->insns = d.insns;
	k->run = runs_by_id(runs, d.run >> RESULT_BITS);
	if (d.last)
		k->last = last_run(&d, runs, left);
}
