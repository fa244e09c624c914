/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a libelf.a that was built for glibc asks of its libc and musl does not
 * have. Weak, so that a libc that has them is left alone.
 */
#include <stdlib.h>
#include <string.h>

void *rawmemchr(const void *s, int c);
long __isoc23_strtol(const char *s, char **end, int base);

__attribute__((weak)) void *rawmemchr(const void *s, int c)
{
	return memchr(s, c, (size_t)-1 / 2);
}

/* strtol() as newer headers of glibc call it. */
__attribute__((weak)) long __isoc23_strtol(const char *s, char **end, int base)
{
	return strtol(s, end, base);
}
