/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The progress of a command that reads a trace: a line on a terminal, which is overwritten, and
 * a line for each SIGUSR1.
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <pt/out.h>
#include "ask.h"

enum {
	EACH = 16,		/* entries between reads of the clock */
	FIRST_MS = 1000, EVERY_MS = 500,
	LINE = 200,
};

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

/* Show it only if the output goes elsewhere than to this terminal. */
static bool is_seen(const struct ask *a)
{
	const char *term = getenv("TERM");

	return !a->no_eta && !a->out->lines && isatty(2) && term && *term &&
	       strcmp(term, "dumb");
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
		say(a, now, p->shown ? "\r\033[K" : "", "\n");
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
	static const char clear[] = "\r\033[K";

	if (a->progress.shown && write(2, clear, sizeof(clear) - 1) < 0)
		return;
	a->progress.shown = false;
}
