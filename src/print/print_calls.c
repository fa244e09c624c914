/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The column of calls, indented by their depth.
 */
#include <sys/uio.h>

#include "sample_line.h"

/* A line with a long indent is written in pieces. */
char *sample_put_blanks(char *p, struct sample_printer *pr, int n)
{
	if (n < MANY_BLANKS)
		return put_fill(p, ' ', n);
	out_done(pr->out, p);
	if (!pr->out->pieces)
		pr->out->pieces = NEW(&pr->session->arena, struct iovec, OUT_PIECES);
	out_blanks(pr->out, n);
	return out_room(pr->out, SAMPLE_LINE);
}

/* The width of the column; it changes rarely, so that lines stay aligned. */
int sample_spacing(struct sample_printer *pr, int len)
{
	if (len > pr->spacing || (len && len < pr->spacing - 52))
		pr->spacing = round_up(len + 4, 32);
	return pr->spacing - len;
}
