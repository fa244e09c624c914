/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Output: a buffer in front of a file descriptor.
 *
 * Lines that come by the million are assembled by hand: out_room() gives
 * space, put_*() write into it and return where they stopped, and out_done()
 * takes that place back. Everything else uses out_fmt(). The first error of a
 * write is kept in 'err' and everything after it is dropped; main reports it.
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
	bool lines;		/* somebody watches: flush after each line */
	bool drop;		/* what is flushed goes nowhere */
	u16 width;		/* lines are made to fit these columns: <pt/term.h>; 0: they stay */
	void (*gate)(struct out *o);	/* asked before anything is written; or NULL */
	void *who;		/* for 'gate' */
	struct iovec *pieces;	/* see out_blanks(); NULL: none yet */
	u32 n_pieces;
};

enum {
	OUT_BUFFER = 64 << 10,	/* the usual buffer */
	OUT_ROOM = 24 << 10,	/* the most that out_room() gives */
	OUT_PIECES = 1 << 10,	/* as many as the kernel takes at once */
};

/* Write to 'fd' through 'buf', which stays the caller's; 'size' >= OUT_ROOM.
 * Flushes at line ends if 'fd' is a terminal. */
void out_open(struct out *o, int fd, char *buf, size_t size);

/* Write what is buffered. Returns o->err. */
int out_flush(struct out *o);

/* Make room: the same, but a line that has begun stays if lines have to fit. */
void out_spill(struct out *o);

void out_bytes(struct out *o, const void *bytes, size_t len);
void out_str(struct out *o, const char *s);
void out_char(struct out *o, char c);
void out_newline(struct out *o);

/* 'n' times 'c'. */
void out_fill(struct out *o, char c, int n);

/* Many blanks, which are not copied into the buffer but written with it. 'pieces' is room for
 * OUT_PIECES of them. */
void out_blanks(struct out *o, u32 n);

/* Text from outside: control bytes and what is not ASCII come out as \xNN, so
 * that no name can move a cursor. */
void out_name(struct out *o, const char *s);

/* printf() of: %d %u %x %c %s %% with flags "-#0", width, '*', precision, and l,
 * ll, z. For more see put_fixed() and <pt/real.h>. */
void out_fmt(struct out *o, const char *fmt, ...) PRINTF(2, 3);
void out_vfmt(struct out *o, const char *fmt, va_list ap);

/* The same into a string; returns the length it wanted, like snprintf(). */
int fmt_str(char *to, size_t size, const char *fmt, ...) PRINTF(3, 4);
int fmt_vstr(char *to, size_t size, const char *fmt, va_list ap);

/* Space for 'n' <= OUT_ROOM bytes at o->at. */
static inline char *out_room(struct out *o, size_t n)
{
	if (unlikely((size_t)(o->end - o->at) < n))
		out_spill(o);
	return o->at;
}

/* 'p' is where the last put_*() stopped. */
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

/* memcpy() for the short pieces that lines are made of: libc's takes longer to
 * begin than they take to copy. */
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

/* v / scale with 'decimals' digits behind the point, rounded half up:
 * put_fixed(p, 12345, 1000, 2) is "12.35". */
char *put_fixed(char *p, u64 v, u64 scale, int decimals);

#endif
