/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The Trace Event Format, as JSON, for chrome://tracing, ui.perfetto.dev, speedscope and others. A
 * call is a pair of events, "B" and "E". The format has times in us; they are written with three
 * decimals.
 */
#include <pt/json.h>
#include <pt/print_tree.h>

static void begin(struct out *out)
{
	out_str(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
		"{\"ph\":\"M\",\"name\":\"trace_of\",\"pid\":0,\"args\":{\"name\":\"pt\"}}");
}

/* Write the start of an event, with its thread. */
static void put_event(struct out *out, const char *ph, const struct tree_track *track)
{
	out_fmt(out, ",\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d", ph, track->pid, track->tid);
}

static void put_track(struct out *out, const struct tree_track *track)
{
	static const char *const names[] = { "process_name", "thread_name" };
	bool is_cpu = track->pid == TREE_CPU;
	u32 i;

	for (i = track->pid != track->tid && !is_cpu; i < N_ELEM(names); i++) {
		put_event(out, "M", track);
		out_fmt(out, ",\"name\":\"%s\",\"args\":{\"name\":", names[i]);
		json_text(out, is_cpu && !i ? "CPUs" : track->comm);
		out_str(out, "}}");
	}
}

static void put_span(struct out *out, const struct span *span)
{
	if (span->kind == SPAN_TRACK) {
		put_track(out, span->track);
		return;
	}
	put_event(out, span->kind == SPAN_OPEN ? "B" : "E", span->track);
	out_fmt(out, ",\"ts\":%llu.%03llu", span->at / 1000, span->at % 1000);
	if (span->kind == SPAN_OPEN) {
		out_str(out, ",\"name\":");
		json_text(out, span->name);
		out_char(out, '}');
	} else if (span->track->pid == TREE_CPU) {
		out_char(out, '}');
	} else {
		out_fmt(out, ",\"args\":{\"instructions\":%llu}}", span->insns);
	}
}

static void end(struct out *out)
{
	out_str(out, "\n]}\n");
}

const struct print_spans print_chrome = { begin, put_span, end };
