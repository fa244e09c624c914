/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt crash, for the end of pt record.
 */
#ifndef CRASH_H
#define CRASH_H

#include <pt/base.h>

/* Say that a process of the recording 'path' died of a signal, if one did. 'died': the command did,
 * so that any signal counts, not only those of crashes. False: there is nothing to say. */
bool crash_say(const char *path, i32 died);

#endif
