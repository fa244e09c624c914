/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages of the recorders, which the command prints.
 */
#include <stdarg.h>

#include <pt/out.h>

#include "record.h"

void record_say(struct record *r, int level, const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	if (r->verbose < level || !r->say)
		return;
	va_start(ap, fmt);
	fmt_vstr(line, sizeof(line), fmt, ap);
	va_end(ap);
	r->say(r->who, level, line);
}
