/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The column of calls, indented by their depth.
 *
 * With -j, lines wait until the earlier calls are known. The indent is then inserted.
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

/* The branch of this line changes a stack; the delayed change is stored before the line. */
#define SET_LATER(pr, member, v) \
	set16((pr)->out->at - sizeof(struct calls_later) + \
	      offsetof(struct calls_later, member), v)

char *sample_put_indent(char *p, struct sample_printer *pr, const struct calls *calls, u8 more,
			int *blanks)
{
	*blanks = 0;
	if (pr->out->gate) {
		SET_LATER(pr, line, 1 + more);
		SET_LATER(pr, front, p - pr->out->at);
		return p;
	}
	if (more != CALLS_NO_INDENT)
		*blanks = sample_indent((calls ? calls->n : 0) + more);
	return sample_put_blanks(p, pr, *blanks);
}

/* The width of the column; it changes rarely, so that lines stay aligned. */
int sample_spacing(struct sample_printer *pr, int len)
{
	if (len > pr->spacing || (len && len < pr->spacing - 52))
		pr->spacing = round_up(len + 4, 32);
	return pr->spacing - len;
}

char *sample_put_spacing(char *p, struct sample_printer *pr, int blanks, int name)
{
	if (pr->out->gate) {
		SET_LATER(pr, name, name);
		return p;
	}
	return sample_put_blanks(p, pr, sample_spacing(pr, blanks + name));
}

/* Most pieces of a line are short. */
static void put_piece(struct sample_printer *pr, const char *s, size_t len)
{
	if (likely(len < SAMPLE_LINE / 2))
		out_done(pr->out, put_kept(out_room(pr->out, SAMPLE_LINE), s, len));
	else
		out_bytes(pr->out, s, len);
}

void print_calls_waiting(struct sample_printer *pr, const char *lines, const char *end)
{
	struct calls_later l;
	const char *next;
	int blanks;
	char *p;

	for (; (next = memchr(lines, CALLS_LATER, end - lines)); lines = next) {
		put_piece(pr, lines, next - lines);
		memcpy(&l, next, sizeof(l));
		next += sizeof(l);
		calls_do(&pr->session->arena, &l);
		if (!l.line)
			continue;
		p = put_kept(out_room(pr->out, SAMPLE_LINE), next, l.front);
		next += l.front;
		p = sample_put_indent(p, pr, l.calls, l.line - 1, &blanks);
		p = put_kept(p, next, l.name);
		next += l.name;
		out_done(pr->out, sample_put_spacing(p, pr, blanks, l.name));
	}
	put_piece(pr, lines, end - lines);
}
