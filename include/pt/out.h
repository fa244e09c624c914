/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Output: a buffer for a file descriptor.
 *
 * Frequent lines are assembled in the buffer: out_room() returns space, the put_*() functions write
 * into it and return the new end, and out_done() takes the end. All other code uses out_fmt(). The
 * first write error is kept in 'err', and all later output is dropped; main reports the error.
 */
#ifndef PT_OUT_H
#define PT_OUT_H

#include <stdarg.h>
#include <pt/base.h>

struct iovec;

struct out {
	char *at;		/* where the next byte goes */
	char *end;
	char *buf;
	int fd;
	int err;		/* 0, or -errno of the first write that failed */
	bool lines;		/* a terminal: flush after each line */
	bool drop;		/* discard the output */
	u8 paint;		/* an enum paint: <pt/term.h> */
	u16 width;		/* fit lines into these columns: <pt/term.h>; 0: do not */
	void (*gate)(struct out *o);	/* called before a write: see parallel.c; or NULL */
	void (*keep)(struct out *o);	/* called instead of a write; or NULL */
	void *who;		/* for 'gate' and 'keep' */
	struct iovec *pieces;	/* see out_blanks(); NULL: none yet */
	u32 n_pieces;
	u64 written;		/* bytes that out_flush() wrote, without those of 'pieces' */
};

enum {
	OUT_BUFFER = 64 << 10,	/* the usual buffer */
	OUT_ROOM = 24 << 10,	/* the most that out_room() can return */
	OUT_PIECES = 1 << 10,	/* the kernel's limit of one writev() */
};

/* Open an output to 'fd' with the buffer 'buf', which the caller owns; 'size' >= OUT_ROOM. If 'fd'
 * is a terminal it flushes at line ends. */
void out_open(struct out *o, int fd, char *buf, size_t size);

/* Write the buffer. Returns o->err. */
int out_flush(struct out *o);

/* Make room: the same, but if lines must fit a terminal, keep an unfinished line. */
void out_spill(struct out *o);

void out_bytes(struct out *o, const void *bytes, size_t len);
void out_str(struct out *o, const char *s);
void out_char(struct out *o, char c);
void out_newline(struct out *o);

/* 'n' times 'c'. */
void out_fill(struct out *o, char c, int n);

/* Print many blanks without copying them into the buffer. The caller sets o->pieces to an array of
 * OUT_PIECES. */
void out_blanks(struct out *o, u32 n);

/* Print text from outside. Control bytes and non-ASCII bytes are printed as \xNN, so that a name
 * cannot control the terminal. */
void out_name(struct out *o, const char *s);

/* A printf() that knows %d %u %x %c %s %%, the flags "-#0", width, '*', precision, l, ll and z.
 * For real numbers see put_fixed() and <pt/real.h>. */
void out_fmt(struct out *o, const char *fmt, ...) PRINTF(2, 3);
void out_vfmt(struct out *o, const char *fmt, va_list ap);

/* The same into a string. Like snprintf() it returns the length of the whole text. */
int fmt_str(char *to, size_t size, const char *fmt, ...) PRINTF(3, 4);
int fmt_vstr(char *to, size_t size, const char *fmt, va_list ap);

/* Space for 'n' <= OUT_ROOM bytes at o->at. */
static inline char *out_room(struct out *o, size_t n)
{
	if (unlikely((size_t)(o->end - o->at) < n))
		out_spill(o);
	return o->at;
}

/* Set the end of the output to 'p', the result of the last put_*(). */
static inline void out_done(struct out *o, char *p)
{
	o->at = p;
}

/* The line assembled by hand is complete. */
static inline void out_line(struct out *o, char *p)
{
	*p++ = '\n';
	o->at = p;
	if (unlikely(o->lines))
		out_flush(o);
}

static inline char *put_char(char *p, char c)
{
	*p++ = c;
	return p;
}

/* memcpy() for short texts: the start of libc's memcpy() takes longer than copying them. */
char *put_short(char *p, const void *s, size_t len);

static inline char *put_bytes(char *p, const void *s, size_t len)
{
	if (!__builtin_constant_p(len))
		return put_short(p, s, len);
	memcpy(p, s, len);
	return p + len;
}

static inline char *put_fill(char *p, char c, int n)
{
	if (n <= 0)
		return p;
	memset(p, c, n);
	return p + n;
}

/* Inline, because the length of most strings is known here. */
static inline char *put_str(char *p, const char *s)
{
	return put_short(p, s, strlen(s));
}

char *put_dec(char *p, u64 v);			/* 42 */
char *put_int(char *p, i64 v);			/* -42 */
char *put_hex(char *p, u64 v);			/* 2a */
char *put_dec_w(char *p, u64 v, int width);	/* "   42" */
char *put_int_w(char *p, i64 v, int width);
char *put_dec_0(char *p, u64 v, int width);	/* "00042" */
char *put_hex_w(char *p, u64 v, int width);	/* "   2a" */
char *put_hex_0(char *p, u64 v, int width);	/* "0002a" */
char *put_byte(char *p, u8 v);			/* 2a */

/* 's' in a column: right-aligned, or left-aligned if width < 0. */
char *put_str_w(char *p, const char *s, int width);

/* Write v / scale with 'decimals' digits after the point, rounded half up:
 * put_fixed(p, 12345, 1000, 2) is "12.35". */
char *put_fixed(char *p, u64 v, u64 scale, int decimals);

#endif
