/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Declarations shared by the files of this folder.
 */
#ifndef SESSION_H
#define SESSION_H

#include <pt/session.h>

/* setup.c: take the contents of AUXTRACE_INFO, unless that was done before. 0 or -errno. */
int setup_take(struct session *s, const struct perf_record *rec);

/* heap.c: add a queue whose next item is at 'tsc'; take the earliest queue; add a queue that waited
 * for a record. */
void heap_add(struct queue *q, u64 tsc);
struct queue *heap_pop(struct session *s);
void heap_resume(struct queue *q);

/* session.c: does an event happen inside the stretch? */
bool session_busy(const struct session *s, const struct step *step);

/* queue.c */

/* Add an empty buffer to queue 'index'. NULL if that queue is not wanted. */
struct buffer *queue_add(struct session *s, u32 index, i32 cpu, i32 tid);
int queue_add_record(struct session *s, const struct perf_record *rec);
int queue_add_all(struct session *s);

/* Create the decoder of a queue. */
void queue_start(struct queue *q);

/* The queue's trace gave no step, and no more trace follows. The next queue that starts reuses its
 * decoder, which is larger than an AUXTRACE record. */
void queue_stop(struct queue *q);

/* Go forward to a PSB before offset 'off' of the trace, if that is far away. */
void queue_seek(struct queue *q, u64 off);

/* The same, to the last PSB not later than 'tsc'. */
void queue_seek_time(struct queue *q, u64 tsc);

/* Nothing was read yet: begin at the last PSB before 'tsc', if there is one, as perf does. 0: do
 * not. */
void queue_begin(struct queue *q, u64 tsc);

/* Convert options.from and options.to to ticks. */
void queue_limits(struct session *s);

/* Is all trace that is left in the queues after s->to? */
bool queue_all_past(const struct session *s);

/* The time of the next PSB+; 0 if there is none. */
u64 queue_psb_tsc(const struct queue *q);

/* Find the thread that the queue's trace belongs to now. */
void queue_find_thread(struct queue *q);

/* open.c: which machine recorded it, as its features say. In a pipe they come late. */
void open_know_machine(struct session *s);

/* overlap.c: how many bytes at the front of a snapshot are skipped, because 'older' had them or
 * no PSB is before them. '*joined': it continues where 'older' ended. */
size_t overlap_skip(struct bytes older, struct bytes newer, bool *joined);

/* errata.c: set the flags of s->setup for the errata of a CPU model; of the model in the file's
 * header. */
void errata_set(struct session *s, u64 family, u64 model);
void errata_find(struct session *s);

/* process.c: a MMAP or MMAP2, of the host or of a guest; false if it is damaged. A COMM or FORK is
 * applied. */
bool process_mapping(const struct perf_record *rec, struct perf_mmap *m, struct mapping *map);
void process_task(struct processes *processes, const struct perf_record *rec);

/* code.c: the code that the trace of a queue runs through. */
struct bytes code_fetch(void *who, u64 ip);
bool code_known_gap(void *who, u64 ip);
void code_settle(struct queue *q);
void code_vdso_mapped(struct session *s, struct thread *t);
void code_missing(struct session *s, struct dso *dso);

/* Tell the flow of 'q' which address space it is in. */
void code_space(struct queue *q);

/* filter.c: the recorder's address filters. */
int filter_parse(struct session *s, const char *text);
bool filter_has_no_file(const struct session *s);
bool filter_leave(void *who, u64 to);

/* sideband.c: apply records to processes and address spaces. */
void sideband_apply(struct session *s, const struct perf_record *rec,
		    const struct perf_sample *sample);
void sideband_switch(struct session *s, const struct perf_record *rec,
		     const struct perf_sample *sample);
void sideband_build_ids(struct session *s);

/* switch.c: look up __switch_to, if it is of use; a step of 'q' was decoded; it was handed out:
 * true if the queue has to wait for a record. */
void switch_start(struct session *s);
void switch_step(struct queue *q);
bool switch_after(struct queue *q);
bool switch_waits(const struct queue *q);

/* A record says that 'tid' runs next on a CPU: true if it does so only after __switch_to. The
 * next thread runs there. The queue continues at another place. No records follow. */
bool switch_record(struct session *s, i32 cpu, i32 tid);
void switch_in(struct session *s, i32 cpu);
void switch_jump(struct queue *q);
void switch_records_end(struct session *s);

/* bpf.c: a function of a BPF program was loaded: if its code is in the file, it is used. */
void bpf_loaded(struct session *s, const struct perf_ksymbol *symbol);

/* guest.c: are guests asked for? Their code at 'ip', or NULL; the guest of a process. */
void guest_start(struct session *s);
struct space *guest_space(struct queue *q, u64 ip);
struct guest *guest_of(struct session *s, i32 pid);

/* An ID_INDEX record: which ids are of guests. False if a record is not of a guest; else it was
 * applied to that. A queue's key of code. */
void guest_learn(struct session *s, const struct perf_record *rec);
bool guest_apply(struct session *s, const struct perf_record *rec,
		 const struct perf_sample *sample);
bool guest_has(const struct session *s, u64 id);	/* is the id that of a guest? */
u64 guest_key(struct queue *q, u64 user);

#endif
