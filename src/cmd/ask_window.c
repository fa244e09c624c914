/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options that select the start or the end of a trace, or calls of certain functions.
 */
#include <pt/fail.h>
#include <pt/num.h>
#include "ask.h"

#define TEXT(name, what) { name, offsetof(struct listing, window.what), true }

static const struct opt_member texts[] = {
	TEXT("from-symbol", from), TEXT("to-symbol", to), TEXT("who-calls", callee),
	{ 0 },
};

bool ask_window_number(const char *arg, const char *unit, u64 *n)
{
	u64 number;
	const char *end = num_read(arg, 10, &number);

	if (!end || end == arg || strcmp(end, unit) || !number)
		return false;
	*n = number;
	return true;
}

/* The time is not known until the file is open. */
static const char *take_time(struct ask *a, struct opt *o, const char *name)
{
	u64 *to = !strcmp(name, "head") ? &a->head_ns : &a->tail_ns;

	if (a->counts && !strcmp(name, "last") &&
	    (ask_window_number(o->arg, "calls", &a->last_calls) ||
	     ask_window_number(o->arg, "insns", &a->last_insns)))
		return NULL;
	if (!num_parse_time(o->arg, to) || !*to)
		return opt_wrong(o, a->counts && !strcmp(name, "last") ?
				 "--%s takes a time or a number: 10ms, 100calls, 1000insns" :
				 "--%s takes a time: 10ms, 2s", name);
	if (a->list->time && *a->list->time)
		return opt_wrong(o, "--%s and --time exclude each other", name);
	a->list->time = "";
	return NULL;
}

bool ask_window(struct ask *a, struct opt *o, const char *name, const char **wrong)
{
	u64 depth;

	*wrong = NULL;
	if (opt_set(o, name, texts, a->list))
		return true;
	if (strcmp(name, "depth") && strcmp(name, "head") && strcmp(name, "tail") &&
	    strcmp(name, "last"))
		return false;
	if (opt_refuse(o, name))
		*wrong = o->error;
	else if (strcmp(name, "depth"))
		*wrong = take_time(a, o, name);
	else if (num_parse(o->arg, &depth) && depth && !(depth >> 32))
		a->list->window.depth = depth;
	else
		*wrong = "--depth takes a number";
	return true;
}

bool ask_window_wrong(const struct ask *a)
{
	const struct itrace *it = &a->list->itrace;

	if (!a->list->window.callee || (it->branches && !it->instructions))
		return false;
	fail(0, "--who-calls selects calls; use pt script or pt report, and --itrace=c or none");
	return true;
}

static char *put_time(char *p, u64 ns)
{
	return put_dec_0(put_char(put_dec(p, ns / 1000000000), '.'), ns % 1000000000, 9);
}

int ask_window_start(struct ask *a)
{
	struct listing *l = a->list;
	char text[64], *p = text;
	u64 first, last;

	if (!a->head_ns && !a->tail_ns)
		return 0;
	listing_times(l, &first, &last);
	if (!last)
		return fail(0, "%s does not say when it begins and ends; use --time", l->path);
	p = put_time(p, a->tail_ns ? last - MIN(a->tail_ns, last - first) : first);
	p = put_char(p, ',');
	if (a->head_ns)
		p = put_time(p, MIN(first + a->head_ns, last));
	*p = 0;
	l->time = arena_str(&l->session.arena, text);
	return 0;
}

bool ask_window_missed(const struct ask *a)
{
	const char *symbol, *option = window_missed(&a->list->window, &symbol);

	if (option)
		warn(0, "%s %s: no such function begins in %s; 'pt report -s sym' lists what "
		     "there is", option, symbol, a->list->path);
	return option;
}
