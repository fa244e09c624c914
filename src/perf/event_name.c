/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of events to types and numbers, and back.
 *
 * Names of cache events consist of words: a cache, an operation, a result. A misspelled name is
 * compared with all names by edit distance.
 */
#include <pt/event_name.h>
#include <pt/near.h>
#include <pt/event_spec.h>
#include <pt/out.h>
#include <pt/text.h>

static const struct plain {
	const char *name, *alias;
	u8 type, config;
} plain[] = {
	{ "cycles", "cpu-cycles", EVENT_HARDWARE, HW_CYCLES },
	{ "instructions", NULL, EVENT_HARDWARE, HW_INSTRUCTIONS },
	{ "cache-references", NULL, EVENT_HARDWARE, HW_CACHE_REFERENCES },
	{ "cache-misses", NULL, EVENT_HARDWARE, HW_CACHE_MISSES },
	{ "branches", "branch-instructions", EVENT_HARDWARE, HW_BRANCHES },
	{ "branch-misses", NULL, EVENT_HARDWARE, HW_BRANCH_MISSES },
	{ "bus-cycles", NULL, EVENT_HARDWARE, HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", EVENT_HARDWARE, HW_STALLED_FRONTEND },
	{ "stalled-cycles-backend", "idle-cycles-backend", EVENT_HARDWARE, HW_STALLED_BACKEND },
	{ "ref-cycles", NULL, EVENT_HARDWARE, HW_REF_CYCLES },
	{ "cpu-clock", NULL, EVENT_SOFTWARE, SW_CPU_CLOCK },
	{ "task-clock", NULL, EVENT_SOFTWARE, SW_TASK_CLOCK },
	{ "page-faults", "faults", EVENT_SOFTWARE, SW_PAGE_FAULTS },
	{ "context-switches", "cs", EVENT_SOFTWARE, SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", "migrations", EVENT_SOFTWARE, SW_CPU_MIGRATIONS },
	{ "minor-faults", NULL, EVENT_SOFTWARE, SW_MINOR_FAULTS },
	{ "major-faults", NULL, EVENT_SOFTWARE, SW_MAJOR_FAULTS },
	{ "alignment-faults", NULL, EVENT_SOFTWARE, SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", NULL, EVENT_SOFTWARE, SW_EMULATION_FAULTS },
	{ "dummy", NULL, EVENT_SOFTWARE, SW_DUMMY },
	{ "bpf-output", NULL, EVENT_SOFTWARE, SW_BPF_OUTPUT },
	{ "cgroup-switches", NULL, EVENT_SOFTWARE, SW_CGROUP_SWITCHES },
};

static const char *const tools[] = { NULL, "duration_time", "user_time", "system_time" };

enum { N_CACHES = 7, N_OPS = 3, N_RESULTS = 2, N_WORDS = 5 };

/* The words of cache events; the first of each is the one that is shown. */
static const char *const caches[N_CACHES][N_WORDS] = {
	{ "L1-dcache", "l1-d", "l1d", "L1-data" },
	{ "L1-icache", "l1-i", "l1i", "L1-instruction" },
	{ "LLC", "L2" },
	{ "dTLB", "d-tlb", "Data-TLB" },
	{ "iTLB", "i-tlb", "Instruction-TLB" },
	{ "branch", "branches", "bpu", "btb", "bpc" },
	{ "node" },
};
static const char *const cache_ops[N_OPS][N_WORDS] = {
	{ "loads", "load", "read" },
	{ "stores", "store", "write" },
	{ "prefetches", "prefetch", "speculative-read", "speculative-load" },
};
static const char *const cache_results[N_RESULTS][N_WORDS] = {
	{ "refs", "Reference", "ops", "access" },
	{ "misses", "miss" },
};
/* The operations of a cache: bit 0 loads, 1 stores, 2 prefetches. */
static const u8 cache_has[N_CACHES] = { 7, 5, 7, 7, 1, 1, 7 };

static bool is(const char *s, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(s, name, len);
}


static const struct plain *find_plain(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < N_ELEM(plain); i++)
		if (is(s, len, plain[i].name) || (plain[i].alias && is(s, len, plain[i].alias)))
			return &plain[i];
	return NULL;
}

/* The longest word that 's' begins with: its row, and its length in '*len'. */
static int find_word(const char *s, size_t room, const char *const (*rows)[N_WORDS], int n,
		     size_t *len)
{
	int row, i, found = -1;

	*len = 0;
	for (row = 0; row < n; row++)
		for (i = 0; i < N_WORDS && rows[row][i]; i++)
			if (strlen(rows[row][i]) > *len && text_begins(s, room, rows[row][i])) {
				*len = strlen(rows[row][i]);
				found = row;
			}
	return found;
}

/* "L1-dcache-load-misses": a cache, then operation and result, each at most once. False if 's' is
 * not such a name. */
static bool read_cache(const char *s, size_t len, u64 *config)
{
	int op = -1, result = -1, row;
	size_t n;
	int cache = find_word(s, len, caches, N_CACHES, &n);

	if (cache < 0)
		return false;
	for (s += n, len -= n; len; s += n, len -= n) {
		if (*s++ != '-')
			return false;
		len--;
		row = find_word(s, len, cache_ops, N_OPS, &n);
		if (row >= 0 && op < 0) {
			op = row;
			continue;
		}
		row = find_word(s, len, cache_results, N_RESULTS, &n);
		if (row < 0 || result >= 0)
			return false;
		result = row;
	}
	op = MAX(op, 0);
	*config = cache | op << 8 | MAX(result, 0) << 16;
	return cache_has[cache] >> op & 1;
}

static void cache_name(char *to, size_t size, u64 config)
{
	int cache = config & 0xff, op = config >> 8 & 0xff;

	if (config >> 16 & 1)
		fmt_str(to, size, "%s-%s-misses", caches[cache][0], cache_ops[op][1]);
	else
		fmt_str(to, size, "%s-%s", caches[cache][0], cache_ops[op][0]);
}

bool event_name_find(const char *s, size_t len, u32 *type, u64 *config)
{
	const struct plain *found = find_plain(s, len);

	if (!found) {
		*type = EVENT_CACHE;
		return read_cache(s, len, config);
	}
	*type = found->type;
	*config = found->config;
	return true;
}

int event_name_tool(const char *s, size_t len)
{
	size_t i;

	for (i = 1; i < N_ELEM(tools); i++)
		if (is(s, len, tools[i]))
			return i;
	return 0;
}

void event_name_of(char *to, size_t size, u32 type, u64 config)
{
	size_t i;

	for (i = 0; i < N_ELEM(plain); i++)
		if (plain[i].type == type && plain[i].config == config) {
			fmt_str(to, size, "%s", plain[i].name);
			return;
		}
	if (type == EVENT_CACHE && (config & 0xff) < N_CACHES && (config >> 8 & 0xff) < N_OPS)
		cache_name(to, size, config);
	else
		fmt_str(to, size, "%u:%#llx", type, config);
}

bool event_name_nth(u32 i, struct event_name *e)
{
	u32 cache, op;

	e->alias = NULL;
	if (i < N_ELEM(plain)) {
		*e = (struct event_name){ plain[i].type, plain[i].config, "", plain[i].alias };
		fmt_str(e->name, sizeof(e->name), "%s", plain[i].name);
		return true;
	}
	i -= N_ELEM(plain);
	for (cache = 0; cache < N_CACHES; cache++)
		for (op = 0; op < N_OPS; op++) {
			if (!(cache_has[cache] >> op & 1))
				continue;
			if (i < N_RESULTS) {
				e->type = EVENT_CACHE;
				e->config = cache | op << 8 | i << 16;
				cache_name(e->name, sizeof(e->name), e->config);
				return true;
			}
			i -= N_RESULTS;
		}
	return false;
}

/* "[a-c]" at 'p' (after the bracket): whether it contains 'c'; '*end' follows it. */
static bool in_class(const char *p, char c, const char **end)
{
	bool not = *p == '!' || *p == '^', in = false;

	for (p += not; *p && *p != ']'; p++) {
		if (p[1] == '-' && p[2] && p[2] != ']') {
			in |= c >= p[0] && c <= p[2];
			p += 2;
		} else {
			in |= c == *p;
		}
	}
	*end = *p ? p + 1 : p;
	return in != not;
}

bool event_name_glob(const char *pattern, const char *s)
{
	const char *star = NULL, *from = NULL, *end;

	for (;;) {
		if (*pattern == '*') {
			star = ++pattern;
			from = s;
			continue;
		}
		if (!*s && !*pattern)
			return true;
		if (*s && *pattern == '[' && in_class(pattern + 1, *s, &end)) {
			pattern = end;
			s++;
			continue;
		}
		if (*s && *pattern && *pattern != '[' && (*pattern == *s || *pattern == '?')) {
			pattern++;
			s++;
			continue;
		}
		if (!star || !*from)
			return false;
		pattern = star;
		s = ++from;
	}
}

void event_name_near(char *to, size_t size, struct event_env *env, const char *s, size_t len)
{
	char word[NEAR_MAX + 1];
	struct near near = { .s = word, .len = len };
	const struct event_pmu *pmu;
	struct event_name e;
	u32 i;

	*to = 0;
	if (len > NEAR_MAX)
		return;
	memcpy(word, s, len);
	word[len] = 0;
	for (i = 0; event_name_nth(i, &e); i++) {
		near_offer(&near, e.name);
		if (e.alias)
			near_offer(&near, e.alias);
	}
	for (i = 1; i < N_ELEM(tools); i++)
		near_offer(&near, tools[i]);
	for (pmu = event_pmu_all(env); pmu; pmu = pmu->next) {
		near_offer(&near, pmu->name);
		for (i = 0; i < pmu->n_aliases; i++)
			near_offer(&near, pmu->aliases[i].name);
	}
	near_say(to, size, &near);
}
