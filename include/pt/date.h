/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local time, from the variable TZ or from /etc/localtime, as in date(1).
 */
#ifndef PT_DATE_H
#define PT_DATE_H

#include <time.h>

#include <pt/base.h>

/* 't' is in seconds since 1970-01-01 UTC. */
struct tm date_local(i64 t);

/* Write "Sun Nov 22 04:53:00 2026" to 'to'. Returns 'to'. */
enum { DATE_SIZE = 48 };
const char *date_text(char to[DATE_SIZE], i64 t);

/* The time in ns of a clock such as CLOCK_REALTIME. */
u64 date_clock(int id);

#endif
