/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Colours of the lines on a terminal.
 */
#ifndef PT_PAINT_H
#define PT_PAINT_H

#include <pt/config/COLOR.h>
#include <pt/out.h>

/* What the lines are, for their colours. */
enum paint { PAINT_NOTHING, PAINT_TRACE, PAINT_SHARES, PAINT_COUNTS, PAINT_PACKETS };

/* If 'o' is a terminal, colour its lines from now on. Not if the environment has NO_COLOR,
 * or no TERM that knows colours (dumb), nor on a serial line, which they would slow down. */
void paint_start(struct out *o, enum paint kind);

/* Colour the lines of the buffer. Returns their start and sets o->at to their end, for one write:
 * the next call overwrites them. */
const char *paint_lines(struct out *o);

static inline void paint(struct out *o, enum paint kind)
{
	if (CONFIG_COLOR)
		paint_start(o, kind);
}

#endif
