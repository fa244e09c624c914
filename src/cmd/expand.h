/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf.data whose records are compressed with zstd: see expand.c.
 */
#ifndef EXPAND_H
#define EXPAND_H

#include <pt/base.h>

struct arena;

/* Is it the start of such a file? 104 bytes are needed. (The pipe form does not say so at its
 * start.) */
bool expand_is_one(struct bytes head);

/* Write 'file' without compression to the empty file 'fd'. False if that failed. Damage is
 * reported; what precedes it is written. */
bool expand_to(int fd, struct bytes file, const char *path, struct arena *arena);

#endif
