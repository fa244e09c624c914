/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Are /proc, /sys and tracefs mounted?
 */
#ifndef PT_MOUNTS_H
#define PT_MOUNTS_H

#include <pt/base.h>

/* If 'path' is below /proc, /sys or tracefs, and that is not mounted: a text that says so, with the
 * command that mounts it. Else NULL. */
const char *mounts_missing(const char *path);

#endif
