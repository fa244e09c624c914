/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt export --console: see console.c.
 */
#ifndef CONSOLE_H
#define CONSOLE_H

#include <pt/out.h>

struct console {
	u64 limit, limit_ns;	/* of the text, in bytes or in time; 0: none */
	u64 baud;		/* 0: not given */
};

/* Read the argument of --limit. NULL, or an error text. */
const char *console_limit(struct console *c, const char *arg);

/* Write the file 'path' to 'out', and first print how long that takes. Returns an exit status. */
int console_export(const struct console *c, const char *path, struct out *out);

#endif
