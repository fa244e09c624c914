/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Items of a PEBS record to the fields of a sample.
 *
 * Manual: SDM volume 3, "PEBS output to Intel Processor Trace", and the tables of block items in
 * "Packet Definitions".
 */
#include <pt/config/PEBS.h>
#include <pt/pebs.h>

/* The counter of an event on a CPU, or of a thread. */
struct pebs_user {
	const struct perf_event *event;
	u64 id;
	u32 counter;
	i32 cpu, tid;
};

/* General-purpose counters, and from 32 on fixed ones */
enum { COUNTERS = 64 };

/* Items by their numbers in packets */
enum { IP, APPLICABLE, TIMESTAMP };			/* BLOCK_BASIC */
enum { ADDRESS, AUX_INFO, LATENCY, TSX };		/* BLOCK_MEMORY */
enum { FLAGS_ITEM, IP_ITEM, AX_ITEM };			/* BLOCK_REGISTERS */

/* Room in 'words' for general and vector registers, branches of three words, and a call chain. */
enum { REGISTERS_MAX = 64, GROUP_BRANCHES = 10, BRANCHES_MAX = 3 * GROUP_BRANCHES,
       BRANCHES_AT = REGISTERS_MAX, CHAIN_AT = BRANCHES_AT + 3 * BRANCHES_MAX,
       WORDS = CHAIN_AT + ITRACE_CHAIN_MAX + 1 };

void pebs_learn(struct pebs *p, struct session *s, const struct perf_record *rec,
		const struct perf_sample *sample)
{
	u32 n = p->n_users;

	if (rec->raw.len < 16 || !sample->event || get64(rec->raw.at + 8) >= COUNTERS)
		return;
	if (!(n & (n - 1)))
		p->users = arena_grow(&s->arena, p->users, sizeof(*p->users), n, MAX(2 * n, 1));
	p->users[p->n_users++] = (struct pebs_user){ sample->event, sample->id,
		get64(rec->raw.at + 8), sample->cpu, sample->tid };
}

static bool has(const struct pebs_block *b, u32 group, u32 item)
{
	return b->has[group] >> item & 1;
}

/* An item, or 0. */
static u64 item(const struct pebs_block *b, u32 group, u32 n)
{
	return CONFIG_PEBS && has(b, group, n) ? b->items[group][n] : 0;
}

void pebs_start(struct pebs *p, struct session *s, const struct queue *queue,
		const struct sample *made)
{
	p->session = s;
	p->queue = queue;
	p->made = *made;
	p->counters = item(&made->values->block, BLOCK_BASIC, APPLICABLE);
	p->any = true;
	if (!p->words)
		p->words = NEW(&s->arena, u64, WORDS);
}

/* Which event uses the counter in the queue's trace? The last record that says it is valid. */
static const struct pebs_user *user_of(const struct pebs *p, u32 counter)
{
	const struct queue *q = p->queue;
	u32 i = p->n_users;

	while (i--) {
		const struct pebs_user *u = &p->users[i];

		if (u->counter == counter &&
		    (q->cpu != -1 && u->cpu != -1 ? u->cpu == q->cpu : u->tid == q->queue_tid))
			return u;
	}
	return NULL;
}

static const struct perf_event *only_event(const struct perf_file *f)
{
	u32 i;

	for (i = 0; i < f->n_events; i++)
		if (perf_attr_flag(&f->events[i]->attr, PERF_F_AUX_OUTPUT))
			return f->events[i];
	return NULL;
}

/* The item of each register, by the kernel's number, plus 1; segments are not recorded. */
static const u8 items_of[24] = { 3, 6, 4, 5, 9, 10, 8, 7, 2, 1, 0, 0, 0, 0, 0, 0,
				 11, 12, 13, 14, 15, 16, 17, 18 };

static void set_registers(struct pebs *p, const struct pebs_block *b, struct perf_sample *s)
{
	enum { VECTOR_0 = 32 };
	u64 asked = p->event.attr.regs_intr, have = 0, *to = p->words;
	u32 i, n;

	for (i = 0; i < REGISTERS_MAX; i++) {
		u32 group = i < VECTOR_0 ? BLOCK_REGISTERS : BLOCK_VECTORS;

		n = i >= VECTOR_0 ? i - VECTOR_0 + 1 : i < N_ELEM(items_of) ? items_of[i] : 0;
		if (!n || !(asked >> i & 1) || !has(b, group, n - 1))
			continue;
		have |= 1ull << i;
		*to++ = b->items[group][n - 1];
	}
	p->event.attr.regs_intr = have;
	s->abi_intr = b->is_32 ? 1 : 2;
	s->regs_intr = (struct bytes){ (u8 *)p->words, (to - p->words) * 8 };
}

/* The bits of LBR_INFO as those of a perf_branch_entry. */
static u64 branch_flags(u64 info)
{
	u64 flags = (info & 0xffff) << 4;	/* cycles */

	flags |= info >> 63 ? 1 : 2;		/* mispredicted, predicted */
	flags |= (info >> 62 & 1) << 2;		/* in a transaction */
	return flags | (info >> 61 & 1) << 3;	/* its abort */
}

static void set_branches(struct pebs *p, const struct pebs_block *b, struct perf_sample *s)
{
	u64 *to = p->words + BRANCHES_AT;
	u32 group, i;

	/* With the letter l they are those of the trace. */
	if (!(b->has[BLOCK_BRANCHES] | b->has[BLOCK_BRANCHES_2] | b->has[BLOCK_BRANCHES_3])) {
		s->branches = p->made.branches;
		return;
	}

	for (group = BLOCK_BRANCHES; group <= BLOCK_BRANCHES_3; group++)
		for (i = 0; i < GROUP_BRANCHES; i++) {
			const u64 *from = &b->items[group][3 * i];

			if ((b->has[group] >> 3 * i & 7) != 7)
				continue;
			*to++ = from[0];
			*to++ = from[1];
			*to++ = branch_flags(from[2]);
		}
	s->branches = (struct bytes){ (u8 *)(p->words + BRANCHES_AT),
				      (to - p->words - BRANCHES_AT) * 8 };
}

/* Does the event's sample_type have the field? */
static bool wants(const struct perf_sample *s, u32 field)
{
	return s->fields >> field & 1;
}

/* From Sapphire Rapids on, the latency of the access to caches is in the upper half, and that of
 * the instruction in the lower. */
static void set_weight(const struct pebs_block *b, struct perf_sample *s)
{
	u64 latency = item(b, BLOCK_MEMORY, LATENCY), instruction = 0;

	s->weight = latency;
	if (latency >> 32) {
		s->weight = latency >> 32 & 0xffff;
		instruction = latency & 0xffff;
	}
	if (!s->weight)
		s->weight = (u32)item(b, BLOCK_MEMORY, TSX);
	if (wants(s, PERF_S_WEIGHT_STRUCT))
		s->weight = (u32)s->weight | instruction << 32;
}

/* The upper half of the TSX item has the kind of an abort; AX has its code. */
static u64 transaction(const struct pebs_block *b)
{
	enum { TRANSACTION = 1 << 1, CODE_SHIFT = 32 };
	u64 ax = item(b, BLOCK_REGISTERS, AX_ITEM);
	u64 txn = item(b, BLOCK_MEMORY, TSX) >> 32 & 0xff;

	return txn & TRANSACTION && ax & 1 ? txn | (ax >> 24 & 0xff) << CODE_SHIFT : txn;
}

static void set_chain(struct pebs *p, u32 places, struct perf_sample *s)
{
	const struct thread *t = p->made.thread;
	const struct calls *calls = t ? calls_if_any(t, p->made.cpu) : NULL;
	u64 *to = p->words + CHAIN_AT;
	u32 n = calls_chain(calls, s->ip, places, to);

	s->callchain = (struct bytes){ (u8 *)to, n * 8 };
}

static void fill(struct pebs *p, u32 chain, struct perf_sample *s)
{
	/* OP, LVL, SNP, LCK, TLB and the level's number are not available. */
	const u64 no_source = 0x1e05080021;
	const struct sample *made = &p->made;
	const struct pebs_block *b = &made->values->block;
	const struct perf_attr *attr = &p->event.attr;
	bool freq = perf_attr_flag(attr, PERF_F_FREQ);

	*s = (struct perf_sample){ .event = &p->event, .fields = attr->sample_type,
				   .ip = made->ip, .pid = made->pid, .tid = made->tid,
				   .cpu = made->cpu, .time = made->time, .type = PERF_SAMPLE,
				   .in_trace = true,
				   .period = freq ? 0 : attr->period };
	if (has(b, BLOCK_BASIC, IP))
		s->ip = item(b, BLOCK_BASIC, IP);
	else if (has(b, BLOCK_REGISTERS, IP_ITEM))
		s->ip = item(b, BLOCK_REGISTERS, IP_ITEM);
	if (has(b, BLOCK_BASIC, TIMESTAMP))
		s->time = clock_from_tsc(&p->session->scale, item(b, BLOCK_BASIC, TIMESTAMP));
	if (wants(s, PERF_S_DATA_SRC))
		s->data_src = no_source;
	if (wants(s, PERF_S_ADDR))
		s->addr = item(b, BLOCK_MEMORY, ADDRESS);
	if (wants(s, PERF_S_TRANSACTION))
		s->transaction = transaction(b);
	if (wants(s, PERF_S_WEIGHT) || wants(s, PERF_S_WEIGHT_STRUCT))
		set_weight(b, s);
	if (wants(s, PERF_S_BRANCH_STACK))
		set_branches(p, b, s);
	if (chain && wants(s, PERF_S_CALLCHAIN))
		set_chain(p, chain, s);
	set_registers(p, b, s);
}

bool pebs_next(struct pebs *p, u32 chain, struct perf_sample *s)
{
	const struct pebs_user *user;
	const struct perf_event *event = NULL;
	u64 id = 0;

	if (!CONFIG_PEBS || !p->any)	/* without PEBS there is no room for items */
		return false;
	while (!event && p->counters) {
		user = user_of(p, __builtin_ctzll(p->counters));
		/* If no record says it, all counters are those of one event. */
		p->counters &= user ? p->counters - 1 : 0;
		event = user ? user->event : only_event(&p->session->file);
		id = user ? user->id : 0;
	}
	if (!event && !item(&p->made.values->block, BLOCK_BASIC, APPLICABLE))
		event = only_event(&p->session->file);
	p->any = p->counters;
	if (!event)
		return false;
	p->event = *event;
	fill(p, chain, s);
	s->id = id ? id : event->n_ids ? event->ids[0] : 0;
	return true;
}
