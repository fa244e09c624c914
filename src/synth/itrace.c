/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The letters of --itrace.
 */
#include <pt/branches.h>
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/CYCLE_SAMPLES.h>
#include <pt/config/DECODE_LOG.h>
#include <pt/config/PEBS.h>
#include <pt/itrace.h>
#include <pt/num.h>

enum {
	PERIOD_NS = 100000,
	CALLCHAIN = 16,
	BRANCH_STACK = 64,
};

/* What one --itrace option says about the period of instruction samples. */
struct period_given { bool period, unit; };

void itrace_add_usual(struct itrace *it, bool sampled)
{
	it->branches = it->transactions = it->ptwrites = it->power = it->interrupts = true;
	it->errors = true;
	it->pebs = CONFIG_PEBS;
	it->skip = 0;
	it->unit = sampled ? ITRACE_NS : ITRACE_INSNS;
	it->period = sampled ? PERIOD_NS : 1;
	it->instructions |= sampled;
	it->only |= sampled ? 0 : ITRACE_CALLS;
	if (it->callchain)
		it->callchain = CALLCHAIN;
	if (it->callchain_others)
		it->callchain_others = CALLCHAIN;
}

void itrace_default(struct itrace *it, bool sampled)
{
	*it = (struct itrace){ 0 };
	itrace_add_usual(it, sampled);
	if (!sampled)
		return;
	it->branches = false;
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

/* Read "100us" after an i; NULL if it is wrong. '*has' says which parts were given. */
static const char *read_period(struct itrace *it, const char *p, struct period_given *has)
{
	static const struct { const char *name; u8 unit; u64 times; } units[] = {
		{ "i", ITRACE_INSNS, 1 }, { "t", ITRACE_TICKS, 1 }, { "ns", ITRACE_NS, 1 },
		{ "us", ITRACE_NS, 1000 }, { "ms", ITRACE_NS, 1000000 },
	};
	const char *at = skip_blanks(p);
	size_t i, len;

	it->instructions = true;
	if (!is_digit(*at))
		return at;
	p = num_read(at, 10, &it->period);
	if (!p)
		return NULL;
	has->period = true;
	p = skip_blanks(p);
	if (!*p)
		return p;
	for (i = 0; i < N_ELEM(units); i++) {
		len = strlen(units[i].name);
		if (strncmp(p, units[i].name, len))
			continue;
		it->unit = units[i].unit;
		has->unit = true;
		if (__builtin_mul_overflow(it->period, units[i].times, &it->period))
			return NULL;
		return p + len;
	}
	return NULL;
}

/* Read an optional number; the default is 'n'. */
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

/* Read the length of call chains after g ('made') or G. As in perf, the last length given is valid
 * for both letters. */
static const char *read_chain(const char *p, struct itrace *it, bool made)
{
	u32 n = 0;

	p = read_count(p, &n, CALLCHAIN, ITRACE_CHAIN_MAX);
	if (made || it->callchain)
		it->callchain = n;
	if (!made || it->callchain_others)
		it->callchain_others = n;
	return p;
}

/* The same for branch stacks, after l and L. */
static const char *read_branches(const char *p, struct itrace *it, bool made)
{
	u32 n = 0;

	p = read_count(p, &n, BRANCH_STACK, BRANCH_STACK_MAX);
	if (made || it->branch_stack)
		it->branch_stack = n;
	if (!made || it->branch_stack_others)
		it->branch_stack_others = n;
	return p;
}

/* "+a-o" after e or d. */
static const char *read_flags(const char *p, struct itrace *it, bool of_e)
{
	for (; (p[0] == '+' || p[0] == '-') && p[1]; p += 2) {
		if (of_e && p[0] == '-' && p[1] == 'o')
			it->no_overflows = true;
		if (of_e && p[0] == '-' && p[1] == 'l')
			it->no_losts = true;
		if (CONFIG_DECODE_LOG && !of_e && p[1] == 'a')
			it->log_all = p[0] == '+';
		if (CONFIG_DECODE_LOG && !of_e && p[1] == 'e')
			it->log_errors = p[0] == '+';
		if (CONFIG_DECODE_LOG && !of_e && p[1] == 'o')
			it->log_stdout = p[0] == '+';
		if (p[1] < 'a' || p[1] > 'z')
			return NULL;
	}
	return p[0] == '+' || p[0] == '-' ? NULL : p;
}

bool itrace_parse(struct itrace *it, const char *text)
{
	struct period_given has = { 0 };
	const char *p = text;

	while (p && *p) {
		it->wrong = *p;
		switch (*p++) {
		case 'i':
			if (CONFIG_CYCLE_SAMPLES)
				it->only_cycles = false;
			p = read_period(it, p, &has);
			break;
		case 'y':
			if (!CONFIG_CYCLE_SAMPLES)
				return false;
			it->only_cycles |= !it->instructions;
			it->cycles = true;
			p = read_period(it, p, &has);
			break;
		case 'b': it->branches = true; break;
		case 'c': it->branches = true; it->only |= ITRACE_CALLS; break;
		case 'r': it->branches = true; it->only |= ITRACE_RETURNS; break;
		case 'x': it->transactions = true; break;
		case 'w': it->ptwrites = true; break;
		case 'p': it->power = true; break;
		case 'I': it->interrupts = true; break;
		case 'e': it->errors = true; p = read_flags(p, it, true); break;
		case 'd':
			it->log = true;
			if (!CONFIG_DECODE_LOG)
				it->ignored = 'd';
			p = read_flags(p, it, false);
			break;
		case 'o':
			it->pebs = CONFIG_PEBS;
			if (!CONFIG_PEBS)
				it->ignored = 'o';
			break;
		case 'l':
		case 'L':
			if (!CONFIG_BRANCH_STACKS)
				it->ignored = p[-1];
			p = read_branches(p, it, p[-1] == 'l');
			break;
		case 'g': p = read_chain(p, it, true); break;
		case 'G': p = read_chain(p, it, false); break;
		case 's': p = num_read(p, 10, &it->skip); break;
		case 'q': it->quick++; break;
		case 'A': it->approximate_ipc = true; break;
		case 'Z': it->timeless = true; break;
		/* These letters are for other trace formats and have no meaning for Intel PT. */
		case 'f': case 'm': case 't': case 'a': case 'M': case ' ': case ',':
			break;
		default:
			return false;
		}
	}
	/* As in perf, a list without a period replaces an earlier period by the default. */
	if (it->instructions && !has.period)
		it->period = PERIOD_NS;
	if (it->instructions && !has.unit)
		it->unit = ITRACE_NS;
	return p;
}
