/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expressions of a tracepoint's "print fmt": text to trees, and trees to values.
 *
 * They are the subset of C that kernels use, computed in unsigned 64 bits. Each parse_*() reads one
 * level of the grammar. A function that makes text has no value: print_tracepoint.c evaluates the
 * choices around it, and prints the text itself.
 */
#include <pt/num.h>
#include "trace_expr.h"

/* Limits of nesting in the text, and of the depth of trees: a + b + c + ... makes a deep tree. */
enum { DEPTH = 64, TREE_DEPTH = 1000 };

/* Constants that older kernels print as names. */
static const struct { const char *name; u8 n; } constants[] = {
	{ "HI_SOFTIRQ", 0 }, { "TIMER_SOFTIRQ", 1 }, { "NET_TX_SOFTIRQ", 2 },
	{ "NET_RX_SOFTIRQ", 3 }, { "BLOCK_SOFTIRQ", 4 }, { "IRQ_POLL_SOFTIRQ", 5 },
	{ "TASKLET_SOFTIRQ", 6 }, { "SCHED_SOFTIRQ", 7 }, { "HRTIMER_SOFTIRQ", 8 },
	{ "RCU_SOFTIRQ", 9 }, { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
};

static const struct { const char *name; u8 function; } functions[] = {
	{ "__print_flags", FN_FLAGS }, { "__print_flags_u64", FN_FLAGS },
	{ "__print_symbolic", FN_SYMBOL }, { "__print_symbolic_u64", FN_SYMBOL },
	{ "__print_hex", FN_HEX }, { "__print_hex_str", FN_HEX_STR },
	{ "__print_array", FN_ARRAY }, { "__get_str", FN_STRING }, { "__get_rel_str", FN_STRING },
	{ "__get_bitmask", FN_BITMASK }, { "__get_rel_bitmask", FN_BITMASK },
	{ "__get_dynamic_array", FN_DYNAMIC }, { "__get_rel_dynamic_array", FN_DYNAMIC },
	{ "__get_dynamic_array_len", FN_DYNAMIC_LEN },
	{ "__get_rel_dynamic_array_len", FN_DYNAMIC_LEN },
	{ "__builtin_expect", FN_EXPECT },
};

static bool is_name(char c)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z') || is_digit(c) || c == '_';
}

/* Values */

static struct value number(u64 n)
{
	return (struct value){ .kind = NODE_NUMBER, .n = n };
}

u64 value_number(struct value v, struct bytes raw)
{
	if (v.kind == NODE_NUMBER)
		return v.n;
	if (v.kind != NODE_FIELD || (v.node->field->is_array && v.node->field->size > 8))
		return 0;
	return event_field_number(v.node->field, raw, 0);
}

static u64 apply(char op, char op2, u64 a, u64 b)
{
	switch (op) {
	case '|': return op2 ? a || b : a | b;
	case '&': return op2 ? a && b : a & b;
	case '^': return a ^ b;
	case '=': return a == b;
	case '!': return a != b;
	case '<': return op2 == '<' ? a << (b & 63) : op2 ? a <= b : a < b;
	case '>': return op2 == '>' ? a >> (b & 63) : op2 ? a >= b : a > b;
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '/': return b ? a / b : 0;
	}
	return b ? a % b : 0;
}

static u64 apply_unary(char op, u64 a)
{
	return op == '!' ? !a : op == '~' ? ~a : -a;
}

static struct value cast(const struct node *n, struct bytes raw)
{
	struct value v = expr_value(n->a, raw);

	if (v.kind == NODE_NUMBER || (v.kind == NODE_FIELD && !v.node->field->is_array))
		return number(value_number(v, raw) & n->n);
	return v;
}

struct value expr_value(const struct node *n, struct bytes raw)
{
	while (n->kind == NODE_CHOICE)
		n = expr_number(n->a, raw) ? n->b : n->c;
	switch (n->kind) {
	case NODE_NUMBER:
		return number(n->n);
	case NODE_ELEMENT:
		return number(event_field_number(n->field, raw, expr_number(n->a, raw)));
	case NODE_LENGTH:
		return number(event_field_bytes(n->field, raw).len);
	case NODE_CAST:
		return cast(n, raw);
	case NODE_UNARY:
		return number(apply_unary(n->op, expr_number(n->a, raw)));
	case NODE_BINARY:
		return number(apply(n->op, n->op2, expr_number(n->a, raw), expr_number(n->b, raw)));
	}
	return (struct value){ .kind = n->kind, .node = n };
}

u64 expr_number(const struct node *n, struct bytes raw)
{
	return n->kind == NODE_NUMBER ? n->n : value_number(expr_value(n, raw), raw);
}

/* Parsing */

static void skip_blanks(struct parser *p)
{
	while (*p->p == ' ' || *p->p == '\t' || *p->p == '\n')
		p->p++;
}

bool expr_accept(struct parser *p, const char *token)
{
	size_t len = strlen(token);

	skip_blanks(p);
	if (*p->p != *token || strncmp(p->p, token, len))
		return false;
	p->p += len;
	return true;
}

void expr_expect(struct parser *p, const char *token)
{
	p->wrong |= !expr_accept(p, token);
}

size_t expr_name_length(const char *p)
{
	size_t n = 0;

	while (is_name(p[n]))
		n++;
	return n;
}

/* The text after an accepted '"'; moves p->p to its end. */
static struct bytes rest_of_text(struct parser *p)
{
	const char *from = p->p;

	while (*p->p && *p->p != '"')
		p->p += p->p[0] == '\\' && p->p[1] ? 2 : 1;
	return (struct bytes){ (const u8 *)from, p->p - from };
}

void expr_skip_text(struct parser *p)
{
	while (expr_accept(p, "\"")) {
		rest_of_text(p);
		expr_expect(p, "\"");
	}
}

static u32 depth_of(const struct node *n)
{
	return n ? n->depth : 0;
}

/* Add a node. The meaning of 'n' depends on the kind: see enum node_kind. */
static struct node *add(struct parser *p, u32 kind, struct node *a, struct node *b, u64 n)
{
	struct node *to = NEW(p->arena, struct node, 1);

	to->kind = kind;
	to->a = a;
	to->b = b;
	to->n = n;
	to->depth = MAX(depth_of(a), depth_of(b)) + 1;
	if (to->depth >= TREE_DEPTH) {
		p->wrong = true;
		to->kind = NODE_NUMBER;
	}
	return to;
}

static struct node *add_number(struct parser *p, u64 n)
{
	return add(p, NODE_NUMBER, NULL, NULL, n);
}

static bool is_number(const struct node *n)
{
	return n->kind == NODE_NUMBER;
}

/* Read "..." "...", which are printed one after the other. NULL if there is none. */
static struct node *parse_texts(struct parser *p)
{
	struct node *first = NULL, **last = &first;

	while (expr_accept(p, "\"")) {
		*last = add(p, NODE_TEXT, NULL, NULL, 0);
		(*last)->text = rest_of_text(p);
		last = &(*last)->a;
		expr_expect(p, "\"");
	}
	return first;
}

/* Is this "(TYPE)" of a cast: only names, blanks and stars? */
static bool is_cast(const char *p)
{
	const char *end = p;

	if (!strncmp(p, "REC", 3))
		return false;
	while (is_name(*end) || *end == ' ' || *end == '*')
		end++;
	if (*end != ')' || is_digit(*p))
		return false;
	for (end++; *end == ' '; end++)
		;
	return is_name(*end) || *end == '(' || *end == '~' || (*end == '-' && end[-1] == ')');
}

static bool has_type(const char *type, size_t len, const char *word)
{
	size_t n = strlen(word);

	for (; len >= n; type++, len--)
		if (!strncmp(type, word, n))
			return true;
	return false;
}

/* The bits of a number that a cast to this type keeps. */
static u64 mask_of(const char *type, size_t len)
{
	if (has_type(type, len, "*") || has_type(type, len, "64") || has_type(type, len, "long"))
		return ~0ULL;
	if (has_type(type, len, "char") || has_type(type, len, "u8") || has_type(type, len, "s8"))
		return 0xff;
	if (has_type(type, len, "short") || has_type(type, len, "16"))
		return 0xffff;
	if (has_type(type, len, "int") || has_type(type, len, "32"))
		return 0xffffffff;
	return ~0ULL;
}

static struct node *parse_cast(struct parser *p)
{
	const char *type = p->p, *end = strchr(type, ')');
	struct node *a;
	u64 mask;

	p->p = end + 1;
	p->depth++;
	p->wrong |= p->depth >= DEPTH;
	a = p->wrong ? add_number(p, 0) : expr_parse(p);
	p->depth--;
	mask = mask_of(type, end - type);
	if (is_number(a))
		return add_number(p, a->n & mask);
	return add(p, NODE_CAST, a, NULL, mask);
}

/* Read the name of a field and make a node of 'kind'; an unknown name makes a number. */
static struct node *parse_name_of_field(struct parser *p, u8 kind)
{
	struct node *n;
	size_t len;

	skip_blanks(p);
	len = expr_name_length(p->p);
	n = add(p, kind, NULL, NULL, 0);
	n->field = event_field(p->format, p->p, len);
	p->p += len;
	if (!n->field) {
		p->wrong = true;
		n->kind = NODE_NUMBER;
	}
	return n;
}

/* Read [a] after a field. */
static struct node *parse_element(struct parser *p, struct node *field)
{
	struct node *n;

	if (p->wrong || !expr_accept(p, "["))
		return field;
	n = add(p, NODE_ELEMENT, expr_parse(p), NULL, 0);
	n->field = field->field;
	expr_expect(p, "]");
	return n;
}

static struct node *parse_field(struct parser *p)
{
	expr_expect(p, "->");
	return parse_element(p, parse_name_of_field(p, NODE_FIELD));
}

/* Read the number of a flag. As in perf, negative numbers and unknown names are -1. */
static void parse_flag(struct parser *p, struct pair *pair)
{
	size_t len, i;

	skip_blanks(p);
	len = is_digit(*p->p) ? 0 : expr_name_length(p->p);
	pair->is_flag = !is_digit(*p->p);
	for (i = 0; len && i < N_ELEM(constants); i++)
		if (strlen(constants[i].name) == len && !strncmp(constants[i].name, p->p, len))
			break;
	pair->value = expr_parse(p);
	if (len)
		pair->value = add_number(p, i < N_ELEM(constants) ? constants[i].n : ~0ULL);
	if (pair->is_flag && is_number(pair->value) && (i64)pair->value->n < 0)
		pair->value->n = ~0ULL;
}

/* { NUMBER, "text" }, ... */
static void parse_pairs(struct parser *p, struct node *call)
{
	struct parser text;
	u32 room = 0;

	while (!p->wrong) {
		expr_accept(p, ",");
		if (!expr_accept(p, "{"))
			return;
		if (call->n_pairs == room) {
			call->pairs = arena_grow(p->arena, call->pairs, sizeof(*call->pairs), room,
						 MAX(2 * room, 8u));
			room = MAX(2 * room, 8u);
		}
		parse_flag(p, &call->pairs[call->n_pairs]);
		expr_expect(p, ",");
		text = *p;
		call->pairs[call->n_pairs++].text = parse_texts(&text);
		/* The last pair may have a null pointer. */
		expr_parse(p);
		expr_expect(p, "}");
	}
}

/* Can the value be a field's bytes? */
static bool may_be_field(const struct node *n)
{
	return n->kind == NODE_FIELD || (n->kind == NODE_CAST && may_be_field(n->a)) ||
	       (n->kind == NODE_CHOICE && (may_be_field(n->b) || may_be_field(n->c)));
}

static struct node *parse_bytes(struct parser *p)
{
	struct node *n = expr_parse(p);

	expr_expect(p, ",");
	p->wrong |= !may_be_field(n);
	return n;
}

/* Read a call of a function that makes text, without its ')'. */
static struct node *parse_text_call(struct parser *p, u32 function)
{
	struct node *call;

	if (function == FN_STRING || function == FN_BITMASK) {
		call = parse_name_of_field(p, NODE_CALL);
		call->function = function;
		return call;
	}
	call = add(p, NODE_CALL, NULL, NULL, 0);
	call->function = function;
	switch (function) {
	case FN_FLAGS:
		call->a = expr_parse(p);
		expr_expect(p, ",");
		call->b = parse_texts(p);
		parse_pairs(p, call);
		break;
	case FN_SYMBOL:
		call->a = expr_parse(p);
		parse_pairs(p, call);
		break;
	default:
		call->a = parse_bytes(p);
		call->b = expr_parse(p);
		if (function != FN_ARRAY)
			break;
		expr_expect(p, ",");
		call->c = expr_parse(p);
	}
	return call;
}

static struct node *parse_call(struct parser *p, const char *name, size_t len)
{
	u32 function = N_FUNCTIONS;
	struct node *n;
	size_t i;

	for (i = 0; i < N_ELEM(functions); i++)
		if (strlen(functions[i].name) == len && !strncmp(functions[i].name, name, len))
			function = functions[i].function;
	p->wrong |= function == N_FUNCTIONS || p->depth >= DEPTH;
	if (p->wrong)
		return add_number(p, 0);
	p->depth++;
	switch (function) {
	case FN_DYNAMIC:
		n = parse_name_of_field(p, NODE_FIELD);
		break;
	case FN_DYNAMIC_LEN:
		n = parse_name_of_field(p, NODE_LENGTH);
		break;
	case FN_EXPECT:
		n = expr_parse(p);
		expr_expect(p, ",");
		expr_parse(p);
		break;
	default:
		n = parse_text_call(p, function);
	}
	p->depth--;
	expr_expect(p, ")");
	return function == FN_DYNAMIC ? parse_element(p, n) : n;
}

static struct node *parse_number(struct parser *p)
{
	bool hex = p->p[0] == '0' && (p->p[1] | 32) == 'x';
	u64 v = 0;

	if (!num_read(hex ? p->p + 2 : p->p, hex ? 16 : 10, &v))
		p->wrong = true;
	p->p += expr_name_length(p->p);
	return add_number(p, v);
}

static struct node *parse_primary(struct parser *p)
{
	const char *name;
	struct node *n;
	size_t len;

	skip_blanks(p);
	name = p->p;
	if (*name == '"')
		return parse_texts(p);
	if (is_digit(*name))
		return parse_number(p);
	if (*name == '\'' && name[1] && name[2] == '\'') {
		p->p += 3;
		return add_number(p, name[1]);
	}
	if (expr_accept(p, "(")) {
		skip_blanks(p);
		if (is_cast(p->p))
			return parse_cast(p);
		n = expr_parse(p);
		expr_expect(p, ")");
		return n;
	}
	len = expr_name_length(name);
	p->p += len;
	if (!len)
		p->wrong = true;
	if (len == 3 && !strncmp(name, "REC", 3))
		return parse_field(p);
	if (expr_accept(p, "("))
		return parse_call(p, name, len);
	/* An unknown constant is 0. */
	return add_number(p, 0);
}

static struct node *parse_unary(struct parser *p)
{
	struct node *a, *n;
	char op;

	skip_blanks(p);
	op = *p->p;
	if (op != '!' && op != '~' && op != '-')
		return parse_primary(p);
	p->p++;
	if (p->depth++ >= DEPTH)
		p->wrong = true;
	a = p->wrong ? add_number(p, 0) : parse_unary(p);
	p->depth--;
	if (is_number(a))
		return add_number(p, apply_unary(op, a->n));
	n = add(p, NODE_UNARY, a, NULL, 0);
	n->op = op;
	return n;
}

/* Read operators with a precedence of at least 'least'. The table has longer operators first. */
static struct node *parse_binary(struct parser *p, u32 least)
{
	static const struct { char text[3]; u8 strength; } ops[] = {
		{ "||", 1 }, { "&&", 2 }, { "==", 6 }, { "!=", 6 }, { "<<", 8 }, { ">>", 8 },
		{ "<=", 7 }, { ">=", 7 }, { "|", 3 }, { "^", 4 }, { "&", 5 }, { "<", 7 },
		{ ">", 7 }, { "+", 9 }, { "-", 9 }, { "*", 10 }, { "/", 10 }, { "%", 10 },
	};
	struct node *n = parse_unary(p), *right, *all;
	const char *op;
	size_t i;

	while (!p->wrong) {
		/* Most operands have no operator after them. */
		skip_blanks(p);
		if (!*p->p || !strchr("|&=!<>+-*/%^", *p->p))
			break;
		for (i = 0; i < N_ELEM(ops) && !expr_accept(p, ops[i].text); i++)
			;
		if (i == N_ELEM(ops))
			break;
		op = ops[i].text;
		if (ops[i].strength < least) {
			p->p -= strlen(op);
			break;
		}
		right = parse_binary(p, ops[i].strength + 1);
		all = add(p, NODE_BINARY, n, right, 0);
		all->op = op[0];
		all->op2 = op[1];
		if (is_number(n) && is_number(right))
			all = add_number(p, expr_number(all, (struct bytes){ 0 }));
		n = all;
	}
	return n;
}

struct node *expr_parse(struct parser *p)
{
	struct node *n, *yes;

	if (p->depth++ >= DEPTH)
		p->wrong = true;
	n = p->wrong ? add_number(p, 0) : parse_binary(p, 1);
	if (!p->wrong && expr_accept(p, "?")) {
		yes = expr_parse(p);
		expr_expect(p, ":");
		n = add(p, NODE_CHOICE, n, yes, 0);
		n->c = expr_parse(p);
		n->depth = MAX(n->depth, n->c->depth + 1);
	}
	p->depth--;
	return n;
}
