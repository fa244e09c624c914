/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How a thread came to die, as a page: the signal, the place, the open calls, the last branches.
 */
#ifndef PT_PRINT_CRASH_H
#define PT_PRINT_CRASH_H

#include <pt/history.h>
#include <pt/perf_death.h>

struct crash_page {
	struct session *session;
	const struct history_thread *t;	/* NULL: there is no trace of it */
	const struct perf_death *death;	/* NULL: the signal is not known */
	u32 frames;		/* lines of calls, at most */
	u32 branches;		/* lines of branches, at most */
	u32 rows;		/* of the terminal, that both have to fit; 0: it is none */
	bool registers;		/* all of them */
	/* Private. */
	const struct dso *dso;	/* of the last place */
	u32 n_lines;
};

void print_crash(struct out *out, struct crash_page *c);

/* "SIGSEGV in a.out/12 at main+0x4 (a.out): address 0x0 is not mapped" */
enum { CRASH_LINE = 8192 };
char *crash_put_line(char *p, struct crash_page *c, const struct thread *thread);

/* crash_text.c: "SIGSEGV"; NULL: it has no name. What it means, without an end. */
const char *crash_signal(i32 signo);
char *crash_put_why(char *p, const struct perf_death *d);

/* Branches with repetitions taken together. */
struct crash_row {
	struct history_branch b;
	u32 block, times;	/* the last 'block' rows up to this came as often more ... */
	u32 deeper;		/* ... each time by so many calls deeper (mod 2^32) */
};

/* The oldest first, to 'rows' of HISTORY_BRANCHES. Returns how many. */
u32 crash_rows(const struct history_thread *t, struct crash_row *rows);

#endif
