/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The "print fmt" of a tracepoint, applied to the raw data of a sample.
 *
 * It is a printf() format, and its arguments as C expressions:
 *
 *	"dev=%d flags=%s", REC->dev, __print_flags(REC->flags, "|", { 1, "A" }, { 2, "B" })
 *
 * It is parsed once for each event, into pieces. A piece is a plain text and the conversion that
 * follows, with the expression tree of its argument. If any part is not understood, samples are
 * printed field by field instead.
 */
#include <pt/num.h>
#include "trace_expr.h"
#include "tracepoint_address.h"

enum { WIDTH = 256 };

/* One conversion of the format. */
struct conversion {
	char flags[8];
	int width, precision;	/* -1: none */
	int size;		/* -2 char, -1 short, 0 int, 1 and 2 eight bytes */
	bool half;		/* z: perf takes the lower 32 bits */
	char letter;
	const char *more;	/* letters after %p */
};

/* Part of a format. */
struct piece {
	const char *plain;	/* 'len' bytes before the conversion */
	u32 len;
	bool is_clean;		/* none of them needs an escape */
	bool is_simple;		/* a number without flags, width and precision */
	struct conversion c;	/* letter 0: none */
	struct node *width, *precision;	/* * of the conversion, or NULL */
	struct node *argument;
};

struct event_print {
	struct piece *pieces;
	u32 n, room;
};

/* The sample that is being printed. */
struct printing {
	struct out *out;
	const struct event_format *format;
	struct bytes raw;
	const struct kernel_names *names;
};

/* Text */

/* Print bytes from the file, up to the first NUL. */
static void put_name(struct out *out, struct bytes b)
{
	char piece[128];
	size_t n;

	b.len = strnlen((const char *)b.at, b.len);
	for (; b.len; b = bytes_skip(b, n)) {
		n = MIN(b.len, sizeof(piece) - 1);
		memcpy(piece, b.at, n);
		piece[n] = 0;
		out_name(out, piece);
	}
}

static void put_bytes_as(struct out *out, const struct conversion *c, struct bytes b)
{
	int pad;

	b.len = strnlen((const char *)b.at, b.len);
	if (c->precision >= 0)
		b.len = MIN(b.len, (size_t)c->precision);
	pad = c->width - (int)b.len;
	if (!strchr(c->flags, '-'))
		out_fill(out, ' ', pad);
	put_name(out, b);
	if (strchr(c->flags, '-'))
		out_fill(out, ' ', pad);
}

static const struct conversion as_it_is = { .width = -1, .precision = -1 };

static void put_texts(struct out *out, const struct conversion *c, const struct node *text)
{
	for (; text; text = text->a)
		put_bytes_as(out, c, text->text);
}

static void put_hex_number(struct out *out, u64 v)
{
	char *p = put_hex(put_str(out_room(out, 24), "0x"), v);

	out_done(out, p);
}

static u64 pair_number(const struct pair *pair, struct bytes raw)
{
	u64 v = expr_number(pair->value, raw);

	return pair->is_flag && (i64)v < 0 ? ~0ULL : v;
}

static void print_flags(struct printing *p, const struct conversion *c, const struct node *call)
{
	u64 v = expr_number(call->a, p->raw), flag;
	bool ended = false, some = false;
	u32 i;

	for (i = 0; i < call->n_pairs && !ended; i++) {
		flag = pair_number(&call->pairs[i], p->raw);
		ended = !v && (i64)flag < 0;
		if (!ended && ((i64)flag <= 0 || (v & flag) != flag))
			continue;
		if (some && !ended)
			put_texts(p->out, &as_it_is, call->b);
		put_texts(p->out, c, call->pairs[i].text);
		some = true;
		v &= ~flag;
	}
	if (!v || ended)
		return;
	if (some)
		put_texts(p->out, &as_it_is, call->b);
	put_hex_number(p->out, v);
}

static void print_symbol(struct printing *p, const struct conversion *c, const struct node *call)
{
	u64 v = expr_number(call->a, p->raw);
	u32 i;

	for (i = 0; i < call->n_pairs; i++)
		if (pair_number(&call->pairs[i], p->raw) == v) {
			put_texts(p->out, c, call->pairs[i].text);
			return;
		}
	put_hex_number(p->out, v);
}

/* The bytes that a function's first argument selects. */
static struct bytes argument_bytes(const struct printing *p, const struct node *n)
{
	struct value v = expr_value(n, p->raw);

	return v.kind == NODE_FIELD ? event_field_bytes(v.node->field, p->raw) :
				      (struct bytes){ 0 };
}

static void print_hex(struct printing *p, const struct node *call, bool apart)
{
	struct bytes b = argument_bytes(p, call->a);
	size_t i;

	b = bytes_first(b, expr_number(call->b, p->raw));
	for (i = 0; i < b.len; i++)
		out_fmt(p->out, i && apart ? " %02x" : "%02x", b.at[i]);
}

static void print_array(struct printing *p, const struct node *call)
{
	struct bytes b = argument_bytes(p, call->a);
	u64 n = expr_number(call->b, p->raw), size = expr_number(call->c, p->raw), i;

	if (!size || size > 8)
		return;
	out_char(p->out, '{');
	for (i = 0; i < n && b.len >= size; i++, b = bytes_skip(b, size))
		out_fmt(p->out, i ? ",0x%llx" : "0x%llx", get_le(b.at, size));
	out_char(p->out, '}');
}

/* Print 32-bit words, the highest first, without leading zeros. */
static void print_bitmask(struct printing *p, const struct node *call)
{
	struct bytes b = event_field_bytes(call->field, p->raw);
	size_t i;

	for (i = b.len / 4; i--;)
		out_fmt(p->out, i + 1 == b.len / 4 ? "%08x" : ",%08x", get32(b.at + 4 * i));
}

static void print_call(struct printing *p, const struct conversion *c, const struct node *call)
{
	switch (call->function) {
	case FN_FLAGS: print_flags(p, c, call); break;
	case FN_SYMBOL: print_symbol(p, c, call); break;
	case FN_HEX: print_hex(p, call, true); break;
	case FN_HEX_STR: print_hex(p, call, false); break;
	case FN_ARRAY: print_array(p, call); break;
	case FN_STRING: put_bytes_as(p->out, c, event_field_bytes(call->field, p->raw)); break;
	case FN_BITMASK: print_bitmask(p, call); break;
	}
}

/* Print a string of the kernel, of which the sample has only the address. */
static void print_kernel_text(struct printing *p, u64 addr)
{
	struct bytes b = p->format->strings;
	const u8 *end;
	u64 at;

	for (; b.len > 2; b = bytes_skip(b, end - b.at + 1)) {
		end = memchr(b.at, '\n', b.len);
		if (!end)
			break;
		if (b.at[0] != '0' || !num_read((const char *)b.at + 2, 16, &at) || at != addr)
			continue;
		b = bytes_first(b, end - b.at);
		while (b.len && *b.at != '"')
			b = bytes_skip(b, 1);
		b = bytes_skip(b, 1);
		b.len -= b.len && b.at[b.len - 1] == '"';
		if (b.len > 1 && !memcmp(b.at + b.len - 2, "\\n", 2))
			b.len -= 2;
		put_name(p->out, b);
		return;
	}
	out_fmt(p->out, "%llx", addr);
}

static void print_text(struct printing *p, const struct conversion *c, struct value v)
{
	if (v.kind == NODE_TEXT)
		put_texts(p->out, c, v.node);
	else if (v.kind == NODE_CALL)
		print_call(p, c, v.node);
	else if (v.kind == NODE_FIELD && !v.node->field->is_array && v.node->field->size == 8)
		print_kernel_text(p, value_number(v, p->raw));
	else if (v.kind == NODE_FIELD)
		put_bytes_as(p->out, c, event_field_bytes(v.node->field, p->raw));
}

static u64 sized(u64 v, int size, bool is_signed)
{
	switch (size) {
	case -2: return is_signed ? (u64)(i8)v : (u8)v;
	case -1: return is_signed ? (u64)(i16)v : (u16)v;
	case 0: return is_signed ? (u64)(i32)v : (u32)v;
	}
	return v;
}

static void print_octal(struct out *out, u64 v)
{
	char digits[24], *at = digits + sizeof(digits);

	do
		*--at = '0' + v % 8;
	while (v /= 8);
	out_bytes(out, at, digits + sizeof(digits) - at);
}

/* Print a number without flags, the most frequent case. */
static void print_simple(struct out *out, const struct conversion *c, u64 v)
{
	bool is_signed = c->letter == 'd' || c->letter == 'i';
	char *p = out_room(out, 32);

	v = sized(v, MAX(c->size, -2), is_signed && !c->half);
	out_done(out, is_signed ? put_int(p, v) : c->letter == 'u' ? put_dec(p, v) : put_hex(p, v));
}

static void print_number(struct out *out, const struct conversion *c, u64 v)
{
	char format[48], text[WIDTH + 64], *p = put_str(format, "%");
	bool is_signed = c->letter == 'd' || c->letter == 'i';

	v = sized(v, MAX(c->size, -2), is_signed && !c->half);
	if (c->letter == 'o') {
		print_octal(out, v);
		return;
	}
	p = put_str(p, c->flags);
	if (c->width >= 0)
		p = put_dec(p, c->width);
	if (c->precision >= 0)
		p = put_dec(put_char(p, '.'), c->precision);
	if (c->letter == 'c')
		p = put_str(p, "c");
	else
		p = put_str(p, is_signed ? "lld" : c->letter == 'u' ? "llu" : "llx");
	*p = 0;
	fmt_str(text, sizeof(text), format, v);
	for (p = text; c->letter == 'X' && *p; p++)
		*p -= *p >= 'a' && *p <= 'f' ? 32 : 0;
	out_name(out, text);
}

static void print_function(struct printing *p, const struct conversion *c, u64 addr)
{
	u64 start = addr;
	const char *name = p->names->find(p->names->who, addr, &start);

	if (!name) {
		put_hex_number(p->out, addr);
		return;
	}
	out_name(p->out, name);
	if (*c->more == 'F' || *c->more == 'S')
		out_fmt(p->out, "+0x%llx", addr - start);
}

static void print_pointer(struct printing *p, const struct conversion *c, struct value v)
{
	u64 n;

	if (v.kind == NODE_FIELD && v.node->field->is_array &&
	    tracepoint_put_address(p->out, c->more, event_field_bytes(v.node->field, p->raw)))
		return;
	n = value_number(v, p->raw);
	if (*c->more && strchr("FfSs", *c->more))
		print_function(p, c, n);
	else if (n)
		put_hex_number(p->out, n);
	else
		out_str(p->out, "(nil)");
}

/* Printing */

static void print_argument(struct printing *p, const struct piece *piece)
{
	struct conversion starred;
	const struct conversion *c = &piece->c;
	struct value v;

	if (piece->is_simple) {
		print_simple(p->out, c, expr_number(piece->argument, p->raw));
		return;
	}
	if (piece->width || piece->precision) {
		starred = *c;
		if (piece->width)
			starred.width = MIN(expr_number(piece->width, p->raw), (u64)WIDTH);
		if (piece->precision)
			starred.precision = MIN(expr_number(piece->precision, p->raw), (u64)WIDTH);
		c = &starred;
	}
	v = expr_value(piece->argument, p->raw);
	if (c->letter == 's')
		print_text(p, c, v);
	else if (c->letter == 'p')
		print_pointer(p, c, v);
	else
		print_number(p->out, c, value_number(v, p->raw));
}

static void print_plain(struct out *out, const struct piece *piece)
{
	char text[2] = "";
	u32 i;

	if (piece->is_clean) {
		out_bytes(out, piece->plain, piece->len);
		return;
	}
	for (i = 0; i < piece->len; i++) {
		text[0] = piece->plain[i];
		if (text[0] == '\n' || text[0] == '\t')
			out_char(out, text[0]);
		else
			out_name(out, text);
	}
}

static void print_all(struct printing *p, const struct event_print *print)
{
	const struct piece *piece = print->pieces, *end = piece + print->n;

	for (; piece < end; piece++) {
		print_plain(p->out, piece);
		if (piece->c.letter)
			print_argument(p, piece);
	}
}

/* Parsing */

static int parse_width(struct parser *args, const char **p, struct node **starred)
{
	u64 v = 0;

	if (**p == '*') {
		++*p;
		expr_expect(args, ",");
		*starred = expr_parse(args);
		return 0;
	}
	for (; is_digit(**p); ++*p)
		v = MIN(v * 10 + **p - '0', (u64)WIDTH);
	return v;
}

/* After the '%'. */
static const char *parse_conversion(struct piece *piece, struct parser *args, const char *p)
{
	struct conversion *c = &piece->c;
	size_t n = 0;

	*c = as_it_is;
	for (; *p && strchr("-#0", *p); p++)
		if (n < sizeof(c->flags) - 1)
			c->flags[n++] = *p;
	if (*p == '*' || is_digit(*p))
		c->width = parse_width(args, &p, &piece->width);
	if (*p == '.') {
		p++;
		c->precision = parse_width(args, &p, &piece->precision);
	}
	for (; *p && strchr("hlLz", *p); p++) {
		c->half |= *p == 'z';
		c->size += *p == 'h' ? -1 : *p == 'L' ? 2 : *p == 'l';
	}
	c->letter = *p;
	if (*p)
		p++;
	c->more = p;
	if (c->letter == 'p')
		p += expr_name_length(p);
	expr_expect(args, ",");
	piece->argument = expr_parse(args);
	if (!c->letter || !strchr("dicuxXops", c->letter))
		args->wrong = true;
	piece->is_simple = c->letter && strchr("diux", c->letter) && !*c->flags && c->width < 0 &&
			   c->precision < 0;
	return p;
}

/* Read the text of the format up to the next conversion, and return the place of that. */
static const char *parse_plain(struct piece *piece, struct arena *arena, const char *p)
{
	size_t room = strcspn(p, "\"%") + 2, n = 0;
	char *text = NEW(arena, char, room);

	piece->is_clean = true;
	for (; *p && *p != '%' && *p != '"'; p++) {
		char c = *p;

		if (*p == '\\' && p[1]) {
			p++;
			c = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p;
		}
		/* An escaped '"' or '%' does not end the text. */
		if (n == room) {
			text = arena_grow(arena, text, 1, n, 2 * room);
			room *= 2;
		}
		piece->is_clean &= c >= ' ' && c < 127;
		text[n++] = c;
	}
	piece->plain = text;
	piece->len = n;
	return p;
}

static struct piece *add_piece(struct event_print *print, struct arena *arena)
{
	if (print->n == print->room) {
		print->pieces = arena_grow(arena, print->pieces, sizeof(*print->pieces), print->n,
					   MAX(2 * print->n, 8u));
		print->room = MAX(2 * print->n, 8u);
	}
	print->pieces[print->n] = (struct piece){ 0 };
	return &print->pieces[print->n++];
}

/* Parse the print fmt; NULL if it is not understood. */
static struct event_print *parse(const struct event_format *format)
{
	struct parser in = { .p = format->print };
	struct parser args = { .format = format, .arena = format->arena };
	struct event_print *print = NEW(format->arena, struct event_print, 1);
	struct piece *piece;

	expr_skip_text(&in);
	args.p = in.p;
	args.wrong = in.wrong || in.p == format->print;
	in.p = format->print;
	while (!args.wrong && expr_accept(&in, "\"")) {
		do {
			piece = add_piece(print, format->arena);
			in.p = parse_plain(piece, format->arena, in.p);
			if (in.p[0] != '%')
				break;
			if (in.p[1] == '%') {
				piece = add_piece(print, format->arena);
				piece->plain = "%";
				piece->len = 1;
				piece->is_clean = true;
				in.p += 2;
				continue;
			}
			in.p = parse_conversion(piece, &args, in.p + 1);
		} while (!args.wrong);
		expr_expect(&in, "\"");
	}
	return args.wrong ? NULL : print;
}

/* Field by field */

static void print_array_field(struct out *out, const struct event_field *f, struct bytes b)
{
	size_t len = strnlen((const char *)b.at, b.len), i;
	bool is_text = f->is_text;

	for (i = 0; i < len; i++)
		is_text &= b.at[i] >= ' ' && b.at[i] < 127;
	if (is_text) {
		put_name(out, b);
		return;
	}
	out_str(out, "ARRAY[");
	for (i = 0; i < b.len; i++)
		out_fmt(out, i ? ", %02x" : "%02x", b.at[i]);
	out_char(out, ']');
}

void print_tracepoint_field(struct out *out, const struct event_field *f, struct bytes raw)
{
	u64 v = event_field_number(f, raw, 0);
	int size = f->size == 8 ? 2 : f->size == 4 ? 0 : f->size == 2 ? -1 : -2;

	if (f->is_array)
		print_array_field(out, f, event_field_bytes(f, raw));
	else if (f->is_pointer || (f->is_long && !(f->is_signed && size)))
		put_hex_number(out, v);
	else if (f->is_signed)
		out_fmt(out, f->size == 2 ? "%2lld" : "%lld", (i64)sized(v, size, true));
	else
		out_fmt(out, "%llu", v);
}

static void print_field(struct out *out, const struct event_field *f, struct bytes raw)
{
	out_char(out, ' ');
	put_name(out, f->name);
	out_char(out, '=');
	print_tracepoint_field(out, f, raw);
}

void print_tracepoint_fields(struct out *out, const struct event_format *format, struct bytes raw)
{
	u32 i;

	for (i = format->n_common; i < format->n_fields; i++)
		print_field(out, &format->fields[i], raw);
}

void print_tracepoint(struct out *out, struct event_format *format, struct bytes raw,
		      const struct kernel_names *names)
{
	struct printing p = { .out = out, .format = format, .raw = raw, .names = names };

	if (!format->parsed) {
		format->parsed = true;
		format->program = parse(format);
	}
	if (format->program) {
		print_all(&p, format->program);
		return;
	}
	out_str(out, "[FAILED TO PARSE]");
	print_tracepoint_fields(out, format, raw);
}
