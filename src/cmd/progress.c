/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The progress of a command that reads a trace, and of pt record: a line on a terminal, which is
 * overwritten, and a line for each SIGUSR1.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <pt/num.h>
#include <pt/out.h>
#include <pt/record.h>
#include <pt/textfile.h>

#include "ask.h"

enum {
	EACH = 16,		/* entries between reads of the clock */
	FIRST_MS = 1000, EVERY_MS = 500,
	LINE = 200,
	RUNNING_DEPTH = 8,
};

/* The clock of the CPU time of process 'pid', as clock_getcpuclockid() makes it. */
#define PROCESS_CLOCK(pid) ((clockid_t)(~(u32)(pid) << 3 | 2))

static volatile sig_atomic_t asked;

static void ask_now(int signo)
{
	asked = 1;
}

static u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

/* Can a line on standard error be overwritten? */
static bool can_overwrite(void)
{
	const char *term = getenv("TERM");

	return isatty(2) && term && *term && strcmp(term, "dumb");
}

/* Show it only while nothing is printed to this terminal. */
static bool is_seen(const struct ask *a)
{
	bool prints = a->out->lines && (a->prints || !a->sums_up);

	return !a->no_eta && !prints && can_overwrite();
}

void progress_start(struct ask *a)
{
	struct progress *p = &a->progress;

	p->total = session_undecoded(&a->list->session);
	p->start = now_ms();
	p->due = is_seen(a) ? p->start + FIRST_MS : ~0ULL;
	sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = ask_now, .sa_flags = SA_RESTART },
		  NULL);
}

static char *put_time(char *to, u64 s)
{
	if (s < 120)
		return put_str(put_dec(to, s), " s");
	if (s < 7200)
		return put_str(put_dec(to, s / 60), " min");
	return put_str(put_dec(to, s / 3600), " h");
}

/* "42 %, 120 MB/s, 15 s left" */
static char *put_progress(char *to, const struct ask *a, u64 ms)
{
	const struct progress *p = &a->progress;
	u64 left = session_undecoded(&a->list->session), done = p->total - MIN(left, p->total);
	u64 rate = done / MAX(ms, 1ull);

	if (!p->total || left > p->total)	/* a pipe, or no trace */
		return put_str(put_time(to, ms / 1000), " so far");
	to = put_str(put_dec(to, done / (p->total / 100 + 1)), " %, ");
	to = put_str(put_fixed(to, rate, 1000, 1), " MB/s");
	if (done)
		to = put_str(put_time(put_str(to, ", "), left / MAX(rate, 1ull) / 1000), " left");
	return to;
}

static const char clear[] = "\r\033[K";

static void say(const struct ask *a, u64 now, const char *before, const char *after)
{
	char line[LINE], *p = put_str(put_str(line, before), "pt: ");

	p = put_str(put_progress(p, a, now - a->progress.start), after);
	if (write(2, line, p - line) < 0)
		return;
}

void progress_step(struct ask *a)
{
	struct progress *p = &a->progress;
	u64 now;

	if (likely(++p->n % EACH) && !asked)
		return;
	now = now_ms();
	if (asked) {
		asked = 0;
		say(a, now, p->shown ? clear : "", "\n");
		p->shown = false;
	}
	if (now < p->due)
		return;
	p->due = now + EVERY_MS;
	p->shown = true;
	say(a, now, "\r", "\033[K");
}

void progress_end(struct ask *a)
{
	if (a->progress.shown && write(2, clear, sizeof(clear) - 1) < 0)
		return;
	a->progress.shown = false;
}

/* pt record */

static u64 record_start;	/* ms */
static bool record_shown;

static u64 cpu_of(int whose)
{
	struct rusage used;

	return getrusage(whose, &used) ? 0 :
		(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000ull +
		(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000ull;
}

/* The CPU time of the processes that 'pid' started, and of those that they started, which run. */
static u64 cpu_of_running(i32 pid, u32 depth)
{
	char list[2048], *at = list;
	struct timespec t;
	u64 child, ns = 0;

	if (depth == RUNNING_DEPTH ||
	    textfile_readf(list, sizeof(list), "/proc/%d/task/%d/children", pid, pid) < 0)
		return 0;
	while ((at = (char *)num_read(at, 10, &child))) {
		if (!clock_gettime(PROCESS_CLOCK(child), &t))
			ns += t.tv_sec * 1000000000ull + t.tv_nsec;
		ns += cpu_of_running(child, depth + 1);
		at += strspn(at, " ");
	}
	return ns;
}

/* How much slower the command is than without pt, so far: ", 2.4 x". */
static char *put_slowdown(char *to, const struct record *r)
{
	u64 programs, alone;

	if (!r->result.branches || !r->target.argv || target_has_threads(&r->target))
		return to;
	programs = cpu_of(RUSAGE_CHILDREN) + cpu_of_running(getpid(), 0);
	alone = record_native_ns(&r->result, programs);
	if (!alone)
		return to;
	to = put_fixed(put_str(to, ", "),
		       record_all_ns(cpu_of(RUSAGE_SELF), programs) * 10 / alone, 10, 1);
	return put_str(to, " x untraced CPU time");
}

/* "12 s, 340.5 M branches, 96.3 MB, 2.4 x untraced CPU time"; the bytes are those of the file. */
static void say_record(struct record *r, bool on_demand)
{
	char line[LINE], *p = put_str(line, !on_demand ? "\r" : record_shown ? clear : "");

	p = put_time(put_str(p, "pt: "), (now_ms() - record_start) / 1000);
	if (r->result.branches)
		p = put_str(put_fixed(put_str(p, ", "), r->result.branches, 1000000, 1),
			    " M branches");
	p = put_str(put_fixed(put_str(p, ", "), r->w.at, 1 << 20, 1), " MB");
	p = put_slowdown(p, r);
	p = put_str(p, on_demand ? "\n" : "\033[K");
	record_shown = !on_demand;
	if (write(2, line, p - line) < 0)
		return;
}

/* A command may write to the terminal: show nothing then, unless asked. */
void progress_of_record(struct record *r, bool quiet)
{
	record_start = now_ms();
	r->progress = say_record;
	if (!quiet && can_overwrite() && !(r->target.argv && isatty(1)))
		r->progress_ms = EVERY_MS;
}

void progress_record_end(const struct record *r)
{
	if (record_shown && write(2, clear, sizeof(clear) - 1) < 0)
		return;
	record_shown = false;
}
