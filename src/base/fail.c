/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Error lines. Assembled in a buffer and written at once, so that a line
 * stays whole when several programs share the console.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <pt/fail.h>
#include <pt/out.h>

static void say(int err, const char *what, va_list ap)
{
	char line[1024], text[768];
	struct out o;
	char buf[OUT_ROOM];

	fmt_vstr(text, sizeof(text), what, ap);
	if (err)
		fmt_str(line, sizeof(line), "%s: %s", text, strerror(-err));
	else
		fmt_str(line, sizeof(line), "%s", text);
	out_open(&o, 2, buf, sizeof(buf));
	o.lines = false;
	out_str(&o, "pt: ");
	out_name(&o, line);
	out_newline(&o);
	out_flush(&o);
}

int fail(int err, const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	say(err, what, ap);
	va_end(ap);
	return STATUS_FAILED;
}

void warn(int err, const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	say(err, what, ap);
	va_end(ap);
}

_Noreturn void fail_memory(void)
{
	static const char line[] = "pt: out of memory\n";

	if (write(2, line, sizeof(line) - 1) < 0)
		_exit(STATUS_FAILED);
	_exit(STATUS_FAILED);
}
