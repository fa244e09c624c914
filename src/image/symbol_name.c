/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of C++ and Rust functions as in their source code, by libiberty, with a limit on their
 * length; and those of OCaml.
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

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | ' ') >= 'a' && (c | ' ') <= 'f' ?
		(c | ' ') - 'a' + 10 : -1;
}

/* The compiler of OCaml writes Module.name_1 as camlModule__name_1, and other characters than those
 * of words as $ and two hexadecimal digits. The text is shorter than the name. */
static size_t read_ocaml(const char *name, size_t len, char *to)
{
	size_t i = strlen("caml"), n = 0;

	while (i < len) {
		bool coded = name[i] == '$' && i + 2 < len && hex_digit(name[i + 1]) >= 0 &&
			     hex_digit(name[i + 2]) >= 0;

		if (name[i] == '_' && i + 1 < len && name[i + 1] == '_') {
			to[n++] = '.';
			i += 2;
		} else if (coded) {
			to[n++] = hex_digit(name[i + 1]) << 4 | hex_digit(name[i + 2]);
			i += 3;
		} else {
			to[n++] = name[i++];
		}
	}
	return n;
}

size_t symbol_name_read(const char *name, size_t len, char *to, size_t size)
{
	struct text t = { .at = to, .size = size };
	char mangled[IN_MAX];

	if (len > 4 && len < size && !memcmp(name, "caml", 4) && name[4] >= 'A' && name[4] <= 'Z')
		return read_ocaml(name, len, to);
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
