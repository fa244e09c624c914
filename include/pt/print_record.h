/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of a perf.data to text, in the words of perf.
 */
#ifndef PT_PRINT_RECORD_H
#define PT_PRINT_RECORD_H

#include <pt/perf.h>

struct out;

/* A raw dump: what 'perf script -D' prints for each record. A zeroed struct
 * with 'file' set is a start. */
struct dump {
	struct perf_file *file;
	/* Called behind a SAMPLE's fields, where perf goes on with its thread,
	 * its file and its line; or NULL. */
	void (*sample)(struct dump *d, struct out *out, const struct perf_record *rec,
		       const struct perf_sample *s);
	void *arg;		/* the caller's */
	u32 aux_type;		/* of the last AUXTRACE_INFO */
	bool no_trace;		/* leave out the packets */
	bool begun;
};

/* Everything about one record, with the packets of its trace below it. 0, or
 * -errno if they cannot be read. */
int print_dump(struct out *out, struct dump *d, const struct perf_record *rec,
	       const struct perf_sample *s);

/* After the last record: end its line, where print_dump() left that to the next record. */
void print_dump_end(struct out *out);

/* The same as one line, without its trace, where lines have to fit a terminal. */
void print_record_short(struct out *out, const struct perf_record *rec,
			const struct perf_sample *s);

/* "PERF_RECORD_MMAP2 1/1: [...": what follows 'comm tid [cpu] time: ' in the lines
 * of --show-mmap-events and its kind. */
void print_side_band(struct out *out, const struct perf_record *rec);

/* The header as --header prints it; and one of its features, which --header prints
 * for a pipe where the HEADER_FEATURE record comes. */
void print_header(struct out *out, struct perf_file *f);
void print_feature(struct out *out, struct perf_file *f, unsigned int bit);

/* Parts of a dump. Bytes in lines of 16, with their offsets in 'width' digits; a
 * record's place and bytes; what a kernel record and a tool record say. */
void print_bytes(struct out *out, struct bytes b, u64 off, int width);
void print_record_bytes(struct out *out, const struct perf_record *rec, const char *path);
void print_record_body(struct out *out, const struct perf_record *rec, const struct perf_sample *s);
void print_tool_record(struct out *out, const struct perf_record *rec);

/* 'text' with fields of 'b' in it: "%", a letter, the field's offset in two hexadecimal
 * digits. c u8, h u16, u u32, d i32, U u64, D i64 decimal; k u16, b u32 (two digits
 * at least), x u64 hexadecimal, q the same in 16 digits, X u64 with 0x; n u64 in two
 * columns; s a name. What is not there is 0. */
void print_fields(struct out *out, struct bytes b, const char *text);

/* The same with words of our own, the first at 0, the next at 8. */
#define PRINT_WORDS(out, text, ...) \
	print_fields(out, (struct bytes){ (const u8 *)(const u64[]){ __VA_ARGS__ }, \
					  sizeof((u64[]){ __VA_ARGS__ }) }, text)

/* As "%#llx" has it: no 0x before a zero. */
char *put_hex_alt(char *p, u64 v);

/* "MMAP2", as behind "PERF_RECORD_". */
const char *record_name(u32 type);

#endif
