/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interface between the two files of pt info.
 */
#ifndef PT_CMD_INFO_H
#define PT_CMD_INFO_H

#include <pt/out.h>

/* pt info FILE. 'symfs' may be NULL. Returns an exit status. */
int info_file(struct out *out, const char *path, const char *symfs, bool header);

#endif
