/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A part of a session: where it begins, and whether a decoder that began elsewhere reaches the
 * same state.
 */
#ifndef PT_PART_H
#define PT_PART_H

#include <pt/flow_state.h>
#include <pt/session.h>

/* The queue with most trace, and its size; NULL if there is none or that is unknown. To be called
 * before the first session_next(). */
struct queue *part_queue(const struct session *s, u64 *size);

/* Can part_seek() go anywhere? The trace that it skips must not matter: there is only one queue,
 * or all have times. */
bool part_seeks(const struct session *s);

/* The place of the first PSB from 'off' on, in the trace of 'q'; 0: not within 'len' bytes. */
u64 part_psb(const struct queue *q, u64 off, u64 len);

/* Continue a little before 'off' of the trace of 'q', and in the other queues at that time, without
 * any state from before. */
void part_seek(struct session *s, struct queue *q, u64 off);

/* How far the trace of 'q' is decoded. */
u64 part_place(const struct queue *q);

/* From 'off' of its trace on, every taken branch of 'q' is a step; ~0: only those that are
 * needed. */
void part_stop(struct queue *q, u64 off);

/* Does the item end in a taken branch at or after that place, and are all results of its packet
 * used? */
bool part_stopped(const struct item *item);

/* Do not hand out branches for a while. Allowed if they come as ITEM_PASSED and the options have
 * 'mutable' set; or if all of them are steps, and part_mutable() was called early. */
void part_mute(struct session *s, bool mute);
void part_mutable(struct session *s);

/* Write the missing files that are known to 'to', up to 'max' bytes; returns how many. For another
 * process, which may not know them. */
u32 part_put_gaps(const struct session *s, u8 *to, u32 max);
void part_take_gaps(struct session *s, const u8 *from, u32 n);

/* What was lost so far because code is missing, by the index of DSOs up to 'max'. */
void part_lost(struct session *s, struct dso_lost *to, u32 max);

/* How many instructions, cycles and ends of tracing there were in all that was decoded of 'q'. */
struct flow_totals part_totals(const struct queue *q);

/* Add to the digest 'h' all state that the item and later ones may depend on. 'cycles': include
 * cycles. Returns 0 if the state cannot be compared. */
u64 part_state(const struct session *s, const struct item *item, u64 h, bool cycles);

#endif
