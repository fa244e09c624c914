/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages after a trace was read: gaps, and the reason if nothing was printed.
 */
#include <pt/config/PROGRESS.h>
#include <pt/config/SCRIPT_MORE.h>
#include <pt/config/WINDOW.h>
#include <pt/fail.h>
#include "ask.h"

/* Name the parts of the file that pt cannot read. */
static bool say_unreadable(const struct listing *l)
{
	bool foreign = l->foreign && !l->itrace.off, packed = l->session.file.n_compressed;

	if (packed)
		warn(0, "%s: its COMPRESSED records (zstd) cannot be read; record without -z",
		     l->path);
	if (foreign)
		warn(0, "%s: its trace is %s, but pt decodes Intel PT only; pt -D shows its bytes",
		     l->path, l->foreign);
	return packed || foreign;
}

/* Name the first option that matched no sample. */
static bool say_option(const struct ask *a)
{
	const struct listing *l = a->list;
	const struct { const char *name, *arg, *column; } options[N_LISTING] = {
		[LISTING_TIME] = { "--time", l->time, NULL },
		[LISTING_CPU] = { "-C", a->cpu_list, "cpu" },
		[LISTING_COMM] = { "--comms", l->comms, "comm" },
		[LISTING_PID] = { "--pid", l->pids, "pid" },
		[LISTING_TID] = { "--tid", l->tids, NULL },
		[LISTING_DSO] = { "--dsos", l->dsos, "dso" },
		[LISTING_SYMBOL] = { "--symbols", l->symbols, "sym" },
	};
	const char *column;
	bool any = false;
	u32 i;

	for (i = 0; i < N_LISTING; i++) {
		any |= options[i].arg != NULL;
		if (!options[i].arg || l->passed >> i & 1)
			continue;
		column = options[i].column;
		warn(0, "%s %s: no sample matches in %s%s%s%s", options[i].name, options[i].arg,
		     l->path, column ? "; 'pt report -s " : "", column ? column : "",
		     column ? "' lists the values" : "");
		return true;
	}
	if (any)
		warn(0, "%s: no sample matches all selecting options", l->path);
	return any;
}

/* No sample is within the function, or between the events, that options name. */
static bool say_choice(const struct listing *l)
{
	const struct choice *c = &l->choice;

	if (c->functions && !c->met_function)
		warn(0, "--graph-function %s: no call of it in %s: 'pt script --call-trace' lists "
		     "the calls of a trace", c->functions, l->path);
	else if (c->on && !c->met_on)
		warn(0, "--switch-on %s: %s has no sample of this event", c->on, l->path);
	else if (choice_any(c))
		warn(0, "%s: --switch-on, --switch-off and --graph-function select no sample",
		     l->path);
	return choice_any(c);
}

/* Describe how much was lost because this file is missing. */
static size_t lost_text(const struct ask *a, const struct dso *dso, char *to, size_t room)
{
	const struct session *session = &a->list->session;
	const struct dso_lost *lost = &dso->lost;
	u64 us = session_has_time(session) ? (session_time(session, lost->ticks) -
					      session_time(session, 0)) / 1000 : 0;
	char id[NOTE_ID_TEXT], time[40] = "";

	dso_id_text(dso, id);
	if (us)
		fmt_str(time, sizeof(time), " in %llu.%03llu ms", us / 1000, us % 1000);
	return fmt_str(to, room, "%s (%s%s%s%llu time%s, %llu branch%s not followed%s)", dso->name,
		       *id ? "build-id " : "", id, *id ? ", " : "", lost->gaps,
		       lost->gaps == 1 ? "" : "s", lost->branches,
		       lost->branches == 1 ? "" : "es", time);
}

/* List missing files whose code was executed, with the gaps that they caused. A message for each of
 * them was printed when it was first needed. */
static void say_missing_code(const struct ask *a)
{
	enum { LOST_TEXT = 200 };
	char text[1600] = "";
	const struct dso *dso;
	size_t len = 0;
	u32 n = 0;

	for (dso = a->list->session.images.dsos; dso; dso = dso->next) {
		if (!dso->lost.gaps || !dso->missing)
			continue;
		n++;
		if (len + strlen(dso->name) + LOST_TEXT > sizeof(text))
			continue;
		if (len)
			len += fmt_str(text + len, sizeof(text) - len, ", ");
		len += lost_text(a, dso, text + len, sizeof(text) - len);
	}
	if (n)
		warn(0, "gaps: the code of %u file%s is missing: %s; use --symfs DIR, or pt record "
		     "--bundle", n, n == 1 ? "" : "s", text);
}

/* Does --itrace ask for an instruction from time to time only? */
static bool has_period(const struct itrace *it)
{
	return it->instructions && !it->only_cycles && !it->skip;
}

/* Why there is nothing to print, as a format for the path; NULL if it is in order. Gaps are counted
 * elsewhere: "". */
static const char *why_empty(const struct listing *l)
{
	const struct session *s = &l->session;
	u32 i;

	if (!s->have_pt)
		return "%s: there are no samples; record longer";
	if (!s->n_buffers && !l->options.cpus && !l->itrace.off)
		return "%s: the trace is empty: it was ended at once, or the disk was full";
	for (i = 0; i < s->n_queues; i++)
		if (session_insns(s->queues[i]))
			return has_period(&l->itrace) ? "%s: no thread runs for a whole period; "
				"use --itrace=i0ns, or i1000i" : NULL;
	if (s->no_psb)
		return "%s: its trace has no PSB packet, where decoding begins; record more";
	return l->gaps ? "" : NULL;
}

static bool say_empty(const struct listing *l)
{
	const char *why = why_empty(l);

	if (why && *why)
		warn(0, why, l->path);
	return why;
}

static void say_gaps(const struct ask *a)
{
	const struct listing *l = a->list;

	warn(0, "%llu gap%s in the trace%s", l->gaps, l->gaps == 1 ? "" : "s",
	     l->itrace.errors && !a->sums_up ? "" :
	     "; pt script --itrace=e lists them");
}

/* --quiet, but an empty output always has its reason. */
static bool is_quiet(const struct ask *a, bool printed)
{
	return CONFIG_PROGRESS && a->quiet && (printed || a->list->n_samples || a->list->n_runs);
}

/* Say why nothing was printed. Returns STATUS_FAILED in that case. */
static int say_nothing(const struct ask *a, bool printed)
{
	const struct listing *l = a->list;
	bool said = say_unreadable(l);

	if (!a->part && !is_quiet(a, printed))
		say_missing_code(a);
	/* It is not known what other shards printed. */
	if (printed || l->n_samples || l->n_runs || a->part)
		return 0;
	if (CONFIG_WINDOW && ask_window_missed(a))
		return STATUS_FAILED;
	if (said || say_option(a) || (CONFIG_SCRIPT_MORE && say_choice(l)))
		return STATUS_FAILED;
	return say_empty(l) ? STATUS_FAILED : 0;
}

int ask_end(const struct ask *a, int status, bool printed)
{
	u64 gaps = a->list->gaps;
	int nothing;

	out_flush(a->out);
	if (gaps && !is_quiet(a, printed))
		say_gaps(a);
	/* Why the command failed was said. */
	nothing = say_nothing(a, printed || status == STATUS_FAILED);
	if (status || !a->strict || !gaps)
		return status ? status : nothing;
	return STATUS_GAPS;
}
