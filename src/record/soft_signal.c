/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the kernel tells about the signals of a thread, and what they do to it.
 *
 * The first process of a PID namespace ignores signals that have no handler, but faults kill it.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/ptrace.h>

#include <pt/target.h>

#include "soft.h"

u64 soft_pending(const struct tracee *t)
{
	return target_status(t->tid, "\nSigPnd", 16) | target_status(t->tid, "\nShdPnd", 16);
}

u64 soft_caught(const struct tracee *t)
{
	return target_status(t->tid, "\nSigCgt", 16);
}

/* The signals that do nothing. */
static u64 ignored(const struct tracee *t)
{
	const u64 harmless = 1ULL << (SIGCHLD - 1) | 1ULL << (SIGCONT - 1) |
		1ULL << (SIGURG - 1) | 1ULL << (SIGWINCH - 1);

	return target_status(t->tid, "\nSigIgn", 16) | (harmless & ~soft_caught(t));
}

bool soft_is_init(const struct tracee *t)
{
	return target_inner_tid(t->pid) == 1;
}

/* The thread is in the stop for this signal. */
static bool is_fault(const struct tracee *t, int signal)
{
	const u64 faults = 1ULL << (SIGILL - 1) | 1ULL << (SIGTRAP - 1) | 1ULL << (SIGBUS - 1) |
		1ULL << (SIGFPE - 1) | 1ULL << (SIGSEGV - 1);
	siginfo_t info;

	return faults >> (signal - 1) & 1 && !ptrace(PTRACE_GETSIGINFO, t->tid, 0, &info) &&
	       info.si_code > 0;
}

enum disposition soft_disposition(const struct tracee *t, int signal)
{
	u64 bit = 1ULL << (signal - 1);

	return soft_caught(t) & bit ? CAUGHT :
	       ignored(t) & bit || (soft_is_init(t) && !is_fault(t, signal)) ? IGNORED : DEFAULT;
}

bool soft_waits(const struct tracee *t)
{
	return soft_pending(t) & ~target_status(t->tid, "\nSigBlk", 16) & ~ignored(t);
}
