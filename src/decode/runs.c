/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code bytes to runs, and the table that finds them again.
 *
 * The table is flat and open-addressed, and at most half full. The runs never move, so they may
 * link to each other. Memory is only freed for all of them at once.
 */
#include <pt/runs.h>

/* A jmp +16 over these bytes: the results of the next 64 conditional branches are the bits of the
 * value. */
static const u8 eptw_mark[16] = "\x0f\x0bperf,ptwrite  ";

/* An address leaves this many bits unused in a table entry. They hold a hash of the run, so that
 * neither a failed lookup nor growing the table has to access other runs. */
enum { HASH_BITS = 64 - ADDRESS_BITS + RUN_BITS };

static inline u32 hash(u64 key, u64 ip)
{
	return (ip ^ key * 0x9e3779b97f4a7c15) * 0x9e3779b97f4a7c15 >> (64 - HASH_BITS);
}

static inline u64 entry(const struct run *run, u32 h)
{
	return (u64)(uintptr_t)run / RUN_ALIGN << HASH_BITS | h;
}

static inline struct run *run_of(u64 entry)
{
	return (struct run *)(uintptr_t)((entry >> HASH_BITS) * RUN_ALIGN);
}

static inline u32 hash_of(u64 entry)
{
	return entry & ((1U << HASH_BITS) - 1);
}

static COLD void grow(struct runs *runs)
{
	u32 room = runs->room ? runs->room * 2 : 512, i, at;
	u64 *table = NEW(&runs->arena, u64, room);

	/* A page that is read before it is written is mapped twice. The first page was written
	 * already. */
	for (i = room; i; i -= MIN(i, 4096u / (u32)sizeof(*table)))
		table[i - 1] = 0;
	for (i = 0; i < runs->room; i++) {
		if (!runs->table[i])
			continue;
		for (at = hash_of(runs->table[i]) & (room - 1); table[at]; )
			at = (at + 1) & (room - 1);
		table[at] = runs->table[i];
	}
	/* The old table becomes space for runs: a page that was touched already costs 1.6 us
	 * less. */
	if (runs->room) {
		memset(runs->table, 0, runs->room * sizeof(*table));
		runs->spare = (struct bytes){ (u8 *)runs->table, runs->room * sizeof(*table) };
	}
	runs->table = table;
	runs->room = room;
}

bool runs_border(const struct runs *runs, u64 from, u64 to)
{
	return area_has(&runs->made, to) && !area_has(&runs->made, from);
}

/* The table entry of the run, or the free entry where it goes. */
static inline u64 *find(const struct runs *runs, u64 key, u64 ip, u32 h)
{
	u32 at;

	for (at = h & (runs->room - 1); runs->table[at]; at = (at + 1) & (runs->room - 1)) {
		struct run *run = run_of(runs->table[at]);

		if (hash_of(runs->table[at]) == h && run->ip == ip && run->key == key)
			break;
	}
	return &runs->table[at];
}

/* The run that is being decoded. Its segments and calls are on the caller's stack until it is
 * complete. */
struct draft {
	struct runs *runs;
	struct run *run;
	struct segment *segments;
	struct call *calls;
	u32 segment_room, call_room;
	u64 ip;
	u64 target;
};

static struct segment *add_segment(struct draft *d)
{
	struct run *r = d->run;

	if (r->n_segments == d->segment_room) {
		u32 room = d->segment_room * 2;

		d->segments = arena_grow(&d->runs->arena, d->segments, sizeof(*d->segments),
					 r->n_segments, room);
		d->segment_room = room;
	}
	d->segments[r->n_segments] = (struct segment){ .ip = d->ip };
	return &d->segments[r->n_segments++];
}

static void add_call(struct draft *d, u64 back)
{
	struct run *r = d->run;

	if (r->n_calls == d->call_room) {
		u32 room = d->call_room * 2;

		d->calls = arena_grow(&d->runs->arena, d->calls, sizeof(*d->calls), r->n_calls,
				      room);
		d->call_room = room;
	}
	d->calls[r->n_calls++] = (struct call){ .back = back };
}

/* Code from 'ip' on. In two of three cases the last answer contains it; to ask again would take
 * 10 % of the decoding time. Code of the kernel is read in pieces that do not stay in memory. */
static struct bytes fetch(struct draft *d, u64 ip)
{
	struct runs *runs = d->runs;
	u64 after = ip - runs->near_ip;
	struct bytes code;

	if (d->run->key == runs->near_key && after < runs->near.len)
		return bytes_skip(runs->near, after);
	if (unlikely(runs_border(runs, d->run->ip, ip)))
		return (struct bytes){ 0 };
	code = runs->fetch(runs->who, ip);
	if (ip < runs->made.at)
		code = bytes_first(code, runs->made.at - ip);
	if (!(ip >> 63)) {
		runs->near_key = d->run->key;
		runs->near_ip = ip;
		runs->near = code;
	}
	return code;
}

/* The instruction at 'ip', which may lie across the end of what one fetch returns. */
static __attribute__((noinline)) bool read_split(struct draft *d, u64 ip, struct bytes *code,
						 struct insn *insn)
{
	u8 split[INSN_MAX];
	struct bytes rest;
	size_t n;
	int len;

	if (!code->len)
		*code = fetch(d, ip);
	len = code->len ? insn_decode(insn, d->run->mode, *code) : -1;
	if (likely(len > 0))
		return true;
	if (len < 0 || code->len >= INSN_MAX)
		return false;
	n = code->len;
	memcpy(split, code->at, n);
	rest = bytes_first(d->runs->fetch(d->runs->who, ip + n), INSN_MAX - n);
	if (rest.len)
		memcpy(split + n, rest.at, rest.len);
	if (insn_decode(insn, d->run->mode, (struct bytes){ split, n + rest.len }) <= 0)
		return false;
	*code = (struct bytes){ 0 };
	return true;
}

static inline bool read_insn(struct draft *d, u64 ip, struct bytes *code, struct insn *insn)
{
	return likely(insn_decode(insn, d->run->mode, *code) > 0) || read_split(d, ip, code, insn);
}

static bool is_eptw(struct draft *d, const struct insn *insn, u64 after)
{
	struct bytes code;

	if (insn->rel != (int)sizeof(eptw_mark))
		return false;
	code = fetch(d, after);
	return code.len >= sizeof(eptw_mark) && !memcmp(code.at, eptw_mark, sizeof(eptw_mark));
}

static void end_at(struct draft *d, u8 end, u8 len)
{
	d->run->end = end;
	d->run->end_len = len;
}

/* Follow a direct branch. False if the run ends with it. */
static bool follow(struct draft *d, const struct insn *insn)
{
	u64 after = d->ip + insn->len, to = insn_target(insn, d->run->mode, d->ip);

	if (insn->kind == INSN_JUMP && is_eptw(d, insn, after)) {
		d->target = to;
		end_at(d, RUN_EPTW, insn->len);
		return false;
	}
	/* A call to the next instruction is how code reads its own address. */
	if (insn->kind == INSN_CALL && insn->rel)
		add_call(d, after);
	if (unlikely(to == d->runs->stop[0] || to == d->runs->stop[1]) && to) {
		d->target = to;
		end_at(d, RUN_STOP, insn->len);
		return false;
	}
	d->ip = to;
	return true;
}

/* A long run ends at a page boundary, or where another run begins, so that what follows is
 * decoded once for all runs that lead there: a trace may visit every address of a file of NOPs
 * (1.2 ms for each of its bytes). Runs of a single page would be many steps, so a run that begins
 * at a page boundary covers 8 pages. */
static u32 page_of(const struct run *r)
{
	_Static_assert(3 * RUN_LONG_INSNS + 8 * RUN_PAGE <= UINT16_MAX, "segment.n");
	return r->ip % RUN_PAGE < INSN_MAX ? 8 * RUN_PAGE : RUN_PAGE;
}

static COLD bool ends_long(const struct draft *d, const struct segment *s)
{
	const struct run *r = d->run;

	if (s->bytes)
		return d->ip % page_of(r) < s->branch_len;
	return r->n >= 2 * RUN_LONG_INSNS || r->n_segments > 2 * RUN_LONG_SEGMENTS ||
	       runs_known(d->runs, r->key, d->ip);
}

/* As a function of its own it is 0.8 kB smaller with gcc 14. */
static __attribute__((noinline)) void decode(struct draft *d)
{
	struct run *r = d->run;
	struct segment *s = add_segment(d);
	struct bytes code = { 0 };
	struct insn insn;
	size_t len;
	u32 n;

	for (;;) {
		if (!code.len)
			code = fetch(d, d->ip);
		if (unlikely(r->n >= RUN_LONG_INSNS || r->n_segments > RUN_LONG_SEGMENTS)) {
			if (ends_long(d, s)) {
				end_at(d, RUN_LONG, 0);
				return;
			}
			code = bytes_first(code, page_of(r) - d->ip % page_of(r));
		}
		len = code.len;
		n = insn_pass(&insn, r->mode, &code, RUN_LONG_INSNS, &s->branch_len);
		if (n) {
			len -= code.len;
			d->ip += len;
			s->bytes += len;
			s->n = r->n += n;
		}
		if (!insn.len && !read_insn(d, d->ip, &code, &insn)) {
			end_at(d, runs_border(d->runs, r->ip, d->ip) ? RUN_LONG : RUN_GAP, 0);
			return;
		}
		s->n = ++r->n;
		s->bytes += insn.len;
		s->branch_len = insn.len;
		if (insn.kind < INSN_JUMP) {
			r->holds |= insn.kind == INSN_PTWRITE ? RUN_HOLDS_PTWRITE :
				    insn.kind == INSN_MOV_CR3 ? RUN_HOLDS_CR3 : 0;
			d->ip += insn.len;
			if (code.len)
				code = bytes_skip(code, insn.len);
			continue;
		}
		s->kind = insn.kind;
		if (insn.kind >= INSN_COND)
			break;
		if (!follow(d, &insn))
			return;
		s = add_segment(d);
		s->n = r->n;
		code = (struct bytes){ 0 };
	}
	if (insn.kind == INSN_COND)
		d->target = insn_target(&insn, r->mode, d->ip);
	end_at(d, insn.kind, insn.len);
}

u64 run_end_ip(const struct run *run)
{
	const struct segment *last = &run->rest->segments[run->n_segments - 1];

	return last->ip + last->bytes - run->end_len;
}

/* The events inside the run that a caller may need: NEED_*. */
static u32 says(const struct run *r)
{
	u32 all = 0, i;

	for (i = 0; i < r->n_segments; i++)
		all |= r->rest->segments[i].kind == INSN_JUMP ? NEED_JUMPS :
		       r->rest->segments[i].kind == INSN_CALL ? NEED_CALLS : 0;
	return all;
}

static u8 quick(const struct runs *runs, const struct run *r)
{
	static const struct { u8 quick, needs; } ends[N_INSN_KINDS] = {
		[INSN_COND] = { QUICK_COND, NEED_NOT_TAKEN },
		[INSN_RET] = { QUICK_RET, NEED_RETURNS },
		[INSN_JUMP_INDIRECT] = { QUICK_INDIRECT, NEED_JUMPS },
		[INSN_CALL_INDIRECT] = { QUICK_INDIRECT, NEED_CALLS },
	};
	bool cond = r->end == INSN_COND, needed;
	u8 kind;

	/* Time is handled differently for branches into and out of the kernel. */
	if (r->end >= N_INSN_KINDS || (r->ip ^ run_end_ip(r)) >> 63 ||
	    (cond && (r->ip ^ r->rest->target) >> 63))
		return QUICK_NO;
	kind = ends[r->end].quick;
	needed = runs->needs && (runs->needs & (says(r) | ends[r->end].needs));
	if (!kind || (needed && !runs->noted))
		return QUICK_NO;
	if (cond && r->n_calls)
		kind = QUICK_COND_CALLS;
	return needed ? kind | QUICK_NEEDED : kind;
}

/* The next run. */
static struct run *add(struct runs *runs)
{
	enum { SIZE = (RUN_BLOCK + 1) * RUN_ALIGN };
	u32 n = runs->n_runs / RUN_BLOCK;
	struct run *run;
	u8 *at;

	_Static_assert(sizeof(*run) <= RUN_ALIGN, "");
	if (runs->n_runs % RUN_BLOCK == 0) {
		if (!(n & (n - 1)))
			runs->blocks = arena_grow(&runs->arena, runs->blocks,
						  sizeof(*runs->blocks), n, n ? n * 2 : 1);
		at = (u8 *)runs->spare.at;
		if (runs->spare.len < SIZE)
			at = arena_alloc(&runs->arena, SIZE);
		else
			runs->spare = bytes_skip(runs->spare, SIZE);
		runs->blocks[n] = (struct run *)(at + -(uintptr_t)at % RUN_ALIGN);
	}
	/* No id is left: handled like the end of memory. */
	if (runs->n_runs >> (32 - RESULT_BITS))
		arena_alloc(&runs->arena, SIZE_MAX);
	run = runs_by_id(runs, runs->n_runs);
	run->id = runs->n_runs++;
	return run;
}

static bool ends_with_call(const struct run *run)
{
	return run->end == INSN_CALL_INDIRECT || run->end == INSN_FAR_CALL;
}

static struct run *make(struct runs *runs, u64 key, enum insn_mode mode, u64 ip)
{
	enum { FEW = 8 };
	struct call calls[FEW];
	struct run *run = add(runs);
	struct run_rest *rest = arena_alloc(&runs->arena, sizeof(*rest) +
					    FEW * (sizeof(struct segment) + sizeof(*calls)));
	struct draft d = {
		.runs = runs, .run = run, .segments = rest->segments, .segment_room = FEW,
		.ip = ip, .calls = calls, .call_room = FEW,
	};
	size_t n, n_calls;

	run->ip = ip;
	run->key = key;
	run->mode = mode;
	decode(&d);
	if (ends_with_call(run)) {
		add_call(&d, d.ip + run->end_len);
		run->n_calls--;
	}
	n_calls = run->n_calls + ends_with_call(run);
	if (unlikely(d.segments != rest->segments || d.calls != calls)) {
		n = run->n_segments * sizeof(*d.segments);
		rest = arena_alloc(&runs->arena, sizeof(*rest) + n + n_calls * sizeof(*calls));
		memcpy(rest->segments, d.segments, n);
	}
	run->rest = rest;
	rest->target = d.target;
	if (n_calls)
		memcpy(run_calls(run), d.calls, n_calls * sizeof(*calls));
	arena_trim(&runs->arena, run_calls(run) + n_calls);
	run->quick = quick(runs, run);
	return run;
}

/* Is the code at the end of this run still missing? */
static COLD bool still_a_gap(struct runs *runs, struct run *run)
{
	struct draft d = { .runs = runs, .run = run };
	struct bytes code = { 0 };
	struct insn insn;

	return !read_insn(&d, run_end_ip(run), &code, &insn);
}

struct run *runs_find(struct runs *runs, u64 key, enum insn_mode mode, u64 ip)
{
	struct run *run;
	u64 *at;
	u32 h;

	if (runs->n >= runs->room / 2)
		grow(runs);
	key = key << 2 | mode;
	h = hash(key, ip);
	at = find(runs, key, ip, h);
	if (*at) {
		run = run_of(*at);
		if (likely(run->end != RUN_GAP) || still_a_gap(runs, run))
			return run;
	} else {
		runs->n++;
	}
	run = make(runs, key, mode, ip);
	*at = entry(run, h);
	return run;
}

struct run *runs_known(const struct runs *runs, u64 key, u64 ip)
{
	u64 at = *find(runs, key, ip, hash(key, ip));

	return at && run_of(at)->end != RUN_GAP ? run_of(at) : NULL;
}

COLD void *runs_keep(struct runs *runs, struct run *run, size_t size)
{
	enum { MOST = 64 << 20 };

	return runs->arena.total > MOST ? NULL : (run->kept = arena_alloc(&runs->arena, size));
}

COLD struct run *runs_copy(struct runs *runs, const struct run *from)
{
	struct run *run = add(runs);
	u32 id = run->id, n = from->n_segments * sizeof(struct segment) +
		(from->n_calls + ends_with_call(from)) * sizeof(struct call);
	struct call *c;

	*run = *from;
	run->id = id;
	run->link[0] = run->link[1] = NULL;
	run->kept = NULL;
	run->rest = arena_alloc(&runs->arena, sizeof(*run->rest) + n);
	memcpy(run->rest, from->rest, sizeof(*run->rest) + n);
	run->rest->lens = NULL;
	for (c = run_calls(run); (u8 *)c < (u8 *)run->rest->segments + n; c++)
		c->run = 0;
	return run;
}

COLD void runs_clear(struct runs *runs)
{
	arena_free(&runs->arena);
	runs->table = NULL;
	runs->spare = (struct bytes){ 0 };
	runs->blocks = NULL;
	runs->n_runs = 0;
	runs->room = runs->n = 0;
	runs->nodes = NULL;
	runs->n_nodes = 0;
	runs->chains = NULL;
	runs->n_chains = runs->n_learned = 0;
}

const u8 *run_lens(struct runs *runs, struct run *run)
{
	struct insn insn;
	struct bytes code;
	u32 i, n = 0;
	u64 ip;
	u8 *lens;
	struct draft d = { .runs = runs, .run = run };

	if (run->rest->lens)
		return run->rest->lens;
	lens = run->rest->lens = NEW(&runs->arena, u8, run->n);
	for (i = 0; i < run->n_segments; i++) {
		code = (struct bytes){ 0 };
		for (ip = run->rest->segments[i].ip; n < run->rest->segments[i].n; ip += insn.len) {
			if (!read_insn(&d, ip, &code, &insn))
				return lens;
			lens[n++] = insn.len;
			if (code.len)
				code = bytes_skip(code, insn.len);
		}
	}
	return lens;
}

COLD bool run_count_to(struct runs *runs, struct run *run, u64 ip, u32 *n)
{
	const u8 *lens = NULL;
	u32 i, at = 0;
	u64 here;

	for (i = 0; i < run->n_segments; i++) {
		const struct segment *s = &run->rest->segments[i];
		bool last = i + 1u == run->n_segments;

		if (ip < s->ip || ip - s->ip > s->bytes || (ip - s->ip == s->bytes && !last)) {
			at = s->n;
			continue;
		}
		if (!lens)
			lens = run_lens(runs, run);
		for (here = s->ip; here < ip && at < s->n; at++)
			here += lens[at];
		if (here == ip && (at < s->n || (last && s->kind == INSN_OTHER))) {
			*n = at;
			return true;
		}
		at = s->n;
	}
	return false;
}

COLD bool run_find(struct runs *runs, struct run *run, u8 kind, u32 skip, u32 *n, u64 *ip)
{
	struct run_walk w = run_walk(runs, run, run->n);
	struct draft d = { .runs = runs, .run = run };
	struct insn insn;
	struct bytes code;

	while (run_walk_next(&w)) {
		code = (struct bytes){ 0 };
		if (!read_insn(&d, w.ip, &code, &insn) || insn.kind != kind || skip--)
			continue;
		*n = w.i;
		*ip = w.ip;
		return true;
	}
	return false;
}

COLD u32 run_ahead(struct runs *runs, struct run *run, u32 from, u32 n, u32 *left)
{
	struct draft d = { .runs = runs, .run = run };
	struct run_walk w;
	u32 cost;

	for (w = run_walk(runs, run, n); run_walk_next(&w); ) {
		if (w.i <= from)
			continue;
		cost = insn_cost(run->mode, bytes_first(fetch(&d, w.ip), w.len));
		if (cost >= *left) {
			*left = 0;
			return w.i;
		}
		*left -= cost;
	}
	return 0;
}
