/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The fastest path: the effect of a packet on a run, in one step.
 *
 * A chain tells where a run leads with the results of one short TNT (at most six), or with the
 * address of one TIP: the number of instructions, the run at the end, and the calls that are
 * pushed. A chain is learned where all links on the way are known and the caller needs none of the
 * branches, and is found in a table without access to the runs. A return to a call from before the
 * chain is compared with the stack. If that call is not the one that was there when the chain was
 * learned, the chain holds up to that return, and the results that are left are looked up like a
 * TNT of their own.
 *
 * Each step depends on the one before, and on little else: a chain stores the table index of the
 * next chain except for the part that the packet adds, which is known earlier (one load and one
 * exclusive or; plain loops are decoded 1.3 times as fast). The state is in registers, and all of
 * it goes to memory when a function is called. Time is stored after the last packet, since nothing
 * else reads it before.
 */
#include "flow_skip.h"

enum { CHAINS_MIN = 1 << 10, CHAINS_MAX = 1 << 14 };

/* What a chain needs in addition to a jump to its end: struct chain.how. */
enum {
	CHAIN_NOT = 1,		/* no chain: the caller needs a branch there, or the run is not
				 * quick */
	CHAIN_PUSH = 2,		/* calls, some of which may have returned on the way */
	CHAIN_POP = 4,		/* a return to a call from before the chain */
	CHAIN_RET = 8,		/* a TIP: a return */
	CHAIN_REST = 16,	/* results are left */
};

enum {
	TIP_MARK = 1,		/* the other values there are results below a stop bit: 2 to 127 */
	CHAIN_CALLS = 4,
	LINE = 2 * sizeof(struct chain),
};

#define NO_CYC (~0ULL)
#define NO_INSNS (~0ULL)
#define NO_RUN (~0U)

/* The offset of a chain in bytes. It has two places, which share a cache line. This is the part
 * that the run adds, and the part that the packet adds. */
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

/* Replace the older one of the two chains at this place. */
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

/* Make room for as many chains as are needed, up to the size of a processor's cache. */
static COLD void grow(struct runs *runs)
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

/* A chain that is being learned. */
struct draft {
	struct chain c;
	u64 insns;
	bool any;
	struct call *calls;	/* of one run */
	u32 n_calls;
};

/* Fill the node, in as few bytes as 'run' allows. */
static void fill(struct node *node, const struct run *run)
{
	if (run->n > UINT16_MAX)
		return;
	node->way = way(run);
	node->n_calls = MIN(run->n_calls, 7U);
	node->calls = (uintptr_t)run_calls(run);
	node->n = run->n;
}

/* The node of the run with that id. */
static struct node *node_at(struct runs *runs, u32 id)
{
	struct node *node;
	u32 n;

	if (unlikely(id >= runs->n_nodes)) {
		n = MAX(runs->n_nodes, 1U << 12);	/* pages that are never touched cost
							 * nothing */
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

/* The id, plus 1, of the run after a conditional branch; 0 if there is no link. */
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

static COLD bool add_calls(struct draft *d, const struct node *node)
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

/* A return to a call from before the chain, after that many instructions. Returns the run there,
 * or 0, as in struct call. */
static COLD u32 pop_known(const struct flow *f, struct draft *d, u64 insns, u32 rest)
{
	const struct call *call = f->ret[(f->ret_top - 1) % FLOW_RET_STACK].call;

	d->c.pop_insns = insns;
	d->c.pop_rest = rest;
	d->c.pop = (uintptr_t)call;
	d->c.how |= CHAIN_POP;
	return call->run;
}

/* Follow the results of a TNT from a run on. False if a link is missing: it may be known the next
 * time. */
static COLD bool learn_results(const struct flow *f, struct draft *d, u32 id, u32 results)
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

/* Learn a TIP to 'ip'. */
static COLD bool learn_tip(const struct flow *f, struct chain *c, const struct run *r, u64 ip)
{
	const struct run *end;

	c->ip = ip;
	c->how = CHAIN_NOT;
	if (way(r) < QUICK_RET || (ip ^ r->ip) >> 63 ||
	    r->n_calls > CHAIN_CALLS || r->n > UINT16_MAX)
		return true;
	end = runs_known(f->runs, flow_key(f, ip) << 2 | f->arch.mode, ip);
	if (!end || runs_border(f->runs, r->ip, ip))
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

/* Learn the chain of 'key' and 'ip'. NULL if that is not possible. */
static COLD struct chain *learn(struct flow *f, u32 key, u64 ip)
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

/* The state of the loop. */
struct ride {
	const u8 *at;
	u32 run;		/* its id, shifted left by RESULT_BITS; or NO_RUN: not looked up
				 * yet */
	u32 place;		/* place_of_run() */
	u64 insns, last_ip;
	u32 last;		/* key of the last chain; 0: there was none */
	u32 ret_n, ret_top;
	const struct call *pop;	/* the call from before that its return returned from */
	/* Cycles until the clock has to be updated: counted from the last branch after a CYC, and
	 * from the last one at which cycles end. */
	u64 cyc_left, exact_left;
	u64 step_insns;		/* instructions before the first of these */
	/* Of struct runs. */
	struct chain *chains;
	u32 mask;
	/* The packet at hand: */
	u32 b;			/* its first byte; 0: some of its results were used */
	u32 results;		/* those that are left, with their stop bit */
	u32 cycles;		/* of a CYC before it ... */
	const u8 *branch;	/* ... after which it stands; 'at' if there is none */
	u32 key;		/* of its chain, with an address if it is a TIP */
	u64 ip;
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

/* The chain of 'key' and 'ip' (0 for results), or NULL if it is not known. The chain that was used
 * last comes first: in a fixed order, one lookup in three finds its chain second, and the processor
 * does not predict this. The other chain is replaced first (a trace of python is decoded 1.1 times
 * as fast). */
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

/* The address of the TIP at d->branch; 0 if it has none. */
static inline u64 read_tip(const struct ride *d)
{
	return last_ip_at(d->last_ip, d->branch);
}

static inline void push_calls(struct ride *d, struct flow *f, const struct chain *c)
{
	struct call *calls = (struct call *)(uintptr_t)c->pushes;
	u32 i;

	for (i = 0; i < c->n_pushes; i++)
		f->ret[d->ret_top++ % FLOW_RET_STACK] = (struct ret){ calls[i].back, &calls[i] };
	d->ret_n += i;
}

/* Short TNTs that need nothing but a jump to the end of their chain. */
static inline void ride_plain(struct ride *d, const u8 *end)
{
	const struct chain *c;
	u32 key, b;

	while (d->at < end && packet_is_short_tnt(b = *d->at)) {
		key = d->run | packet_short_tnt(b);
		c = look_up(d, key, place_of_results(packet_short_tnt(b), d->mask), 0);
		if (!c || c->how)
			break;
		go_on(d, key, c);
		d->at++;
	}
}

/* A CYC at d->at, up to the packet after it and its PADs (pt's recordings have up to three). False
 * if the clock has to be updated, or if the packet is not handled here. */
static inline bool ride_cyc(struct ride *d, const u8 *end)
{
	d->branch = packet_pass_cyc(d->branch, d->b, &d->cycles);
	if (unlikely(!d->branch || d->cycles >= d->cyc_left))
		return false;
	while (!*d->branch && d->branch < end)
		d->branch++;
	d->b = *d->branch;
	return true;
}

/* The branch after a CYC was passed. */
static inline void take_cyc(struct ride *d, bool exact)
{
	d->cyc_left -= d->cycles;
	d->step_insns = d->insns;
	if (exact)
		d->exact_left = d->cyc_left;
}

/* Find the chain of d->key, which is not in the table; NULL if that is not possible. */
static __attribute__((noinline)) const struct chain *find(struct ride *d, struct skip *k)
{
	const struct chain *c;
	struct flow *f = k->f;

	f->ret_n = d->ret_n;
	f->ret_top = d->ret_top;
	c = learn(f, d->key, d->ip);
	d->chains = f->runs->chains;
	d->mask = mask_of(f->runs);
	d->place = place_of_run(d->run >> RESULT_BITS, d->mask);
	return c;
}

/* Handle the packets at 'from->at'. Nothing in 'd' is used across a function call, because gcc
 * would then keep it in memory (traces with CYC would take 10 % longer). */
static __attribute__((noinline)) void ride(struct ride *from, struct skip *k)
{
	struct flow *f = k->f;
	struct ride d = *from;
	const struct chain *c;
	struct call *call;

	for (;;) {
		d.branch = d.at;
		d.b = 1;
		if (unlikely(d.at >= k->end))
			break;
		d.b = *d.at;
		if (packet_is_cyc(d.b) && unlikely(!ride_cyc(&d, k->end))) {
			d.branch = d.at;
			break;
		}
		if (d.b & 1) {
			if (!packet_is_tip(d.b)) {
				/* An OVF may have cut the CYC short (an erratum). */
				if (packet_is_ovf(d.branch - 1))
					d.branch = d.at;
				break;
			}
			d.ip = read_tip(&d);
			if (unlikely(!d.ip))
				break;
			d.key = d.run | TIP_MARK;
			c = look_up(&d, d.key, place_of_ip(d.ip, d.mask), d.ip);
			if (unlikely(!c))
				goto find;
tip:
			if (c->how) {
				if (unlikely(c->how & CHAIN_NOT || d.ret_n > FLOW_RET_STACK - 8))
					break;
				push_calls(&d, f, c);
				if (c->how & CHAIN_RET && d.ret_n) {
					d.ret_n--;
					d.ret_top--;
				}
			}
			if (d.branch != d.at)
				take_cyc(&d, true);
			d.at = d.branch + packet_bytes[d.b].size;
			d.last_ip = d.ip;
			go_on(&d, d.key, c);
			continue;
		}
		d.results = packet_short_tnt(d.b);
		if (unlikely(d.results < 2)) {
			if (d.b || d.branch != d.at)
				break;
			d.at++;
			continue;
		}
left:
		d.key = d.run | d.results;
		d.ip = 0;
		c = look_up(&d, d.key, place_of_results(d.results, d.mask), 0);
		if (unlikely(!c))
			goto find;
results:
		if (likely(!c->how)) {
			if (d.b && d.branch == d.at) {
				d.at++;
				go_on(&d, d.key, c);
				ride_plain(&d, k->end);
				continue;
			}
			if (d.b) {
				take_cyc(&d, packet_first_taken(d.b));
				d.at = d.branch + 1;
			}
			go_on(&d, d.key, c);
			continue;
		}
		if (unlikely(c->how & CHAIN_NOT || d.ret_n > FLOW_RET_STACK - 8 ||
			     (c->how & CHAIN_POP && !d.ret_n)))
			break;
		if (d.b) {
			if (d.branch != d.at)
				take_cyc(&d, packet_first_taken(d.b));
			d.at = ++d.branch;
			d.b = 0;
		}
		d.results = c->rest;
		if (c->how & CHAIN_POP) {
			call = f->ret[--d.ret_top % FLOW_RET_STACK].call;
			d.ret_n--;
			d.pop = call;
			if ((uintptr_t)call != c->pop) {
				d.pop = NULL;
				d.last = d.key;
				d.insns += c->pop_insns;
				d.results = c->pop_rest;
				if (unlikely(!call->run)) {
					d.run = NO_RUN;
					break;
				}
				be_at(&d, call->run - 1);
				if (d.results)
					goto left;
				continue;
			}
		}
		push_calls(&d, f, c);
		go_on(&d, d.key, c);
		if (d.results)
			goto left;
		continue;
find:
		*from = d;
		c = find(from, k);
		d = *from;
		if (unlikely(!c))
			break;
		if (d.ip)
			goto tip;
		goto results;
	}
	*from = d;
}

/* The last run that the last chain passed; 'left' of its results were not used. */
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
			r = run_after(runs, calls[--n_calls]);
		else if (d->pop)
			r = run_after(runs, d->pop);
		else
			break;
	}
	return r;
}

/* The first branch passed is the first one after a timing packet. */
static void put_down_time(const struct ride *d, struct skip *k)
{
	const u8 *at = k->at;
	u32 b;

	while (!(b = *at) && at < d->at)
		at++;
	if (at == d->at || (b & 3) == 3)
		return;
	skip_apply_threshold(k->f);
	skip_set_time(k, b & 1 || packet_first_taken(b) || k->f->setup.each_insn, b & (b - 1));
}

/* The same for the last branch after a CYC; and a CYC after all branches. */
static COLD void put_down_cycles(const struct ride *d, struct skip *k)
{
	struct flow *f = k->f;
	bool put = d->step_insns != NO_INSNS, more = d->branch != d->at;
	u64 n = k->cyc_stop - d->cyc_left,
	    exact = f->setup.approximate || f->setup.each_insn ? d->cyc_left : d->exact_left;

	if (!put && !more)
		return;
	if (!k->late)
		k->step_cyc = k->taken_cyc = 0;
	k->late = true;
	if (put) {
		f->arch.step_tsc = f->clock.tsc;
		f->step_insns = f->insns_at_time = d->step_insns;
		k->step_cyc = n;
		if (exact != NO_CYC)
			f->step_cycles = f->clock.cycles + (k->cyc_stop - exact - f->clock.cyc_n);
	}
	if (more) {
		n += d->cycles;
		f->insns_at_time = d->insns;
	}
	f->clock.cycles += n - f->clock.cyc_n;
	f->clock.cyc_n = n;
	f->clock.cycles_new = more;
}

/* What the packets up to d->branch say about time. */
static void put_down(const struct ride *d, struct skip *k)
{
	struct flow *f = k->f;

	put_down_time(d, k);
	put_down_cycles(d, k);
	if (d->branch != d->at)
		f->pkt.kind = PACKET_CYC;
	else if (d->last)
		f->pkt.kind = d->last % (1 << RESULT_BITS) == TIP_MARK ? PACKET_TIP : PACKET_TNT;
	f->arch.tnt_fresh = false;
	k->at = d->branch;
	k->insns = d->insns;
}

/* Ride up to a packet that is not handled here, and over the MTCs and CYCs in between. The run at
 * hand is not read there, because it is in no cache. False if skip_time() said to stop. */
static bool ride_on(struct ride *d, struct skip *k)
{
	const struct flow *f = k->f;
	u32 last = 0;

	for (;;) {
		d->at = k->at;
		d->cyc_left = k->cyc_stop > f->clock.cyc_n ? k->cyc_stop - f->clock.cyc_n : 0;
		d->exact_left = NO_CYC;
		d->step_insns = NO_INSNS;
		d->last = 0;
		ride(d, k);
		if (d->branch != k->at)
			put_down(d, k);
		d->last = last = d->last ?: last;
		if ((!d->b && d->results) || d->run == NO_RUN || k->at >= k->end ||
		    !packet_in(PACKET_ONE(MTC) | PACKET_ONE(CYC),
			       packet_bytes[*k->at].kind))
			return true;
		if (!skip_time(k))
			return false;
		if (skip_needs_jumps(f))
			return true;
	}
}

bool skip_chains(struct skip *k)
{
	struct flow *f = k->f;
	struct runs *runs = f->runs;
	struct ride d = { .insns = k->insns, .last_ip = f->last_ip.ip,
			  .ret_n = f->ret_n, .ret_top = f->ret_top };
	const u8 *start = k->at;
	bool more;
	u32 left;

	if (unlikely(!runs->chains))
		grow(runs);
	if (!k->run)
		k->run = flow_look_up(k->f);
	d.chains = runs->chains;
	d.mask = mask_of(runs);
	be_at(&d, k->run->id);
	more = ride_on(&d, k);
	if (k->at == start)
		return more;
	left = d.b ? 0 : d.results;
	if (left) {
		f->arch.tnt_n = count_results(left);
		f->arch.tnt = left ^ 1U << f->arch.tnt_n;
	}
	f->last_ip.ip = d.last_ip;
	f->ret_n = d.ret_n;
	f->ret_top = d.ret_top;
	k->run = NULL;
	if (d.run == NO_RUN)
		skip_go_back(f, &f->ret[d.ret_top % FLOW_RET_STACK]);
	else
		k->run = runs_by_id(runs, d.run >> RESULT_BITS);
	if (d.last)
		k->last = last_run(&d, runs, left);
	return more;
}
