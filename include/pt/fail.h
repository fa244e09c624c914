/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Error messages of commands: one line on stderr, "pt: what: why". Only src/cmd and main call
 * these.
 */
#ifndef PT_FAIL_H
#define PT_FAIL_H

#include <pt/base.h>

/* Exit statuses of pt. */
enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,	/* failure or wrong usage */
	STATUS_GAPS = 3,	/* --strict, and the trace has gaps */
	STATUS_CANNOT_RUN = 126,
	STATUS_NOT_FOUND = 127,
};

/* Print "pt: WHAT: why" and return STATUS_FAILED. 'err' is 0 (no "why") or -errno. */
int fail(int err, const char *what, ...) PRINTF(2, 3);

/* The same for an error after which the command continues. */
void warn(int err, const char *what, ...) PRINTF(2, 3);

/* Out of memory: print that and end the program. */
_Noreturn void fail_memory(void);

#endif
