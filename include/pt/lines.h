/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The lines of a file of any length, one by one.
 */
#ifndef PT_LINES_H
#define PT_LINES_H

#include <pt/base.h>

struct lines {
	int fd;
	u32 at, len;
	char buf[8192];
};

/* 0 or -errno. */
int lines_open(struct lines *l, const char *path);

/* The next line, NUL-terminated, without '\n'; NULL after the last. A line that is longer than the
 * buffer comes in parts. It is valid until the next call. */
char *lines_next(struct lines *l);
void lines_close(struct lines *l);

#endif
