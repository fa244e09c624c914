/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local time, as date(1) has it: by the variable TZ, or by /etc/localtime. libc's would
 * bring 6 kB, malloc() with them.
 */
#ifndef PT_DATE_H
#define PT_DATE_H

#include <pt/base.h>

struct date {
	i64 year;
	int month, day;		/* from 1 */
	int hour, minute, second;
	int weekday;		/* from 0, Sunday */
};

/* 't': seconds since 1970 began in UTC. */
struct date date_local(i64 t);

/* "Sun Nov 22 04:53:00 2026", in 'to'. Returns 'to'. */
enum { DATE_SIZE = 48 };
const char *date_text(char to[DATE_SIZE], i64 t);

/* What a clock of the system's says, CLOCK_REALTIME and so on: ns. */
u64 date_clock(int id);

#endif
