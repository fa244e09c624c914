/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Command lines, read by means of the help text.
 *
 * A help text is the table of options: opt_next() finds in it which there
 * are and whether they take an argument, so help and parser cannot disagree.
 * An option's line starts with one to eight blanks and '-':
 *
 *	  -o, --offset          no argument
 *	  -i, --input FILE      one argument: "-i x", "-ix", "--input x", "--input=x"
 *	      --itrace[=OPTS]   perhaps one: "--itrace" or "--itrace=x"
 *	  -S[SIZE]              the same for a letter: "-S" or "-Sx"
 *
 * What it takes is named in capitals. Long names may be shortened as far as
 * they stay unique; "--no-x" is there for each "--x" and sets 'no'. A text of
 * several pages, separated by form feeds, is one table; the first word of each
 * further page is its topic: "--help" prints the first page, "--help=TOPIC"
 * that one, "--help=all" all.
 */
#ifndef PT_OPT_H
#define PT_OPT_H

#include <pt/base.h>
#include <pt/packed.h>

struct opt {
	struct arena memory;	/* what is unpacked, until options end */
	size_t room;		/* for that: PACKED_MAX */
	struct packed_words *words;
	const char *help;	/* as far as it was unpacked */
	char *end;		/* its end */
	const char *packed;	/* the rest, or NULL */
	const char *appended;	/* another packed text that follows, or NULL */
	char **argv;		/* what is left, NULL-terminated */
	const char *arg;	/* the argument of the last option, or NULL */
	bool no;		/* it was given as --no-NAME ... */
	bool unset;		/* ... and as --NAME would need an argument */
	bool plain_ends;	/* the first word that is no option ends them */
	const char *letters;	/* rest of "-abc" */
	char **rest;		/* plain words seen so far: opt_word() */
	int n_rest;
	char name[40];
	const char *error;	/* what was asked wrongly: main says it */
	bool wants_help;	/* --help was there: main prints it */
	const char *topic;	/* of --help=TOPIC, or NULL */
	char wrong[200];
};

/* Begin to read 'argv' (without the command's name) by 'help', a packed text. It is unpacked
 * page by page, as far as options are looked for: to do so with all of it was 4 % of decoding
 * a short trace. */
void opt_start(struct opt *o, const char *help, char **argv);

/* Append the pages of another packed text, before the first opt_next(). */
void opt_append(struct opt *o, const char *help);

/* Unpack one more page. False if all are there. The first call decides where: what was taken
 * from arenas before stays below, and what will be taken has the same memory again. */
bool opt_more(struct opt *o);

/* The next option's name: the long one if it has one ("offset"), else its
 * letter ("S"); NULL at the end, or when something is wrong ('error') or --help
 * was asked for. After the end, opt_word() hands out the words that are no
 * options. "--" ends the options. A command returns at once when opt_stopped() after the last. */
const char *opt_next(struct opt *o);

/* Nothing is to be done: an error or --help, which main sees to. */
static inline bool opt_stopped(const struct opt *o)
{
	return o->error || o->wants_help;
}

/* An option that only sets what is 'at' so many bytes: to its argument (a const char *, if it
 * is a 'text'; NULL for --no-NAME), or to whether it is on (a bool). */
struct opt_member { const char *name; u32 at; bool text; };

/* Do so in 'of' if the option 'name' is one of these; the last one has no name. */
bool opt_set(const struct opt *o, const char *name, const struct opt_member *members, void *of);

/* Is the option 'unset', where nothing can be taken back? Then that is the error. */
bool opt_refuse(struct opt *o, const char *name);

/* The next word that is no option, or NULL. */
char *opt_word(struct opt *o);

/* All the remaining words, NULL-terminated (a command to run). */
char **opt_words(struct opt *o);

#endif
