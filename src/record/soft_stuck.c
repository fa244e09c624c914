/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that cannot be stopped, because they sleep until what they wait for has come (state D): a
 * disk, NFS, a control group that is frozen.
 *
 * All threads of a process enter the code cache together, so the others would stand still as long
 * as such a thread sleeps. Therefore pt lets its process go. The kernel lets the thread itself go
 * when pt ends, or pt does when the thread wakes up.
 */
#define _GNU_SOURCE
#include <string.h>

#include <pt/textfile.h>

#include "trans.h"

enum { STATE_D = 0xd };		/* a hexadecimal digit, too */

static bool is_stuck(const struct soft *s, const struct tracee *t)
{
	bool waits = s->ending ? t->state == TRACEE_NEW || t->state == TRACEE_CALL :
		t->state == TRACEE_NEW && s->r->translate;

	return waits && !t->image && target_status(t->tid, "\nState", 16) == STATE_D;
}

static void say(const struct soft *s, const struct tracee *t)
{
	char where[64];

	if (textfile_readf(where, sizeof(where), "/proc/%d/wchan", t->tid) <= 0 || *where == '0')
		strcpy(where, "state D");
	record_say(s->r, 0, "thread %d sleeps in the kernel (%s): process %d is let go; see "
		   "/proc/%d/stack", t->tid, where, t->pid, t->tid);
}

bool soft_free_stuck(struct soft *s)
{
	struct tracee *t = NULL, *next;
	u32 n = 0;

	while ((t = tracee_next(s, t))) {
		if (t->vm && !t->stuck && is_stuck(s, t)) {
			t->stuck = t->vm->stuck = true;
			say(s, t);
		}
		n += t->stuck;
	}
	for (t = tracee_next(s, NULL); n && t; t = next) {
		next = tracee_next(s, t);
		if (t->state == TRACEE_HELD && !t->image && t->vm->stuck)
			soft_release(s, t, 0);
	}
	s->stuck |= n > 0;
	return n && n == s->n_threads;
}
