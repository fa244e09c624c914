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
	u16 misc, type;		/* of the record, if there is one */
	const struct thread *thread;	/* for the columns of guests; or NULL */
};

/* A line has room for an indent and four names. */
enum { SAMPLE_LINE = OUT_ROOM };

/* Bytes that put_kept() and put_long() may read and write after the end of a text. */
enum { KEPT_SLACK = 32 };

/* Copy 'len' bytes. Up to 15 bytes more are read and written. */
static inline char *put_kept(char *p, const char *s, u32 len)
{
	u32 i;

	for (i = 0; i < len; i += 16)
		memcpy(p + i, s + i, 16);
	return p + len;
}

/* The same for longer texts of varying length: up to 31 bytes more. */
static inline char *put_long(char *p, const char *s, u32 len)
{
	u32 i = 0;

	do
		memcpy(p + i, s + i, 32);
	while ((i += 32) < len);
	return p + len;
}

/* Print the start of a made sample's line, up to the name of its event. If there is a column for
 * the time, it ends with ": " before '*after_time'. */
char *sample_put_start(char *p, const struct sample_printer *pr, enum sample_kind kind,
		       const struct sample_start *s, u64 period, char **after_time);

/* Print a name from a file; control bytes are escaped. Writes at most SAMPLE_NAME bytes. */
enum { SAMPLE_NAME = 2052 };
char *sample_put_name(char *p, const char *name);
char *sample_put_dso(char *p, const struct sample_printer *pr, const struct map *map);
/* The same; of a file, with the offset in it. */
char *sample_put_dso_off(char *p, const struct sample_printer *pr, const struct map *map, u64 ip);

/* Print "name+0x12" for 'ip'. */
char *sample_put_symbol(char *p, const struct sample_printer *pr, const struct map *map, u64 ip);

/* print_columns.c, for recorded samples: source of data and cost of the access; registers and
 * branches, whose length has no limit; page sizes; the time of day. */
char *sample_put_costs(char *p, struct sample_printer *pr, const struct perf_sample *s, u64 fields);
char *sample_put_branches(char *p, struct sample_printer *pr, struct bytes b,
			  const struct thread *t, u64 fields);
char *sample_put_state(char *p, struct sample_printer *pr, const struct perf_sample *s,
		       const struct thread *t, u64 fields);
char *sample_put_pages(char *p, const struct sample_printer *pr, const struct perf_sample *s,
		       u64 fields);
/* What a BPF program wrote into the sample, in lines of their own. */
char *sample_put_bpf(char *p, struct sample_printer *pr, const struct perf_sample *s);
char *sample_put_day(char *p, const struct sample_printer *pr, u64 time);

/* Bits of 'fields' for a place: only its symbol, or else the address; print the address first. */
enum { PLACE_NAME = 1 << 30, PLACE_ADDRESS = 1 << 29 };

struct place {
	u64 ip;
	u32 space, fields, len;
	char *text;		/* "401012 name+0x12 (/bin/x)", by the fields; NULL: free */
};

/* The place of 'ip', NULL if nothing is mapped there. Uses the bytes from 'p' on as scratch
 * space. */
const struct place *sample_place(char *p, struct sample_printer *pr, const struct thread *t,
				 u64 ip, u32 fields);

/* Print the place of 'ip'. */
char *sample_put_place(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		       u32 fields);

/* " FROM => TO" of a branch. */
char *sample_put_branch_from(char *p, struct sample_printer *pr, const struct thread *t, u64 from);
char *sample_put_branch_to(char *p, struct sample_printer *pr, const struct thread *t, u64 to);

/* Parts of a line of a call or return: flags and DSO of 'from', before the indent; the name of the
 * function at 'ip'; and 'n' blanks. A line with many blanks is written in pieces. */
char *sample_put_call_front(char *p, const struct sample_printer *pr, const struct thread *t,
			    u64 from, u32 flags);
char *sample_put_call_name(char *p, struct sample_printer *pr, const struct thread *t, u64 ip);
enum { MANY_BLANKS = 256 };

/* The indent of a call at this depth. It has a limit: without one, a trace of n bytes could give
 * n * n bytes of output. */
static inline int sample_indent(u32 depth)
{
	enum { INDENT = 4, INDENT_MAX = 512 };

	return MIN(depth, (u32)INDENT_MAX / INDENT) * INDENT;
}
char *sample_put_blanks(char *p, struct sample_printer *pr, int n);

/* The number of blanks after 'len' columns. */
int sample_spacing(struct sample_printer *pr, int len);

/* sample_text.c: print 'before' and a number, in decimal or as %#llx, which prints 0 without 0x;
 * "tr end syscall", padded to its column; the text of an event other than a branch. */
char *sample_put_word(char *p, const char *before, u64 v);
char *sample_put_0x(char *p, const char *before, u64 v);
char *sample_put_flag_words(char *p, u32 flags);
char *sample_put_text(char *p, const struct sample_printer *pr, const struct sample *s);
/* print_blocks.c: print the line so far, up to 'p', and those of brstackinsn. Returns where the
 * rest of the sample's line goes. */
char *print_blocks(char *p, struct sample_printer *pr, struct bytes branches,
		   const struct thread *t, u64 ip, u64 fields);
/* Read up to 'len' bytes of code at 'ip' into 'to'. Returns their number. */
u32 sample_read_code(struct sample_printer *pr, const struct thread *t, u64 ip, u8 *to, u32 len);
/* Print the bytes of an instruction, " e8 00 00 00 00". */
char *sample_put_code(char *p, struct sample_printer *pr, const struct sample *s);
/* Print the text of a recorded event that was once made of a trace, in its column; and that of a
 * frequency, 'max' being the highest one without turbo. */
char *sample_put_made(char *p, const struct sample_printer *pr, const struct perf_sample *s);
char *sample_put_cbr(char *p, u8 cbr, u8 max, u64 khz);
/* Print the columns FIELD_INSNLEN, FIELD_INSN and FIELD_DISASM for the 'len' bytes at 'insn_ip'. If
 * 'len' is 0, the sample has no known instruction, and the one at 'ip' is printed. */
char *sample_put_insn_columns(char *p, struct sample_printer *pr, const struct thread *t,
			      u64 insn_ip, u8 len, u64 ip, u32 fields);
/* Print "main.c:12" after 'before'; nothing if the line is not known. */
void print_srccode(struct sample_printer *pr, const struct thread *t, u64 ip);
char *sample_put_srcline(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
			 const char *before);
/* The same as a line of its own, which perf prints here. If the line is not known, it has line 0 of
 * the file that the symbol table names, or else the DSO and the address in it. */
char *sample_put_line(char *p, struct sample_printer *pr, const struct thread *t, u64 ip);
/* print_chain.c: print the lines of the call chain of a recorded sample; or of one from the trace,
 * 'late' if the sample is a recorded one. */
void print_chain(struct sample_printer *pr, const struct perf_sample *s, const struct thread *t,
		 u32 fields);
void print_chain_made(struct sample_printer *pr, const struct thread *t, i32 cpu, u64 ip,
		      bool late, u32 fields);
/* Print the instruction as text, "callq main+0x0". Writes at most SAMPLE_NAME bytes plus the size
 * of a struct disasm. */
char *sample_put_disasm(char *p, struct sample_printer *pr, const struct sample *s);

/* Short lines: see print_short.c. */
struct short_lines {
	u64 start;		/* times count from here, in ns */
	u32 width, time_width;
	u32 used;		/* columns of the current line that its start uses */
	i32 tid;		/* of the first line */
	bool begun, several;	/* threads */
	const struct dso *dso;	/* of the last place */
};

/* Print the start of a line; the rest of the line of a made sample; a place, in 'room' columns if
 * its name can be cut to that; a line of a call chain. */
char *short_put_start(char *p, const struct sample_printer *pr, u32 fields,
		      const struct sample_start *s);
char *short_put_sample(char *p, struct sample_printer *pr, const struct sample *s);
char *short_put_place(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		      bool offset, u32 room);
char *short_put_gap(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		    const char *what);
void print_short_frame(struct sample_printer *pr, const struct thread *t, u64 ip);

/* Are lines short? */
static inline bool is_brief(const struct sample_printer *pr)
{
	return CONFIG_CONSOLE && pr->brief;
}

/* Print the place and the bytes of an instruction. */
char *sample_put_insn(char *p, struct sample_printer *pr, const struct thread *t, u64 ip, u8 len);

#endif
