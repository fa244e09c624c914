/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options of pt record: the values of most (record_values.c), and those for samples
 * (record_ask.c).
 */
#ifndef RECORD_ASK_H
#define RECORD_ASK_H

#include <pt/opt.h>
#include <pt/record.h>

/* Options that are not part of struct record. */
enum { EVENTS = 64 };
struct asked {
	bool soft, quiet, snapshot, freq_given, size_given;
	const char *events[EVENTS + 1], *filters[EVENTS];
	u32 n_events;
};

/* Set the error "WHAT 'the argument'". Returns false. */
bool record_wrong(struct opt *o, const char *what);

/* True if 'name' is an option whose value is read here. It is then stored, or 'o->error' is set. */
bool record_value(struct opt *o, const char *name, struct record *r, struct asked *a);

/* True if 'name' is an option for samples. It is then stored in 'r', or 'o->error' is set. */
bool record_ask(struct opt *o, const char *name, struct record *r);

#endif
