/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the bytes of a perf.data come from: files, read in blocks at any
 * place, or a pipe, read once. Used inside src/perf only.
 */
#ifndef PERF_INPUT_H
#define PERF_INPUT_H

#include <pt/config/CMD_INFO.h>
#include <pt/config/CMD_SCRIPT.h>
#include <pt/perf.h>

/* A program that only dumps records shows no names, and keeps no pipe in memory. */
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
	const char *path;	/* as perf prints it */
	u64 first, off, end;	/* of its records: start, the next one, the end */
	u64 size;		/* of the file, when it was opened */
	u64 turn;		/* bytes read since its turn came */
};

struct perf_input {
	struct part *parts;
	u32 n_parts, now;	/* the part being read */
	u64 base;		/* where in the file offset 0 is */
	bool truncated;		/* the header says that there should be more records */
	bool cut;		/* the trace behind the record at 'cut_off' is not all there */
	u64 cut_off;

	/* Files. Blocks are kept by age: a run of records and a few others
	 * behind it (see perf_order.c) are read without reading twice. */
	u64 block[N_BLOCKS];	/* which one: part and number, plus 1 */
	u32 age[N_BLOCKS], clock, last;
	u16 fill[N_BLOCKS];	/* bytes in it */
	u8 *blocks;
	u8 *whole;		/* a record that lies in several blocks */

	/* Pipes. */
	u8 *buf;
	size_t at, have;	/* what of it is not used yet */
	u64 skip;		/* payload of the last record that nobody took */

	/* Ids of all events, open addressing; the newest of equal ones counts. */
	struct id_slot {
		u64 id;
		struct perf_event *event;
		u64 count;	/* the last one that a sample of its group had: :S */
	} *ids;
	u32 n_ids, id_slots;
	u64 multiplier;
};

/* 'n' (up to PERF_RECORD_BYTES) bytes at 'off' of a file; '*to' is good until the next
 * call. Returns how many there are, less at the end, or -errno. */
long input_at(struct perf_input *in, u32 part, u64 off, size_t n, const u8 **to);

/* The same without reading anything: NULL unless they are all at hand. */
const u8 *input_at_hand(const struct perf_input *in, u32 part, u64 off, size_t n);

/* The next 'n' bytes of the pipe, not used up yet. Returns as above. */
long input_peek(struct perf_input *in, size_t n, const u8 **to);

/* Use up 'n' bytes that input_peek() showed. */
void input_use(struct perf_input *in, size_t n);

/* Read up to 'n' bytes of the pipe. Returns the count, 0 at the end, -errno. */
long input_read(struct perf_input *in, void *to, size_t n);

/* All of the pipe, also what was peeked at, as a file: its descriptor and '*size'. -EFBIG if
 * there is no room for more than '*size'; or -errno. */
int input_spool(struct perf_input *in, const struct perf_spool *spool, u64 *size);

/* pread() that goes on until 'n' or the end. */
long input_pread(int fd, void *to, size_t n, u64 off);

/* perf_event.c: add an event with the attributes that 'attr' begins with; say
 * how many ids it has, then each; take names from EVENT_DESC and EVENT_UPDATE. */
int event_add(struct perf_file *f, struct perf_event **event, struct bytes attr, const char **why);
int event_expect_ids(struct perf_file *f, struct perf_event *event, u64 n, const char **why);
void event_add_id(struct perf_file *f, struct perf_event *event, u64 id);

/* The event with this id, and where the last count of that id is kept; or NULL. */
const struct perf_event *event_count(const struct perf_file *f, u64 id, u64 **count);
void event_names(struct perf_file *f, struct bytes event_desc);
void event_update(struct perf_file *f, struct bytes record);

/* event_format.c: keep the formats of tracepoints. The bytes have to stay. */
void event_formats_learn(struct perf_file *f, struct bytes tracing_data);

/* "text %#llx text", kept in the file's arena. */
const char *why_at(struct perf_file *f, const char *fmt, u64 off)
	__attribute__((format(printf, 2, 0)));

#endif
