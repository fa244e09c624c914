/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How a command says that something went wrong: one line on stderr,
 * "pt: what: why". Only src/cmd and main call these.
 */
#ifndef PT_FAIL_H
#define PT_FAIL_H

#include <pt/base.h>

/* Exit statuses of pt. */
enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,	/* also: asked wrongly */
	STATUS_HOLES = 3,	/* --strict, and the decode was not complete */
	STATUS_CANNOT_RUN = 126,
	STATUS_NOT_FOUND = 127,
};

/* Say "pt: WHAT: why" and return STATUS_FAILED. 'err' is 0 (no "why") or -errno. */
int fail(int err, const char *what, ...) PRINTF(2, 3);

/* The same for something the work goes on after. */
void warn(int err, const char *what, ...) PRINTF(2, 3);

/* Memory is gone: say so and end. */
_Noreturn void fail_memory(void);

#endif
