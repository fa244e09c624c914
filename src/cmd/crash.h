/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt crash, for the end of pt record.
 */
#ifndef CRASH_H
#define CRASH_H

#include <pt/base.h>

/* If a process of the recording 'path' died of a signal, print that. 'died': the command died,
 * so any signal counts, not only those of crashes. False if there is nothing to print. */
bool crash_say(const char *path, i32 died);

#endif
