/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text to numbers. All of these want the whole string to be the number and
 * return false if it is not, or does not fit; '*v' is then unchanged.
 */
#ifndef PT_NUM_H
#define PT_NUM_H

#include <pt/base.h>

/* Decimal, or hexadecimal behind 0x. */
bool num_parse(const char *s, u64 *v);

/* Hexadecimal, with or without 0x. */
bool num_parse_hex(const char *s, u64 *v);

/* A size: 4096, 4k, 1M, 2G (powers of 1024; an ending B is taken too). */
bool num_parse_size(const char *s, u64 *v);

/* A length of time as ns: 5, 5s, 100ms, 7us, 3ns; without a unit seconds. */
bool num_parse_time(const char *s, u64 *ns);

/* a * b / c, of which only the result has to fit. */
u64 num_scale(u64 a, u64 b, u64 c);

/* Digits at the front of 's', in 'base' 10 or 16; returns where they stopped,
 * or NULL if there were none or they do not fit. */
const char *num_read(const char *s, unsigned int base, u64 *v);

#endif
