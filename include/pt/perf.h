/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf.data: its records, read one by one from a file, a directory or a pipe.
 *
 * A file never has to fit into memory: records are read through a few small buffers, and the
 * payload after an AUXTRACE record is read by offset (from a file) or at once (from a pipe).
 *
 * Source: the UAPI header linux/perf_event.h; reference/perf-data.md has the rest.
 */
#ifndef PT_PERF_H
#define PT_PERF_H

#include <pt/base.h>

/* Kernel records, then (from 64 on) those of the perf tool. */
enum perf_type {
	PERF_MMAP = 1, PERF_LOST, PERF_COMM, PERF_EXIT, PERF_THROTTLE, PERF_UNTHROTTLE, PERF_FORK,
	PERF_READ, PERF_SAMPLE, PERF_MMAP2, PERF_AUX, PERF_ITRACE_START, PERF_LOST_SAMPLES,
	PERF_SWITCH, PERF_SWITCH_CPU_WIDE, PERF_NAMESPACES, PERF_KSYMBOL, PERF_BPF_EVENT,
	PERF_CGROUP, PERF_TEXT_POKE, PERF_AUX_OUTPUT_HW_ID, PERF_CALLCHAIN_DEFERRED,
	PERF_HEADER_ATTR = 64, PERF_EVENT_TYPE, PERF_TRACING_DATA, PERF_BUILD_ID,
	PERF_FINISHED_ROUND, PERF_ID_INDEX, PERF_AUXTRACE_INFO, PERF_AUXTRACE, PERF_AUXTRACE_ERROR,
	PERF_THREAD_MAP, PERF_CPU_MAP, PERF_STAT_CONFIG, PERF_STAT, PERF_STAT_ROUND,
	PERF_EVENT_UPDATE, PERF_TIME_CONV, PERF_HEADER_FEATURE, PERF_COMPRESSED,
	PERF_FINISHED_INIT, PERF_COMPRESSED2,
};

/* perf_event_attr in its newest version; a shorter one is filled with zeros. */
struct perf_attr {
	u32 type, size;
	u64 config, period, sample_type, read_format, flags;
	u32 wakeup, bp_type;
	u64 config1, config2, branch_sample_type, regs_user;
	u32 stack_user;
	i32 clockid;
	u64 regs_intr;
	u32 aux_watermark;
	u16 max_stack, reserved2;
	u32 aux_sample_size, aux_action;
	u64 sig_data, config3, config4;
};

/* perf_attr.flags */
enum {
	PERF_F_DISABLED = 0, PERF_F_INHERIT, PERF_F_PINNED, PERF_F_EXCLUSIVE, PERF_F_EXCLUDE_USER,
	PERF_F_EXCLUDE_KERNEL, PERF_F_EXCLUDE_HV, PERF_F_EXCLUDE_IDLE, PERF_F_MMAP, PERF_F_COMM,
	PERF_F_FREQ, PERF_F_INHERIT_STAT, PERF_F_ENABLE_ON_EXEC, PERF_F_TASK, PERF_F_WATERMARK,
	PERF_F_PRECISE, PERF_F_MMAP_DATA = 17, PERF_F_SAMPLE_ID_ALL, PERF_F_EXCLUDE_HOST,
	PERF_F_EXCLUDE_GUEST, PERF_F_EXCLUDE_CALLCHAIN_KERNEL, PERF_F_EXCLUDE_CALLCHAIN_USER,
	PERF_F_MMAP2, PERF_F_COMM_EXEC, PERF_F_USE_CLOCKID, PERF_F_CONTEXT_SWITCH,
	PERF_F_WRITE_BACKWARD, PERF_F_NAMESPACES, PERF_F_KSYMBOL, PERF_F_BPF_EVENT,
	PERF_F_AUX_OUTPUT, PERF_F_CGROUP, PERF_F_TEXT_POKE, PERF_F_BUILD_ID,
	PERF_F_INHERIT_THREAD, PERF_F_REMOVE_ON_EXEC, PERF_F_SIGTRAP,
};

static inline bool perf_attr_flag(const struct perf_attr *attr, unsigned int bit)
{
	return attr->flags >> bit & 1;
}

/* Registers by the kernel's numbers, which are bits of regs_user and regs_intr: text_nth(). */
extern const char perf_registers[];

/* perf_attr.sample_type, by bit number */
enum {
	PERF_S_IP, PERF_S_TID, PERF_S_TIME, PERF_S_ADDR, PERF_S_READ, PERF_S_CALLCHAIN, PERF_S_ID,
	PERF_S_CPU, PERF_S_PERIOD, PERF_S_STREAM_ID, PERF_S_RAW, PERF_S_BRANCH_STACK,
	PERF_S_REGS_USER, PERF_S_STACK_USER, PERF_S_WEIGHT, PERF_S_DATA_SRC, PERF_S_IDENTIFIER,
	PERF_S_TRANSACTION, PERF_S_REGS_INTR, PERF_S_PHYS_ADDR, PERF_S_AUX, PERF_S_CGROUP,
	PERF_S_DATA_PAGE_SIZE, PERF_S_CODE_PAGE_SIZE, PERF_S_WEIGHT_STRUCT,
};

/* An event of the file. */
struct perf_event {
	struct perf_attr attr;
	const char *name;	/* as perf shows it: from EVENT_DESC or EVENT_UPDATE, or made up */
	bool named;		/* by the file, not made up */
	u64 *ids;
	u32 n_ids;
	u32 index;		/* place in the file's list */
	u32 members;		/* for writing: how many of the next events are in its group */
};

enum {
	PERF_N_FEATURES = 256,
	PERF_RECORD_BYTES = 65535,	/* header and body */
};

struct perf_section { u64 off, size; };

/* A feature of the header, and its bytes if they were read: see perf_feature(). */
struct perf_feature_bytes { u64 off, size; struct bytes read; u32 bit; };

/* Holes of a file, whose bytes are in other ones: pt script -i A -i B. They are sorted. */
struct perf_elsewhere {
	u32 n;
	struct perf_hole {
		u64 off, size;
		struct perf_file *file;
		u64 at;		/* in 'file' */
	} *holes;
};

/* Where the contents of a pipe are kept if it has the file form, which is read at any place. */
struct perf_spool {
	u64 mem;		/* in this many bytes of memory; 0: 1 GiB */
	const char *dir;	/* then in a file without a name in this folder ... */
	int fd;			/* ... which is open as this, if 'room' is not 0 ... */
	u64 room;		/* ... with at most this size */
};

/* An open perf.data. All its memory is in the arena it was opened with. */
struct perf_file {
	struct perf_spool spool;	/* set by the caller before it is opened; may be zeros */
	struct perf_event **events;	/* in a pipe they are read with the records */
	u32 n_events;
	u64 sample_types;	/* of all events together */
	const char *path;	/* as given: "-" is standard input */
	const char *dir;	/* the path of the directory form, else NULL */
	bool known;		/* it is a perf.data, even if it is damaged */
	struct bytes seen;	/* a pipe that is not one: the bytes that were read of it */
	bool show_info;		/* set by the consumer: print_feature() prints all */
	bool pipe;		/* the pipe form: header and features are records */
	bool seekable;		/* AUX bytes can be read by offset, records again */
	bool cut;		/* data.size was 0: the recorder was killed */
	u64 size;		/* of the file, if known */
	u64 data_off, data_size;
	struct perf_feature_bytes *feature;	/* in the file's order: perf_feature_at() */
	u32 n_feature;
	u64 features[PERF_N_FEATURES / 64];			/* the bitmap */
	u64 n_compressed;	/* number of COMPRESSED records so far, which cannot be read */
	struct event_formats *formats;	/* of tracepoints: <pt/event_format.h> */
	struct arena *arena;
	struct perf_input *in;	/* private to src/perf */
	const struct perf_elsewhere *elsewhere;	/* set by the caller after it was opened, or NULL */
};

/* A record, and its place. */
struct perf_record {
	u32 type;		/* enum perf_type, or a type newer than this program */
	u16 misc;
	u32 part;		/* 0, or N + 1 if it is in data.N of a directory */
	u64 off;		/* in that file; in the pipe form from the first record */
	struct bytes raw;	/* header and body; borrowed until the next record is read */
	u64 aux_off, aux_size;	/* AUXTRACE, TRACING_DATA: the payload after it (in the file) */
};

/* Is 'head' the front of a perf.data file? */
bool perf_magic(struct bytes head);

/* Open 'path' ("-": standard input), in any of the forms. 'arena' provides the memory. -errno, or
 * -EBADMSG if it is not a perf.data; '*why' is then set if there is a reason in words. */
int perf_open(struct perf_file *f, const char *path, struct arena *arena, const char **why);

/* The same for an open pipe 'fd', of which 'seen' (64 KiB at most) was read to identify its
 * format. */
int perf_open_pipe(struct perf_file *f, int fd, struct bytes seen, struct arena *arena,
		   const char **why);

void perf_close(struct perf_file *f);

/* The next record in file order. 1, 0 at the end, or -errno; -EBADMSG if the file is damaged
 * ('*why' says how). A pipe's AUX payload that was not read by perf_aux_read() is skipped. */
int perf_next(struct perf_file *f, struct perf_record *rec, const char **why);

/* Go back to the first record of the data (if 'seekable'). */
int perf_rewind(struct perf_file *f);

/* The record at an offset (if 'seekable'), known from an earlier read or from the AUXTRACE index.
 * Like perf_next(). */
int perf_record_at(struct perf_file *f, u32 part, u64 off, struct perf_record *rec,
		   const char **why);

/* The file of a record, as perf names it: "perf.data", "perf.data/data.0", "pipe". */
const char *perf_record_path(const struct perf_file *f, const struct perf_record *rec);

/* Read up to 'n' bytes of the AUX payload of 'rec' from 'at' on. In a pipe it must be the last
 * record read, and 'at' where the last call stopped. Returns the count, 0 at its end, -errno. */
long perf_aux_read(struct perf_file *f, const struct perf_record *rec, u64 at, void *to, size_t n);

/* When the file was last written, Unix time. */
i64 perf_mtime(const struct perf_file *f);

/* Read 'n' bytes at 'off' of the file (if 'seekable'): a feature, or an AUX payload. Returns the
 * count, less than 'n' at the end, or -errno. */
long perf_read_at(struct perf_file *f, u64 off, void *to, size_t n);

/* The place of a feature section; all 0 if there is none. */
struct perf_feature_bytes perf_feature_at(const struct perf_file *f, unsigned int bit);

/* The bytes of a feature section (in the arena; in pipes from the HEADER_FEATURE records so far),
 * empty if there is none. */
struct bytes perf_feature(struct perf_file *f, unsigned int bit);

/* The places of CPUs 0 to n - 1 of the machine that made the file, <pt/cpus.h>, from its header. */
struct cpu_place *perf_cpu_places(struct perf_file *f, u32 n);

/* The fields of a record besides its body: all fields of a SAMPLE, or the sample_id trailer of
 * another kernel record. Missing fields are 0, and -1 in 'cpu', 'pid', 'tid'. */
struct perf_sample {
	const struct perf_event *event;	/* NULL if the id is unknown */
	u64 fields;		/* bits PERF_S_*: the fields it has */
	u64 ip, time, addr, id, stream_id, period;
	i32 pid, tid;
	i32 cpu, reserved;	/* 'period' is the event's if the sample has none */
	u64 weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct bytes read;	/* the read_format block */
	struct bytes callchain;	/* u64 each, without the count */
	struct bytes raw;
	struct bytes branches;	/* 24 bytes each */
	u64 branch_hw_idx;
	struct bytes regs_user, regs_intr;	/* u64 each; the abi is separate */
	u64 abi_user, abi_intr;
	struct bytes stack_user;
	u64 stack_user_dyn;
	struct bytes aux;	/* PERF_SAMPLE_AUX: trace in the sample */
	bool bad;		/* the record is too short, or its event is unknown */
	bool in_trace;		/* it is a PEBS record of the trace */
	u16 misc, type;		/* of the record */
};

/* The name that perf makes up for an event of which only the attributes are known. */
const char *perf_event_name(struct arena *arena, const struct perf_attr *attr);

/* The event with this id (0: the first), or NULL. */
const struct perf_event *perf_event_by_id(const struct perf_file *f, u64 id);

/* The time of a kernel record: false if it has none. */
bool perf_record_time(const struct perf_file *f, const struct perf_record *rec, u64 *time);

/* False ('s->bad') if the record is shorter than its event requires. Tool records give an empty
 * sample with cpu, pid and tid -1. */
bool perf_sample(const struct perf_file *f, const struct perf_record *rec, struct perf_sample *s);

/* The samples that a sample stands for. If it has the counts of its event's group (:S), these are
 * one sample for each event whose count grew, 'sample' with that event, id and period; otherwise
 * the sample itself. The counts of all samples must be visited, in order. */
struct perf_members {
	struct perf_sample sample;
	struct bytes counts;
	u64 n, format;		/* counts left; 'n' 1 and 'format' 0: the sample itself */
};
struct perf_members perf_members_start(const struct perf_sample *s);
bool perf_members_next(const struct perf_file *f, struct perf_members *m);

/* The same records in time order, as perf delivers them: sorted within the rounds that
 * FINISHED_ROUND marks; tool records and records without a time are not reordered. Only a few
 * offsets are stored, not records (for a pipe, the records of a round). Use it instead of
 * perf_next(). A record whose sample is bad is returned like the others, with 's->bad'. */
struct perf_order;

/* Can the file's records be ordered? Otherwise they are returned in file order. */
bool perf_ordered(const struct perf_file *f);
struct perf_order *perf_order_start(struct perf_file *f);
int perf_order_next(struct perf_order *o, struct perf_record *rec, struct perf_sample *s,
		    const char **why);

/* Bodies. Each function checks that the body fits the record: false if not. The front of each
 * struct has the layout of the file. */
struct perf_mmap {		/* MMAP and MMAP2 */
	i32 pid, tid;
	u64 start, len, pgoff;
	u32 maj, min;		/* these four: MMAP2 without a build-id */
	u64 ino, ino_generation;
	const u8 *build_id;	/* 20 bytes at most, or NULL */
	u8 build_id_size;
	u32 prot, flags;
	const char *name;
};
struct perf_task { i32 pid, ppid, tid, ptid; u64 time; };		/* FORK, EXIT */
struct perf_comm { i32 pid, tid; bool exec; const char *name; };
struct perf_aux { u64 off, size, flags; };
struct perf_switch { i32 pid, tid; bool out, preempt, cpu_wide; };	/* next or previous */
struct perf_ksymbol { u64 addr; u32 len; u16 type, flags; const char *name; };
struct perf_text_poke { u64 addr; struct bytes old, new; };
struct perf_auxtrace { u64 size, off, reference; u32 idx; i32 tid, cpu; };
bool perf_get_mmap(const struct perf_record *rec, struct perf_mmap *m);
bool perf_get_task(const struct perf_record *rec, struct perf_task *t);

/* The process and thread of a record: records about threads name their own, others have the
 * sample's. */
void perf_whose(const struct perf_record *rec, const struct perf_sample *sample, i32 *pid,
		i32 *tid);
bool perf_get_comm(const struct perf_record *rec, struct perf_comm *c);
bool perf_get_aux(const struct perf_record *rec, struct perf_aux *a);
bool perf_get_switch(const struct perf_record *rec, struct perf_switch *s);
bool perf_get_ksymbol(const struct perf_record *rec, struct perf_ksymbol *k);
bool perf_get_text_poke(const struct perf_record *rec, struct perf_text_poke *t);
bool perf_get_auxtrace(const struct perf_record *rec, struct perf_auxtrace *a);

/* AUXTRACE_INFO: the parameters of a decoder. Words that an older file lacks are 0. A TIME_CONV
 * record may follow later, with the same 'info'. */
enum { PERF_AUXTRACE_NONE, PERF_AUXTRACE_INTEL_PT, PERF_AUXTRACE_INTEL_BTS };

/* The type of a PMU that does not exist: pt recorded in software. perf only compares the number. */
enum { PERF_SOFT_PMU = 0x5054 };

struct perf_pt_info {
	u32 type;		/* PERF_AUXTRACE_*; the rest is set only for INTEL_PT */
	u32 pmu_type;
	u64 time_shift, time_mult, time_zero;
	bool cap_user_time_zero;
	u64 tsc_bit, noretcomp_bit;
	u32 have_sched_switch;
	bool snapshot, per_cpu;
	u64 mtc_bit, mtc_freq_bits;
	u32 tsc_ctc_n, tsc_ctc_d;
	u64 cyc_bit;
	u32 max_nonturbo;
	const char *filter;	/* in the arena; "" if none */
	bool cap_event_trace;
	/* from TIME_CONV, if cap_user_time_short is set */
	u64 time_cycles, time_mask;
	bool cap_user_time_short;
};
bool perf_get_pt_info(const struct perf_record *rec, struct perf_pt_info *info,
		      struct arena *arena);

/* The kind of trace of an AUXTRACE_INFO record if it is not Intel PT ("Arm CoreSight"), which is
 * all that pt decodes. NULL: it is, or there is none. */
const char *perf_foreign_trace(const struct perf_record *rec);

#endif
