/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interface between the files of pt diff.
 */
#ifndef PT_CMD_DIFF_H
#define PT_CMD_DIFF_H

#include <pt/fail.h>
#include "ask.h"

/* Compare the samples of two files, and print a table for each event. 'ask' has the options.
 * Returns an exit status. */
int diff_profiles(const struct ask *ask, const char *const path[2], struct out *out);

#endif
