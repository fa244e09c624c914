/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pieces of a sample's line: see print_sample.c.
 */
#ifndef SAMPLE_LINE_H
#define SAMPLE_LINE_H

#include <pt/print_sample.h>

struct sample_start {
	const char *comm;
	i32 pid, tid, cpu;
	u64 time;
	u16 misc, type;		/* of the record, if it is of one */
};

/* A line has room for an indent and four names. */
enum { SAMPLE_LINE = OUT_ROOM };

/* Of texts that are read and written by more than they are long. */
enum { KEPT_SLACK = 32 };

/* Up to 15 bytes more are read and written than 'len'. */
static inline char *put_kept(char *p, const char *s, u32 len)
{
	u32 i;

	for (i = 0; i < len; i += 16)
		memcpy(p + i, s + i, 16);
	return p + len;
}

/* The same of texts that are longer, and not all as long: up to 31. */
static inline char *put_long(char *p, const char *s, u32 len)
{
	u32 i = 0;

	do
		memcpy(p + i, s + i, 32);
	while ((i += 32) < len);
	return p + len;
}

/* What a line of a made sample begins with, up to the name of its event. Time,
 * if there is a column for it, ends with ": " before '*behind_time'. */
char *sample_put_start(char *p, const struct sample_printer *pr, enum sample_kind kind,
		       const struct sample_start *s, u64 period, char **behind_time);

/* Names from files: nothing in them may move a cursor. No more than SAMPLE_NAME bytes. */
enum { SAMPLE_NAME = 2052 };
char *sample_put_name(char *p, const char *name);
char *sample_put_dso(char *p, const struct sample_printer *pr, const struct map *map);

/* Of a place, among 'fields': its name, or else the address, and no more; the address first. */
enum { PLACE_NAME = 1 << 30, PLACE_ADDRESS = 1 << 29 };

struct place {
	u64 ip;
	u32 space, fields, len;
	char *text;		/* "401012 name+0x12 (/bin/x)", by the fields; NULL: free */
};

/* That of 'ip', NULL where nothing is mapped; what is at 'p' may be written over. */
const struct place *sample_place(char *p, struct sample_printer *pr, const struct thread *t,
				 u64 ip, u32 fields);

/* The same as text. */
char *sample_put_place(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		       u32 fields);

/* " FROM => TO" of a branch. */
char *sample_put_branch_from(char *p, struct sample_printer *pr, const struct thread *t, u64 from);
char *sample_put_branch_to(char *p, struct sample_printer *pr, const struct thread *t, u64 to);

/* A call or return: flags and dso of 'from', what comes before the indent; the indent, as
 * deep as the stack and 'more' entries, in pieces if need be; the name of the function at
 * 'ip'; and what is between the name's end, 'name' behind '*blanks', and the next column. */
char *sample_put_call_front(char *p, const struct sample_printer *pr, const struct thread *t,
			    u64 from, u32 flags);
char *sample_put_call_name(char *p, struct sample_printer *pr, const struct thread *t, u64 ip);
char *sample_put_indent(char *p, struct sample_printer *pr, const struct calls *calls, u8 more,
			int *blanks);
enum { MANY_BLANKS = 256 };

/* Columns before a call with so many before it. Deeper ones are not indented more: a trace of n
 * bytes could otherwise make n * n bytes of lines. */
static inline int sample_indent(u32 depth)
{
	enum { INDENT = 4, INDENT_MAX = 512 };

	return MIN(depth, (u32)INDENT_MAX / INDENT) * INDENT;
}
char *sample_put_blanks(char *p, struct sample_printer *pr, int n);
char *sample_put_spacing(char *p, struct sample_printer *pr, int blanks, int name);

/* How wide that is, behind 'len'. */
int sample_spacing(struct sample_printer *pr, int len);

/* The place and the bytes of an instruction. */
char *sample_put_insn(char *p, struct sample_printer *pr, const struct thread *t, u64 ip, u8 len);

#endif
