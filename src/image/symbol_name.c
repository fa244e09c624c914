/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of C++ and Rust functions as in their source code, by libiberty, with a limit on their
 * length.
 *
 * A short name can stand for a text that doubles with each of its parts, so a long jump leaves the
 * library when the text becomes too long. Nothing is allocated then: all its memory is on the
 * stack.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <libiberty/demangle.h>

#include <pt/out.h>
#include "symbol_name.h"

int symbol_name_sprintf(char *to, int flag, size_t size, const char *fmt, ...);
int symbol_name_snprintf(char *to, size_t n, int flag, size_t size, const char *fmt, ...);

enum { IN_MAX = 4096 };

struct text {
	char *at;
	size_t len, size;
	jmp_buf too_long;
};

static void take(const char *part, size_t len, void *to)
{
	struct text *t = to;

	if (len > t->size - t->len)
		longjmp(t->too_long, 1);
	memcpy(t->at + t->len, part, len);
	t->len += len;
}

/* The names that glibc's headers gave to sprintf() and snprintf() when the library was compiled;
 * see src/rules.mk. */
int symbol_name_sprintf(char *to, int flag, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = fmt_vstr(to, MIN(size, (size_t)64), fmt, ap);
	va_end(ap);
	return n;
}

int symbol_name_snprintf(char *to, size_t n, int flag, size_t size, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = fmt_vstr(to, n, fmt, ap);
	va_end(ap);
	return len;
}

size_t symbol_name_read(const char *name, size_t len, char *to, size_t size)
{
	struct text t = { .at = to, .size = size };
	char mangled[IN_MAX];

	if (len < 3 || len >= IN_MAX || name[0] != '_' || !memchr("ZRG", name[1], 3))
		return 0;
	memcpy(mangled, name, len);
	mangled[len] = 0;
	if (setjmp(t.too_long))
		return 0;
	if (rust_demangle_callback(mangled, DMGL_NO_OPTS, take, &t))
		return t.len;
	t.len = 0;
	return cplus_demangle_v3_callback(mangled, DMGL_NO_OPTS, take, &t) ? t.len : 0;
}
