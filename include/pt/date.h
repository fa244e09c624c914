/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local time, as date(1) has it: by the variable TZ, or by /etc/localtime.
 */
#ifndef PT_DATE_H
#define PT_DATE_H

#include <time.h>

#include <pt/base.h>

/* 't': seconds since 1970 began in UTC. */
struct tm date_local(i64 t);

/* "Sun Nov 22 04:53:00 2026", in 'to'. Returns 'to'. */
enum { DATE_SIZE = 48 };
const char *date_text(char to[DATE_SIZE], i64 t);

/* The time of a clock of the system, CLOCK_REALTIME for example, in ns. */
u64 date_clock(int id);

#endif
