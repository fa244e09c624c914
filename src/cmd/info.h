/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the two files of pt info share.
 */
#ifndef PT_CMD_INFO_H
#define PT_CMD_INFO_H

#include <pt/out.h>

/* pt info FILE: what is in it. 'symfs' may be NULL. An exit status. */
int info_file(struct out *out, const char *path, const char *symfs, bool header);

#endif
