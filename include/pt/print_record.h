/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of a perf.data file to text, in perf's format.
 */
#ifndef PT_PRINT_RECORD_H
#define PT_PRINT_RECORD_H

#include <pt/perf.h>

struct out;

/* A raw dump: the output of 'perf script -D' for each record. Start with a zeroed struct in which
 * 'file' is set. */
struct dump {
	struct perf_file *file;
	/* Called after the fields of a SAMPLE, where perf prints its thread, its file and its
	 * line; or NULL. */
	void (*sample)(struct dump *d, struct out *out, const struct perf_record *rec,
		       const struct perf_sample *s);
	void *arg;		/* the caller's */
	u32 aux_type;		/* of the last AUXTRACE_INFO */
	bool no_trace;		/* leave out the packets */
	bool begun;
};

/* Print one record, and below it the packets of its trace. Returns 0, or -errno if they cannot be
 * read. */
int print_dump(struct out *out, struct dump *d, const struct perf_record *rec,
	       const struct perf_sample *s);

/* After the last record: end its line, which print_dump() leaves to the next record. */
void print_dump_end(struct out *out);

/* Print the record as one line that fits a terminal, without its trace. */
void print_record_short(struct out *out, const struct perf_record *rec,
			const struct perf_sample *s);

/* Print "PERF_RECORD_MMAP2 1/1: [...": the text after 'comm tid [cpu] time: ' in the lines of
 * --show-mmap-events and similar options. */
void print_side_band(struct out *out, const struct perf_record *rec);

/* The same of a TEXT_POKE record, with the name of its place. */
void print_side_band_poke(struct out *out, const struct perf_record *rec, const char *place);

/* Print the header, for --header; and one of its features: for a pipe, --header prints each feature
 * when its HEADER_FEATURE record comes. */
void print_header(struct out *out, struct perf_file *f);
void print_feature(struct out *out, struct perf_file *f, unsigned int bit);

/* The features that print_feature() prints only if f->show_info is set: print_machine.c. */
void print_machine(struct out *out, struct perf_file *f, unsigned int bit);

/* Print ", type = 1, size = 128, ...": what is not 0 of an event. */
void print_event_attr(struct out *out, const struct perf_attr *a);

/* Parts of a dump: bytes in lines of 16, with offsets of 'width' digits; the place and the bytes
 * of a record; the text of a kernel record and of a tool record. */
void print_bytes(struct out *out, struct bytes b, u64 off, int width);
void print_record_bytes(struct out *out, const struct perf_record *rec, const char *path);
void print_record_body(struct out *out, const struct perf_record *rec, const struct perf_sample *s);
void print_tool_record(struct out *out, const struct perf_record *rec);

/* Print 'text' with fields of 'b' in it: "%", a letter, the offset of the field in two hexadecimal
 * digits. Decimal: c u8, h u16, u u32, d i32, U u64, D i64, n u64 in two columns. Hexadecimal: k
 * u16, b u32 (at least two digits), x u64, q u64 in 16 digits, X u64 with 0x. s is a name. A field
 * beyond the end of 'b' is 0. */
void print_fields(struct out *out, struct bytes b, const char *text);

/* The same with 64-bit values from the caller, the first at offset 0, the next at 8. */
#define PRINT_WORDS(out, text, ...) \
	print_fields(out, (struct bytes){ (const u8 *)(const u64[]){ __VA_ARGS__ }, \
					  sizeof((u64[]){ __VA_ARGS__ }) }, text)

/* Write 'v' like "%#llx": 0 has no 0x. */
char *put_hex_alt(char *p, u64 v);

/* The name of a record type without "PERF_RECORD_": "MMAP2". */
const char *record_name(u32 type);

#endif
