/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Output in several files, FILE.1, FILE.2, ...: each is begun when the one before is large enough.
 *
 * The sandbox forbids creating files, so a second process creates them. It gets all bytes through
 * one pipe. Through another pipe it gets the offsets in these bytes at which new files begin. Each
 * offset is written before the first byte of its file, so it is always known in time.
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
	u64 begun;		/* where the current file begins, or its new contents */
	int bytes, beginnings, end;
};

/* Start the second process, before the sandbox. 'buf' is the buffer of 'out', of 'size' bytes. 0 or
 * -errno. */
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

/* Begin a new file here. */
void split_next(struct split *s, struct out *out);

/* Complete the last file. 0, or the -errno of file number '*nr'. */
int split_end(struct split *s, struct out *out, u32 *nr);

#endif
