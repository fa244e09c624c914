/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A sample of a tracepoint to text, by the format of its event.
 */
#ifndef PT_PRINT_TRACEPOINT_H
#define PT_PRINT_TRACEPOINT_H

#include <pt/event_format.h>
#include <pt/out.h>

/* A callback for kernel symbols: 'find' returns the name of the function at 'addr' and sets
 * '*start' to its start, or returns NULL. */
struct kernel_names {
	const char *(*find)(void *who, u64 addr, u64 *start);
	void *who;
};

void print_tracepoint(struct out *out, struct event_format *format, struct bytes raw,
		      const struct kernel_names *names);

/* All fields but the common ones: " name=value name=value". */
void print_tracepoint_fields(struct out *out, const struct event_format *format, struct bytes raw);

/* One field, as its number or text. */
void print_tracepoint_field(struct out *out, const struct event_field *field, struct bytes raw);

#endif
