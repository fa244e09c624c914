/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options that select the start or the end of a trace, or calls of certain functions.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/sandbox.h>
#include "ask.h"

#define TEXT(name, what) { name, offsetof(struct listing, window.what), true }

static const struct opt_member texts[] = {
	TEXT("from-symbol", from), TEXT("to-symbol", to), TEXT("who-calls", callee),
	{ 0 },
};

bool ask_window_number(const char *arg, const char *unit, u64 *n)
{
	u64 number;
	const char *end = num_read(arg, 10, &number);

	if (!end || end == arg || strcmp(end, unit) || !number)
		return false;
	*n = number;
	return true;
}

/* The time is not known until the file is open. */
static const char *take_time(struct ask *a, const char *name, const char *arg)
{
	u64 *to = !strcmp(name, "head") ? &a->head_ns : &a->tail_ns;

	if (a->counts && !strcmp(name, "last") &&
	    (ask_window_number(arg, "calls", &a->last_calls) ||
	     ask_window_number(arg, "insns", &a->last_insns)))
		return NULL;
	if (!num_parse_time(arg, to) || !*to)
		return ask_wrong(a, a->counts && !strcmp(name, "last") ?
				 "--%s takes a time or a number: 10ms, 100calls, 1000insns" :
				 "--%s takes a time: 10ms, 2s", name);
	if (a->list->time && *a->list->time)
		return ask_wrong(a, "--%s and --time exclude each other", name);
	a->list->time = "";
	return NULL;
}

bool ask_window(struct ask *a, struct opt *o, const char *name, const char **wrong)
{
	u64 depth;

	*wrong = NULL;
	if (opt_set(o, name, texts, a->list))
		return true;
	if (strcmp(name, "depth") && strcmp(name, "head") && strcmp(name, "tail") &&
	    strcmp(name, "last"))
		return false;
	if (opt_refuse(o, name))
		*wrong = o->error;
	else if (strcmp(name, "depth"))
		*wrong = take_time(a, name, o->arg);
	else if (num_parse(o->arg, &depth) && depth && !(depth >> 32))
		a->list->window.depth = depth;
	else
		*wrong = "--depth takes a number";
	return true;
}

bool ask_window_wrong(const struct ask *a)
{
	const struct itrace *it = &a->list->itrace;

	if (!a->list->window.callee || (it->branches && !it->instructions))
		return false;
	fail(0, "--who-calls selects calls: use pt script or pt report, and --itrace=c or none");
	return true;
}

static char *put_time(char *p, u64 ns)
{
	return put_dec_0(put_char(put_dec(p, ns / 1000000000), '.'), ns % 1000000000, 9);
}

int ask_window_start(struct ask *a)
{
	struct listing *l = a->list;
	char text[64], *p = text;
	u64 first, last;

	if (!a->head_ns && !a->tail_ns)
		return 0;
	listing_times(l, &first, &last);
	if (!last)
		return fail(0, "%s does not say when it begins and ends: use --time", l->path);
	p = put_time(p, a->tail_ns ? last - MIN(a->tail_ns, last - first) : first);
	p = put_char(p, ',');
	if (a->head_ns)
		p = put_time(p, MIN(first + a->head_ns, last));
	*p = 0;
	l->time = arena_str(&l->session.arena, text);
	return 0;
}

bool ask_window_missed(const struct ask *a)
{
	const char *symbol, *option = window_missed(&a->list->window, &symbol);

	if (option)
		warn(0, "%s %s: no such function begins in %s; 'pt report -s sym' lists what "
		     "there is", option, symbol, a->list->path);
	return option;
}

/* Counting */

/* What the options select in the whole trace. */
struct counts { u64 calls, insns; };

static bool count(struct ask *a, struct counts *n)
{
	const struct sample *s;
	struct entry e;
	int err;

	if (ask_open(a) || ask_start(a))
		return false;
	while ((err = listing_next(a->list, &e)) > 0) {
		s = e.kind == ENTRY_SAMPLE && e.wanted ? e.sample : NULL;
		n->insns += s && s->kind == SAMPLE_INSN;
		n->calls += s && s->kind == SAMPLE_BRANCH && s->flags & FLAG_CALL;
	}
	return !err;
}

/* The process that counts prints no messages: the process that reads the trace again prints the
 * same ones. */
static _Noreturn void count_to(struct ask *a, int to)
{
	struct counts n = { 0 };

	a->quiet = true;
	a->list->itrace = (struct itrace){ .instructions = true, .period = 1, .branches = true };
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 2);
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	_exit(!count(a, &n) || write(to, &n, sizeof(n)) != sizeof(n));
}

int ask_window_count(struct ask *a)
{
	struct window *w = &a->list->window;
	struct counts n = { 0 };
	int fd[2], status;
	pid_t pid;

	if (!a->last_calls && !a->last_insns)
		return 0;
	if (!strcmp(a->list->path, "-"))
		return fail(0, "--last of calls or instructions reads the file twice: "
			    "store it first");
	if (pipe2(fd, O_CLOEXEC))
		return fail(-errno, "cannot make a pipe");
	pid = _Fork();
	if (!pid)
		count_to(a, fd[1]);
	close(fd[1]);
	/* If it failed, everything is selected, and the second reading says why. */
	if (pid < 0 || read(fd[0], &n, sizeof(n)) != sizeof(n))
		n = (struct counts){ 0 };
	close(fd[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	w->skip_calls = a->last_calls ? n.calls - MIN(n.calls, a->last_calls) : 0;
	w->skip_insns = a->last_insns ? n.insns - MIN(n.insns, a->last_insns) : 0;
	return 0;
}
