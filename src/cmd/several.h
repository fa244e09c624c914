/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One recording from several files.
 */
#ifndef SEVERAL_H
#define SEVERAL_H

#include <pt/listing.h>

/* Another file of -i. 'path' must stay. */
void several_add(struct listing *l, const char *path);

/* After all options: if there are several files, or l->path is a folder of recordings, join those
 * parts that --time selects. Exit status. */
int several_join(struct listing *l);

/* The file that has what 'path', as the command line names it, stands for; or NULL. */
const char *several_path(const char *path);

/* Where its traces are; NULL: there are not several files. */
const struct perf_elsewhere *several_holes(void);

#endif
