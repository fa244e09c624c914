/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fields of tracepoints as sort keys: pt report -s prev_comm,sched:sched_switch.next_pid
 *
 * A field is a column of one event: the tables of other events do not have it. As in perf, values
 * are equal if their bytes are, and the greatest bytes come first.
 */
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/print_tracepoint.h>
#include <pt/text.h>
#include "report.h"

enum { TRACEPOINT = 2, MOST = 4096 };	/* bytes that are compared */

struct report_field {
	const struct perf_event *event;
	const struct event_field *field;
	bool raw;		/* as a number, not as the text of the event has it */
	char *order;		/* of the last sample: its bytes, the smallest come first */
	u32 room;
	u32 longest;		/* of its strings of variable length */
	char shown[KEY_TEXT];	/* and its text */
};

/* Columns */

/* A key, in its parts: EVENT.FIELD/raw, where EVENT and /raw may be missing. */
struct asked { struct bytes event, field; bool raw; };

static bool same_text(struct bytes b, const char *text)
{
	return b.len == strlen(text) && !memcmp(b.at, text, b.len);
}

/* Returns whether it has a known option, or none. */
static bool take_apart(struct asked *a, const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len), *slash;

	*a = (struct asked){ .field = { (const u8 *)name, len } };
	if (dot) {
		a->event = bytes_first(a->field, dot - name);
		a->field = bytes_skip(a->field, dot + 1 - name);
	}
	slash = memchr(a->field.at, '/', a->field.len);
	if (!slash)
		return true;
	a->raw = same_text(bytes_skip(a->field, slash + 1 - (const char *)a->field.at), "raw");
	a->field.len = slash - (const char *)a->field.at;
	return a->raw;
}

/* A pipe may name an event twice. */
static bool same_event(const struct perf_event *a, const struct perf_event *b)
{
	return a->attr.type == b->attr.type && a->attr.config == b->attr.config;
}

static bool add(struct report *r, const struct perf_event *event, const struct event_field *field,
		bool raw)
{
	struct arena *arena = &r->list.session.arena;
	struct hist_style *hist = &r->style.hist;
	struct report_style *style = &r->style;
	struct report_field *f;
	struct key_field *column;
	u32 i;

	for (i = 0; i < r->more.n_fields; i++)
		if (r->more.fields[i]->field == field &&
		    same_event(r->more.fields[i]->event, event))
			return true;
	if (i == HIST_FIELDS)
		return false;
	if (!i) {
		r->more.fields = NEW(arena, struct report_field *, HIST_FIELDS);
		style->columns = NEW(arena, struct key_field, HIST_FIELDS);
	}
	f = r->more.fields[i] = NEW(arena, struct report_field, 1);
	*f = (struct report_field){ .event = event, .field = field,
				  .raw = raw || r->more.raw_trace };
	column = &style->columns[r->more.n_fields++];
	column->name = arena_strn(arena, field->name.at, field->name.len);
	column->width = MAX(field->name.len, field->is_text ? field->size : 2 * field->size + 2);
	hist->sorts[hist->n_sorts++] = HIST_FIELD + i;
	return true;
}

/* Is it event 'i' that a key names: by its number ("%1"), its name, or a part of that? */
static bool is_event(const struct asked *a, const struct perf_event *event, u32 i)
{
	char name[128];
	u64 number;

	if (!a->event.len)
		return true;
	fmt_str(name, sizeof(name), "%.*s", (int)a->event.len, (const char *)a->event.at);
	if (*name == '%')
		return num_parse(name + 1, &number) && MAX(number, 1ull) == i + 1;
	return strchr(name, ':') ? !strcmp(event->name, name) : !!text_after(event->name, name);
}

static bool is_ambiguous(struct perf_file *f, const struct asked *a)
{
	u32 i, n = 0;

	for (i = 0; i < f->n_events && a->event.len; i++)
		n += is_event(a, f->events[i], i);
	return n > 1;
}

bool report_fields_add(struct report *r, const char *name, size_t len)
{
	struct perf_file *f = &r->list.session.file;
	struct event_format *format;
	const struct event_field *field;
	struct asked asked;
	bool some = false, all;
	u32 i, k;

	if (!take_apart(&asked, name, len) || is_ambiguous(f, &asked))
		return false;
	all = same_text(asked.field, "trace_fields") ||
	      (asked.event.len && same_text(asked.field, "*"));
	for (i = 0; i < f->n_events; i++) {
		if (f->events[i]->attr.type != TRACEPOINT || !is_event(&asked, f->events[i], i))
			continue;
		format = event_format(f, f->events[i]);
		if (!format)
			continue;
		for (k = format->n_common; all && k < format->n_fields; k++)
			some |= add(r, f->events[i], &format->fields[k], asked.raw);
		field = event_field(format, (const char *)asked.field.at, asked.field.len);
		if (!all && field)
			some |= add(r, f->events[i], field, asked.raw);
	}
	return some;
}

void report_fields_show(struct report *r, u32 event)
{
	const struct perf_event *shown = r->list.session.file.events[event];
	u32 i;

	for (i = 0; i < r->more.n_fields; i++)
		r->style.hist.hidden[HIST_FIELD + i] = !same_event(r->more.fields[i]->event, shown);
}

/* Values */

static struct bytes bytes_of(const struct report_field *f, struct bytes raw)
{
	if (f->field->is_array)
		return event_field_bytes(f->field, raw);
	return bytes_first(bytes_skip(raw, f->field->off), f->field->size);
}

/* The bytes as a text that sorts the other way round. */
static const char *order_of(struct report *r, struct report_field *f, struct bytes b)
{
	static const char digits[] = "fedcba9876543210";
	u32 room, i;

	b = bytes_first(b, MOST);
	room = 2 * b.len + 1;
	if (room > f->room) {
		f->order = arena_grow(&r->list.session.arena, f->order, 1, f->room, room);
		f->room = room;
	}
	for (i = 0; i < b.len; i++) {
		f->order[2 * i] = digits[b.at[i] >> 4];
		f->order[2 * i + 1] = digits[b.at[i] & 15];
	}
	f->order[2 * i] = 0;
	return f->order;
}

/* The text of the event up to the next blank, after "NAME=". False: it has no such word. (To perf,
 * that of a longer name is one, too.) */
static bool find_shown(struct report_field *f, const char *text)
{
	struct bytes name = f->field->name;
	size_t len;

	for (; *text; text += len + !!text[len]) {
		len = strcspn(text, " ");
		if (len <= name.len || memcmp(text, name.at, name.len) ||
		    text[name.len] != '=')
			continue;
		fmt_str(f->shown, sizeof(f->shown), "%.*s", (int)(len - name.len - 1),
			text + name.len + 1);
		return true;
	}
	return false;
}

/* As in perf, the width is that of strings that were compared. The longest one may have been
 * compared with none: the second longest counts. */
static void widen(struct report_field *f, struct key_field *column, u32 len)
{
	column->width = MAX(column->width, MIN(len, f->longest));
	f->longest = MAX(f->longest, len);
}

static void show(struct report *r, u32 i, struct bytes raw, const char *text)
{
	struct report_field *f = r->more.fields[i];
	struct key_field *column = &r->style.columns[i];
	static char room[OUT_BUFFER];
	struct out out;

	if (f->field->is_dynamic)
		widen(f, column, bytes_of(f, raw).len);
	if (!f->raw && find_shown(f, text)) {
		column->width = MAX(column->width, (u32)strlen(f->shown));
		return;
	}
	out_open(&out, -1, room, sizeof(room));
	print_tracepoint_field(&out, f->field, raw);
	*out.at = 0;
	fmt_str(f->shown, sizeof(f->shown), "%s", room);
}

void report_fields_values(void *who, const struct hist_style *style, const struct hist_sample *s,
			  const struct frame *at, struct hist_value *to)
{
	struct report *r = who;
	const struct perf_sample *recorded = r->more.keys.recorded;
	char text[4096];
	bool have_text = false;
	u32 i, k;

	hist_keys_values(&r->more.keys, style, s, at, to);
	for (i = 0; i < style->n_keys && recorded; i++) {
		if (style->keys[i] < HIST_FIELD)
			continue;
		k = style->keys[i] - HIST_FIELD;
		if (!same_event(r->more.fields[k]->event, recorded->event))
			continue;
		if (!have_text && !r->more.fields[k]->raw) {
			fmt_str(text, sizeof(text), "%s", report_trace_text(r, recorded));
			have_text = true;
		}
		show(r, k, recorded->raw, text);
		to[i].text = order_of(r, r->more.fields[k],
				      bytes_of(r->more.fields[k], recorded->raw));
		to[i].shown = r->more.fields[k]->shown;
	}
}
