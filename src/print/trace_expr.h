/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expressions of a tracepoint's "print fmt", parsed once: what print_tracepoint.c and
 * trace_expr.c share.
 */
#ifndef TRACE_EXPR_H
#define TRACE_EXPR_H

#include <pt/print_tracepoint.h>

/* What an expression is, and its value may be: the first four. */
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
	bool is_flag;			/* negative ones are -1 */
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

/* A value of the first four kinds; what is not a number is described by 'node'. */
struct value {
	u8 kind;
	u64 n;
	const struct node *node;
};

/* A text that is parsed. */
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

/* Parse the expression at p->p, and go to its end. What is wrong sets p->wrong. Never NULL. */
struct node *expr_parse(struct parser *p);

/* Its value for a sample's data; and as a number, 0 if it is none. */
struct value expr_value(const struct node *n, struct bytes raw);
u64 expr_number(const struct node *n, struct bytes raw);
u64 value_number(struct value v, struct bytes raw);

/* Go on after 'token', if it comes next. expr_expect() finds it wrong if it does not. */
bool expr_accept(struct parser *p, const char *token);
void expr_expect(struct parser *p, const char *token);

/* Go to the end of "...", and of those that follow it. */
void expr_skip_text(struct parser *p);

/* The length of the name at 'p'. */
size_t expr_name_length(const char *p);

#endif
