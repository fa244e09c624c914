/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any trace over any code: the flow ends, and what it says of everything but
 * branches is the same whether branches are steps or skipped.
 *
 * The first byte is options, the next 256 are the code at each multiple of 256,
 * what follows is the trace behind a PSB.
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

/* A hash over all that is not just a branch. */
static u64 decode(struct source source, u8 options, u32 heed)
{
	const u32 dull = STEP_BRANCH | STEP_NOT_TAKEN | STEP_IN_TX | STEP_IPC | STEP_FROM_NR |
			 STEP_TO_NR | STEP_NEW_BUFFER | STEP_AT_FUP;
	struct flow_source from = { more, next, &source };
	struct flow_setup setup = {
		.clock = { 2 * (options & 1), 1, 3, 20 }, .no_compression = options & 2,
		.cyc_threshold = options & 4, .hop = options & 8, .heed = heed,
	};
	struct runs runs = { .fetch = fetch, .who = &source };
	struct flow *f = calloc(1, sizeof(*f));
	u64 h = 0, n = 0;
	struct step s;

	flow_start(f, &setup, &from, &runs);
	f->until = ~0ULL;
	while (n++ < MAX_STEPS && flow_next(f, &s))
		if (s.what & ~dull)
			h = mix(mix(mix(mix(mix(h, s.what & ~STEP_NEW_BUFFER), s.from), s.insns),
				    s.tsc), s.cycles);
	h = n < MAX_STEPS ? mix(h, f->insns) : 0;
	runs_clear(&runs);
	free(f);
	return h;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u8 psb_plus[] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				       2, 0x82, 2, 0x82, 0x99, 1, 2, 0x23 };
	struct source s;
	u64 steps, skipped;
	u8 *trace;

	if (size < 1 + CODE || size > 1 + CODE + 4096)
		return 0;
	size -= 1 + CODE;
	trace = malloc(sizeof(psb_plus) + size);
	memcpy(trace, psb_plus, sizeof(psb_plus));
	memcpy(trace + sizeof(psb_plus), data + 1 + CODE, size);
	s = (struct source){ { trace, sizeof(psb_plus) + size }, { data + 1, CODE }, false };
	steps = decode(s, data[0], HEED_ALL);
	skipped = decode(s, data[0], data[0] & 16 ? HEED_CALLS | HEED_RETURNS :
				     data[0] & 32 ? HEED_ALL & ~HEED_NOT_TAKEN : 0);
	if (steps && skipped && steps != skipped)
		abort();
	free(trace);
	return 0;
}
