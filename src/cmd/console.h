/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt export --console: see console.c.
 */
#ifndef CONSOLE_H
#define CONSOLE_H

#include <pt/out.h>

struct console {
	u64 limit, limit_ns;	/* of text: bytes, or how long they take; 0: none */
	u64 baud;		/* 0: not given */
};

/* Read the argument of --limit. NULL, or what is wrong. */
const char *console_limit(struct console *c, const char *arg);

/* Write the file 'path' to 'out', and say before how long that takes. Exit status. */
int console_export(const struct console *c, const char *path, struct out *out);

#endif
