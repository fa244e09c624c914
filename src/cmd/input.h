/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The file that a command reads: which one it is, and messages if it cannot be read.
 */
#ifndef PT_CMD_INPUT_H
#define PT_CMD_INPUT_H

#include <pt/perf.h>

/* The default file: "-" if standard input is a pipe, else "perf.data". */
const char *input_usual(void);

/* The folder for temporary files. Create one there without a name, which no other process can open
 * and which ends with this process: a descriptor, or -1. */
const char *input_dir(void);
int input_nameless(const char *dir);

/* If 'path' is a pipe, create a file in TMPDIR for the part that does not fit into 'mem' bytes of
 * memory. The sandbox forbids this later. */
void input_spool_file(struct perf_spool *spool, const char *path, u64 mem);

/* Print why 'path' cannot be read: the text 'why', or the errno 'err' if that is NULL. Returns
 * STATUS_FAILED. */
int input_fail(int err, const char *path, const char *why);

/* Print that pt does not know the format of 'path'. Returns STATUS_FAILED. */
int input_not_trace(const char *path);

#endif
