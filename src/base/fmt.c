/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * out_fmt() and fmt_str(): the part of printf() that pt uses, in 1.5 KiB; libc's printf() would
 * bring floating point with it.
 */
#include <stdarg.h>

#include <pt/out.h>

struct spec {
	bool left, zero, alt;
	int width, precision;	/* precision < 0: none given */
	int size;		/* 0 int, 1 long, 2 long long */
};

struct to {
	struct out *out;	/* or: */
	char *at, *end;
	int len;
};

static void add(struct to *to, const char *s, int n)
{
	to->len += n;
	if (to->out) {
		out_bytes(to->out, s, n);
		return;
	}
	n = MIN(n, (int)(to->end - to->at));
	memcpy(to->at, s, n);
	to->at += n;
}

static void fill(struct to *to, char c, int n)
{
	while (n-- > 0)
		add(to, &c, 1);
}

static int read_num(const char **fmt, va_list *ap)
{
	int n = 0;

	if (**fmt == '*') {
		++*fmt;
		return va_arg(*ap, int);
	}
	while (**fmt >= '0' && **fmt <= '9')
		n = n * 10 + *(*fmt)++ - '0';
	return n;
}

static const char *read_spec(const char *fmt, struct spec *s, va_list *ap)
{
	*s = (struct spec){ .precision = -1 };
	for (;; fmt++) {
		switch (*fmt) {
		case '-': s->left = true; continue;
		case '0': s->zero = true; continue;
		case '#': s->alt = true; continue;
		}
		break;
	}
	s->width = read_num(&fmt, ap);
	if (s->width < 0) {
		s->left = true;
		s->width = -s->width;
	}
	if (*fmt == '.') {
		fmt++;
		s->precision = read_num(&fmt, ap);
	}
	for (; *fmt == 'l'; fmt++)
		s->size++;
	if (*fmt == 'z') {
		s->size = sizeof(size_t) == 8 ? 2 : 1;
		fmt++;
	}
	return fmt;
}

static void add_text(struct to *to, const struct spec *s, const char *prefix, const char *text,
		     int len, int zeros)
{
	int n_prefix = strlen(prefix), pad = s->width - n_prefix - zeros - len;

	if (s->zero && !s->left && s->precision < 0 && pad > 0) {
		zeros += pad;
		pad = 0;
	}
	if (!s->left)
		fill(to, ' ', pad);
	add(to, prefix, n_prefix);
	fill(to, '0', zeros);
	add(to, text, len);
	if (s->left)
		fill(to, ' ', pad);
}

static void add_number(struct to *to, const struct spec *s, char conv, u64 v, bool negative)
{
	const char *prefix = negative ? "-" : conv == 'x' && s->alt && v ? "0x" : "";
	unsigned int base = conv == 'x' ? 16 : 10;
	char num[32], *at = num + sizeof(num);
	int len;

	for (len = 0; v || (!len && s->precision); len++) {
		*--at = "0123456789abcdef"[v % base];
		v /= base;
	}
	add_text(to, s, prefix, at, len, MAX(s->precision - len, 0));
}

static u64 get_unsigned(const struct spec *s, va_list *ap)
{
	if (s->size >= 2)
		return va_arg(*ap, u64);
	return s->size ? va_arg(*ap, unsigned long) : va_arg(*ap, unsigned int);
}

static i64 get_signed(const struct spec *s, va_list *ap)
{
	if (s->size >= 2)
		return va_arg(*ap, i64);
	return s->size ? va_arg(*ap, long) : va_arg(*ap, int);
}

static void convert(struct to *to, const struct spec *s, char conv, va_list *ap)
{
	struct spec column = { .left = s->left, .width = s->width, .precision = -1 };
	const char *text;
	size_t len;
	i64 v;
	char c;

	switch (conv) {
	case 'd':
		v = get_signed(s, ap);
		add_number(to, s, 'd', v < 0 ? -(u64)v : (u64)v, v < 0);
		break;
	case 'u':
	case 'x':
		add_number(to, s, conv, get_unsigned(s, ap), false);
		break;
	case 'c':
		c = va_arg(*ap, int);
		add_text(to, &column, "", &c, 1, 0);
		break;
	case 's':
		text = va_arg(*ap, const char *);
		if (!text)
			text = "(null)";
		len = s->precision >= 0 ? strnlen(text, s->precision) : strlen(text);
		add_text(to, &column, "", text, len, 0);
		break;
	default:
		add(to, &conv, 1);
	}
}

static int format(struct to *to, const char *fmt, va_list ap)
{
	struct spec spec;
	va_list args;
	size_t plain;

	va_copy(args, ap);
	while (*fmt) {
		for (plain = 0; fmt[plain] && fmt[plain] != '%'; plain++)
			;
		if (plain) {
			add(to, fmt, plain);
			fmt += plain;
			continue;
		}
		fmt = read_spec(fmt + 1, &spec, &args);
		if (!*fmt)
			break;
		convert(to, &spec, *fmt++, &args);
	}
	va_end(args);
	return to->len;
}

void out_vfmt(struct out *o, const char *fmt, va_list ap)
{
	format(&(struct to){ .out = o }, fmt, ap);
}

void out_fmt(struct out *o, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	out_vfmt(o, fmt, ap);
	va_end(ap);
}

int fmt_vstr(char *to, size_t size, const char *fmt, va_list ap)
{
	struct to str = { .at = to, .end = size ? to + size - 1 : to };
	int len = format(&str, fmt, ap);

	if (size)
		*str.at = 0;
	return len;
}

int fmt_str(char *to, size_t size, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = fmt_vstr(to, size, fmt, ap);
	va_end(ap);
	return len;
}
