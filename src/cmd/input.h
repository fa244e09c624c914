/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The file that a command reads: which one, and what is said if that fails.
 */
#ifndef PT_CMD_INPUT_H
#define PT_CMD_INPUT_H

#include <pt/base.h>

/* If no file is named: "-" where standard input is a pipe, else "perf.data". */
const char *input_usual(void);

/* Say why 'path' cannot be read: 'why' in words, or NULL, then by 'err'. STATUS_FAILED. */
int input_fail(int err, const char *path, const char *why);

/* Say that it is nothing that pt reads. STATUS_FAILED. */
int input_not_trace(const char *path);

#endif
