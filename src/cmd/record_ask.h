/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options of pt record about samples: see record_ask.c.
 */
#ifndef RECORD_ASK_H
#define RECORD_ASK_H

#include <pt/opt.h>
#include <pt/record.h>

/* True if 'name' is one of these options. It is then stored in 'r', or 'o->error' is set. */
bool record_ask(struct opt *o, const char *name, struct record *r);

#endif
