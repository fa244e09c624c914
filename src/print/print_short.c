/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples to short lines.
 *
 *	# ls/4711, ms since 936.900694881, --wide: perf's lines
 *	0.040 _dl_start (ld-linux-x86-64.so.2)
 *	0.139   __rtld_malloc_init_stubs
 *
 * If a line is too long, the end of the function's name is cut; the offset after it stays.
 */
#include <pt/print_short.h>

#include <pt/config/DISASM.h>
#include <pt/disasm.h>
#include "sample_line.h"

enum {
	NS_PER_US = 1000, NS_PER_MS = 1000000,
	LONG_TIME = 100000,	/* ms: later times are printed in seconds */
	STEP = 2,		/* columns of indent for a call */
	NAME_LEAST = 12,	/* least columns of a name */
	DSO_MOST = 24,
};

COLD void print_short_start(struct sample_printer *pr, u32 width, u64 start)
{
	pr->brief = NEW(&pr->session->arena, struct short_lines, 1);
	*pr->brief = (struct short_lines){ .width = width, .start = start };
}

/* The start of a line */

static char *put_since(char *p, u64 ns)
{
	u64 ms = ns / NS_PER_MS;

	if (ms < LONG_TIME)
		return put_dec_0(put_char(put_dec(p, ms), '.'), ns / NS_PER_US % 1000, 3);
	p = put_dec_0(put_char(put_dec(p, ms / 1000), '.'), ns / NS_PER_US % 1000000, 6);
	return put_char(p, 's');
}

/* The time is as wide as the widest so far, so that indents stay aligned. */
static char *put_time(char *p, struct short_lines *b, u64 time)
{
	char text[32], *end = text;
	u32 len;

	if (time < b->start)
		end = put_since(put_char(end, '-'), b->start - time);
	else
		end = put_since(end, time - b->start);
	len = end - text;
	b->time_width = MAX(b->time_width, len);
	p = put_fill(p, ' ', b->time_width - len);
	return put_char(put_bytes(p, text, len), ' ');
}

static char *put_thread(char *p, const struct sample_start *s)
{
	p = put_char(sample_put_name(p, s->comm), '/');
	return put_int(p, s->tid);
}

/* The first line explains the columns. */
static COLD char *put_head(char *p, struct short_lines *b, const struct sample_start *s, bool time)
{
	*b = (struct short_lines){ .begun = true, .width = b->width, .tid = s->tid,
				   .start = b->start ? b->start : s->time };
	p = put_bytes(p, "# ", 2);
	if (s->tid != -1)
		p = put_bytes(put_thread(p, s), ", ", 2);
	if (time) {
		p = put_dec(put_str(p, "ms since "), b->start / NS_PER_MS / 1000);
		p = put_dec_0(put_char(p, '.'), b->start % 1000000000, 9);
		p = put_bytes(p, ", ", 2);
	}
	return put_str(p, "--wide: perf's lines\n");
}

char *short_put_start(char *p, const struct sample_printer *pr, u32 fields,
		      const struct sample_start *s)
{
	struct short_lines *b = pr->brief;
	char *start;

	if (unlikely(!b->begun))
		p = put_head(p, b, s, fields & FIELD_TIME);
	start = p;
	b->several |= s->tid != b->tid;
	if (fields & FIELD_TIME)
		p = put_time(p, b, s->time);
	if (b->several && fields & FIELD_TID)
		p = put_char(put_thread(p, s), ' ');
	b->used = p - start;
	return p;
}

/* Places */

/* Print " (libc.so.6)" if the line before was of another file. */
static char *put_dso(char *p, struct short_lines *b, const struct map *map)
{
	char *start;

	if (!map || map->dso == b->dso)
		return p;
	b->dso = map->dso;
	start = p = put_bytes(p, " (", 2);
	p = sample_put_name(p, map->dso->short_name);
	if (p - start > DSO_MOST)
		p = put_bytes(start + DSO_MOST - 2, "..", 2);
	return put_char(p, ')');
}

/* Print a symbol, or an address without one, in 'room' columns or a few more. */
char *short_put_place(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		      bool offset, u32 room)
{
	const struct map *map = session_map_at(pr->session, t, ip);
	const struct symbol *sym = session_symbol_at(pr->session, map, ip);
	char rest[SAMPLE_NAME + 64], *end = rest, *start = p;
	u32 left;
	u64 more;

	if (!sym) {
		p = put_hex(put_bytes(p, "0x", 2), ip);
		return put_dso(p, pr->brief, map);
	}
	more = map_addr(&pr->session->images, map, ip) - sym->start;
	if (offset && more)
		end = put_hex(put_bytes(end, "+0x", 3), more);
	end = put_dso(end, pr->brief, map);
	left = MAX((i32)(room - (end - rest)), NAME_LEAST);
	p = sample_put_name(p, sym->name);
	if (p - start > left)
		p = put_bytes(start + left - 2, "..", 2);
	return put_bytes(p, rest, end - rest);
}

/* The columns that are left in the line that began at 'start', without the 'last' columns. */
static u32 room_after(const struct sample_printer *pr, const char *start, const char *p,
		      u32 last)
{
	u32 used = pr->brief->used + (p - start) + last;

	return used < pr->brief->width ? pr->brief->width - used : 0;
}

void print_short_frame(struct sample_printer *pr, const struct thread *t, u64 ip)
{
	char *p = put_fill(out_room(pr->out, SAMPLE_LINE), ' ', 4);

	out_line(pr->out, short_put_place(p, pr, t, ip, true, pr->brief->width - 4));
}

/* Print the kind of a branch, "tr end syscall", with one blank between words. */
static char *put_what(char *p, u32 flags)
{
	char *end = sample_put_flag_words(p, flags), *from;

	for (from = p; from < end; from++)
		if (*from != ' ' || (from + 1 < end && from[1] != ' '))
			*p++ = *from;
	return p;
}

/* The indent of a call. A deep call prints its depth as a number. */
static char *put_indent(char *p, const struct sample_printer *pr, u32 depth)
{
	u32 most = pr->brief->width * 2 / 5;

	if (depth * STEP <= most)
		return put_fill(p, ' ', depth * STEP);
	p = put_dec(put_char(put_fill(p, ' ', most), '['), depth);
	return put_bytes(p, "] ", 2);
}

static char *put_call(char *p, struct sample_printer *pr, const struct sample *s)
{
	const struct calls *calls = s->thread ? calls_if_any(s->thread, s->cpu) : NULL;
	bool returns = s->flags & FLAG_RETURN, flags = pr->fields.flags;
	u64 ip = s->flags & (FLAG_CALL | FLAG_BEGIN) ? s->addr : s->ip;
	char *start = p;

	p = put_indent(p, pr, (calls ? calls->n : 0) + (calls && returns));
	if (!ip && !flags)
		return put_char(put_what(put_char(p, '['), s->flags), ']');
	if (flags)
		p = put_char(put_what(p, s->flags), ' ');
	return ip ? short_put_place(p, pr, s->thread, ip, false, room_after(pr, start, p, 0)) : p;
}

/* If one address is not known, say why: tracing begins or ends there. */
static char *put_branch(char *p, struct sample_printer *pr, const struct sample *s)
{
	char *start = p;

	if (pr->fields.flags && s->ip && s->addr)
		p = put_char(put_what(p, s->flags), ' ');
	if (s->ip)
		p = short_put_place(p, pr, s->thread, s->ip, true,
				    room_after(pr, start, p, 4) / 2);
	else
		p = put_what(p, s->flags);
	p = put_bytes(p, " => ", 4);
	if (!s->addr)
		return put_what(p, s->flags);
	return short_put_place(p, pr, s->thread, s->addr, true, room_after(pr, start, p, 0));
}

static char *put_insn(char *p, struct sample_printer *pr, const struct sample *s)
{
	u32 fields = pr->fields.of[FIELDS_HW];
	bool code = fields & FIELD_INSN && s->insn_len;
	char text[SAMPLE_NAME + sizeof(struct disasm)], *end = text;

	if (CONFIG_DISASM && fields & FIELD_DISASM && s->insn_len)
		end = sample_put_disasm(put_char(text, ' '), pr, s);
	p = short_put_place(p, pr, s->thread, s->ip, true,
			    room_after(pr, p, p, end - text + (code ? 3 * s->insn_len : 0)));
	if (code)
		p = sample_put_code(p, pr, s);
	return put_bytes(p, text, end - text);
}

char *short_put_sample(char *p, struct sample_printer *pr, const struct sample *s)
{
	char *start = p;

	if (s->kind == SAMPLE_BRANCH && pr->fields.of[FIELDS_HW] & FIELD_CALLINDENT)
		return put_call(p, pr, s);
	if (s->kind == SAMPLE_BRANCH)
		return put_branch(p, pr, s);
	if (s->kind == SAMPLE_INSN)
		return put_insn(p, pr, s);
	p = put_char(sample_put_name(p, pr->names[s->kind]), ':');
	p = sample_put_text(p, pr, s);
	if (p[-1] != ' ')
		p = put_char(p, ' ');
	if (!s->ip)
		return p;
	return short_put_place(p, pr, s->thread, s->ip, true, room_after(pr, start, p, 0));
}

char *short_put_gap(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		    const char *what)
{
	p = put_str(put_bytes(p, "gap: ", 5), what);
	return ip ? short_put_place(put_bytes(p, " at ", 4), pr, t, ip, true, 30) : p;
}
