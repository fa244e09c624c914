/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf.data, written: a file, or a stream of records (pipe form).
 *
 * Records go out in the order of the calls, through a buffer. The first error
 * is kept in 'err' and everything after it is dropped, so a recorder looks at
 * it once a round. A file is whole after every perf_write_round(), and after each
 * piece that the buffer writes: what was written up to there opens even if this
 * program dies; and a full disk loses the record that did not fit, not the file.
 *
 *	perf_write_open(&w, "perf.data", -1, &arena, events, n);
 *	perf_write_machine(&w, argv);		who and where
 *	perf_write_pt_info(&w, &info); ...	records
 *	perf_write_round(&w);			now and then
 *	perf_write_close(&w);
 */
#ifndef PT_PERF_WRITE_H
#define PT_PERF_WRITE_H

#include <pt/perf.h>

enum { PERF_WRITE_BUFFER = 128 << 10 };

/* perf.data's features, by bit number. */
enum perf_feature {
	PERF_FEAT_TRACING_DATA = 1, PERF_FEAT_BUILD_ID, PERF_FEAT_HOSTNAME, PERF_FEAT_OSRELEASE,
	PERF_FEAT_VERSION, PERF_FEAT_ARCH, PERF_FEAT_NRCPUS, PERF_FEAT_CPUDESC, PERF_FEAT_CPUID,
	PERF_FEAT_TOTAL_MEM, PERF_FEAT_CMDLINE, PERF_FEAT_EVENT_DESC, PERF_FEAT_CPU_TOPOLOGY,
	PERF_FEAT_NUMA_TOPOLOGY, PERF_FEAT_BRANCH_STACK, PERF_FEAT_PMU_MAPPINGS,
	PERF_FEAT_GROUP_DESC, PERF_FEAT_AUXTRACE, PERF_FEAT_STAT, PERF_FEAT_CACHE,
	PERF_FEAT_SAMPLE_TIME, PERF_FEAT_MEM_TOPOLOGY, PERF_FEAT_CLOCKID, PERF_FEAT_DIR_FORMAT,
	PERF_FEAT_BPF_PROG_INFO, PERF_FEAT_BPF_BTF, PERF_FEAT_COMPRESSED, PERF_FEAT_CLOCK_DATA = 29,
	PERF_FEAT_PMU_CAPS = 31,
	PERF_FEAT_BUNDLE = 240,	/* ours: see <pt/bundle.h>; perf skips what it does not know */
	PERF_FEAT_DEATHS,	/* ours: see <pt/perf_death.h> */
};

/* The place of a feature's payload. */
struct perf_spot { u64 off, size; };

/* What the kernel reported as lost, by kind of record. */
struct perf_losses {
	u64 records;		/* LOST: the ring was full */
	u64 samples;		/* LOST_SAMPLES */
	u64 truncated;		/* AUX records: the trace buffer was full */
	u64 partial, collisions;
};

struct perf_writer {
	int fd;
	int err;		/* 0, or -errno of the first error */
	bool pipe;
	bool owned;		/* close fd at the end */
	const struct perf_event *events;
	u32 n_events;
	struct arena *arena;

	u64 at;			/* offset of the next byte, or count of bytes in a pipe */
	u64 attrs_off;
	u64 data_off, data_end;	/* data_off: 0 before the first record; data_end: until the last */
	u64 whole;		/* the end of the last whole record */
	u64 safe, safer;	/* of the records that are in the file; safer: one page before */
	bool covered;		/* the head refers to a table after the records */
	bool bare;		/* something was appended since the last round */
	int full;		/* why records are incomplete: -ENOSPC */
	u64 n_records, n_samples;
	bool of_samples;	/* the first and the last time are those of samples */
	u64 first_time, last_time;	/* of kernel records */
	struct perf_losses lost;

	struct host_hide *hide;	/* released during each write(); or NULL */

	/* Called for each MMAP and MMAP2 that is written; may be NULL. */
	void (*seen_mmap)(void *who, const struct perf_mmap *m, u16 misc);
	void *who;

	struct ZSTD_CCtx_s *zstd;	/* compresses the kernel's records; or NULL */
	int zstd_level;
	u32 zstd_buffer;
	u64 zstd_in, zstd_out;	/* bytes so far */

	u64 ahead;		/* room in the file up to here */
	u8 *buf;		/* PERF_WRITE_BUFFER bytes, 'fill' of them not written yet */
	size_t fill;
	struct perf_spot feature[PERF_N_FEATURES];	/* size 0 and off 0: there is none */
	int open_feature;	/* bit + 1, or 0 */
	u64 feature_off;	/* the start of it */
	u64 aux_end;		/* the end of an open AUXTRACE's payload */
	u64 *aux_index;		/* offsets of AUXTRACE records */
	u32 n_aux, room_aux;
	u8 *kept;		/* a pipe's feature, until it is complete */
	u32 n_kept, room_kept;
};

/* Open 'path' and write the head. An old file of that name becomes PATH.old; the
 * new one is private (0600). "-" is standard output, and a path that cannot be
 * written at any place (a FIFO) gets the pipe form too. With 'fd' >= 0 that is
 * written to, in pipe form, and 'path' is ignored.
 *
 * 'events' (attr, name, ids) must stay. Returns 0 or -errno. */
int perf_write_open(struct perf_writer *w, const char *path, int fd, struct arena *arena,
		    const struct perf_event *events, u32 n_events);

/* The two halves of it: open 'path', and write the head. */
int perf_write_create(struct perf_writer *w, const char *path, int fd, struct arena *arena);
int perf_write_start(struct perf_writer *w, const struct perf_event *events, u32 n_events);

/* Mark the end of a round, and pass all that was written to the kernel. In a file the head then
 * covers it. Returns w->err. */
int perf_write_round(struct perf_writer *w);

/* Remove the records from 'from' up to 'to', which are offsets in a file; those after them move. No
 * trace may be among them. */
void perf_write_drop(struct perf_writer *w, u64 from, u64 to);

/* perf_write_zstd.c: compress the records of perf_write_records() from now on. 'level': 1 to 22;
 * 'buffer': the most bytes of one call, for the reader's room. 0 or -ENOMEM. The second is called
 * by perf_write_records(), the third after perf_write_end(). */
int perf_write_compress(struct perf_writer *w, int level, u32 buffer);
void perf_write_compressed(struct perf_writer *w, struct bytes records);
void perf_write_compress_end(struct perf_writer *w);

/* End the records, if that was not done, write the index and the head, and close. After a full
 * disk the file is cut back to whole records. Returns w->err. */
int perf_write_close(struct perf_writer *w);

/* Features. Before the first record their place is before the records, so that a full disk cannot
 * affect them; after perf_write_end() it is after the records. In a pipe they become records if
 * perf has such; others are dropped. */
void perf_write_feature(struct perf_writer *w, enum perf_feature bit, struct bytes payload);
/* The same in pieces: start, then perf_write_bytes(), then end. */
void perf_write_feature_start(struct perf_writer *w, enum perf_feature bit);
void perf_write_feature_end(struct perf_writer *w);
/* A u32, and a string in the format of features: length, then text padded to 64. */
void perf_write_u32(struct perf_writer *w, u32 v);
void perf_write_u64(struct perf_writer *w, u64 v);
void perf_write_string(struct perf_writer *w, const char *s);
void perf_write_bytes(struct perf_writer *w, const void *bytes, size_t len);
/* 'n' bytes that stay unwritten in the file: see struct perf_elsewhere. */
void perf_write_hole(struct perf_writer *w, u64 n);

/* No records after this: only features. */
void perf_write_end(struct perf_writer *w);

/* All features that describe this machine and the events: HOSTNAME OSRELEASE VERSION ARCH NRCPUS
 * CPUDESC CPUID TOTAL_MEM CMDLINE EVENT_DESC CPU_TOPOLOGY PMU_MAPPINGS GROUP_DESC PMU_CAPS. What
 * is unknown is left out. */
void perf_write_machine(struct perf_writer *w, char **cmdline);

/* The features that describe its memory and caches. */
void perf_write_topology(struct perf_writer *w);

/* Two of these by themselves. 'cmdline' may be NULL. */
void perf_write_cmdline(struct perf_writer *w, char **cmdline);
void perf_write_event_desc(struct perf_writer *w);

/* TRACING_DATA: the formats of those events that are tracepoints, if any is. */
void perf_write_tracing(struct perf_writer *w, const char *tracefs);

/* Records follow: only the features of perf_write_open() come before. The functions that write
 * records call it themselves. */
void perf_write_begin(struct perf_writer *w);

/* The contents of a kernel record's trailer, as far as the first event's sample_type requires
 * them. perf has all zeros in records that it makes itself. */
struct perf_stamp { i32 pid, tid; u64 time, id; i32 cpu; };

/* 'time' (ns; 0: none) is one of the recording: the header has the first and the last of them. The
 * records below tell theirs; of those that a recorder creates, only AUX does, since others may be
 * long before the trace or after it. */
void perf_write_saw(struct perf_writer *w, u64 time);

/* Records as they are in a ring: whole ones, one after the other. Damage ends it. */
void perf_write_records(struct perf_writer *w, struct bytes records);

/* One record of 'body' (any length: padded to 8 bytes), with a trailer unless
 * 'stamp' is NULL. */
void perf_write_record(struct perf_writer *w, u32 type, u16 misc, struct bytes body,
		       const struct perf_stamp *stamp);

/* The head of a record whose body of 'len' bytes, a multiple of 8, follows by
 * perf_write_bytes(); then perf_write_whole(). */
void perf_write_head(struct perf_writer *w, u32 type, u16 misc, size_t len);
void perf_write_whole(struct perf_writer *w);

/* perf_write_sample.c: a SAMPLE with the fields that 'attr' asks for. s->event has the masks of the
 * registers in 's'. False if it is longer than a record can be. */
bool perf_write_sample(struct perf_writer *w, u16 misc, const struct perf_attr *attr,
		       const struct perf_sample *s);

/* 'misc' holds the cpumode: 1 kernel, 2 user. MMAP2, or MMAP for the kernel's. */
void perf_write_mmap(struct perf_writer *w, u16 misc, const struct perf_mmap *m,
		     const struct perf_stamp *stamp);
void perf_write_comm(struct perf_writer *w, const struct perf_comm *c,
		     const struct perf_stamp *stamp);
/* PERF_FORK or PERF_EXIT */
void perf_write_task(struct perf_writer *w, u32 type, const struct perf_task *t,
		     const struct perf_stamp *stamp);

/* AUXTRACE and its payload of a->size bytes, which follows by perf_write_bytes()
 * in any number of pieces; then perf_write_aux_end(), which pads it. */
void perf_write_aux_start(struct perf_writer *w, const struct perf_auxtrace *a);
void perf_write_aux_end(struct perf_writer *w);
/* The same in one call. */
void perf_write_aux(struct perf_writer *w, const struct perf_auxtrace *a, struct bytes payload);

/* AUXTRACE_INFO, and TIME_CONV of the same numbers. */
void perf_write_pt_info(struct perf_writer *w, const struct perf_pt_info *info);
void perf_write_time_conv(struct perf_writer *w, const struct perf_pt_info *info);

/* ID_INDEX: the buffer, CPU and thread of each id (-1: any). */
struct perf_id { u64 id, idx; i64 cpu, tid; };
void perf_write_id_index(struct perf_writer *w, const struct perf_id *ids, u32 n);

/* One entry of the BUILD_ID feature, to be written between perf_write_feature_
 * start(w, PERF_FEAT_BUILD_ID) and _end; in a pipe a record of its own. */
void perf_write_build_id(struct perf_writer *w, u16 cpumode, const char *name, const u8 *id,
			 u8 size);

/* Make room for a new 'path': an existing perf.data, file or folder form, becomes PATH.old.
 * -EISDIR for another folder. */
int perf_move_away(const char *path, struct arena *arena);

/* Remove the folder form of a perf.data: the files it may hold, and itself. */
void perf_dir_remove(const char *path, struct arena *arena);

#endif
