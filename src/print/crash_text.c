/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a signal means, in words; and branches to rows, with loops taken together.
 * Source of the codes: sigaction(2), "The siginfo_t argument".
 */
#include <signal.h>

#include <pt/print_crash.h>

static const struct { i32 signo; const char *name, *what; } signals[] = {
	{ SIGSEGV, "SIGSEGV", "an access that is not allowed" },
	{ SIGBUS, "SIGBUS", "memory that is not there" },
	{ SIGILL, "SIGILL", "an illegal instruction" },
	{ SIGFPE, "SIGFPE", "arithmetic that has no result" },
	{ SIGABRT, "SIGABRT", "it called abort" },
	{ SIGTRAP, "SIGTRAP", "a breakpoint, or a check that failed" },
	{ SIGSYS, "SIGSYS", "a system call that a filter (seccomp) forbids" },
	{ SIGKILL, "SIGKILL", "killed: by kill -9, or out of memory (see dmesg)" },
	{ SIGTERM, "SIGTERM", "asked to end" },
	{ SIGINT, "SIGINT", "Ctrl-C" },
	{ SIGHUP, "SIGHUP", "its terminal is gone" },
	{ SIGQUIT, "SIGQUIT", "asked to end, with a core file" },
	{ SIGPIPE, "SIGPIPE", "nobody reads what it wrote" },
	{ SIGALRM, "SIGALRM", "its timer" },
	{ SIGXCPU, "SIGXCPU", "the limit of CPU time (ulimit -t)" },
	{ SIGXFSZ, "SIGXFSZ", "the limit of a file's size (ulimit -f)" },
	{ SIGUSR1, "SIGUSR1", "which it does not handle" },
	{ SIGUSR2, "SIGUSR2", "which it does not handle" },
};

static const struct { u8 signo, code; const char *why; } codes[] = {
	{ SIGSEGV, SEGV_MAPERR, "is not mapped" },
	{ SIGSEGV, SEGV_ACCERR, "may not be accessed in this way (it is mapped)" },
	{ SIGBUS, BUS_ADRALN, "is not aligned" },
	{ SIGBUS, BUS_ADRERR, "is beyond the end of the file that is mapped there" },
	{ SIGFPE, FPE_INTDIV, "division by zero, or of a number that is too large" },
	{ SIGFPE, FPE_INTOVF, "an integer overflow" },
	{ SIGFPE, FPE_FLTDIV, "division of real numbers by zero" },
	{ SIGFPE, FPE_FLTOVF, "a real number is too large" },
	{ SIGFPE, FPE_FLTINV, "an operation of real numbers that has no result" },
};

static i32 find_signal(i32 signo)
{
	u32 i;

	for (i = 0; i < N_ELEM(signals); i++)
		if (signals[i].signo == signo)
			return i;
	return -1;
}

const char *crash_signal(i32 signo)
{
	i32 i = find_signal(signo);

	return i < 0 ? NULL : signals[i].name;
}

/* No program has memory there (see vm.mmap_min_addr). A member of a structure at NULL would be
 * there. */
static bool near_null(const struct perf_death *d)
{
	return d->signo == SIGSEGV && d->code == SEGV_MAPERR && d->addr < 4096;
}

char *crash_put_why(char *p, const struct perf_death *d)
{
	i32 at = find_signal(d->signo);
	u32 i;

	if (d->what & DEATH_SENT && d->addr != (u64)d->pid)
		return put_int(put_str(p, "sent by process "), d->addr);
	if (d->what & DEATH_ADDR)
		p = put_char(put_hex(put_str(p, "address 0x"), d->addr), ' ');
	for (i = 0; i < N_ELEM(codes); i++)
		if (codes[i].signo == d->signo && codes[i].code == d->code) {
			p = put_str(p, codes[i].why);
			return near_null(d) ? put_str(p, ": a null pointer?") : p;
		}
	if (d->what & DEATH_ADDR)
		return put_int(put_str(p, "cannot be accessed: code "), d->code);
	if (d->signo == SIGSEGV && d->code == SI_KERNEL)
		return put_str(p, "not a valid address, or a privileged instruction");
	/* The kernel sends SIGPIPE as if the process did. */
	if (d->what & DEATH_SENT && d->signo != SIGABRT && d->signo != SIGPIPE)
		return put_str(p, "it sent it itself: raise() or kill()");
	return at < 0 ? p : put_str(p, signals[at].what);
}

/* Rows */

/* Tracing ended in the kernel, and went on where it was. */
static bool is_pause(const struct history_branch *b, const struct history_branch *next)
{
	return b->flags & FLAG_END && next && next->flags & FLAG_BEGIN && next->to - b->from <=
	       (b->flags & FLAG_ASYNC ? 0 : INSN_MAX);
}

/* True if the last 'k' rows repeat the 'k' rows before them; in a recursion, at a greater depth. */
static bool repeats(const struct crash_row *rows, u32 n, u32 k)
{
	const struct crash_row *b = rows + n - k, *a = b - k;
	u32 deeper = b->b.depth - a->b.depth, i;

	for (i = 0; i < k; i++)
		if (a[i].b.from != b[i].b.from || a[i].b.to != b[i].b.to ||
		    a[i].b.flags != b[i].b.flags || b[i].b.depth - a[i].b.depth != deeper ||
		    (i + 1 < k && a[i].times != b[i].times))
			return false;
	if (a[k - 1].times && (a[k - 1].block != k ||
			       a[k - 1].deeper * (a[k - 1].times + 1) != deeper))
		return false;
	return !b[k - 1].times;
}

/* Combine the repetitions of loops of up to LONGEST branches. */
static void fold(struct crash_row *rows, u32 *n)
{
	enum { LONGEST = 16 };
	u32 k;

	for (k = 1; k <= LONGEST && 2 * k <= *n; k++) {
		if (!repeats(rows, *n, k))
			continue;
		*n -= k;
		if (!rows[*n - 1].times)
			rows[*n - 1].deeper = rows[*n].b.depth - rows[*n - k].b.depth;
		rows[*n - 1].block = k;
		rows[*n - 1].times++;
		return;
	}
}

u32 crash_rows(const struct history_thread *t, struct crash_row *rows)
{
	u32 left = MIN(t->n, (u64)HISTORY_BRANCHES), n = 0;

	while (left--) {
		const struct history_branch *b = history_branch(t, left);
		const struct history_branch *next = left ? history_branch(t, left - 1) : NULL;

		if (is_pause(b, next)) {
			left--;
			if (b->flags & FLAG_ASYNC)
				continue;
		}
		rows[n++] = (struct crash_row){ .b = *b };
		fold(rows, &n);
	}
	return n;
}
