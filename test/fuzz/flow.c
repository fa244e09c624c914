/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any trace with any code: the flow ends. All steps except branches are the same whether branches
 * are steps or skipped, and branches are the same whether they are steps or noted.
 *
 * The first byte is options. The next 256 are the code at each multiple of 256 in the first half of
 * each 4 KiB. The rest is the trace after a PSB. Every second range of 128 KiB has no code, so that
 * direct calls do not continue for ever.
 */
#include <stdlib.h>

#include <pt/flow.h>

enum { CODE = 256, MAX_STEPS = 1 << 16 };

struct source {
	struct bytes trace, code;
	bool given;
};

static struct bytes fetch(void *who, u64 ip)
{
	if (ip & 0x20800)
		return (struct bytes){ 0 };
	return bytes_skip(((struct source *)who)->code, ip % CODE);
}

static bool more(void *who, struct packets *in)
{
	return false;
}

static bool next(void *who, struct packets *in, bool *joined, u64 *reference)
{
	struct source *s = who;

	if (s->given)
		return false;
	s->given = true;
	in->rest = s->trace;
	*reference = 1 << 20;
	return true;
}

static u64 mix(u64 h, u64 v)
{
	return (h ^ v) * 0x9e3779b97f4a7c15 ^ h >> 29;
}

enum { DULL = STEP_IN_TX | STEP_IPC | STEP_FROM_NR | STEP_TO_NR | STEP_NEW_BUFFER | STEP_AT_FUP };

/* Hashes over branches that are needed, and over all that is not just a branch. */
struct said {
	u64 branches, rest, tsc;
	u64 latest, times;	/* time as it is if nobody needs_step branches, and a hash of it at PSBs */
};

static u32 needs_step(u8 kind, bool taken)
{
	switch (kind) {
	case INSN_COND: return taken ? NEED_TAKEN : NEED_NOT_TAKEN;
	case INSN_JUMP:
	case INSN_JUMP_INDIRECT: return NEED_JUMPS;
	case INSN_CALL:
	case INSN_CALL_INDIRECT: return NEED_CALLS;
	case INSN_RET: return NEED_RETURNS;
	}
	return 0;
}

/* With times as session.c makes them. */
static void say(struct said *said, u32 needs, const struct step *s)
{
	u32 i, inner = s->n - (s->n && s->kind != INSN_OTHER);
	bool all = needs == NEED_ALL, taken = s->what & STEP_BRANCH;

	if (s->run && s->n && s->tsc_in > said->tsc && (all ? inner : s->run->n_segments > 1))
		said->tsc = s->tsc_in;
	for (i = 0; s->run && i < s->run->n_segments; i++) {
		const struct segment *g = &s->run->rest->segments[i];

		if (g->n <= inner && needs_step(g->kind, true) & needs)
			said->branches = mix(mix(mix(said->branches, g->ip), g->bytes), said->tsc);
	}
	if (s->run && s->n && s->run->n_segments > 1)
		said->latest = MAX(said->latest, s->tsc_in);
	if (s->what & ~DULL & ~STEP_NOT_TAKEN)
		said->latest = MAX(said->latest, s->tsc);
	if (!(s->what & ~DULL & ~(all ? 0 : STEP_NOT_TAKEN)))
		return;
	if (s->tsc > said->tsc)
		said->tsc = s->tsc;
	if (!(s->what & ~DULL & ~(STEP_BRANCH | STEP_NOT_TAKEN)) && needs_step(s->kind, taken) & needs)
		said->branches = mix(mix(mix(said->branches, s->from), s->to), said->tsc);
}

static void say_passed(struct said *said, u32 needs, const struct notes *notes)
{
	const struct passed *p;

	for (p = notes->runs; p < notes->runs + notes->n; p++)
		say(said, needs, &(struct step){
			.run = p->run, .n = p->run->n, .from = run_end_ip(p->run), .to = passed_to(p),
			.kind = p->run->end, .tsc_in = p->tsc_in, .tsc = p->tsc,
			.what = p->to ? STEP_BRANCH : STEP_NOT_TAKEN });
}

static struct said decode(struct source source, u8 options, u32 needs, bool note)
{
	struct flow_source from = { more, next, &source };
	struct flow_setup setup = {
		.clock = { 2 * (options & 1), 1, 3, 20 }, .no_compression = options & 2,
		.cyc_threshold = options & 4, .hop = options & 8, .needs = needs, .note = note,
	};
	struct runs runs = { .fetch = fetch, .who = &source };
	struct flow *f = calloc(1, sizeof(*f));
	static struct notes notes;
	struct said said = { 0 };
	u64 h = 0, n = 0, until = ~0ULL;
	struct step s;

	/* Chains from the first packet on. */
	runs.n_unchained = 1 << 20;
	flow_start(f, &setup, &from, &runs);
	while (n++ < MAX_STEPS && flow_next(f, &s, &notes, until)) {
		/* None was left out from then on. */
		if (f->skipped.any && s.tsc_in >= until)
			abort();
		f->skipped.any = false;
		say_passed(&said, needs, &notes);
		said.latest = MAX(said.latest, f->skipped_tsc);
		say(&said, needs, &s);
		if (s.what & STEP_PSB)
			said.times = mix(said.times, said.latest);
		/* Time may be up anywhere, soon or later. */
		if (options & 64)
			until = s.tsc + (n * 0x9e3779b9 >> 7) % (n & 1 ? 8 : 1 << 14);
		if (s.what & ~(DULL | STEP_BRANCH | STEP_NOT_TAKEN))
			h = mix(mix(mix(mix(mix(mix(h, s.what & ~STEP_NEW_BUFFER), s.from),
						s.insns), s.tsc_in), s.tsc), s.cycles);
	}
	say_passed(&said, needs, &notes);
	said.rest = n < MAX_STEPS ? mix(h, f->insns) : 0;
	runs_clear(&runs);
	free(f);
	return said;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u8 psb_plus[] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				       2, 0x82, 2, 0x82, 0x99, 1, 2, 0x23 };
	struct said steps, skipped, noted;
	struct source s;
	u8 *trace;
	u32 needs;

	if (size < 1 + CODE || size > 1 + CODE + 4096)
		return 0;
	needs = data[0] & 16 ? NEED_CALLS | NEED_RETURNS :
	       data[0] & 32 ? NEED_ALL & ~NEED_NOT_TAKEN :
	       data[0] & 128 ? NEED_TIME : 0;
	size -= 1 + CODE;
	trace = malloc(sizeof(psb_plus) + size);
	memcpy(trace, psb_plus, sizeof(psb_plus));
	memcpy(trace + sizeof(psb_plus), data + 1 + CODE, size);
	s = (struct source){ { trace, sizeof(psb_plus) + size }, { data + 1, CODE }, false };
	steps = decode(s, data[0], NEED_ALL, false);
	skipped = decode(s, data[0], needs, false);
	if (steps.rest && skipped.rest &&
	    (steps.rest != skipped.rest || (needs && steps.times != skipped.times)))
		abort();
	noted = decode(s, data[0], needs & NEED_ALL ? needs : NEED_ALL, true);
	if (!(needs & NEED_ALL))
		skipped = steps;
	if (noted.rest && skipped.rest &&
	    (noted.branches != skipped.branches || noted.rest != skipped.rest ||
	     noted.times != skipped.times))
		abort();
	free(trace);
	return 0;
}
