/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The file that a command reads: which one, and what is said if that fails.
 */
#ifndef PT_CMD_INPUT_H
#define PT_CMD_INPUT_H

#include <pt/perf.h>

/* If no file is named: "-" where standard input is a pipe, else "perf.data". */
const char *input_usual(void);

/* If 'path' is a pipe: have a file in TMPDIR ready for what of it does not fit into 'mem' bytes of
 * memory. In the sandbox none can be made any more. */
void input_spool_file(struct perf_spool *spool, const char *path, u64 mem);

/* Say why 'path' cannot be read: 'why' in words, or NULL, then by 'err'. STATUS_FAILED. */
int input_fail(int err, const char *path, const char *why);

/* Say that it is nothing that pt reads. STATUS_FAILED. */
int input_not_trace(const char *path);

#endif
