/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands. Each is one file in src/cmd; main.c has their table.
 */
#ifndef PT_COMMAND_H
#define PT_COMMAND_H

#include <sys/types.h>

#include <pt/opt.h>
#include <pt/out.h>
#include <pt/packed.h>

struct command {
	const char *name;
	const char *what;	/* half a line for 'pt help' */
	const char *help;	/* its options, PACKED(): see <pt/opt.h> */
	/* Reads 'o', writes to 'out', returns an exit status. When 'o->error' is
	 * set on return, main reports it and returns STATUS_FAILED. */
	int (*run)(struct opt *o, struct out *out);
	bool maps_files;	/* maps files, which other programs may truncate meanwhile */
};

/* The two parts of 'pt trace': 'pt record' with the words left in 'o', which writes to 'fd'; and
 * 'pt script', which reads standard input as it comes. Both return an exit status. 'fd' and
 * 'code_fd' are as in struct record. */
struct live {
	const char *preset;	/* "insn-trace", "call-trace" */
	bool wide;		/* like --wide of pt script */
	bool syscalls;		/* a summary of system calls instead, ... */
	const char *input;	/* ... of this file, if it is not NULL */
	u64 *undecoded;		/* kept up to date: bytes that were read and not yet decoded */
};

int record_into(struct opt *o, int fd, int code_fd);
/* A child process records: forward signals to it, unless the terminal sent them to both, until it
 * ends. The caller has blocked those of record_signals(). Returns its status as waitpid() does. */
int record_watch_over(pid_t recorder);
int script_live(const struct live *live, struct out *out);

/* 'pt trace' takes all options of 'pt record', pt -D those of 'pt script'. */
extern const struct command cmd_record, cmd_script;

/* 'pt report' and others take the options of 'pt script' for selection, for code, and for bare
 * traces: append their help, which is on pages 2 to 4. */
void script_help(struct opt *o);

/* 'text' if 'on', a CONFIG_ macro, is 1 (or 0), else nothing. For help texts, which describe only
 * what this build has. */
#define HELP_IF(on, text) HELP_IF_(on, text)
#define HELP_IF_(on, text) HELP_IF_##on(text)
#define HELP_IF_1(text) text
#define HELP_IF_0(text) ""
#define HELP_UNLESS(on, text) HELP_UNLESS_(on, text)
#define HELP_UNLESS_(on, text) HELP_UNLESS_##on(text)
#define HELP_UNLESS_1(text) ""
#define HELP_UNLESS_0(text) text

#endif
