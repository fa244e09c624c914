/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt evlist: the events of a file.
 */
#include <pt/command.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/SANDBOX.h>
#include <pt/config/TRACEPOINT_TEXT.h>
#include <pt/event_format.h>
#include <pt/fail.h>
#include <pt/opt.h>
#include <pt/out.h>
#include <pt/print_record.h>
#include <pt/sandbox.h>
#include "input.h"

PACKED(help) =
	"usage: pt evlist [OPTIONS] [-i FILE]\n"
	"\n"
	"List the events in FILE (perf.data).\n"
	"\n"
	"  -i, --input FILE      read FILE\n"
	"  -v, --verbose         all attributes of each event\n"
	"  -F, --freq            the frequency or the period of its samples\n"
	"  -g, --group           groups of events in braces\n"
	HELP_IF(CONFIG_TRACEPOINT_TEXT,
	"      --trace-fields    the fields of tracepoints\n")
	"\n"
	"Examples:\n"
	"  pt evlist -v perf.data\n"
	"  pt evlist -g\n"
	"  pt record -o - ls | pt evlist -F -i -\n"
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf evlist without effect\n"
	"\n"
	"  -f, --force\n");

struct evlist {
	struct perf_file file;
	struct arena arena;
	struct out *out;
	const char *path;
	bool verbose, freq, group, fields;
};

enum { TRACEPOINT = 2, GROUP_DESC = 17 };

/* "type: 1, size: 128, ...": as in the header, but with colons. */
static void put_attr(struct evlist *e, const struct perf_attr *attr)
{
	char text[OUT_BUFFER], *at, *equal;
	struct out out;

	out_open(&out, -1, text, sizeof(text));
	print_event_attr(&out, attr);
	*out.at = 0;
	at = text + (*text ? 2 : 0);		/* it begins with ", " */
	while ((equal = strchr(at, '=')) && equal > at) {
		out_bytes(e->out, at, equal - 1 - at);
		out_char(e->out, ':');
		at = equal + 1;
	}
	out_str(e->out, at);
}

static void put_fields(struct evlist *e, const struct perf_event *event)
{
	const struct event_format *format = event->attr.type == TRACEPOINT ?
					    event_format(&e->file, event) : NULL;
	u32 i;

	if (!format) {
		out_str(e->out, ": (not a tracepoint)");
		return;
	}
	out_str(e->out, ": trace_fields: ");
	for (i = format->n_common; i < format->n_fields; i++) {
		char name[80];

		out_str(e->out, i > format->n_common ? "," : "");
		fmt_str(name, sizeof(name), "%.*s", (int)format->fields[i].name.len,
			(const char *)format->fields[i].name.at);
		out_name(e->out, name);
	}
}

/* The number of events in the group that event 'i' leads, and its name. */
static u32 group_size(struct evlist *e, u32 i, const char **name)
{
	struct bytes b = perf_feature(&e->file, GROUP_DESC);
	u32 groups = bytes_take32(&b), len, leader, n;

	for (; groups && b.len; groups--) {
		len = bytes_take32(&b);
		*name = (const char *)b.at;
		if (!memchr(*name, 0, MIN(len, b.len)))
			break;
		b = bytes_skip(b, len);
		leader = bytes_take32(&b);
		n = bytes_take32(&b);
		if (leader == i && n > 1 && n <= e->file.n_events - i)
			return n;
	}
	return 1;
}

static u32 put_group(struct evlist *e, u32 i)
{
	const char *name = "";
	u32 n = group_size(e, i, &name), k;

	if (n > 1)
		out_name(e->out, strcmp(name, "{anon_group}") ? name : "");
	for (k = 0; k < n; k++) {
		out_str(e->out, k ? "," : n > 1 ? "{" : "");
		out_name(e->out, e->file.events[i + k]->name);
	}
	out_str(e->out, n > 1 ? "}" : "");
	return n;
}

static u32 put_event(struct evlist *e, u32 i)
{
	const struct perf_event *event = e->file.events[i];
	u32 n = 1;

	if (e->group) {
		n = put_group(e, i);
	} else {
		out_name(e->out, event->name);
		if (e->verbose) {
			out_str(e->out, ": ");
			put_attr(e, &event->attr);
		} else if (CONFIG_TRACEPOINT_TEXT && e->fields) {
			put_fields(e, event);
		} else if (e->freq) {
			out_fmt(e->out, ": sample_%s=%llu",
				perf_attr_flag(&event->attr, PERF_F_FREQ) ? "freq" : "period",
				event->attr.period);
		}
	}
	out_newline(e->out);
	return n;
}

static int run(struct evlist *e)
{
	const char *why = NULL;
	struct perf_record rec;
	bool tracepoints = false;
	u32 i;
	int err;

	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	err = perf_open(&e->file, e->path, &e->arena, &why);
	if (err)
		return input_fail(err, e->path, why);
	/* A pipe has its events in records. */
	while (e->file.pipe && (err = perf_next(&e->file, &rec, &why)) > 0)
		;
	if (err < 0)
		return input_fail(err, e->path, why);
	for (i = 0; i < e->file.n_events; i++)
		tracepoints |= e->file.events[i]->attr.type == TRACEPOINT;
	for (i = 0; i < e->file.n_events;)
		i += put_event(e, i);
	if (CONFIG_TRACEPOINT_TEXT && tracepoints && !e->fields)
		out_str(e->out, "# Tip: use 'pt evlist --trace-fields' to show fields for "
				"tracepoint events\n");
	return 0;
}

static struct evlist the;

static int evlist(struct opt *o, struct out *out)
{
	static const struct opt_member members[] = {
		{ "input", offsetof(struct evlist, path), true },
		{ "verbose", offsetof(struct evlist, verbose) },
		{ "freq", offsetof(struct evlist, freq) },
		{ "group", offsetof(struct evlist, group) },
		{ "trace-fields", offsetof(struct evlist, fields) },
		{ 0 },
	};
	const char *name;

	the.out = out;
	while ((name = opt_next(o)) && !o->error)
		opt_set(o, name, members, &the);
	if (opt_stopped(o))
		return STATUS_FAILED;
	if (!the.path)
		the.path = opt_word(o);
	if (!the.path)
		the.path = "perf.data";
	return run(&the);
}

const struct command cmd_evlist = { "evlist", "list the events in a file", help, evlist, true };
