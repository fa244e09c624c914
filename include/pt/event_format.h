/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the fields of a tracepoint are called and how the kernel would print them: its
 * "format" file in tracefs, of which perf.data has a copy.
 */
#ifndef PT_EVENT_FORMAT_H
#define PT_EVENT_FORMAT_H

#include <pt/perf.h>

struct event_field {
	struct bytes name;	/* in the text of the format */
	u32 off, size;		/* in a sample's raw data */
	u32 element;		/* bytes of each element of an array */
	bool is_signed, is_pointer, is_long;
	bool is_array;
	bool is_text;		/* an array of characters */
	bool is_dynamic;	/* there are only its length and offset, 16 bits each ... */
	bool is_relative;	/* ... which counts from the end of that */
};

struct event_format {
	struct event_field *fields;
	u32 n_fields, n_common;	/* the first ones every event has */
	const char *print;	/* after "print fmt: " */
	struct bytes strings;	/* "0xADDRESS : \"text\"" lines: what addresses of texts mean */
	struct arena *arena;	/* that it is in */
	bool parsed;
	struct event_print *program;	/* what 'print' was parsed to; NULL: it is not known */
};

/* The format of a tracepoint of the file, or NULL where it has none. */
struct event_format *event_format(struct perf_file *f, const struct perf_event *event);

/* The field of this name, or NULL. */
const struct event_field *event_field(const struct event_format *format, const char *name,
				      size_t len);

/* The bytes of an array in 'raw', as far as they are there. */
struct bytes event_field_bytes(const struct event_field *field, struct bytes raw);

/* The number in a field, without its sign, or element 'i' of an array. 0 where there is none. */
u64 event_field_number(const struct event_field *field, struct bytes raw, u64 i);

#endif
