/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The "format" file of a tracepoint in tracefs, of which perf.data has a copy: the names of its
 * fields, and how the kernel prints them.
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
	bool is_dynamic;	/* the field holds only length and offset, 16 bits each ... */
	bool is_relative;	/* ... and the offset is relative to the end of the field */
};

struct event_format {
	struct event_field *fields;
	u32 n_fields, n_common;	/* the first n_common are in every event */
	const char *print;	/* after "print fmt: " */
	struct bytes strings;	/* lines "0xADDRESS : \"text\"": strings of the kernel */
	struct arena *arena;	/* owns this struct */
	bool parsed;
	struct event_print *program;	/* 'print', parsed; NULL: not understood */
};

/* The format of a tracepoint of the file, or NULL if the file has none. */
struct event_format *event_format(struct perf_file *f, const struct perf_event *event);

/* The field with this name, or NULL. */
const struct event_field *event_field(const struct event_format *format, const char *name,
				      size_t len);

/* The bytes of an array that are in 'raw'. */
struct bytes event_field_bytes(const struct event_field *field, struct bytes raw);

/* The number in a field, without sign extension, or element 'i' of an array. 0 if it is not in
 * 'raw'. */
u64 event_field_number(const struct event_field *field, struct bytes raw, u64 i);

#endif
