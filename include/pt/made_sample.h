/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples that were made from a trace as samples of a file, and back: pt inject writes them, as
 * perf inject does.
 */
#ifndef PT_MADE_SAMPLE_H
#define PT_MADE_SAMPLE_H

#include <pt/made.h>

/* The attributes that perf inject gives the event of samples of 'kind': made_attr(), and fields and
 * properties that only matter in a file. */
struct perf_attr made_file_attr(const struct session *s, const struct itrace *it, u32 kind);

/* Room for what a perf_sample refers to. */
struct made_room {
	u64 chain[2 * ITRACE_CHAIN_MAX + 2];
	struct { u32 word; u8 bytes[4 + 16 * FLOW_MAX_EVD]; } raw;
};

/* The fields of 'from' in the record that perf inject would write, with 'chain' (addresses) as its
 * call chain. Returns the record's cpumode. */
u16 made_sample(const struct session *s, const struct sample *from, const u64 *chain, u32 n_chain,
		struct made_room *room, struct perf_sample *to);

/* The text of -F synth is made of a struct sample. Fill in 'to' from a recorded sample of such
 * an event; 'values' is room for its details. The value of SAMPLE_CBR also has the highest ratio
 * without turbo, in bits 16 to 23, and the frequency in kHz, from bit 32 on. False if it is of
 * another event, or too short. */
bool made_from(const struct perf_sample *from, struct event_values *values, struct sample *to);

#endif
