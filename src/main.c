/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt: find the command, call it with its options and an output, and return its exit status.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config.h>
#include <pt/config/ALL_ERRORS.h>
#include <pt/config/CMD_INFO.h>
#include <pt/config/CMD_RECORD.h>
#include <pt/config/CMD_SCRIPT.h>
#include <pt/config/HELP_TOPICS.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/near.h>
#include <pt/sandbox.h>

#include "cmd/unsupported.h"

/* Every command, in the order of 'pt help'. Commands that .config leaves out are not linked; their
 * weak references in the table are NULL. The smallest pt has no room for all of these: ONLY. */
#define ONLY(on, ...) ONLY_(on, __VA_ARGS__)
#define ONLY_(on, ...) ONLY_##on(__VA_ARGS__)
#define ONLY_1(...) __VA_ARGS__
#define ONLY_0(...)
#define COMMANDS(X) \
	X(record) X(script) X(trace) X(report) X(stat) X(list) X(info) X(export) X(crash) \
	X(diff) ONLY(CONFIG_CMD_SCRIPT, X(annotate) X(evlist) X(buildid_list)) \
	ONLY(CONFIG_CMD_RECORD, X(archive)) X(probe) X(sched) X(inject)

#define DECLARE(name) extern const struct command cmd_##name __attribute__((weak));
COMMANDS(DECLARE)

/* Each ends with a zero. */
#define NAME(name) #name "\0"

#define ENTRY(name) &cmd_##name,
static const struct command *const commands[] = { COMMANDS(ENTRY) };

/* pt -D is not in the list: it is short for pt script -D. */
extern const struct command cmd_dump __attribute__((weak));

PACKED(options) = CONFIG_OPTIONS;

static const char usage[] =
	"usage: pt COMMAND [OPTIONS]\n"
	"       pt -D [FILE]            print the raw records and packets of FILE\n"
	"\n";

static const char usage_end[] =
	"\n"
	"pt COMMAND --help describes it. pt --version -v lists what this build has.\n";

static void print_usage(struct out *out)
{
	size_t i;

	out_str(out, usage);
	for (i = 0; i < N_ELEM(commands); i++)
		if (commands[i])
			out_fmt(out, "  %-12s %s\n", commands[i]->name, commands[i]->what);
	out_str(out, usage_end);
}

static int print_version(struct out *out, char **argv)
{
	char text[PACKED_MAX];

	out_str(out, "pt version " CONFIG_VERSION "\n");
	if (*argv && !strcmp(*argv, "-v")) {
		packed_read(text, options);
		out_str(out, text);
		if (CONFIG_SANDBOX)
			out_fmt(out, "  sandbox of commands that read files: %s\n",
				sandbox_name(sandbox_enter(false)));
	}
	return STATUS_DONE;
}

static const struct command *find(const char *name)
{
	size_t i;

	for (i = 0; i < N_ELEM(commands); i++)
		if (commands[i] && !strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* Is 'topic' the first word of 'page'? */
static bool is_topic(const char *page, const char *topic)
{
	size_t len = strlen(topic);

	return !strncmp(page, topic, len) && strchr(" :\n", page[len]);
}

/* Print a page of a help text: the first, the one whose first word is 'topic', or all. */
static int print_help(struct out *out, const char *help, const char *topic)
{
	bool all = topic && !strcmp(topic, "all"), found = false;

	while (*help) {
		size_t page = 0;

		while (help[page] && help[page] != '\f')
			page++;
		if (all || (topic ? is_topic(help, topic) : !found)) {
			if (found)
				out_newline(out);
			out_bytes(out, help, page);
			found = true;
		}
		help += page;
		if (*help)
			help++;
	}
	return found ? STATUS_DONE : fail(0, "no page '%s'; see --help", topic);
}

/* The output of main(), for file_shrank(). */
static struct out *out_of_main(struct out *set)
{
	static struct out *out;

	if (set)
		out = set;
	return out;
}

/* SIGBUS: another program has truncated a mapped file. Write the output so far, and end. */
static void file_shrank(int signo)
{
	struct out *out = out_of_main(NULL);

	/* With -j, this process must not write lines that wait for another process. */
	if (!out->gate)
		out_flush(out);
	_exit(fail(0, "a file was truncated while pt read it; "
		   "run pt again when it is complete"));
}

/* An unknown option may be one that .config left out. */
static bool may_be_left_out(const char *error)
{
	return CONFIG_ALL_ERRORS && !CONFIG_PERF_OPTIONS && *error == 'u' && !strchr(error, '?');
}

static int run(const struct command *cmd, char **argv, struct out *out)
{
	const char *why;
	struct opt o;
	int status;

	if ((CONFIG_CMD_SCRIPT || CONFIG_CMD_INFO) && cmd->maps_files) {
		out_of_main(out);
		sigaction(SIGBUS, &(struct sigaction){ .sa_handler = file_shrank }, NULL);
	}
	opt_start(&o, cmd->help, argv);
	if (CONFIG_PERF_OPTIONS)
		unsupported_add(&o, cmd->name);
	status = cmd->run(&o, out);
	if (o.wants_help) {
		while (opt_more(&o))
			;
		return print_help(out, o.help, o.topic);
	}
	if (o.error) {
		why = CONFIG_PERF_OPTIONS ? unsupported_why(cmd->name, o.error) : NULL;
		fail(0, "%s (see pt %s --help%s)", why ? why : o.error, cmd->name,
		     may_be_left_out(o.error) ?
		     "; 'make desk_defconfig; make' builds a pt with more" : "");
		return STATUS_FAILED;
	}
	return status;
}

/* "did you mean record?", or NULL if no name is similar. */
static const char *which_command(char *to, size_t size, const char *name)
{
	struct near near = { .s = name, .len = strlen(name) };
	size_t i;

	for (i = 0; i < N_ELEM(commands); i++)
		if (commands[i])
			near_offer(&near, commands[i]->name);
	near_say(to, size, &near);
	return *to ? to : NULL;
}

/* Is 'name' a command that .config left out? */
static bool is_left_out(const char *name)
{
	const char *s = COMMANDS(NAME), *n;

	for (; *s; s++) {
		for (n = name; *s && (*s == *n || (*s == '_' && *n == '-')); n++)
			s++;
		if (!*s && !*n)
			return true;
		while (*s)
			s++;
	}
	return false;
}

static int no_command(const char *name)
{
	char text[120];
	const char *why = CONFIG_PERF_OPTIONS ? unsupported_command(name) : NULL;
	const char *hint = CONFIG_ALL_ERRORS ? which_command(text, sizeof(text), name) : NULL;

	if (why)
		return fail(0, "there is no 'pt %s': %s", name, why);
	if (CONFIG_ALL_ERRORS && is_left_out(name))
		return fail(0, "this pt has no 'pt %s': 'make desk_defconfig; make' builds one "
			    "that has", name);
	return fail(0, "'%s' is not a command: %s", name, hint ? hint : "pt --help lists them");
}

/* The page of each command whose first word is 'topic'. False if there is none. */
static bool print_topic(struct out *out, const char *topic)
{
	char text[PACKED_MAX], *page, *end;
	bool found = false;
	size_t i;

	for (i = 0; i < N_ELEM(commands); i++) {
		if (!commands[i])
			continue;
		packed_read(text, commands[i]->help);
		for (page = strchr(text, '\f'); page; page = end) {
			end = strchr(++page, '\f');
			if (!is_topic(page, topic))
				continue;
			out_fmt(out, "%spt %s --help=%s\n\n", found ? "\n" : "",
				commands[i]->name, topic);
			out_bytes(out, page, end ? (size_t)(end - page) : strlen(page));
			found = true;
		}
	}
	return found;
}

/* pt help [COMMAND [TOPIC]], or pt help TOPIC */
static int help(struct out *out, char **argv)
{
	const struct command *cmd;
	char text[PACKED_MAX];

	if (!*argv) {
		print_usage(out);
		return STATUS_DONE;
	}
	cmd = !strcmp(*argv, "-D") && &cmd_dump ? &cmd_dump : find(*argv);
	if (!cmd && CONFIG_HELP_TOPICS && print_topic(out, *argv))
		return STATUS_DONE;
	if (!cmd)
		return no_command(*argv);
	packed_read(text, cmd->help);
	return print_help(out, text, argv[1]);
}

static int dispatch(char **argv, struct out *out)
{
	const char *name = strrchr(*argv, '/');
	const struct command *cmd;

	name = name ? name + 1 : *argv;
	if (!strncmp(name, "pt-", 3) && (cmd = find(name + 3)))
		return run(cmd, argv + 1, out);
	if (!*++argv) {
		print_usage(out);
		return STATUS_FAILED;
	}
	if (!strcmp(*argv, "--version") || !strcmp(*argv, "version"))
		return print_version(out, argv + 1);
	if (!strcmp(*argv, "--help") || !strcmp(*argv, "-h") || !strcmp(*argv, "help"))
		return help(out, argv + 1);
	if (!strncmp(*argv, "-D", 2) && &cmd_dump)
		return run(&cmd_dump, argv, out);
	cmd = find(*argv);
	return cmd ? run(cmd, argv + 1, out) : no_command(*argv);
}

/* Open closed descriptors 0 to 2 with O_PATH, where reads and writes fail, so that no file that is
 * opened later takes the place of the output. */
static void keep_descriptors(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++)
		if (lseek(fd, 0, SEEK_CUR) < 0 && errno == EBADF &&
		    open("/", O_PATH | O_CLOEXEC) < 0)
			_exit(STATUS_FAILED);
}

int main(int argc, char **argv)
{
	static char buf[OUT_BUFFER];
	struct out out;
	int status;

	if (argc < 1)
		return STATUS_FAILED;
	keep_descriptors();
	out_open(&out, 1, buf, sizeof(buf));
	status = dispatch(argv, &out);
	out_flush(&out);
	if (out.err == -EPIPE)
		return STATUS_FAILED;
	if (out.err)
		return fail(out.err, "cannot write");
	return status;
}
