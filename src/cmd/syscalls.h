/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt trace -s: a summary of system calls.
 */
#ifndef PT_CMD_SYSCALLS_H
#define PT_CMD_SYSCALLS_H

#include <pt/out.h>

/* Read all of 'path' ("-": standard input), which has samples of raw_syscalls, and print the
 * summary. Returns an exit status. */
int syscalls_read(const char *path, struct out *out);

#endif
