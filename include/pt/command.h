/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a command is. Each is one file in src/cmd; main.c has their table.
 */
#ifndef PT_COMMAND_H
#define PT_COMMAND_H

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
	bool maps_files;	/* reads files that another program may make shorter meanwhile */
};

/* What 'pt trace' puts together: 'pt record' with the words left in 'o', written to
 * 'fd'; and 'pt script' of standard input, as it comes. Both return exit statuses. */
struct live {
	const char *preset;	/* "insn-trace", "call-trace" */
	bool wide;		/* as --wide of pt script */
	u64 *behind;		/* kept up to date: bytes that were read, not decoded */
};

int record_into(struct opt *o, int fd);
int script_live(const struct live *live, struct out *out);

/* The options of 'pt record', for 'pt trace' which takes them all; and of 'pt script', of
 * which 'pt report' takes what selects, what says where code is, and what bare traces need. */
extern const struct command cmd_record, cmd_script;

/* 'text' where 'on', a CONFIG_ macro, is 1; nothing where it is 0. For help
 * texts, which say only what this build has. */
#define HELP_IF(on, text) HELP_IF_(on, text)
#define HELP_IF_(on, text) HELP_IF_##on(text)
#define HELP_IF_1(text) text
#define HELP_IF_0(text) ""

#endif
