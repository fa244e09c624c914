/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expressions of a tracepoint's "print fmt": what print_tracepoint.c and trace_expr.c share.
 */
#ifndef TRACE_EXPR_H
#define TRACE_EXPR_H

#include <pt/print_tracepoint.h>

enum value_kind {
	VALUE_NUMBER,	/* 'n' */
	VALUE_FIELD,	/* 'field' */
	VALUE_TEXT,	/* "..." at 'at' */
	VALUE_CALL,	/* a function's arguments at 'at' */
};

enum function {
	FN_FLAGS, FN_SYMBOL, FN_HEX, FN_HEX_STR, FN_ARRAY, FN_STRING, FN_BITMASK, FN_DYNAMIC,
	FN_DYNAMIC_LEN, FN_EXPECT, N_FUNCTIONS
};

struct value {
	u8 kind, function;
	u64 n;
	const struct event_field *field;
	const char *at;
};

/* One conversion of the format. */
struct conversion {
	char flags[8];
	int width, precision;	/* -1: none */
	int size;		/* -2 char, -1 short, 0 int, 1 and 2 eight bytes */
	bool half;		/* z: perf takes the lower 32 bits */
	char letter;
	const char *more;	/* letters after %p */
};

struct reader {
	struct out *out;	/* NULL: the text is only checked */
	const struct event_format *format;
	struct bytes raw;
	const struct kernel_names *names;
	const char *p;
	u32 depth;
	bool wrong;
};

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read the expression at r->p, and go to its end. What is wrong sets r->wrong. */
struct value expr_read(struct reader *r);

/* The value as a number; 0 if it is none. */
u64 expr_number(const struct reader *r, struct value v);

/* Go on after 'token', if it comes next. expr_expect() finds it wrong if it does not. */
bool expr_accept(struct reader *r, const char *token);
void expr_expect(struct reader *r, const char *token);

void expr_skip_blanks(struct reader *r);

/* Go to the end of "...", and of those that follow it. */
void expr_skip_text(struct reader *r);

/* The length of the name at 'p'. */
size_t expr_name_length(const char *p);

/* The field whose name comes next, without REC->; or NULL. */
const struct event_field *expr_field(struct reader *r);

/* print_tracepoint.c: read the arguments of a function at r->p, up to their ')', and print its
 * text, if there is an r->out. False if it makes none. */
bool print_tracepoint_call(struct reader *r, u32 function, const struct conversion *c);

#endif
