/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Buffered output and the conversion of numbers to text.
 */
#include <errno.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <pt/config/CMD_SCRIPT.h>
#include <pt/config/COLOR.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/SCRIPT_MORE.h>
#include <pt/config/WINDOW.h>
#include <pt/fit.h>
#include <pt/out.h>
#include <pt/paint.h>
#include <pt/term.h>

void out_open(struct out *o, int fd, char *buf, size_t size)
{
	*o = (struct out){ .at = buf, .buf = buf, .end = buf + size, .fd = fd };
	o->lines = isatty(fd);
}

/* The result of a write: a count, 0 if it has to be called again, or -errno. Another process that
 * shares the terminal may have made it non-blocking; then wait until there is room. */
static ssize_t written(int fd, ssize_t n)
{
	if (n > 0 || (n < 0 && errno == EINTR))
		return MAX(n, 0);
	if (n < 0 && errno == EAGAIN) {
		poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		return 0;
	}
	return n < 0 ? -errno : -EIO;
}

/* Write all up to the last run of blanks. Returns what follows it. */
static COLD const char *write_pieces(struct out *o)
{
	struct iovec *v = o->pieces, *end = v + o->n_pieces;
	const char *rest = (char *)end->iov_base;
	ssize_t n;

	while (v < end && !o->err && !o->drop) {
		n = written(o->fd, writev(o->fd, v, end - v));
		if (n < 0)
			o->err = n;
		for (; v < end && n >= (ssize_t)v->iov_len; v++)
			n -= v->iov_len;
		if (n > 0) {
			v->iov_base = (char *)v->iov_base + n;
			v->iov_len -= n;
		}
	}
	o->n_pieces = 0;
	return rest;
}

int out_flush(struct out *o)
{
	const char *p;
	ssize_t n;

	if (o->gate)
		o->gate(o);
	if ((CONFIG_WINDOW || CONFIG_SCRIPT_MORE) && o->keep)
		o->keep(o);
	p = o->buf;
	if (CONFIG_CMD_SCRIPT && o->n_pieces)
		p = write_pieces(o);
	else if (CONFIG_CONSOLE && o->width)
		fit_lines(o->buf, &o->at, o->width);
	if (CONFIG_COLOR && o->paint && !o->n_pieces)
		p = paint_lines(o);
	while (p < o->at && !o->err && !o->drop) {
		n = written(o->fd, write(o->fd, p, o->at - p));
		if (n < 0) {
			o->err = n;
		} else {
			p += n;
			o->written += n;
		}
	}
	o->at = o->buf;
	return o->err;
}

void out_spill(struct out *o)
{
	char *rest = o->at;
	size_t len = 0;

	if (CONFIG_CONSOLE && o->width && !o->n_pieces) {
		rest = fit_lines(o->buf, &o->at, o->width);
		len = o->at - rest;
	}
	/* No line is that long; the start of it is written as it is. */
	if (len + OUT_ROOM > (size_t)(o->end - o->buf))
		len = 0;
	o->at -= len;
	out_flush(o);
	memmove(o->buf, rest, len);
	o->at = o->buf + len;
}

void out_bytes(struct out *o, const void *bytes, size_t len)
{
	const char *s = bytes;

	while (len) {
		size_t n = MIN(len, (size_t)OUT_ROOM);

		out_done(o, put_bytes(out_room(o, n), s, n));
		s += n;
		len -= n;
	}
	if (o->lines && o->at > o->buf && o->at[-1] == '\n')
		out_flush(o);
}

void out_str(struct out *o, const char *s)
{
	out_bytes(o, s, strlen(s));
}

void out_char(struct out *o, char c)
{
	out_bytes(o, &c, 1);
}

void out_newline(struct out *o)
{
	out_line(o, out_room(o, 1));
}

COLD void out_fill(struct out *o, char c, int n)
{
	while (n > 0) {
		int part = MIN(n, (int)OUT_ROOM);

		out_done(o, put_fill(out_room(o, part), c, part));
		n -= part;
	}
}

/* Copying blanks took half the time of deep call traces. Text continues in the piece after the
 * last one. */
COLD void out_blanks(struct out *o, u32 n)
{
	static char blanks[16 << 10];
	struct iovec *v;
	u32 part;

	if ((CONFIG_WINDOW || CONFIG_SCRIPT_MORE) && o->keep) {
		out_fill(o, ' ', n);
		return;
	}
	if (!blanks[0])
		memset(blanks, ' ', sizeof(blanks));
	for (; n; n -= part) {
		if (o->n_pieces + 2 >= OUT_PIECES)
			out_flush(o);
		v = o->pieces + o->n_pieces;
		if (!o->n_pieces)
			v->iov_base = o->buf;
		part = MIN(n, (u32)sizeof(blanks));
		v[0].iov_len = o->at - (char *)v->iov_base;
		v[1] = (struct iovec){ blanks, part };
		v[2].iov_base = o->at;
		o->n_pieces += 2;
	}
}

void out_name(struct out *o, const char *s)
{
	const char *plain;

	while (*s) {
		for (plain = s; *s >= ' ' && *s < 0x7f; s++)
			;
		out_bytes(o, plain, s - plain);
		if (*s)
			out_done(o, put_byte(put_str(out_room(o, 4), "\\x"), *s++));
	}
}

/* Two copies that may overlap, of the largest size that is not too long. */
char *put_short(char *p, const void *from, size_t len)
{
	const char *s = from, *end = s + len;
	char *p_end = p + len;

	if (len > 32) {
		memcpy(p, s, len);
	} else if (len >= 8) {
		for (; end - s > 8; s += 8, p += 8)
			memcpy(p, s, 8);
		memcpy(p_end - 8, end - 8, 8);
	} else if (len >= 4) {
		memcpy(p, s, 4);
		memcpy(p_end - 4, end - 4, 4);
	} else if (len) {
		p[0] = s[0];
		p[len / 2] = s[len / 2];
		p_end[-1] = end[-1];
	}
	return p_end;
}

/* The two decimal digits of 'v', which is below 100, as the bytes of a number. */
static inline u16 two_digits(u32 v)
{
	u32 tens = v * 103 >> 10;

	return 0x3030 + tens + ((v - 10 * tens) << 8);
}

/* The decimal digits of 'v', ending before 'end'; returns their start. */
static char *digits(char *end, u64 v)
{
	while (v >= 100) {
		end -= 2;
		set16(end, two_digits(v % 100));
		v /= 100;
	}
	if (v >= 10) {
		end -= 2;
		set16(end, two_digits(v));
	} else {
		*--end = '0' + v;
	}
	return end;
}

static const char hex[] = "0123456789abcdef";

static char *hex_digits(char *end, u64 v)
{
	do {
		*--end = hex[v & 15];
		v >>= 4;
	} while (v);
	return end;
}

static char *put_padded(char *p, const char *s, int len, char pad, int width)
{
	p = put_fill(p, pad, width - len);
	return put_bytes(p, s, len);
}

enum { NUM = 24 };

char *put_dec_w(char *p, u64 v, int width)
{
	char num[NUM], *s = digits(num + NUM, v);

	return put_padded(p, s, num + NUM - s, ' ', width);
}

char *put_dec(char *p, u64 v)
{
	return put_dec_w(p, v, 0);
}

char *put_dec_0(char *p, u64 v, int width)
{
	char num[NUM], *s = digits(num + NUM, v);

	return put_padded(p, s, num + NUM - s, '0', width);
}

COLD char *put_int_w(char *p, i64 v, int width)
{
	char num[NUM], *s = digits(num + NUM, v < 0 ? -(u64)v : (u64)v);

	if (v < 0)
		*--s = '-';
	return put_padded(p, s, num + NUM - s, ' ', width);
}

char *put_int(char *p, i64 v)
{
	return put_int_w(p, v, 0);
}

char *put_hex_w(char *p, u64 v, int width)
{
	char num[NUM], *s = hex_digits(num + NUM, v);

	return put_padded(p, s, num + NUM - s, ' ', width);
}

char *put_hex(char *p, u64 v)
{
	return put_hex_w(p, v, 0);
}

char *put_hex_0(char *p, u64 v, int width)
{
	char num[NUM], *s = hex_digits(num + NUM, v);

	return put_padded(p, s, num + NUM - s, '0', width);
}

char *put_byte(char *p, u8 v)
{
	*p++ = hex[v >> 4];
	*p++ = hex[v & 15];
	return p;
}

COLD char *put_str_w(char *p, const char *s, int width)
{
	int len = strlen(s);

	if (width > 0)
		p = put_fill(p, ' ', width - len);
	p = put_bytes(p, s, len);
	return width < 0 ? put_fill(p, ' ', -width - len) : p;
}

COLD char *put_fixed(char *p, u64 v, u64 scale, int decimals)
{
	u64 one = 1, part;
	int i;

	for (i = 0; i < decimals; i++)
		one *= 10;
	part = (v % scale * one * 2 + scale) / (scale * 2);
	p = put_dec(p, v / scale + part / one);
	if (!decimals)
		return p;
	p = put_char(p, '.');
	return put_dec_0(p, part % one, decimals);
}
