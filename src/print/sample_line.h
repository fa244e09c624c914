/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pieces of a sample's line: see print_sample.c.
 */
#ifndef SAMPLE_LINE_H
#define SAMPLE_LINE_H

#include <pt/config/CONSOLE.h>
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

/* "name+0x12" of what is at 'ip' */
char *sample_put_symbol(char *p, const struct sample_printer *pr, const struct map *map, u64 ip);

/* print_columns.c: of a recorded sample where its data came from and what that cost; registers
 * and branches, without an end to how much it is; its pages; the time of day. */
char *sample_put_costs(char *p, struct sample_printer *pr, const struct perf_sample *s, u64 fields);
char *sample_put_state(char *p, struct sample_printer *pr, const struct perf_sample *s,
		       const struct thread *t, u64 fields);
char *sample_put_pages(char *p, const struct perf_sample *s, u64 fields);
char *sample_put_day(char *p, const struct sample_printer *pr, u64 time);

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

/* Columns before a call at this depth. Deeper ones are not indented more: a trace of n
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

/* "tr end  syscall", with blanks after it that fill its column; what an event that is no
 * branch says; the bytes of an instruction, " e8 00 00 00 00". */
char *sample_put_flag_words(char *p, u32 flags);
char *sample_put_text(char *p, const struct sample_printer *pr, const struct sample *s);
char *sample_put_code(char *p, struct sample_printer *pr, const struct sample *s);
/* Columns FIELD_INSNLEN, FIELD_INSN and FIELD_DISASM, of the 'len' bytes at 'insn_ip'; 'len' 0: no
 * instruction is known to belong to the sample, and what is at 'ip' is shown. */
char *sample_put_insn_columns(char *p, struct sample_printer *pr, const struct thread *t,
			      u64 insn_ip, u8 len, u64 ip, u32 fields);
/* "main.c:12" after 'before'; nothing where that is not known. */
char *sample_put_srcline(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
			 const char *before);
/* Its text, "callq main+0x0": no more than SAMPLE_NAME and a struct disasm. */
char *sample_put_disasm(char *p, struct sample_printer *pr, const struct sample *s);

/* Short lines: see print_short.c. */
struct short_lines {
	u64 start;		/* times count from here, in ns */
	u32 width, time_width;
	u32 used;		/* columns of the line at hand, by its start */
	i32 tid;		/* of the first line */
	bool begun, several;	/* threads */
	const struct dso *dso;	/* of the last place */
};

/* What a line starts with; all behind that, of a made sample; a place of no more than 'room'
 * columns, if names can be cut down to that; a line of a call chain. */
char *short_put_start(char *p, const struct sample_printer *pr, u32 fields,
		      const struct sample_start *s);
char *short_put_sample(char *p, struct sample_printer *pr, const struct sample *s);
char *short_put_place(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		      bool offset, u32 room);
char *short_put_gap(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		    const char *what);
void print_short_frame(struct sample_printer *pr, const struct thread *t, u64 ip);

/* Whether lines are short. */
static inline bool is_brief(const struct sample_printer *pr)
{
	return CONFIG_CONSOLE && pr->brief;
}

/* The place and the bytes of an instruction. */
char *sample_put_insn(char *p, struct sample_printer *pr, const struct thread *t, u64 ip, u8 len);

#endif
