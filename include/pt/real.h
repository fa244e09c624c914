/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Real numbers as text, rounded like printf("%.*f").
 */
#ifndef PT_REAL_H
#define PT_REAL_H

#include <pt/out.h>

enum { REAL_MAX = 64 };		/* limit of what put_real() writes */

/* Write 'v' with 0 to 9 'decimals'. NaN, and numbers above 2^90, are written as "-". 'comma', if
 * not 0, is put between thousands. */
char *put_real(char *p, double v, int decimals, char comma);

/* The same in a column, right-aligned. */
char *put_real_w(char *p, double v, int width, int decimals, char comma);

void out_real(struct out *o, double v, int width, int decimals);

#endif
