/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expressions of a tracepoint's "print fmt": the interface of trace_expr.c for print_tracepoint.c.
 */
#ifndef TRACE_EXPR_H
#define TRACE_EXPR_H

#include <pt/print_tracepoint.h>

/* The kinds of expressions. A value is of one of the first four. */
enum node_kind {
	NODE_NUMBER,	/* n */
	NODE_FIELD,	/* field */
	NODE_TEXT,	/* "text", and in 'a' the "..." after it */
	NODE_CALL,	/* a function that makes text: enum function */
	NODE_ELEMENT,	/* field[a] */
	NODE_LENGTH,	/* of a dynamic field */
	NODE_CAST,	/* a & n, if it is a number */
	NODE_UNARY,	/* op a */
	NODE_BINARY,	/* a op b */
	NODE_CHOICE,	/* a ? b : c */
};

enum function {
	FN_FLAGS, FN_SYMBOL, FN_HEX, FN_HEX_STR, FN_ARRAY, FN_STRING, FN_BITMASK, FN_DYNAMIC,
	FN_DYNAMIC_LEN, FN_EXPECT, N_FUNCTIONS
};

/* { NUMBER, "text" } */
struct pair {
	struct node *value;
	const struct node *text;	/* or NULL */
	bool is_flag;			/* negative numbers are -1 */
};

struct node {
	u8 kind, function;
	char op, op2;
	u16 depth;
	u32 n_pairs;
	u64 n;
	const struct event_field *field;
	struct bytes text;
	struct node *a, *b, *c;
	struct pair *pairs;
};

/* A value of one of the first four kinds; if it is not a number, 'node' describes it. */
struct value {
	u8 kind;
	u64 n;
	const struct node *node;
};

/* The text that is being parsed. */
struct parser {
	struct arena *arena;
	const struct event_format *format;
	const char *p;
	u32 depth;
	bool wrong;
};

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Parse the expression at p->p, and move p->p to its end. An error sets p->wrong. Never returns
 * NULL. */
struct node *expr_parse(struct parser *p);

/* The value of 'n' for the data of a sample; and the same as a number, 0 if it is not a number. */
struct value expr_value(const struct node *n, struct bytes raw);
u64 expr_number(const struct node *n, struct bytes raw);
u64 value_number(struct value v, struct bytes raw);

/* If 'token' comes next, move after it. expr_expect() sets p->wrong if it does not come next. */
bool expr_accept(struct parser *p, const char *token);
void expr_expect(struct parser *p, const char *token);

/* Move to the end of "...", and of strings that follow it directly. */
void expr_skip_text(struct parser *p);

/* The length of the name at 'p'. */
size_t expr_name_length(const char *p);

#endif
