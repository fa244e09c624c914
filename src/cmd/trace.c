/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt trace: pt record and pt script in one go, with a pipe between them.
 *
 * A child records, since the traced command is to be its child; this process
 * prints what comes through the pipe until there is no more. Ctrl-C reaches
 * both: the recorder ends the recording, and the printer what is under way.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/CONSOLE.h>
#include <pt/fail.h>

static const PACKED(help) =
	"usage: pt trace [--calls | --insn | --branches] [OPTIONS] [--] COMMAND [ARGS]\n"
	"       pt trace [--calls | --insn | --branches] [OPTIONS] -a | -p PID\n"
	"\n"
	"Trace, and print what is executed as it happens. No file is written.\n"
	"\n"
	"      --calls            calls, indented by depth (if nothing else is said)\n"
	"      --returns          calls and returns\n"
	"      --branches         every branch\n"
	"      --insn             every instruction\n"
	"  -a, --all-cpus         whatever runs\n"
	"  -p, --pid LIST         these processes\n"
	"      --for TIME         end after 5s, 100ms, ...\n"
	"\n"
	"What 'pt record' takes is taken, too, behind these. The command's own output\n"
	"is mixed with the lines; its exit status is pt's. Ctrl-C ends it.\n"
	"\n"
	"Examples:\n"
	"  pt trace ls                           its calls\n"
	"  pt trace --insn -p 1234 --for 10ms    what a process does right now\n"
	"  pt trace -e intel_pt/cyc/u -- make 2> /dev/null | grep main\n";

static const struct { const char *name, *preset; } views[] = {
	{ "calls", "call-trace" },
	{ "returns", "call-ret-trace" },
	{ "branches", "branches" },
	{ "insn", "insn-trace" },
};

/* What is left for the recorder, in words again. */
struct words {
	struct arena *arena;
	char **at;
	u32 n, room;
};

static void add_word(struct words *w, const char *word)
{
	if (w->n + 1 >= w->room) {
		w->room = MAX(16u, w->room * 2);
		w->at = arena_grow(w->arena, w->at, sizeof(*w->at), w->n, w->room);
	}
	w->at[w->n++] = (char *)word;
	w->at[w->n] = NULL;
}

static void add_option(struct words *w, const struct opt *o, const char *name)
{
	size_t size = strlen(name) + (o->arg ? strlen(o->arg) : 0) + 8;
	char *word = arena_alloc(w->arena, size);
	bool letter = !name[1];

	fmt_str(word, size, "%s%s%s%s%s", letter ? "-" : "--", o->no ? "no-" : "", name,
		o->arg && !letter ? "=" : "", o->arg ? o->arg : "");
	add_word(w, word);
}

/* Sort the words into ours and the recorder's. Returns what is to be printed. */
static const char *read_words(struct opt *o, struct words *w)
{
	const char *name, *preset = views[0].preset;
	char **command;
	struct opt all;
	size_t i;

	/* One table of options: ours, and behind them those of 'pt record'. */
	opt_start(&all, help, o->argv);
	all.room = 2 * PACKED_MAX;
	while (opt_more(&all))
		;
	all.packed = cmd_record.help;
	all.plain_ends = true;
	add_word(w, "--quiet");
	while ((name = opt_next(&all))) {
		for (i = 0; i < N_ELEM(views) && strcmp(name, views[i].name); i++)
			;
		if (i < N_ELEM(views))
			preset = views[i].preset;
		else
			add_option(w, &all, name);
	}
	o->wants_help = all.wants_help;
	o->topic = all.topic;
	if (all.error)
		o->error = arena_str(w->arena, all.error);
	add_word(w, "--");
	for (command = opt_words(&all); *command; command++)
		add_word(w, *command);
	return preset;
}

/* The recorder: its words are those of 'pt record'. */
static int record(const struct words *w, int fd)
{
	struct opt o;
	int status;

	opt_start(&o, cmd_record.help, w->at);
	status = record_into(&o, fd);
	return o.error ? fail(0, "%s (pt trace --help tells what there is)", o.error) : status;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail(-errno, "cannot wait for the recorder");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int trace(struct opt *o, struct out *out)
{
	static struct arena arena;
	struct words words = { .arena = &arena };
	const char *preset = read_words(o, &words);
	int ends[2], status, err;
	pid_t pid;

	if (opt_stopped(o))
		return STATUS_FAILED;
	if (pipe2(ends, O_CLOEXEC))
		return fail(-errno, "cannot make a pipe");
	pid = _Fork();
	if (pid < 0)
		return fail(-errno, "cannot fork");
	if (!pid) {
		close(ends[0]);
		_exit(record(&words, ends[1]));
	}
	close(ends[1]);
	signal(SIGINT, SIG_IGN);
	err = dup2(ends[0], 0) < 0 ? -errno : 0;
	close(ends[0]);
	status = err ? fail(err, "cannot read a pipe") : script_live(preset, out);
	out_flush(out);
	err = wait_for(pid);
	return err ? err : status;
}

const struct command cmd_trace = { "trace", "record and print at once, live", help, trace };
