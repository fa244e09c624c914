/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of this folder share.
 */
#ifndef SESSION_H
#define SESSION_H

#include <pt/session.h>

/* What AUXTRACE_INFO says, if nobody took it yet. 0 or -errno. */
int session_trace_info(struct session *s, const struct perf_record *rec);

/* Does something happen inside the stretch? */
bool session_busy(const struct session *s, const struct step *step);

/* queue.c */

/* A new, empty buffer of queue 'index', or NULL if it is not wanted. */
struct buffer *queue_add(struct session *s, u32 index, i32 cpu, i32 tid);
int queue_add_record(struct session *s, const struct perf_record *rec);
int queue_add_all(struct session *s);

/* Make the decoder of a queue. */
void queue_start(struct queue *q);

/* Nothing came of its trace, and no more follows: the next queue to start takes its decoder,
 * which is larger than an AUXTRACE record. */
void queue_stop(struct queue *q);

/* Go forward to a PSB before 'off' of the trace, if that is far away. */
void queue_seek(struct queue *q, u64 off);

/* The same, to the last one not later than 'tsc'. */
void queue_seek_time(struct queue *q, u64 tsc);

/* Nothing was read yet: begin at the last PSB before 'tsc', if any, as perf does. 0: do not. */
void queue_begin(struct queue *q, u64 tsc);

/* What options.from and options.to are in ticks. */
void queue_limits(struct session *s);

/* Is all that the queues have still to say behind s->to? */
bool queue_all_past(const struct session *s);

/* The time of the PSB+ that comes next; 0 if none does. */
u64 queue_psb_tsc(const struct queue *q);

/* overlap.c: how many bytes at the front of a snapshot are of no use, since 'older' had
 * them or no PSB stands before them. '*joined': it goes on where 'older' ended. */
size_t overlap_skip(struct bytes older, struct bytes newer, bool *joined);

/* errata.c: what the CPU model does wrong, into s->setup; the model as the file's header has it. */
void errata_set(struct session *s, u64 family, u64 model);
void errata_find(struct session *s);

/* code.c: the code that a queue's trace runs through. */
struct bytes code_fetch(void *who, u64 ip);
bool code_known_hole(void *who, u64 ip);
void code_settle(struct queue *q);
void code_vdso_mapped(struct session *s, struct thread *t);
void code_missing(struct session *s, struct dso *dso);

/* Tell the flow of 'q' which space it is in. */
void code_space(struct queue *q);

/* filter.c: what the recorder's address filters let through. */
int filter_parse(struct session *s, const char *text);
bool filter_has_no_file(const struct session *s);
bool filter_leave(void *who, u64 to);

/* sideband.c: what records do to processes and spaces. */
void sideband_apply(struct session *s, const struct perf_record *rec,
		    const struct perf_sample *sample);
void sideband_switch(struct session *s, const struct perf_record *rec,
		     const struct perf_sample *sample);
void sideband_build_ids(struct session *s);

/* switch.c: __switch_to is looked for, if it tells anything; a step of 'q' is there; it was handed
 * out: true if the queue has to wait for a record. */
void switch_start(struct session *s);
void switch_step(struct queue *q);
bool switch_after(struct queue *q);
bool switch_waits(const struct queue *q);

/* A record says that 'tid' runs on a CPU next: true if that is only from __switch_to on. The next
 * one runs there. The queue goes on elsewhere. No records follow. */
bool switch_record(struct session *s, i32 cpu, i32 tid);
void switch_in(struct session *s, i32 cpu);
void switch_jump(struct queue *q);
void switch_records_end(struct session *s);

/* session.c: whose trace it is now; a queue that waited goes on. */
void session_find_thread(struct queue *q);
void session_resume(struct queue *q);

#endif
