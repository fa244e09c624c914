/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The join: trace, side-band, code and names of a recording, in one order.
 *
 * Each queue (the buffers of a CPU or a thread) is decoded up to the time of
 * each kernel record before that record takes effect; what comes out are the
 * steps of all queues, each with its thread, and the records between them.
 */
#ifndef PT_SESSION_H
#define PT_SESSION_H

#include <pt/bundle.h>
#include <pt/flow.h>
#include <pt/image.h>
#include <pt/perf.h>
#include <pt/process.h>

/* What the command line asks of the decoding. */
struct session_options {
	bool no_decode;		/* records only */
	bool timeless;		/* do not use time, even if there is any */
	u32 quick;		/* 1: hop mode; 2: from PSB to PSB */
	bool live;		/* somebody waits: hand out what a round of writing completes */
	bool insns;		/* instructions are sampled: their time counts for the order */
	bool each_insn;		/* all of them are */
	bool approximate;	/* cycles; see <pt/flow.h> */
	u32 heed;		/* HEED_*: branches that have to come as steps */
	bool note;		/* or as ITEM_PASSED */
	bool mutable;		/* which is for nothing but their lines: see part_mute() */
	const u64 *cpus;	/* bit mask of n_cpus bits, or NULL: all */
	u32 n_cpus;
	u64 from, to;		/* ns: what is before or behind is of no use; 0: all is */
	u64 mem;		/* cap for decoded code in bytes, 0: none */
	struct perf_spool spool;
	int seen_fd;		/* a pipe, of which 'seen' was read to see what it is */
	struct bytes seen;
};

/* Bytes [off, end) of a file are code at 'addr'. */
struct session_map { const char *file; u64 off, end, addr; };

/* A raw trace: no records, only bytes. What is not known of it is 0. */
struct session_raw {
	struct session_map *maps;
	u32 n_maps;
	u32 family, model, stepping;
	bool event_trace;	/* the interrupt flag was recorded */
	const char *filter;	/* as perf record takes it, of addresses; or NULL */
	struct flow_setup flow;
};

enum item_kind {
	ITEM_STEP,		/* queue, thread, step */
	ITEM_PASSED,		/* the same, but steps: see session_passed() */
	ITEM_RECORD,		/* record and sample, and the thread it is of */
	ITEM_LOST,		/* an AUX record says that bytes were lost: sample */
};

/* Which halves of a step an item has: the stretch may come before the time of
 * a record, and the event after it. */
enum { STEP_STRETCH = 1, STEP_EVENT = 2 };

struct item {
	u8 kind;		/* enum item_kind */
	u8 halves;		/* STEP_STRETCH, STEP_EVENT */
	struct queue *queue;
	struct thread *thread;	/* NULL: not known */
	const struct step *step;
	u64 tsc_in, tsc;	/* time of the stretch and of the event, in order */
	const struct perf_record *record;
	const struct perf_sample *sample;
};

/* Trace buffers of one CPU or thread. */
struct buffer {
	struct buffer *next;
	u64 off, size;		/* in the file; or 'bytes' */
	const u8 *bytes;
	struct arena own;	/* what 'bytes' are in */
	u64 reference;
	u64 trace_off;		/* where in the trace it begins, as the recorder counted */
	u32 nr;			/* counts buffers of all queues from 1 */
};

/* Where a trace is between two threads: see switch.c. */
struct switching {
	u8 state;
	bool lost;		/* a gap was in the kernel: records tell, not the trace */
	bool estimated;		/* the time of the step is */
	bool due;		/* the step was not yet looked at */
	i32 next_tid;		/* runs from __switch_to on; -1: none is known to */
};

struct queue {
	struct session *session;
	struct buffer *first, **last;	/* still to be read, the current one included */
	struct buffer *now;
	u64 at;			/* how much of it is in the window */
	u64 base;		/* where in the trace of all buffers it begins */
	u64 begin;		/* of the first one, so many bytes are left out */
	u32 index;
	i32 cpu, queue_tid;	/* as its first buffer says */
	i32 now_cpu, pid, tid;	/* whose trace it is at the moment */
	struct thread *thread;
	u64 tsc;
	struct thread *skipped_thread;	/* of flow->skipped */
	struct dso *hole;	/* whose code was missing last, or NULL */
	u64 unread, unread_ticks;	/* of the flow, as far as DSOs know */
	u64 trace_nr;		/* of the buffer: call stacks do not go over a change */
	bool set, on_heap;
	u8 stage;		/* of handing out 'step': see session.c */
	struct switching switching;
	u64 stretch_tsc;
	u8 *window;
	size_t window_room;
	struct flow *flow;
	struct step step;
};

struct session {
	struct arena arena;
	struct session_options options;
	struct perf_file file;
	bool raw;
	bool streamed;		/* a bare trace out of a pipe: nothing is read twice */
	int fd;			/* of a raw trace */
	/* Bytes at 'off' of the file that the buffers are in. */
	long (*read_at)(struct session *s, u64 off, void *to, size_t n);
	struct images images;
	struct bundle bundle;	/* images.bundle, if the file has one */
	struct processes processes;
	struct runs runs;
	struct perf_order *order;
	struct perf_pt_info pt;
	bool have_pt;		/* there is Intel PT trace, and the recorder's description of it */
	const struct perf_event *pt_event;
	struct timescale scale;
	bool timeless;
	bool clocked;		/* timeless, as a bare trace is, but its times are known */
	u64 from;		/* options.from, in ticks */
	u64 to;			/* the first tick behind options.to; ~0: there is none */
	u32 max_nonturbo;
	u64 khz_per_cbr;
	struct flow_setup setup;
	struct queue **queues;
	u32 n_queues, queue_room, n_buffers;
	bool new_buffers, all_buffers;
	bool in_samples;	/* trace comes in samples, and may be there twice */
	u32 *heap;		/* indexes of queues, the earliest first */
	u64 *heap_tsc;
	u32 n_heap;
	struct queue *fetching;	/* whose code is fetched */
	u8 *dso_state;		/* by dso->index: how often its absence was said */
	u32 n_dso_state;
	u32 sched_next_pid_off;	/* in a sched:sched_switch sample */
	const struct perf_event *sched_event;
	bool switch_known;	/* the kernel's symbols were looked through for: */
	u64 switch_ip;		/* __switch_to; 0: threads change where records say so */
	u64 switch_begins_ip;	/* a function that comes before it in every switch, or 0 */
	u32 *cpu_queues, n_cpu_queues;	/* the trace of each CPU: its index plus 1 */
	bool records_end;
	struct filters *filters;
	u8 phase;		/* see session.c */
	struct perf_record record;	/* the one in front of which queues are run */
	struct perf_sample sample;
	u64 round;		/* live: when the trace of this round was read ... */
	u64 next_barrier, barrier;	/* ... of the last, of the one before */
	struct buffer *spare;	/* used up, to be used again */
	struct flow *spare_flow;	/* of a queue without anything in it */
	u64 until;		/* they are run up to here ... */
	struct queue *running;	/* ... and this one is at it ... */
	u64 running_until;	/* ... up to here, where another takes over */
	u32 timeless_next;	/* timeless: the next queue to run */
	i32 timeless_tid;	/* ... of this thread, or -1: all */
	const char *why;	/* words for an error */
};


/* Open a perf.data. It ends with the process, which gives all of it back at once: a tenth
 * of a short run was spent on that. -errno, with 's->why' set where it can be said in words. */
int session_open(struct session *s, const char *path, const struct session_options *options);

/* Open a raw trace. */
int session_open_raw(struct session *s, const char *path, const struct session_raw *raw,
		     const struct session_options *options);

/* The steps of an ITEM_PASSED, as an ITEM_STEP each: what is the same in all, then the 'i'th.
 * False if there are no more. */
void session_passed_begin(const struct item *passed, struct step *step, struct item *item);
bool session_passed(const struct item *passed, u32 i, struct step *step, struct item *item);

/* The next item: 1, 0 at the end, or -errno. What it points to stays until the
 * next call. */
int session_next(struct session *s, struct item *item);

/* What is at 'ip' for a thread: its space, or the kernel's; the map; the function. NULL where
 * nothing is known, of a map too. */
const struct space *session_space_at(struct session *s, const struct thread *t, u64 ip);
const struct map *session_map_at(struct session *s, const struct thread *t, u64 ip);
const struct symbol *session_symbol_at(struct session *s, const struct map *map, u64 ip);

/* How many instructions were executed in what a queue that is not at hand gave so far. */
u64 session_insns(const struct queue *q);

/* Bytes of trace that were read or found in the file, but not decoded so far. */
u64 session_behind(const struct session *s);

/* A recorded sample at 'ip' was shown: perf looks at its code then, which counts
 * when the file is missing. */
void session_looked_at(struct session *s, const struct thread *t, u64 ip);

/* Do samples have a time? */
static inline bool session_has_time(const struct session *s)
{
	return !s->timeless || s->clocked;
}

/* TSC to perf's ns; 0 if there is no time. */
u64 session_time(const struct session *s, u64 tsc);

#endif
