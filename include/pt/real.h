/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Real numbers as text, rounded as printf("%.*f") rounds them.
 */
#ifndef PT_REAL_H
#define PT_REAL_H

#include <pt/out.h>

enum { REAL_MAX = 64 };		/* the most characters that put_real() writes */

/* 'decimals' from 0 to 9; what is no number or too big for 2^90 is put as "-".
 * 'comma' between thousands if it is not 0. */
char *put_real(char *p, double v, int decimals, char comma);

/* The same in a column, right-aligned. */
char *put_real_w(char *p, double v, int width, int decimals, char comma);

void out_real(struct out *o, double v, int width, int decimals);

#endif
