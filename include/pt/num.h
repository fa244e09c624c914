/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text to numbers. The num_parse*() functions return false, and leave '*v' unchanged, if the whole
 * string is not a number or the number does not fit.
 */
#ifndef PT_NUM_H
#define PT_NUM_H

#include <pt/base.h>

/* Decimal, or hexadecimal after 0x. */
bool num_parse(const char *s, u64 *v);

/* Hexadecimal, with or without 0x. */
bool num_parse_hex(const char *s, u64 *v);

/* A size: 4096, 4k, 1M, 2G (powers of 1024; a B at the end is allowed). */
bool num_parse_size(const char *s, u64 *v);

/* A duration in ns: 5, 5s, 100ms, 7us, 3ns; seconds without a unit. */
bool num_parse_time(const char *s, u64 *ns);

/* high:low / by, with high < by: one instruction instead of libgcc's 256 bytes. '*rest' is the
 * remainder. */
static inline u64 num_divide(u64 high, u64 low, u64 by, u64 *rest)
{
	u64 result;

	asm("divq %4" : "=a" (result), "=d" (*rest) : "a" (low), "d" (high), "rm" (by) : "cc");
	return result;
}

/* How many bits are 1: libgcc has a table. */
u32 num_ones(u64 n);

/* a * b / c. Only the result must fit into 64 bits. */
u64 num_scale(u64 a, u64 b, u64 c);

/* Read the digits at the front of 's', in 'base' 10 or 16. Returns their end, or NULL if there are
 * none or the number does not fit. */
const char *num_read(const char *s, unsigned int base, u64 *v);

/* The same: hexadecimal after 0x, else decimal. */
static inline const char *num_read_any(const char *s, u64 *v)
{
	if (s[0] == '0' && (s[1] | 0x20) == 'x')
		return num_read(s + 2, 16, v);
	return num_read(s, 10, v);
}

#endif
