/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Error lines. A line is assembled in a buffer and written at once, so that it stays whole when
 * several programs share the console.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <pt/config/ALL_ERRORS.h>
#include <pt/config/CONSOLE.h>
#include <pt/fail.h>
#include <pt/out.h>
#include <pt/term.h>

/* The reason in words: libc's for all errors, or our own for the usual ones. */
static const char *reason(int err)
{
	static const struct { int err; const char *words; } usual[] = {
		{ -ENOENT, "No such file or directory" }, { -EACCES, "Permission denied" },
		{ -EPERM, "Operation not permitted" }, { -EISDIR, "Is a directory" },
		{ -ENOSPC, "No space left on device" }, { -EIO, "I/O error" },
		{ -EBADF, "Bad file descriptor" }, { -EINVAL, "Invalid argument" },
	};
	size_t i;

	if (CONFIG_ALL_ERRORS)
		return strerror(-err);
	for (i = 0; i < N_ELEM(usual); i++)
		if (usual[i].err == err)
			return usual[i].words;
	return NULL;
}

/* On a terminal a long line is wrapped. */
static COLD void put_words(struct out *o, char *line, u32 width)
{
	enum { INDENT = 4 };
	u32 column = INDENT, len;
	char *word, *end;

	for (word = line; word; word = end ? end + 1 : NULL) {
		end = strchr(word, ' ');
		if (end)
			*end = 0;
		len = strlen(word) + (word > line);
		if (column + len > width && column > INDENT) {
			out_newline(o);
			out_fill(o, ' ', INDENT);
			column = INDENT + len - 1;
		} else {
			out_str(o, word > line ? " " : "");
			column += len;
		}
		out_name(o, word);
	}
}

static void say(int err, const char *what, va_list ap)
{
	char line[2304], text[2048];	/* a list of missing files is long */
	struct out o;
	char buf[OUT_ROOM];
	u32 width;

	fmt_vstr(text, sizeof(text), what, ap);
	if (err && reason(err))
		fmt_str(line, sizeof(line), "%s: %s", text, reason(err));
	else if (err)
		fmt_str(line, sizeof(line), "%s: error %d", text, -err);
	else
		fmt_str(line, sizeof(line), "%s", text);
	out_open(&o, 2, buf, sizeof(buf));
	o.lines = false;
	out_str(&o, "pt: ");
	if (CONFIG_CONSOLE && (width = term_columns(2)))
		put_words(&o, line, width);
	else
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
