/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The kernel's own file systems: is one of them missing?
 */
#ifndef PT_MOUNTS_H
#define PT_MOUNTS_H

#include <pt/base.h>

/* If 'path' lies below /proc, /sys or tracefs, and that is not mounted: a sentence that says
 * so, with the command that mounts it. Else NULL. */
const char *mounts_missing(const char *path);

#endif
