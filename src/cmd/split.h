/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Output in several files, FILE.1, FILE.2, ...: each is begun when the one before is large enough.
 *
 * In the sandbox no file can be made. So a second process makes them. It gets all bytes through one
 * pipe, and through another one where in these bytes a new file begins: that is written before the
 * first byte of the new file is, so the second process always knows it in time.
 *
 *	pt --- bytes --------> second process ---> FILE.1, FILE.2, ...
 *	   --- beginnings --->
 *	   <-- the end -------
 */
#ifndef SPLIT_H
#define SPLIT_H

#include <pt/out.h>

struct split {
	u64 limit;		/* bytes; 0: there is one file */
	u64 begun;		/* where the file at hand begins, or what is new in it */
	int bytes, beginnings, end;
};

/* Before the sandbox. 'buf' is room for 'out', of 'size' bytes. 0 or -errno. */
int split_open(struct split *s, const char *path, struct out *out, char *buf, size_t size);

static inline u64 split_position(const struct out *out)
{
	return out->written + (out->at - out->buf);
}

/* A record was written: is the file large enough? */
static inline bool split_due(const struct split *s, const struct out *out)
{
	return s->limit && split_position(out) - s->begun >= s->limit;
}

/* A new file begins here. */
void split_next(struct split *s, struct out *out);

/* All was written: 0, or -errno of the file with the number '*nr'. */
int split_end(struct split *s, struct out *out, u32 *nr);

#endif
