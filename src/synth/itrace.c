/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The letters of --itrace.
 */
#include <pt/itrace.h>
#include <pt/num.h>

enum {
	PERIOD_NS = 100000,
	CALLCHAIN = 16,
	BRANCHES_MAX = 1024,
};

void itrace_default(struct itrace *it, bool sampled)
{
	*it = (struct itrace){
		.transactions = true, .ptwrites = true, .power = true, .interrupts = true,
		.errors = true, .branches = true, .unit = ITRACE_INSNS, .period = 1,
	};
	if (!sampled) {
		it->calls = true;
		return;
	}
	it->branches = false;
	it->instructions = true;
	it->unit = ITRACE_NS;
	it->period = PERIOD_NS;
	it->callchain = it->callchain_others = CALLCHAIN;
}

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " ,");
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "100us" behind an i; NULL if it is not right. */
static const char *read_period(struct itrace *it, const char *p)
{
	static const struct { const char *name; u8 unit; u64 times; } units[] = {
		{ "i", ITRACE_INSNS, 1 }, { "t", ITRACE_TICKS, 1 }, { "ns", ITRACE_NS, 1 },
		{ "us", ITRACE_NS, 1000 }, { "ms", ITRACE_NS, 1000000 },
	};
	const char *at = skip_blanks(p);
	size_t i, len;

	it->instructions = true;
	it->unit = ITRACE_NS;
	it->period = PERIOD_NS;
	if (!is_digit(*at))
		return at;
	p = num_read(at, 10, &it->period);
	if (!p)
		return NULL;
	p = skip_blanks(p);
	if (!*p)
		return p;
	for (i = 0; i < N_ELEM(units); i++) {
		len = strlen(units[i].name);
		if (strncmp(p, units[i].name, len))
			continue;
		it->unit = units[i].unit;
		if (__builtin_mul_overflow(it->period, units[i].times, &it->period))
			return NULL;
		return p + len;
	}
	return NULL;
}

/* A number that may follow: 'n' without one. */
static const char *read_count(const char *p, u32 *to, u32 n, u32 max)
{
	u64 count = n;

	p = skip_blanks(p);
	if (is_digit(*p)) {
		p = num_read(p, 10, &count);
		if (!p || !count || count > max)
			return NULL;
	}
	*to = count;
	return p;
}

/* "+a-o" behind e and d. */
static const char *read_flags(const char *p, struct itrace *it)
{
	for (; (p[0] == '+' || p[0] == '-') && p[1]; p += 2) {
		if (it && p[0] == '-' && p[1] == 'o')
			it->no_overflows = true;
		if (it && p[0] == '-' && p[1] == 'l')
			it->no_losts = true;
		if (p[1] < 'a' || p[1] > 'z')
			return NULL;
	}
	return p[0] == '+' || p[0] == '-' ? NULL : p;
}

bool itrace_parse(struct itrace *it, const char *text)
{
	const char *p = text;
	u32 n;

	*it = (struct itrace){ 0 };
	while (p && *p) {
		switch (*p++) {
		case 'i': p = read_period(it, p); break;
		case 'b': it->branches = true; break;
		case 'c': it->branches = it->calls = true; break;
		case 'r': it->branches = it->returns = true; break;
		case 'x': it->transactions = true; break;
		case 'w': it->ptwrites = true; break;
		case 'p': it->power = true; break;
		case 'I': it->interrupts = true; break;
		case 'e': it->errors = true; p = read_flags(p, it); break;
		/* A log, PEBS via PT, branch stacks: these are not made. */
		case 'd':
			it->ignored = 'd';
			p = read_flags(p, NULL);
			break;
		case 'o': it->ignored = 'o'; break;
		case 'l':
		case 'L':
			it->ignored = p[-1];
			p = read_count(p, &n, 1, BRANCHES_MAX);
			break;
		case 'g': p = read_count(p, &it->callchain, CALLCHAIN, ITRACE_CHAIN_MAX); break;
		case 'G':
			p = read_count(p, &it->callchain_others, CALLCHAIN, ITRACE_CHAIN_MAX);
			break;
		case 's': p = num_read(p, 10, &it->skip); break;
		case 'q': it->quick++; break;
		case 'A': it->approximate_ipc = true; break;
		case 'Z': it->timeless = true; break;
		/* Other trace formats have these, or every one has them anyway. */
		case 'f': case 'm': case 't': case 'a': case 'M': case 'T': case ' ': case ',':
			break;
		default:
			return false;
		}
	}
	return p;
}
