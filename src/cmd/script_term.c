/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script on a terminal: choose short lines, and say before printing how long a serial line
 * needs.
 *
 * The time is a guess, usually right within a factor of 2, since the bytes of text for a byte of
 * trace depend on the program. That is enough to tell a minute from a night.
 */
#include <pt/config/PROGRESS.h>
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/paint.h>
#include <pt/print_short.h>
#include <pt/term.h>
#include "script.h"

enum { BITS = 10, SOON = 60 };	/* bits for a byte on the line; seconds without a message */

enum { DUMP, CALLS, RETURNS, PLACES, BRANCHES, INSNS, SAMPLES, OTHERS };

/* Bytes of text for a byte of trace, measured with ls, gzip and python3 recorded in software. */
static const struct { u16 brief, wide; } text_of[] = {
	[DUMP] = { 50, 50 }, [CALLS] = { 8, 50 }, [RETURNS] = { 18, 110 },
	[PLACES] = { 16, 100 }, [BRANCHES] = { 75, 300 }, [INSNS] = { 500, 1800 },
	[SAMPLES] = { 2, 5 },	/* bytes for a byte of a file without a trace */
	[OTHERS] = { 0, 0 },
};

static int what_is_printed(const struct script *s)
{
	const struct itrace *it = &s->list.itrace;

	if (s->dump)
		return DUMP;
	if (it->off || it->quick)
		return OTHERS;
	if (it->instructions)
		return s->list.options.each_insn ? INSNS : OTHERS;
	if (it->only & FLAG_CALL && s->printer.fields.of[FIELDS_HW] & FIELD_CALLINDENT)
		return it->only & FLAG_RETURN ? RETURNS : CALLS;
	if (it->only & FLAG_CALL)
		return PLACES;
	return it->branches ? BRANCHES : OTHERS;
}

/* Does it print all of the trace, as far as is known? */
static bool prints_all(const struct script *s)
{
	return !(s->list.options.cpus || s->list.comms || s->list.pids || s->list.tids ||
		 s->list.dsos || s->list.symbols || s->n_shards);
}

static void time_text(char *to, size_t size, u64 seconds)
{
	if (seconds < 120)
		fmt_str(to, size, "%llu s", seconds);
	else if (seconds < 7200)
		fmt_str(to, size, "%llu min", seconds / 60);
	else
		fmt_str(to, size, "%llu h", seconds / 3600);
}

/* The part of the time that --time selects, in thousandths. */
static u64 share_of_time(struct script *s)
{
	const struct ranges *ranges = &s->list.ranges;
	u64 first, last, sum = 0;
	u32 i;

	if (!s->list.time || s->dump)
		return 1000;
	listing_times(&s->list, &first, &last);
	for (i = 0; i < ranges->n; i++) {
		u64 from = MAX(ranges->at[i].start, first);
		u64 to = ranges->at[i].end ? MIN(ranges->at[i].end, last) : last;

		sum += to > from ? to - from : 0;
	}
	return sum / (last / 1000 - first / 1000 + 1) + 1;
}

void script_say_long(struct script *s, u64 trace)
{
	enum { LINE = 50 };
	bool samples = !trace && !s->dump;
	int what = samples ? SAMPLES : what_is_printed(s);
	u64 bytes = (samples ? s->list.session.file.size : trace) / 1000 *
		    (s->ask.wide || s->fields_set ? text_of[what].wide : text_of[what].brief);
	u64 seconds;
	char text[32];

	if (!s->baud || (CONFIG_PROGRESS && s->ask.quiet) || !prints_all(s))
		return;
	bytes *= share_of_time(s);
	if (s->max_samples)
		bytes = MIN(bytes, s->max_samples * LINE);
	seconds = bytes / MAX(s->baud / BITS, 1ULL);
	if (seconds <= SOON)
		return;
	time_text(text, sizeof(text), seconds);
	warn(0, "about %s at %llu baud (%llu kB); Ctrl-C stops it; for less:", text, s->baud,
	     (bytes >> 10) + 1);
	if (s->dump)
		warn(0, "--no-itrace (records only), or pt script --call-trace");
	else
		warn(0, "%s--time 99%%-100%% (the end), --max-samples 1000, --symbols LIST",
		     what == CALLS || samples ? "" : "--call-trace, ");
}

const char *script_baud(struct script *s, const char *arg)
{
	return num_parse(arg, &s->baud) && s->baud ? NULL : "--baud takes a number: 115200";
}

/* Lines are short on a terminal, unless the user selects columns or --wide. */
bool script_is_short(const struct script *s)
{
	return s->out->lines && !s->ask.wide && !s->fields_set;
}

void script_terminal(struct script *s)
{
	u64 first, last;

	if (s->fields_set && !s->ask.wide)
		term_trim(s->out);
	if (!s->dump)
		paint(s->out, PAINT_TRACE);
	if (!script_is_short(s))
		return;
	term_fit(s->out);
	listing_times(&s->list, &first, &last);
	print_short_start(&s->printer, s->out->width, first);
}
