/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expressions of a tracepoint's "print fmt", evaluated from their text.
 *
 * They are C, as far as kernels use it, in unsigned 64 bits; each function reads one level of
 * the grammar. A value that is a text only says where that is.
 */
#include <pt/num.h>
#include "trace_expr.h"

enum { DEPTH = 64 };

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

/* Reading */

static bool is_name(char c)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z') || is_digit(c) || c == '_';
}

void expr_skip_blanks(struct reader *r)
{
	while (*r->p == ' ' || *r->p == '\t' || *r->p == '\n')
		r->p++;
}

bool expr_accept(struct reader *r, const char *token)
{
	size_t len = strlen(token);

	expr_skip_blanks(r);
	if (*r->p != *token || strncmp(r->p, token, len))
		return false;
	r->p += len;
	return true;
}

void expr_expect(struct reader *r, const char *token)
{
	r->wrong |= !expr_accept(r, token);
}

size_t expr_name_length(const char *p)
{
	size_t n = 0;

	while (is_name(p[n]))
		n++;
	return n;
}

static struct value number(u64 n)
{
	return (struct value){ .kind = VALUE_NUMBER, .n = n };
}

/* Go to the end of "...", and those that follow it. */
void expr_skip_text(struct reader *r)
{
	while (expr_accept(r, "\"")) {
		while (*r->p && *r->p != '"')
			r->p += r->p[0] == '\\' && r->p[1] ? 2 : 1;
		expr_expect(r, "\"");
	}
}

/* Go behind the ')' that ends a function's arguments. */
static void skip_arguments(struct reader *r)
{
	u32 depth = 1;

	while (depth && *r->p) {
		if (*r->p == '"') {
			expr_skip_text(r);
			continue;
		}
		depth += (*r->p == '(') - (*r->p == ')');
		r->p++;
	}
	r->wrong |= depth;
}

/* Numbers */

u64 expr_number(const struct reader *r, struct value v)
{
	if (v.kind == VALUE_FIELD)
		return v.field->is_array && v.field->size > 8 ? 0 :
		       event_field_number(v.field, r->raw, 0);
	return v.kind == VALUE_NUMBER ? v.n : 0;
}

/* "(TYPE)" before what has a value: no more than names, blanks and stars. */
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

static u64 cast(u64 v, const char *type, size_t len)
{
	if (has_type(type, len, "*") || has_type(type, len, "64") || has_type(type, len, "long"))
		return v;
	if (has_type(type, len, "char") || has_type(type, len, "u8") || has_type(type, len, "s8"))
		return (u8)v;
	if (has_type(type, len, "short") || has_type(type, len, "16"))
		return (u16)v;
	if (has_type(type, len, "int") || has_type(type, len, "32"))
		return (u32)v;
	return v;
}

static struct value read_cast(struct reader *r)
{
	const char *type = r->p, *end = strchr(type, ')');
	struct value v;

	r->p = end + 1;
	expr_skip_blanks(r);
	r->depth++;
	v = r->depth < DEPTH ? expr_read(r) : number(r->wrong = true);
	r->depth--;
	if (v.kind == VALUE_NUMBER || (v.kind == VALUE_FIELD && !v.field->is_array))
		return number(cast(expr_number(r, v), type, end - type));
	return v;
}

static struct value read_field(struct reader *r)
{
	struct value v = { .kind = VALUE_FIELD };
	size_t len;

	expr_expect(r, "->");
	expr_skip_blanks(r);
	len = expr_name_length(r->p);
	v.field = event_field(r->format, r->p, len);
	r->p += len;
	if (!v.field)
		r->wrong = true;
	if (r->wrong)
		return number(0);
	if (expr_accept(r, "[")) {
		v.n = expr_number(r, expr_read(r));
		expr_expect(r, "]");
		return number(event_field_number(v.field, r->raw, v.n));
	}
	return v;
}

/* The field that a function's argument names without REC->. */
const struct event_field *expr_field(struct reader *r)
{
	const struct event_field *field;
	size_t len;

	expr_skip_blanks(r);
	len = expr_name_length(r->p);
	field = event_field(r->format, r->p, len);
	r->p += len;
	r->wrong |= !field;
	return field;
}

static u64 dynamic_length(struct reader *r)
{
	const struct event_field *field = expr_field(r);

	return field ? event_field_bytes(field, r->raw).len : 0;
}

/* What a function's arguments are is checked only once. */
static void check_call(struct reader *r, u32 function)
{
	static const struct conversion plain = { .width = -1, .precision = -1, .letter = 's' };

	if (!r->out && r->depth < DEPTH) {
		r->depth++;
		print_tracepoint_call(r, function, &plain);
		r->depth--;
	} else {
		skip_arguments(r);
	}
}

static struct value read_call(struct reader *r, const char *name, size_t len)
{
	struct value v = { .kind = VALUE_CALL, .function = N_FUNCTIONS };
	size_t i;

	for (i = 0; i < N_ELEM(functions); i++)
		if (strlen(functions[i].name) == len && !strncmp(functions[i].name, name, len))
			v.function = functions[i].function;
	v.at = r->p;
	switch (v.function) {
	case N_FUNCTIONS:
		r->wrong = true;
		return v;
	case FN_DYNAMIC_LEN:
		v = number(dynamic_length(r));
		break;
	case FN_EXPECT:
		v = expr_read(r);
		expr_expect(r, ",");
		expr_read(r);
		break;
	case FN_DYNAMIC:
		v = (struct value){ .kind = VALUE_FIELD, .field = expr_field(r) };
		if (!v.field)
			return number(0);
		expr_expect(r, ")");
		if (!expr_accept(r, "["))
			return v;
		v = number(event_field_number(v.field, r->raw, expr_number(r, expr_read(r))));
		expr_expect(r, "]");
		return v;
	default:
		check_call(r, v.function);
		return v;
	}
	expr_expect(r, ")");
	return v;
}

static struct value read_number(struct reader *r)
{
	bool hex = r->p[0] == '0' && (r->p[1] | 32) == 'x';
	u64 v = 0;

	if (!num_read(hex ? r->p + 2 : r->p, hex ? 16 : 10, &v))
		r->wrong = true;
	r->p += expr_name_length(r->p);
	return number(v);
}

static struct value primary(struct reader *r)
{
	const char *name;
	struct value v;
	size_t len;

	expr_skip_blanks(r);
	name = r->p;
	if (*name == '"') {
		expr_skip_text(r);
		return (struct value){ .kind = VALUE_TEXT, .at = name };
	}
	if (is_digit(*name))
		return read_number(r);
	if (*name == '\'' && name[1] && name[2] == '\'') {
		r->p += 3;
		return number(name[1]);
	}
	if (expr_accept(r, "(")) {
		expr_skip_blanks(r);
		if (is_cast(r->p))
			return read_cast(r);
		v = expr_read(r);
		expr_expect(r, ")");
		return v;
	}
	len = expr_name_length(name);
	r->p += len;
	if (!len)
		r->wrong = true;
	if (len == 3 && !strncmp(name, "REC", 3))
		return read_field(r);
	if (expr_accept(r, "("))
		return read_call(r, name, len);
	/* A constant that nobody knows here is 0. */
	return number(0);
}

static struct value unary(struct reader *r)
{
	struct value v;
	char op;

	expr_skip_blanks(r);
	op = *r->p;
	if (op != '!' && op != '~' && op != '-')
		return primary(r);
	r->p++;
	if (r->depth++ >= DEPTH)
		r->wrong = true;
	v = r->wrong ? number(0) : unary(r);
	r->depth--;
	v.n = expr_number(r, v);
	return number(op == '!' ? !v.n : op == '~' ? ~v.n : -v.n);
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

/* Operators that bind at least as strongly as 'least'. The longer ones come first. */
static struct value binary(struct reader *r, u32 least)
{
	static const struct { char text[3]; u8 strength; } ops[] = {
		{ "||", 1 }, { "&&", 2 }, { "==", 6 }, { "!=", 6 }, { "<<", 8 }, { ">>", 8 },
		{ "<=", 7 }, { ">=", 7 }, { "|", 3 }, { "^", 4 }, { "&", 5 }, { "<", 7 },
		{ ">", 7 }, { "+", 9 }, { "-", 9 }, { "*", 10 }, { "/", 10 }, { "%", 10 },
	};
	struct value v = unary(r);
	size_t i;

	while (!r->wrong) {
		u64 left;

		/* Most operands are the last ones. */
		expr_skip_blanks(r);
		if (!*r->p || !strchr("|&=!<>+-*/%^", *r->p))
			break;
		for (i = 0; i < N_ELEM(ops) && !expr_accept(r, ops[i].text); i++)
			;
		if (i == N_ELEM(ops))
			break;
		if (ops[i].strength < least) {
			r->p -= strlen(ops[i].text);
			break;
		}
		left = expr_number(r, v);
		v = number(apply(ops[i].text[0], ops[i].text[1], left,
				 expr_number(r, binary(r, ops[i].strength + 1))));
	}
	return v;
}

struct value expr_read(struct reader *r)
{
	struct value v, yes, no;

	if (r->depth++ >= DEPTH)
		r->wrong = true;
	v = r->wrong ? number(0) : binary(r, 1);
	if (!r->wrong && expr_accept(r, "?")) {
		yes = expr_read(r);
		expr_expect(r, ":");
		no = expr_read(r);
		v = expr_number(r, v) ? yes : no;
	}
	r->depth--;
	return v;
}
