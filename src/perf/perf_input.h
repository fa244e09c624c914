/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The bytes of a perf.data: files, read in blocks at any place, or a pipe, read once. Used inside
 * src/perf only.
 */
#ifndef PERF_INPUT_H
#define PERF_INPUT_H

#include <pt/config/CMD_INFO.h>
#include <pt/config/CMD_SCRIPT.h>
#include <pt/perf.h>

/* A program that only dumps records shows no names, and does not keep a pipe in memory. */
enum { EVENTS_HAVE_NAMES = CONFIG_CMD_SCRIPT || CONFIG_CMD_INFO };

enum {
	BLOCK = 4096,
	N_BLOCKS = 64,
	PIPE_BUFFER = 2 * (PERF_RECORD_BYTES + 1),
	SPOOL_MEM = 1 << 30,
};

/* A run of records: the data section, a data.N, or the pipe. */
struct part {
	int fd;
	const char *path;	/* as perf prints it; NULL: that of the perf_file */
	u64 first, off, end;	/* of its records: start, the next one, the end */
	u64 size;		/* of the file, when it was opened */
	u64 turn;		/* bytes read since its turn began */
};

struct perf_input {
	struct part *parts;
	u32 n_parts, now;	/* the part being read */
	u64 base;		/* the place of offset 0 in the file */
	bool truncated;		/* the header says that there should be more records */
	bool cut;		/* the trace after the record at 'cut_off' is incomplete */
	u64 cut_off;

	/* Files. The oldest block is replaced first: a run of records and a few other records
	 * after it (see perf_order.c) are read without reading a block twice. */
	u64 block[N_BLOCKS];	/* which one: part and number, plus 1 */
	u32 age[N_BLOCKS], clock, last;
	u16 fill[N_BLOCKS];	/* bytes in each */
	u8 *blocks;
	u8 *whole;		/* a record that crosses blocks */

	/* Pipes. */
	u8 *buf;
	size_t at, have;	/* the part that is not used yet */
	u64 skip;		/* payload of the last record that was not read */
	struct perf_plain *plain;	/* what COMPRESSED records contain: perf_read_zstd.c */

	/* The ids of all events, in an open-addressed table; of equal ids the newest counts. */
	struct id_slot {
		u64 id;
		struct perf_event *event;
		u64 count;	/* the count of the last sample of its group: :S */
	} *ids;
	u32 n_ids, id_slots;
	u64 multiplier;
};

/* Read 'n' (up to PERF_RECORD_BYTES) bytes at 'off' of a file; '*to' is valid until the next
 * call. Returns how many there are, fewer at the end, or -errno. */
long input_at(struct perf_input *in, u32 part, u64 off, size_t n, const u8 **to);

/* The same without reading: NULL unless all of them are in memory. */
const u8 *input_at_hand(const struct perf_input *in, u32 part, u64 off, size_t n);

/* The next 'n' bytes of the pipe, without consuming them. Returns as above. */
long input_peek(struct perf_input *in, size_t n, const u8 **to);

/* Consume 'n' bytes that input_peek() returned. */
void input_use(struct perf_input *in, size_t n);

/* Read up to 'n' bytes of the pipe. Returns the count, 0 at the end, -errno. */
long input_read(struct perf_input *in, void *to, size_t n);

/* Read all of the pipe, with the bytes that were peeked at, into a file: its descriptor and
 * '*size'. -EFBIG if there is no room for more than '*size'; or -errno. */
int input_spool(struct perf_input *in, const struct perf_spool *spool, u64 *size);

/* pread() that continues until 'n' bytes or the end. */
long input_pread(int fd, void *to, size_t n, u64 off);

/* perf_elsewhere.c: the same for a file with parts in other files. */
long elsewhere_pread(const struct perf_file *f, void *to, size_t n, u64 off);

/* perf_event.c: add an event with the attributes at the front of 'attr'; set how many ids it has,
 * then add each; take names from EVENT_DESC and EVENT_UPDATE. */
int event_add(struct perf_file *f, struct perf_event **event, struct bytes attr, const char **why);
int event_expect_ids(struct perf_file *f, struct perf_event *event, u64 n, const char **why);
void event_add_id(struct perf_file *f, struct perf_event *event, u64 id);

/* The event with this id, and the place of the id's last count; or NULL. */
const struct perf_event *event_count(const struct perf_file *f, u64 id, u64 **count);
void event_names(struct perf_file *f, struct bytes event_desc);
void event_update(struct perf_file *f, struct bytes record);

/* event_format.c: keep the formats of tracepoints. The bytes must stay valid. */
void event_formats_learn(struct perf_file *f, struct bytes tracing_data);

/* "text %#llx text", kept in the file's arena. */
const char *why_at(struct perf_file *f, const char *fmt, u64 off)
	__attribute__((format(printf, 2, 0)));

/* perf_read_zstd.c: is a regular file in the pipe form, with COMPRESSED records? Then it is at its
 * begin, to be read like a pipe. */
bool perf_plain_begin(int fd);

/* perf_read_zstd.c: the next record of those in COMPRESSED records; false if there is no whole one.
 * Expand one more. 0 or -errno, with '*why'. */
bool perf_plain_next(struct perf_file *f, struct perf_record *rec);
int perf_plain_add(struct perf_file *f, const struct perf_record *rec, const char **why);

#endif
