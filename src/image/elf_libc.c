/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a libelf.a that was built for glibc asks of its libc and musl does not
 * have; weak, so that a libc that has them is left alone. And what musl has in
 * large: libelf's messages are never shown, so they are not translated, and
 * nothing of stdio comes along (19 kB).
 */
#include <libintl.h>
#include <stdlib.h>
#include <stdlib.h>
#include <string.h>

void *rawmemchr(const void *s, int c);
long __isoc23_strtol(const char *s, char **end, int base);
_Noreturn void __assert_fail(const char *what, const char *file, int line, const char *function);

__attribute__((weak)) void *rawmemchr(const void *s, int c)
{
	return memchr(s, c, (size_t)-1 / 2);
}

/* strtol() as newer headers of glibc call it. */
__attribute__((weak)) long __isoc23_strtol(const char *s, char **end, int base)
{
	return strtol(s, end, base);
}

char *dgettext(const char *domain, const char *text)
{
	return (char *)text;
}

char *dcgettext(const char *domain, const char *text, int category)
{
	return (char *)text;
}

_Noreturn void __assert_fail(const char *what, const char *file, int line, const char *function)
{
	__builtin_trap();
}
