/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A part of a session: where to begin, and whether whoever came there on another way
 * knows the same.
 */
#ifndef PT_PART_H
#define PT_PART_H

#include <pt/session.h>

/* The queue with most trace, and how much that is; NULL if there is none or no knowing.
 * To be asked before the first session_next(). */
struct queue *part_queue(const struct session *s, u64 *size);

/* Can part_seek() go anywhere? What it leaves out must not matter: one queue only, or
 * all have times. */
bool part_seeks(const struct session *s);

/* Where the first PSB from 'off' on is, in the trace of 'q'; 0: not within 'len' bytes. */
u64 part_psb(const struct queue *q, u64 off, u64 len);

/* Go on a little before 'off' of the trace of 'q', and in the others at that time, as if
 * nothing had been before. */
void part_seek(struct session *s, struct queue *q, u64 off);

/* For a while nobody wants to know of branches: where they come as ITEM_PASSED and the
 * options say 'mutable', or all of them as steps and part_mutable() was called early. */
void part_mute(struct session *s, bool mute);
void part_mutable(struct session *s);

/* Which files are known to be missing, up to 'max' bytes; returns how many. To be taken by
 * another, who might not have met them. */
u32 part_put_holes(const struct session *s, u8 *to, u32 max);
void part_take_holes(struct session *s, const u8 *from, u32 n);

/* 'h' with all that what comes after 'item', and the item, may depend on. 0: it agrees
 * with nothing. 'cycles': they matter. */
u64 part_state(const struct session *s, const struct item *item, u64 h, bool cycles);

#endif
