/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The page of pt crash: the signal, the place, the open calls and the last branches of a thread
 * that died.
 */
#ifndef PT_PRINT_CRASH_H
#define PT_PRINT_CRASH_H

#include <pt/history.h>
#include <pt/out.h>
#include <pt/perf_death.h>

struct crash_page {
	struct session *session;
	const struct history_thread *t;	/* NULL: no trace of it */
	const struct perf_death *death;	/* NULL: the signal is not known */
	u32 frames;		/* most lines of calls */
	u32 branches;		/* most lines of branches */
	u32 rows;		/* rows of the terminal for both; 0: not a terminal */
	bool registers;		/* print all registers */
	/* Private. */
	const struct dso *dso;	/* of the last place */
	u32 n_lines;
};

void print_crash(struct out *out, struct crash_page *c);

/* "SIGSEGV in a.out/12 at main+0x4 (a.out): address 0x0 is not mapped" */
enum { CRASH_LINE = 8192 };
char *crash_put_line(char *p, struct crash_page *c, const struct thread *thread);

/* crash_text.c: the name of a signal, "SIGSEGV", or NULL; and its meaning. */
const char *crash_signal(i32 signo);
char *crash_put_why(char *p, const struct perf_death *d);

/* Branches, with repetitions combined. */
struct crash_row {
	struct history_branch b;
	u32 block, times;	/* the 'block' rows that end here are repeated 'times' times */
	u32 deeper;		/* calls that each repetition adds to the depth (mod 2^32) */
};

/* Write them to 'rows', which has HISTORY_BRANCHES entries, the oldest first. Returns their
 * number. */
u32 crash_rows(const struct history_thread *t, struct crash_row *rows);

#endif
