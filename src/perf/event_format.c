/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * TRACING_DATA of a perf.data to formats of tracepoints.
 *
 * The data is a sequence of texts with their lengths (perf_tracing.c has the layout). The texts
 * are located once; each is parsed when the first sample of its event is printed.
 */
#include <pt/event_format.h>
#include <pt/num.h>
#include <pt/text.h>
#include "perf_input.h"

enum { FEATURE_TRACING_DATA = 1, TRACEPOINT = 2, MAX_FIELDS = 1024 };

/* What is known before a format is parsed. */
struct event_formats {
	struct bytes strings;
	struct { u64 id; struct bytes text; struct event_format *format; } *at;
	u32 n;
};

/* Skip a text, up to its NUL. */
static void skip_text(struct bytes *b)
{
	*b = bytes_skip(*b, strnlen((const char *)b->at, b->len) + 1);
}

static struct bytes take_long(struct bytes *b)
{
	u64 n = bytes_take64(b);
	struct bytes text = bytes_first(*b, n);

	*b = bytes_skip(*b, n);
	return text;
}

static void add_format(struct perf_file *f, struct event_formats *all, struct bytes text)
{
	const char *id;
	u64 v;

	/* The arena's copy ends with a NUL. */
	text.at = (const u8 *)arena_strn(f->arena, text.at, text.len);
	id = text_after((const char *)text.at, "\nID: ");
	if (!id || !num_read(id, 10, &v))
		return;
	if (!(all->n & (all->n - 1)))
		all->at = arena_grow(f->arena, all->at, sizeof(*all->at), all->n,
				     MAX(all->n * 2, 1u));
	all->at[all->n].id = v;
	all->at[all->n++].text = text;
}

static void read_systems(struct perf_file *f, struct event_formats *all, struct bytes *b)
{
	u32 n = bytes_take32(b), events;

	for (; n && b->len; n--) {
		skip_text(b);
		for (events = bytes_take32(b); events && b->len; events--)
			add_format(f, all, take_long(b));
	}
}

static void read_all(struct perf_file *f, struct event_formats *all, struct bytes b)
{
	enum { MAGIC = 10, SIZES = 6 };		/* byte order, size of a long, size of a page */
	u32 n;

	b = bytes_skip(b, MAGIC);
	skip_text(&b);
	b = bytes_skip(b, SIZES);
	for (n = 0; n < 2; n++) {
		skip_text(&b);
		take_long(&b);
	}
	for (n = bytes_take32(&b); n && b.len; n--)
		take_long(&b);
	read_systems(f, all, &b);
	b = bytes_skip(b, bytes_take32(&b));
	n = bytes_take32(&b);
	all->strings = bytes_first(b, n);
}

/* Fields */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z') || is_digit(c) || c == '_';
}

static bool has_word(struct bytes b, const char *word)
{
	size_t len = strlen(word), i;

	for (i = 0; i + len <= b.len; i++)
		if (!memcmp(b.at + i, word, len))
			return true;
	return false;
}

static u32 element_size(struct bytes type)
{
	static const struct { const char *word; u8 size; } sizes[] = {
		{ "64", 8 }, { "32", 4 }, { "16", 2 }, { "8", 1 }, { "char", 1 }, { "short", 2 },
		{ "long", 8 }, { "int", 4 },
	};
	size_t i;

	for (i = 0; i < N_ELEM(sizes); i++)
		if (has_word(type, sizes[i].word))
			return sizes[i].size;
	return 0;
}

static u64 number_text_after(const char *line, const char *word)
{
	const char *at = text_after(line, word);
	u64 v = 0;

	if (at)
		num_read(at, 10, &v);
	return v;
}

/* "TYPE NAME[N]" of a field. */
static void read_declaration(struct event_field *f, struct bytes text)
{
	struct bytes type, head = text;
	u64 n = 0;

	while (head.len && head.at[head.len - 1] != '[' && text.at[text.len - 1] == ']')
		head.len--;
	if (head.len < text.len && head.len)
		num_read((const char *)head.at + head.len--, 10, &n);
	type = head;
	while (type.len && is_name(type.at[type.len - 1]))
		type.len--;
	f->name = bytes_skip(head, type.len);
	f->is_dynamic = has_word(bytes_first(type, 6), "__data") || has_word(type, "__rel_loc");
	f->is_relative = f->is_dynamic && has_word(type, "__rel_loc");
	f->is_array = f->is_dynamic || head.len < text.len;
	f->is_text = f->is_array && (has_word(type, "char") || has_word(type, "u8") ||
				     has_word(type, "s8"));
	f->is_pointer = has_word(type, "*");
	f->is_long = has_word(type, "long");
	f->element = f->is_dynamic ? element_size(type) : n ? f->size / n : f->size;
}

static void read_fields(struct perf_file *file, struct event_format *format, const char *text)
{
	const char *line, *end;
	u32 n = 0;

	for (line = text; (line = text_after(line, "\n\tfield:")) && n < MAX_FIELDS;)
		n++;
	format->fields = NEW(file->arena, struct event_field, n);
	for (line = text; format->n_fields < n; line = end) {
		struct event_field *f = &format->fields[format->n_fields++];

		line = text_after(line, "\n\tfield:");
		end = line + strcspn(line, "\n");
		f->off = number_text_after(line, ";\toffset:");
		f->size = number_text_after(line, ";\tsize:");
		f->is_signed = number_text_after(line, ";\tsigned:");
		read_declaration(f, (struct bytes){ (const u8 *)line, strcspn(line, ";\n") });
		/* An empty line follows the fields that all events have. */
		if (!format->n_common && end[0] == '\n' && end[1] == '\n')
			format->n_common = format->n_fields;
	}
}

static struct event_format *read_format(struct perf_file *f, struct bytes strings,
					const char *text)
{
	struct event_format *format = NEW(f->arena, struct event_format, 1);
	const char *print = text_after(text, "\nprint fmt: ");

	read_fields(f, format, text);
	format->print = print ? print : "";
	format->strings = strings;
	format->arena = f->arena;
	return format;
}

void event_formats_learn(struct perf_file *f, struct bytes tracing_data)
{
	f->formats = NEW(f->arena, struct event_formats, 1);
	read_all(f, f->formats, tracing_data);
}

struct event_format *event_format(struct perf_file *f, const struct perf_event *event)
{
	u32 i;

	if (event->attr.type != TRACEPOINT)
		return NULL;
	if (!f->formats)
		event_formats_learn(f, perf_feature(f, FEATURE_TRACING_DATA));
	for (i = 0; i < f->formats->n; i++) {
		if (f->formats->at[i].id != event->attr.config)
			continue;
		if (!f->formats->at[i].format)
			f->formats->at[i].format =
				read_format(f, f->formats->strings,
					    (const char *)f->formats->at[i].text.at);
		return f->formats->at[i].format;
	}
	return NULL;
}

const struct event_field *event_field(const struct event_format *format, const char *name,
				      size_t len)
{
	u32 i;

	for (i = 0; i < format->n_fields; i++)
		if (format->fields[i].name.len == len &&
		    !memcmp(format->fields[i].name.at, name, len))
			return &format->fields[i];
	return NULL;
}

struct bytes event_field_bytes(const struct event_field *f, struct bytes raw)
{
	struct bytes at = bytes_skip(raw, f->off);
	u32 where;

	if (!f->is_dynamic)
		return bytes_first(at, f->size ? f->size : at.len);
	where = bytes_take32(&at);
	at = bytes_skip(raw, (where & 0xffff) + (f->is_relative ? f->off + f->size : 0));
	return bytes_first(at, where >> 16);
}

u64 event_field_number(const struct event_field *f, struct bytes raw, u64 i)
{
	struct bytes at = f->is_dynamic ? event_field_bytes(f, raw) : bytes_skip(raw, f->off);
	u32 size = f->is_array ? f->element : f->size;

	if (i && (!size || i > at.len / size))
		return 0;
	at = bytes_skip(at, i * size);
	if (at.len < size)
		return 0;
	switch (size) {
	case 1: return at.at[0];
	case 2: return get16(at.at);
	case 4: return get32(at.at);
	case 8: return get64(at.at);
	}
	return 0;
}
