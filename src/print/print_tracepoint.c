/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The "print fmt" of a tracepoint, applied to the raw data of a sample.
 *
 * It is a format as printf() has, and its arguments as C expressions:
 *
 *	"dev=%d flags=%s", REC->dev, __print_flags(REC->flags, "|", { 1, "A" }, { 2, "B" })
 *
 * Expressions are evaluated straight from the text. What makes text is not expanded where it
 * is met, since ?: may choose another, but where its place in the format comes: a value only
 * says where in the text it is. Once for each event the text is gone through without output;
 * if something in it is not known, samples are printed field by field.
 */
#include <pt/num.h>
#include "trace_expr.h"
#include "tracepoint_address.h"

enum { WIDTH = 256 };

/* Numbers that older kernels leave as names. */
static const struct { const char *name; u8 n; } constants[] = {
	{ "HI_SOFTIRQ", 0 }, { "TIMER_SOFTIRQ", 1 }, { "NET_TX_SOFTIRQ", 2 },
	{ "NET_RX_SOFTIRQ", 3 }, { "BLOCK_SOFTIRQ", 4 }, { "IRQ_POLL_SOFTIRQ", 5 },
	{ "TASKLET_SOFTIRQ", 6 }, { "SCHED_SOFTIRQ", 7 }, { "HRTIMER_SOFTIRQ", 8 },
	{ "RCU_SOFTIRQ", 9 }, { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
};

/* Text */

/* Bytes from outside, up to the first NUL. */
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

static void put_bytes_as(struct reader *r, const struct conversion *c, struct bytes b)
{
	int pad;

	b.len = strnlen((const char *)b.at, b.len);
	if (c->precision >= 0)
		b.len = MIN(b.len, (size_t)c->precision);
	pad = c->width - (int)b.len;
	if (!r->out)
		return;
	if (!strchr(c->flags, '-'))
		out_fill(r->out, ' ', pad);
	put_name(r->out, b);
	if (strchr(c->flags, '-'))
		out_fill(r->out, ' ', pad);
}

/* "..." "..." at 'at'; returns where they end. */
static const char *put_literal(struct reader *r, const struct conversion *c, const char *at)
{
	struct reader in = { .p = at };
	const char *from;

	while (expr_accept(&in, "\"")) {
		from = in.p;
		while (*in.p && *in.p != '"')
			in.p += in.p[0] == '\\' && in.p[1] ? 2 : 1;
		put_bytes_as(r, c, (struct bytes){ (const u8 *)from, in.p - from });
		expr_accept(&in, "\"");
	}
	return in.p;
}

static void put_hex_number(struct reader *r, u64 v)
{
	if (r->out)
		out_fmt(r->out, "0x%llx", v);
}

/* The number of a flag. To perf, those that are negative and names it does not know are -1. */
static u64 read_flag(struct reader *r)
{
	size_t len, i;
	u64 v;

	expr_skip_blanks(r);
	if (is_digit(*r->p))
		return expr_number(r, expr_read(r));
	len = expr_name_length(r->p);
	for (i = 0; len && i < N_ELEM(constants); i++)
		if (strlen(constants[i].name) == len && !strncmp(constants[i].name, r->p, len))
			break;
	v = expr_number(r, expr_read(r));
	if (!len)
		return (i64)v < 0 ? ~0ULL : v;
	return i < N_ELEM(constants) ? constants[i].n : ~0ULL;
}

/* { NUMBER, "text" }: false if there are no more. */
static bool read_pair(struct reader *r, u64 *value, const char **text)
{
	expr_accept(r, ",");
	if (r->wrong || !expr_accept(r, "{"))
		return false;
	*value = read_flag(r);
	expr_expect(r, ",");
	expr_skip_blanks(r);
	*text = r->p;
	/* The last one may have a null pointer. */
	expr_read(r);
	expr_expect(r, "}");
	return !r->wrong;
}

static void print_flags(struct reader *r, const struct conversion *c)
{
	static const struct conversion plain = { .width = -1, .precision = -1 };
	u64 v = expr_number(r, expr_read(r)), flag;
	bool ended = false, some = false;
	const char *between, *text;

	expr_expect(r, ",");
	expr_skip_blanks(r);
	between = r->p;
	expr_skip_text(r);
	while (read_pair(r, &flag, &text)) {
		if (ended)
			continue;
		ended = !v && (i64)flag < 0;
		if (!ended && ((i64)flag <= 0 || (v & flag) != flag))
			continue;
		if (some && !ended)
			put_literal(r, &plain, between);
		put_literal(r, c, text);
		some = true;
		v &= ~flag;
	}
	if (!v || ended)
		return;
	if (some)
		put_literal(r, &plain, between);
	put_hex_number(r, v);
}

static void print_symbol(struct reader *r, const struct conversion *c)
{
	u64 v = expr_number(r, expr_read(r)), symbol;
	const char *text;
	bool found = false;

	while (read_pair(r, &symbol, &text)) {
		if (!found && v == symbol)
			put_literal(r, c, text);
		found |= v == symbol;
	}
	if (!found)
		put_hex_number(r, v);
}

/* The bytes that a first argument means. */
static struct bytes argument_bytes(struct reader *r)
{
	struct value v = expr_read(r);

	expr_expect(r, ",");
	if (v.kind != VALUE_FIELD)
		r->wrong = true;
	return r->wrong ? (struct bytes){ 0 } : event_field_bytes(v.field, r->raw);
}

static void print_hex(struct reader *r, bool apart)
{
	struct bytes b = argument_bytes(r);
	size_t i;

	b = bytes_first(b, expr_number(r, expr_read(r)));
	for (i = 0; r->out && i < b.len; i++)
		out_fmt(r->out, i && apart ? " %02x" : "%02x", b.at[i]);
}

static void print_array(struct reader *r)
{
	struct bytes b = argument_bytes(r);
	u64 n = expr_number(r, expr_read(r)), size, i;

	expr_expect(r, ",");
	size = expr_number(r, expr_read(r));
	if (!r->out || !size || size > 8)
		return;
	out_char(r->out, '{');
	for (i = 0; i < n && b.len >= size; i++, b = bytes_skip(b, size))
		out_fmt(r->out, i ? ",0x%llx" : "0x%llx", get_le(b.at, size));
	out_char(r->out, '}');
}

/* Words of 32 bits, the highest first, without the zeros before them. */
static void print_bitmask(struct reader *r)
{
	const struct event_field *field = expr_field(r);
	struct bytes b = field ? event_field_bytes(field, r->raw) : (struct bytes){ 0 };
	size_t i;

	for (i = b.len / 4; r->out && i--;)
		out_fmt(r->out, i + 1 == b.len / 4 ? "%08x" : ",%08x", get32(b.at + 4 * i));
}

static void print_string(struct reader *r, const struct conversion *c)
{
	const struct event_field *field = expr_field(r);

	if (field)
		put_bytes_as(r, c, event_field_bytes(field, r->raw));
}

/* Read the arguments at r->p and print; false if that function makes no text. */
bool print_tracepoint_call(struct reader *r, u32 function, const struct conversion *c)
{
	switch (function) {
	case FN_FLAGS: print_flags(r, c); break;
	case FN_SYMBOL: print_symbol(r, c); break;
	case FN_HEX: print_hex(r, true); break;
	case FN_HEX_STR: print_hex(r, false); break;
	case FN_ARRAY: print_array(r); break;
	case FN_STRING: print_string(r, c); break;
	case FN_BITMASK: print_bitmask(r); break;
	default: return false;
	}
	expr_expect(r, ")");
	return true;
}

/* What the kernel has at an address, which a sample names instead of a text. */
static void print_kernel_text(struct reader *r, u64 addr)
{
	struct bytes b = r->format->strings;
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
		put_name(r->out, b);
		return;
	}
	out_fmt(r->out, "%llx", addr);
}

static void print_text(struct reader *r, const struct conversion *c, struct value v)
{
	const char *here = r->p;

	if (v.kind == VALUE_TEXT) {
		put_literal(r, c, v.at);
	} else if (v.kind == VALUE_CALL) {
		r->p = v.at;
		print_tracepoint_call(r, v.function, c);
		r->p = here;
	} else if (v.kind == VALUE_FIELD && !v.field->is_array && v.field->size == 8) {
		print_kernel_text(r, expr_number(r, v));
	} else if (v.kind == VALUE_FIELD) {
		put_bytes_as(r, c, event_field_bytes(v.field, r->raw));
	}
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

static void print_number(struct reader *r, const struct conversion *c, u64 v)
{
	char format[48], text[WIDTH + 64], *p = put_str(format, "%");
	bool is_signed = c->letter == 'd' || c->letter == 'i';

	v = sized(v, MAX(c->size, -2), is_signed && !c->half);
	if (c->letter == 'o') {
		print_octal(r->out, v);
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
	out_name(r->out, text);
}

static void print_function(struct reader *r, const struct conversion *c, u64 addr)
{
	u64 start = addr;
	const char *name = r->names->find(r->names->who, addr, &start);

	if (!name) {
		put_hex_number(r, addr);
		return;
	}
	out_name(r->out, name);
	if (*c->more == 'F' || *c->more == 'S')
		out_fmt(r->out, "+0x%llx", addr - start);
}

static void print_pointer(struct reader *r, const struct conversion *c, struct value v)
{
	u64 n;

	if (v.kind == VALUE_FIELD && v.field->is_array &&
	    tracepoint_put_address(r->out, c->more, event_field_bytes(v.field, r->raw)))
		return;
	n = expr_number(r, v);
	if (*c->more && strchr("FfSs", *c->more))
		print_function(r, c, n);
	else if (n)
		put_hex_number(r, n);
	else
		out_str(r->out, "(nil)");
}

/* The format */

static int read_width(struct reader *args, const char **p)
{
	u64 v = 0;

	if (**p == '*') {
		++*p;
		expr_expect(args, ",");
		v = expr_number(args, expr_read(args));
		return MIN(v, (u64)WIDTH);
	}
	for (; is_digit(**p); ++*p)
		v = MIN(v * 10 + **p - '0', (u64)WIDTH);
	return v;
}

/* After the '%'. */
static const char *read_conversion(struct conversion *c, struct reader *args, const char *p)
{
	size_t n = 0;

	*c = (struct conversion){ .width = -1, .precision = -1 };
	for (; *p && strchr("-#0", *p); p++)
		if (n < sizeof(c->flags) - 1)
			c->flags[n++] = *p;
	if (*p == '*' || is_digit(*p))
		c->width = read_width(args, &p);
	if (*p == '.') {
		p++;
		c->precision = read_width(args, &p);
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
	return p;
}

static void print_argument(struct reader *args, const struct conversion *c)
{
	struct value v;

	expr_expect(args, ",");
	v = expr_read(args);
	if (!c->letter || !strchr("dicuxXops", c->letter))
		args->wrong = true;
	if (args->wrong || !args->out)
		return;
	if (c->letter == 's')
		print_text(args, c, v);
	else if (c->letter == 'p')
		print_pointer(args, c, v);
	else
		print_number(args, c, expr_number(args, v));
}

/* Text of the format up to the next conversion, whose place is returned. */
static const char *print_plain(struct out *out, const char *p)
{
	char text[2] = "";

	for (; *p && *p != '%' && *p != '"'; p++) {
		text[0] = *p;
		if (*p == '\\' && p[1]) {
			p++;
			text[0] = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p;
		}
		if (!out)
			continue;
		if (text[0] == '\n' || text[0] == '\t')
			out_char(out, text[0]);
		else
			out_name(out, text);
	}
	return p;
}

static void print_all(struct reader *args)
{
	struct reader in = { .p = args->format->print };
	struct conversion c;

	expr_skip_text(&in);
	args->p = in.p;
	args->wrong |= in.wrong || in.p == args->format->print;
	in.p = args->format->print;
	while (!args->wrong && expr_accept(&in, "\"")) {
		while (!args->wrong && *(in.p = print_plain(args->out, in.p)) == '%') {
			if (in.p[1] == '%') {
				if (args->out)
					out_char(args->out, '%');
				in.p += 2;
				continue;
			}
			in.p = read_conversion(&c, args, in.p + 1);
			print_argument(args, &c);
		}
		expr_expect(&in, "\"");
	}
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

static void print_field(struct out *out, const struct event_field *f, struct bytes raw)
{
	u64 v = event_field_number(f, raw, 0);
	int size = f->size == 8 ? 2 : f->size == 4 ? 0 : f->size == 2 ? -1 : -2;

	out_char(out, ' ');
	put_name(out, f->name);
	out_char(out, '=');
	if (f->is_array)
		print_array_field(out, f, event_field_bytes(f, raw));
	else if (f->is_pointer || (f->is_long && !(f->is_signed && size)))
		put_hex_number(&(struct reader){ .out = out }, v);
	else if (f->is_signed)
		out_fmt(out, f->size == 2 ? "%2lld" : "%lld", (i64)sized(v, size, true));
	else
		out_fmt(out, "%llu", v);
}

void print_tracepoint(struct out *out, struct event_format *format, struct bytes raw,
		      const struct kernel_names *names)
{
	struct reader r = { .format = format, .raw = raw, .names = names };
	u32 i;

	if (!format->checked) {
		print_all(&r);
		format->checked = true;
		format->wrong = r.wrong;
	}
	if (!format->wrong) {
		r = (struct reader){ .out = out, .format = format, .raw = raw, .names = names };
		print_all(&r);
		return;
	}
	out_str(out, "[FAILED TO PARSE]");
	for (i = format->n_common; i < format->n_fields; i++)
		print_field(out, &format->fields[i], raw);
}
