/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The trace, side-band, code and names of a recording, joined in one order.
 *
 * Each queue (the buffers of a CPU or a thread) is decoded up to the time of each kernel record
 * before that record takes effect. The output consists of the steps of all queues, each with its
 * thread, and the records between them.
 */
#ifndef PT_SESSION_H
#define PT_SESSION_H

#include <pt/bundle.h>
#include <pt/flow.h>
#include <pt/image.h>
#include <pt/perf.h>
#include <pt/process.h>

struct queue;

/* The options of the command line that affect decoding. */
struct session_options {
	bool no_decode;		/* records only */
	bool timeless;		/* do not use time, even if there is any */
	u32 quick;		/* 1: hop mode; 2: from PSB to PSB */
	bool live;		/* a live trace: hand out the steps that a round of writing
				 * completes */
	bool insns;		/* instructions are sampled: their time affects the order */
	bool each_insn;		/* all of them are */
	bool approximate;	/* cycles; see <pt/flow.h> */
	bool stamped;		/* of a recording in software; see <pt/flow.h> */
	u32 needs;		/* NEED_*: branches for which steps are needed */
	bool note;		/* or as ITEM_PASSED */
	bool mutable;		/* which are needed for their lines only: see part_mute() */
	const u64 *cpus;	/* bit mask of n_cpus bits, or NULL: all */
	u32 n_cpus;
	u64 from, to;		/* ns: trace before or after is not needed; 0: all is */
	u64 mem;		/* limit for decoded code in bytes, 0: none */
	const struct perf_elsewhere *elsewhere;	/* trace that is not in the file, or NULL */
	/* Called with each piece of trace that is read, at place 'at' of its queue; or NULL. */
	void (*note_bytes)(void *who, const struct queue *q, u64 at, struct bytes piece);
	void *who;
	struct perf_spool spool;
	int seen_fd;		/* a pipe, of which 'seen' was read to identify its format */
	struct bytes seen;
};

/* Bytes [off, end) of a file are code at 'addr'. */
struct session_map { const char *file; u64 off, end, addr; };

/* A bare trace: no records, only bytes. Properties that are unknown are 0. */
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
	ITEM_PASSED,		/* the same, but 'runs': see session_passed() */
	ITEM_RECORD,		/* record, its sample, and its thread */
	ITEM_LOST,		/* an AUX record says that bytes were lost: sample */
};

/* Which halves of a step an item has: the stretch may be before the time of a record, and the
 * event after it. */
enum { STEP_STRETCH = 1, STEP_EVENT = 2 };

struct item {
	u8 kind;		/* enum item_kind */
	u8 halves;		/* STEP_STRETCH, STEP_EVENT */
	u32 n_runs;
	struct queue *queue;
	struct thread *thread;	/* NULL: unknown */
	union {
		const struct step *step;
		const struct passed *runs;	/* n_runs of them */
	};
	/* The last branch before it, if there was no step of that; else NULL. Of an ITEM_PASSED:
	 * the last one in it, or after it. Its thread is queue->skipped_thread. */
	const struct skipped *skipped;
	u64 tsc_in, tsc;	/* time of the stretch and of the event, not decreasing */
	/* Set by the caller: the last time in it at which an instruction was sampled, or 0. What
	 * follows in the queue has no time before that. */
	u64 sampled;
	const struct perf_record *record;
	const struct perf_sample *sample;
};

/* Trace buffers of one CPU or thread. */
struct buffer {
	struct buffer *next;
	u64 off, size;		/* in the file; or 'bytes' */
	const u8 *bytes;
	struct arena own;	/* the memory of 'bytes' */
	u64 reference;
	u64 trace_off;		/* its offset in the trace, as the recorder counted */
	u32 nr;			/* number of the buffer, over all queues, from 1 */
};

/* The state of a trace between two threads: see switch.c. */
struct switching {
	u8 state;
	bool lost;		/* there was a gap in the kernel: records decide, not the trace */
	bool estimated;		/* the time of the step is estimated */
	bool due;		/* the step was not handled yet */
	i32 next_tid;		/* runs after __switch_to; -1: unknown */
};

struct queue {
	struct session *session;
	struct buffer *first, **last;	/* not read yet, with the current one */
	struct buffer *now;
	u64 at;			/* how much of it was moved to the window */
	u64 base;		/* its offset in the trace of all buffers */
	u64 begin;		/* bytes of the first one that are skipped */
	u32 index;
	i32 cpu, queue_tid;	/* of its first buffer */
	i32 now_cpu, pid, tid;	/* whose trace it is now */
	struct thread *thread;
	u64 tsc;
	struct skipped skipped;	/* the last branch without a step, until ... */
	bool skipped_given;	/* ... the item that has it was used */
	struct thread *skipped_thread;
	struct dso *gap_dso;	/* the DSO whose code was missing last, or NULL */
	u64 unread, unread_ticks;	/* of the flow, as far as they were assigned to DSOs */
	u64 trace_nr;		/* of the buffer: call stacks do not cross a change */
	bool set, on_heap;
	u8 given;		/* code is fetched for an item of the host (1), of a guest (2), or
				 * for the flow (0) */
	u8 stage;		/* progress of handing out 'step': see session.c */
	struct switching switching;
	u64 stretch_tsc;
	u8 *window;
	size_t window_room;
	struct flow *flow;
	struct step step;
	const struct event_values *values;	/* contents of the events of the step */
	u32 passed_breaks;	/* of an ITEM_PASSED: ends of tracing before its runs */
};

/* A perf.data (open.c), or a bare trace (raw.c). */
struct source {
	/* Read bytes at 'off' of the file that contains the buffers. */
	long (*read_at)(struct session *s, u64 off, void *to, size_t n);
	/* The next record, into s->record and s->sample: 1, 0 at the end, -errno. */
	int (*next)(struct session *s);
	/* Its records say which thread runs, and where its code is. If false, there is one thread
	 * without a name, and all code, also that of guests, is what the command line maps. */
	bool threads;
};

/* A virtual machine: the one that process 'pid' runs, or with pid 0 any. */
struct guest {
	struct guest *next;
	i32 pid;
	struct images images;	/* of its kernel */
	struct processes processes;
};

/* Guests, as the command line describes them. Without the option GUESTS there are none. */
struct guests {
	bool any;		/* they are shown */
	bool asked, only;	/* ... even if nothing is known of them; and not the host */
	bool code;		/* their code is that of the process that runs them */
	const char *kallsyms, *modules, *vmlinux, *mount;	/* paths, or NULL */
	struct guest *first;
	struct vcpu *vcpus;	/* that records of guests name: ID_INDEX */
	u32 n_vcpus;
};

/* A virtual CPU of the guest that process 'machine' runs: host thread 'tid' runs it, and records
 * with this id are about it. */
struct vcpu { u64 id; i32 machine, cpu, tid; };

struct session {
	struct arena arena;
	const struct source *source;
	struct session_options options;
	struct perf_file file;
	bool streamed;		/* a bare trace from a pipe: it is read only once */
	int fd;			/* of a bare trace */
	struct images images;
	struct guests guests;
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
	u64 to;			/* the first tick after options.to; ~0: none */
	u32 max_nonturbo;
	u64 khz_per_cbr;
	struct flow_setup setup;
	struct notes *notes;	/* of the running queue, if the setup says 'note' */
	struct queue **queues;
	u32 n_queues, queue_room, n_buffers;
	bool new_buffers, all_buffers;
	bool no_psb;		/* a queue has bytes of trace, but no PSB */
	struct bytes bpf;	/* the feature that has the code of BPF programs */
	bool in_samples;	/* trace is in samples, and may be there twice */
	u32 *heap;		/* indices of queues, the earliest first */
	u64 *heap_tsc;
	u32 n_heap;
	struct queue *fetching;	/* the queue whose code is fetched */
	u8 *dso_state;		/* by dso->index: how often its absence was reported */
	u32 n_dso_state;
	u32 sched_next_pid_off;	/* in a sched:sched_switch sample */
	const struct perf_event *sched_event;
	bool switch_known;	/* the kernel's symbols were searched for: */
	u64 switch_ip;		/* __switch_to; 0: threads change at records */
	u64 switch_begins_ip;	/* a function that is called before it in every switch, or 0 */
	u32 *cpu_queues, n_cpu_queues;	/* the trace of each CPU: its index plus 1 */
	bool records_end;
	struct filters *filters;
	u8 phase;		/* see session.c */
	struct perf_record record;	/* the record before which queues are run */
	struct perf_sample sample;
	u64 round;		/* live: time when the trace of this round was read ... */
	u64 next_barrier, barrier;	/* ... of the last round, of the one before */
	struct buffer *spare;	/* used up, free for reuse */
	struct flow *spare_flow;	/* of a queue without anything in it */
	u64 until;		/* queues are run up to here ... */
	struct queue *running;	/* ... and this one is running ... */
	u64 running_until;	/* ... up to here, where another continues */
	u32 timeless_next;	/* timeless: the next queue to run */
	i32 timeless_tid;	/* ... of this thread, or -1: all */
	const char *why;	/* the reason of an error, in words */
};

/* Open a perf.data. It is closed by the end of the process, which frees all memory at once: to free
 * it earlier would take 10 % of the time of a short run. -errno, with 's->why' set if there is a
 * reason in words. */
int session_open(struct session *s, const char *path, const struct session_options *options);

/* Open a bare trace. */
int session_open_raw(struct session *s, const char *path, const struct session_raw *raw,
		     const struct session_options *options);

/* The steps of an ITEM_PASSED, as one ITEM_STEP each: first the part that all have in common,
 * then the 'i'th. False if there are no more. */
void session_passed_begin(const struct item *passed, struct step *step, struct item *item);
bool session_passed(const struct item *passed, u32 i, struct step *step, struct item *item);

/* The thread that a recorded sample with these numbers has in a guest, as a made one has. */
struct thread *guest_thread(struct session *s, i32 pid, i32 tid);

/* The thread with these numbers in the guest whose records have this id; NULL if it is none's. */
struct thread *guest_thread_of_id(struct session *s, u64 id, i32 pid, i32 tid);

/* The same of the queue's trace, while the guest runs. */
struct thread *guest_thread_of(struct queue *q);

/* The next item: 1, 0 at the end, or -errno. Objects that it points to are valid until the next
 * call. '*item' is the last item; zeroed at the start. */
int session_next(struct session *s, struct item *item);

/* What is at 'ip' of a thread: its space, or the kernel's; the map; the function. NULL if
 * unknown; a NULL map is allowed. */
const struct space *session_space_at(struct session *s, const struct thread *t, u64 ip);
const struct map *session_map_at(struct session *s, const struct thread *t, u64 ip);
const struct symbol *session_symbol_at(struct session *s, const struct map *map, u64 ip);

/* How many instructions were executed so far in a queue that is not the current one. */
u64 session_insns(const struct queue *q);

/* An instruction was sampled: what follows in its queue has no time before 'tsc'. */
void session_sampled(struct queue *q, u64 tsc);

/* The last branch of a queue without a step: NULL if an item before 'now' had it. */
const struct skipped *session_skipped(const struct queue *q, const struct item *now);

/* Does the queue have a decoder? Not before its first trace, and not after its last. */
static inline bool session_decodes(const struct queue *q)
{
	return q->flow;
}

/* Bytes of trace that were read or found in the file, and are not decoded yet; 0 in a pipe. */
u64 session_undecoded(const struct session *s);

/* A recorded sample at 'ip' was printed: perf then looks at its code, which matters for how often
 * a missing file is reported. */
void session_looked_at(struct session *s, const struct thread *t, u64 ip);

/* May it have trace, as far as is known before all of it is read? */
bool session_may_trace(const struct session *s);

/* Do samples have a time? */
static inline bool session_has_time(const struct session *s)
{
	return !s->timeless || s->clocked;
}

/* TSC to perf's ns; 0 if there is no time. */
u64 session_time(const struct session *s, u64 tsc);

#endif
