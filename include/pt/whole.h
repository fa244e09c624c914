/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Read and write as many bytes as are asked for, in as many calls as that takes.
 */
#ifndef PT_WHOLE_H
#define PT_WHOLE_H

#include <pt/base.h>

/* False if the file ends before, or cannot be read. */
bool whole_read(int fd, void *to, size_t n);

/* 0 or -errno. */
int whole_write(int fd, const void *from, size_t n);

#endif
