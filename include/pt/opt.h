/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Parse command lines with the help text as the table of options.
 *
 * opt_next() finds in the help text which options exist and whether they take an argument, so help
 * and parser cannot disagree. The line of an option starts with one to eight blanks and '-':
 *
 *	  -o, --offset          no argument
 *	  -i, --input FILE      one argument: "-i x", "-ix", "--input x", "--input=x"
 *	      --itrace[=OPTS]   an optional one: "--itrace" or "--itrace=x"
 *	  -S[SIZE]              the same for a letter: "-S" or "-Sx"
 *
 * Names of arguments are in capitals. Long names may be abbreviated if they stay unique. Each "--x"
 * has a "--no-x", which sets 'no'. A text may have several pages, separated by form feeds; the
 * first word of each further page is its topic. "--help" prints the first page, "--help=TOPIC" that
 * page, "--help=all" all pages.
 */
#ifndef PT_OPT_H
#define PT_OPT_H

#include <pt/base.h>
#include <pt/packed.h>

struct opt {
	struct arena memory;	/* holds the unpacked text until the options end */
	size_t room;		/* its size: PACKED_MAX */
	struct packed_words *words;
	const char *help;	/* the part that is unpacked */
	char *end;		/* its end */
	const char *packed;	/* the rest, or NULL */
	const char *appended;	/* another packed text that follows, or NULL */
	char **argv;		/* the words that are left, NULL-terminated */
	const char *arg;	/* the argument of the last option, or NULL */
	bool no;		/* it was given as --no-NAME ... */
	bool unset;		/* ... and --NAME needs an argument */
	bool plain_ends;	/* the first word that is not an option ends the options */
	const char *letters;	/* rest of "-abc" */
	const char *ignored;	/* names of options to skip, each with a comma after it; or NULL */
	char **rest;		/* plain words seen so far: opt_word() */
	int n_rest;
	char name[40];
	const char *error;	/* the error text; main prints it */
	bool wants_help;	/* --help was given; main prints it */
	const char *topic;	/* of --help=TOPIC, or NULL */
	char wrong[300];	/* room for an error text */
};

/* Start to parse 'argv' (without the command's name) with 'help', a packed text. Pages are
 * unpacked only when an option is not on an earlier page; unpacking all of them took 4 % of the
 * time to decode a short trace. */
void opt_start(struct opt *o, const char *help, char **argv);

/* Append the pages of another packed text, before the first opt_next(). */
void opt_append(struct opt *o, const char *help);

/* Unpack one more page. False if all are unpacked. The text is at the current top of the arena
 * pool and is freed when the options end; later allocations reuse its memory. */
bool opt_more(struct opt *o);

/* The name of the next option: the long one if it has one ("offset"), else its letter ("S"). NULL
 * at the end, after an error ('error'), or if --help was given. "--" ends the options. After the
 * end, test opt_stopped(), and return at once if it is true; opt_word() then returns the words
 * that are not options. */
const char *opt_next(struct opt *o);

/* True after an error or --help. The command returns, and main prints the rest. */
static inline bool opt_stopped(const struct opt *o)
{
	return o->error || o->wants_help;
}

/* An option that only sets a member, at offset 'at' of a struct. If 'text' is set the member is a
 * const char * and gets the argument (NULL for --no-NAME); else it is a bool. */
struct opt_member { const char *name; u32 at; bool text; };

/* If the option 'name' is one of 'members', set its member of 'of' and return true. The last of
 * 'members' has no name. */
bool opt_set(const struct opt *o, const char *name, const struct opt_member *members, void *of);

/* "pt", the command and its words, NULL-terminated, for the header of a file. Call it before
 * opt_next(), which reorders the words. */
char **opt_command_line(const struct opt *o, const char *command, struct arena *arena);

/* Format an error text about an option. It is valid until the next one. */
const char *opt_wrong(struct opt *o, const char *fmt, ...) PRINTF(2, 3);

/* If 'unset' is set for an option that cannot be unset, set the error and return true. */
bool opt_refuse(struct opt *o, const char *name);

/* The next word that is not an option, or NULL. */
char *opt_word(struct opt *o);

/* All the remaining words, NULL-terminated (a command to run). */
char **opt_words(struct opt *o);

#endif
