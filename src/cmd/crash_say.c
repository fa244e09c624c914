/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A line about a program that died, for the end of pt record.
 */
#include <signal.h>

#include <pt/fail.h>
#include <pt/print_crash.h>
#include "crash.h"

bool crash_say(const char *path, i32 died)
{
	static struct session session;
	struct session *s = &session;
	struct session_options options = { .no_decode = true };
	struct perf_death deaths[DEATHS_MOST];
	struct crash_page page = { .session = s };
	char line[CRASH_LINE], *p;
	struct item item = { 0 };
	u32 n;

	if (session_open(s, path, &options))
		return false;
	n = perf_deaths(&s->file, deaths);
	if (!n)
		return false;
	page.death = &deaths[n - 1];
	if (!died && page.death->what & DEATH_SENT && page.death->signo != SIGABRT)
		return false;
	while (page.death->what & DEATH_IP && session_next(s, &item) > 0)
		;
	p = crash_put_line(line, &page, process_newest(&s->processes, page.death->tid));
	*p = 0;
	warn(0, "%s; pt crash -i %s shows how it got there", line, path);
	return true;
}
