/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * "did you mean ...?": offer each known name, then print the nearest.
 */
#ifndef PT_NEAR_H
#define PT_NEAR_H

#include <pt/base.h>

enum { NEAR_MAX = 64 };

struct near {
	const char *s;		/* the user's word */
	size_t len;
	u32 n;
	struct { u32 far; char name[96]; } best[3];
};

void near_offer(struct near *near, const char *name);

/* Write "did you mean a, b or c?" to 'to'; empty if no name is near. */
void near_say(char *to, size_t size, const struct near *near);

#endif
