/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interface between the files of pt diff.
 */
#ifndef PT_CMD_DIFF_H
#define PT_CMD_DIFF_H

#include <pt/fail.h>
#include "ask.h"

enum { DIFF_FILES = 16 };	/* as many profiles are compared at most */

enum diff_key { DIFF_COMM, DIFF_DSO, DIFF_SYMBOL, DIFF_N_KEYS };

/* How two profiles are compared. Zeroed: as perf diff does without options. */
struct diff_method {
	enum { DIFF_DELTA_ABS, DIFF_DELTA, DIFF_RATIO, DIFF_WEIGHTED } by;
	i64 weight[2];		/* DIFF_WEIGHTED: of the baseline, of the other file */
	u32 order;		/* the file whose differences sort the table; 0: the baseline */
	const char *separator;	/* between columns; NULL: blanks */
	bool no_heads;
	bool both;		/* only functions of the baseline that another file has */
	bool periods, formula;	/* further columns */
	u8 keys[DIFF_N_KEYS];	/* of -s: enum diff_key; what is compared, and its columns */
	u32 n_keys;		/* 0: DSO and symbol */
};

/* Take the argument of -s. Returns false if there is no such key. */
bool diff_take_keys(struct diff_method *how, const char *text);

/* Take the argument of -c. Returns false if there is no such method. */
bool diff_take_method(struct diff_method *how, const char *text);

/* Compare the samples of 'n_files' files, and print a table for each event. 'ask' has the options.
 * Returns an exit status. */
int diff_profiles(const struct ask *ask, const struct diff_method *how, const char *const *paths,
		  u32 n_files, struct out *out);

#endif
