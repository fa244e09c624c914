/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt crash: record a command, or read a recording, and print how the program died.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/PROGRESS.h>
#include <pt/config/RECORD_SOFT.h>
#include <pt/config/SANDBOX.h>
#include <pt/config/SOFT_TRANSLATE.h>
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/paint.h>
#include <pt/print_crash.h>
#include <pt/record.h>
#include <pt/sandbox.h>
#include <pt/term.h>
#include <pt/text.h>
#include "ask.h"
#include "crash.h"
#include "input.h"

enum { FRAMES = 32, BRANCHES = 40 };
enum { SOON = 1 << 20 };	/* bytes of a file that are decoded in half a second */

PACKED(help) =
	"usage: pt crash [OPTIONS] [--] COMMAND [ARGS]\n"
	"       pt crash [OPTIONS] [-i FILE]\n"
	"\n"
	"Run and trace a command. If it dies of a signal, print which one, where, and how\n"
	"the program came there: the open calls, taken from the trace (the stack may be\n"
	"overwritten), and the last calls and branches. Or do the same for FILE.\n"
	"\n"
	"  -i, --input FILE      read FILE, run nothing\n"
	"  -n, --lines N         print N lines of branches (40; on a terminal: one page)\n"
	"      --frames N        and N lines of open calls (32)\n"
	"      --registers       print all registers\n"
	HELP_IF(CONFIG_PROGRESS,
	"  -q, --quiet           no progress, no count of gaps\n")
	"  -o, --output FILE     keep the trace there, for pt script\n"
	HELP_IF(CONFIG_RECORD_SOFT,
	"      --soft[=HOW]      without Intel PT; HOW: "
	HELP_IF(CONFIG_SOFT_TRANSLATE, "translate (the default), ") "step\n")
	"\n"
	"The exit status is the command's: 128 plus the number of the signal. If several\n"
	"processes died, the last one is shown; --pid chooses another.\n"
	"--help=select and --help=code are those of pt script. Examples:\n"
	"\n"
	"  pt crash ./a.out\n"
	"  pt crash -o t.data make test      then: pt script -i t.data --call-trace\n"
	"  pt record ./a.out; pt crash       the same in two steps\n";

struct crash {
	struct listing list;
	struct ask ask;
	struct history history;
	struct crash_page page;
	struct perf_death deaths[DEATHS_MOST];
	u32 n_deaths;
	u32 lines;		/* -n; 0: not given */
	u32 frames;
	bool registers, soft;
	const char *how;	/* --soft=HOW, or NULL */
	const char *output;
	int code_fd;		/* -1: none */
	char tid[16];
};

/* Options */

static const char *take_lines(struct opt *o, u32 *to)
{
	u64 v;

	if (!num_parse(o->arg, &v) || !v || v > HISTORY_BRANCHES)
		return "-n and --frames take a number, up to 2048";
	*to = v;
	return NULL;
}

static const char *take(struct crash *c, struct opt *o, const char *name)
{
	static const struct opt_member members[] = {
		{ "registers", offsetof(struct crash, registers) },
		{ "output", offsetof(struct crash, output), true },
		{ 0 },
	};

	if (opt_set(o, name, members, c))
		return NULL;
	if (!strcmp(name, "lines"))
		return opt_refuse(o, name) ? o->error : take_lines(o, &c->lines);
	if (!strcmp(name, "frames"))
		return opt_refuse(o, name) ? o->error : take_lines(o, &c->frames);
	if (!strcmp(name, "soft")) {
		c->soft = !o->no;
		c->how = o->arg;
		return NULL;
	}
	return ask_take(&c->ask, o, name);
}

/* Reading */

/* Choose the last death, or that of the process in --pid. */
static const struct perf_death *choose(struct crash *c)
{
	u32 i = c->n_deaths;
	u64 pid;

	if (!c->list.pids || !num_parse(c->list.pids, &pid))
		return i ? &c->deaths[i - 1] : NULL;
	while (i--)
		if (c->deaths[i].pid == (i32)pid)
			return &c->deaths[i];
	return NULL;
}

static void find_death(struct crash *c)
{
	struct session *s = &c->list.session;

	c->n_deaths = s->source->threads ? perf_deaths(&s->file, c->deaths) : 0;
	c->page.death = choose(c);
	if (!c->page.death || !c->page.death->tid)
		return;
	fmt_str(c->tid, sizeof(c->tid), "%d", c->page.death->tid);
	if (!c->list.tids)
		c->list.tids = c->tid;
	c->list.chooses = true;
}

static int read_all(struct crash *c)
{
	struct entry e;
	int err;

	while ((err = listing_next(&c->list, &e)) > 0) {
		if (CONFIG_PROGRESS)
			progress_step(&c->ask);
		if (e.kind != ENTRY_EVENTS)
			history_add(&c->history, &e);
	}
	return ask_read(&c->ask, err);
}

static void say_others(const struct crash *c)
{
	u32 i;

	for (i = 0; i < c->n_deaths; i++)
		if (&c->deaths[i] != c->page.death)
			warn(0, "process %d died, too (signal %d): --pid %d shows how",
			     c->deaths[i].pid, c->deaths[i].signo, c->deaths[i].pid);
}

/* Code that the program made is in a file of run() that has no name: give it one for the output. */
static void name_made_code(struct images *im)
{
	struct dso *dso;

	for (dso = im->dsos; dso; dso = dso->next)
		if (text_after(dso->name, "/proc/self/fd/"))
			dso->short_name = "made by the program";
}

/* Print the page of the recording l->path. */
static int show(struct crash *c, struct out *out)
{
	struct crash_page *page = &c->page;
	const struct perf_death *d;
	int status;

	history_setup(&c->history, &c->list);
	c->ask.itrace_set = c->ask.sums_up = true;
	status = ask_open(&c->ask);
	if (status)
		return status;
	find_death(c);
	status = ask_start(&c->ask);
	if (!status)
		status = read_all(c);
	if (status)
		return status;
	d = page->death;
	page->session = &c->list.session;
	page->t = history_of(&c->history, d ? d->pid : 0, d ? d->tid : 0);
	if (!page->t && !d)
		return ask_end(&c->ask, fail(0, "%s: there is no trace of a program that died",
					     c->list.path), false);
	if (CONFIG_CONSOLE && out->lines) {
		term_fit(out);
		page->rows = c->lines ? 0 : term_rows(out->fd);
	}
	paint(out, PAINT_TRACE);
	page->frames = c->frames ? c->frames : FRAMES;
	page->branches = c->lines ? c->lines : BRANCHES;
	page->registers = c->registers;
	name_made_code(&c->list.session.images);
	if (!d)
		warn(0, "%s does not say that a process died: this is how its trace ends",
		     c->list.path);
	print_crash(out, page);
	say_others(c);
	return c->ask.strict && c->list.gaps ? STATUS_GAPS : STATUS_DONE;
}

/* Recording */

static int record(struct crash *c, char **command, const char *path)
{
	struct arena *arena = &c->list.session.arena;
	char **words, how[40] = "--soft";
	u32 n = 0, i = 0;
	struct opt o;
	int status;

	while (command[n])
		n++;
	words = NEW(arena, char *, n + 8);
	if (c->how)
		fmt_str(how, sizeof(how), "--soft=%s", c->how);
	words[i++] = "-q";
	if (c->soft)
		words[i++] = how;
	words[i++] = "-o";
	words[i++] = (char *)path;
	words[i++] = "--";
	memcpy(words + i, command, n * sizeof(*words));
	opt_start(&o, cmd_record.help, words);
	status = record_into(&o, -1, c->code_fd);
	return o.error ? fail(0, "%s", o.error) : status;
}

/* Take the signals that are still pending: the recorder got them, too. */
static void unblock_signals(const sigset_t *taken, const sigset_t *old)
{
	const struct timespec now = { 0 };

	while (sigtimedwait(taken, NULL, &now) > 0)
		;
	sigprocmask(SIG_SETMASK, old, NULL);
}

/* Record in a child process, because the reader of the file gives up the right to run programs. */
static int run_command(struct crash *c, char **command, const char *path, int *status)
{
	sigset_t taken, old;
	pid_t pid;
	int got;

	record_signals(&taken);
	sigprocmask(SIG_BLOCK, &taken, &old);
	pid = _Fork();
	if (!pid) {
		sigprocmask(SIG_SETMASK, &old, NULL);
		_exit(record(c, command, path));
	}
	if (pid > 0)
		got = record_watch_over(pid);
	unblock_signals(&taken, &old);
	if (pid < 0)
		return fail(-1, "cannot start a process");
	*status = WIFEXITED(got) ? WEXITSTATUS(got) : 128 + WTERMSIG(got);
	return 0;
}

/* Does the file contain a death? -1 if it was not recorded. */
static int has_death(const char *path, struct arena *arena)
{
	struct perf_death deaths[DEATHS_MOST];
	struct perf_file f = { 0 };
	const char *why;
	bool has;

	if (perf_open(&f, path, arena, &why))
		return -1;
	has = perf_deaths(&f, deaths);
	perf_close(&f);
	return has;
}

/* After Ctrl-C at the end of a long run, read only the end of the file, so that the page comes at
 * once. */
static void hurry(struct crash *c)
{
	static char time[24];
	struct stat st;
	u32 from;

	if (stat(c->list.path, &st) || st.st_size <= SOON)
		return;
	from = 1000000 - (u64)SOON * 1000000 / st.st_size;
	fmt_str(time, sizeof(time), "%d.%04d%%-100%%", from / 10000, from % 10000);
	c->list.time = time;
	warn(0, "interrupted: calls that began long before are not shown; use -o FILE, "
	     "then pt crash -i FILE");
}

static int run(struct crash *c, char **command, struct out *out)
{
	char path[40];
	int fd = -1, status = 0, err, has;

	c->code_fd = -1;
	if (!c->output) {
		/* The recorder and this process have both files, which nobody else can name. */
		if (CONFIG_SOFT_TRANSLATE)
			c->code_fd = input_nameless(input_dir());
		fd = input_nameless(input_dir());
		if (fd < 0)
			return fail(-errno,
				    "cannot make a file in %s; give one by -o, or set TMPDIR",
				    input_dir());
		fmt_str(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	c->list.path = c->output ? c->output : path;
	err = run_command(c, command, c->list.path, &status);
	if (err || status == STATUS_NOT_FOUND || status == STATUS_CANNOT_RUN)
		return err ? err : status;
	has = has_death(c->list.path, &c->list.session.arena);
	if (has <= 0) {
		if (!has && status < 128)
			warn(0, "%s ended with status %d: it did not die of a signal", command[0],
			     status);
		return status;
	}
	if (status == 128 + SIGINT)
		hurry(c);
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	err = show(c, out);
	return status ? status : err;
}

static struct crash the;

static int crash(struct opt *o, struct out *out)
{
	const char *name;
	char **command;

	script_help(o);
	ask_begin(&the.ask, &the.list, out);
	o->plain_ends = true;
	while ((name = opt_next(o)) && !o->error)
		o->error = take(&the, o, name);
	if (opt_stopped(o))
		return STATUS_FAILED;
	command = opt_words(o);
	if (*command && the.list.path) {
		o->error = "-i reads a file; leave out the command, or -i";
		return STATUS_FAILED;
	}
	if (*command)
		return run(&the, command, out);
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return show(&the, out);
}

const struct command cmd_crash = {
	"crash", "show what led to a crash", help, crash, true
};
