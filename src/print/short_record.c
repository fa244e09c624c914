/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of a raw dump as one line each, for a terminal:
 *
 *	0xa28 936.900734 COMM: ls:4711/4711
 *
 * The line has the offset in the file, the time, the name, and the first line of perf's text. The
 * text of a record is made in memory, since most of it is not printed.
 */
#include <pt/out.h>
#include <pt/print_record.h>

enum { SHOWN = 480 };

/* The first line of a text that may be longer than a buffer. */
struct first_line {
	char text[SHOWN];
	u32 len;
	bool whole;
};

/* struct out calls this before it empties the buffer. */
static void take(struct out *o)
{
	struct first_line *l = o->who;
	const char *eol = memchr(o->buf, '\n', o->at - o->buf);
	u32 len = MIN((u32)((eol ? eol : o->at) - o->buf), (u32)sizeof(l->text) - l->len);

	if (l->whole)
		return;
	memcpy(l->text + l->len, o->buf, len);
	l->len += len;
	l->whole = eol;
}

static const char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* perf's text is longer than the line, so this one is shorter. */
static void print_map(struct out *o, const struct perf_mmap *m)
{
	static const char rights[] = "rwx";
	int i;

	out_fmt(o, ": %d/%d: 0x%llx+0x%llx @ 0x%llx ", m->pid, m->tid, m->start, m->len, m->pgoff);
	for (i = 0; i < 3; i++)
		out_char(o, m->prot >> i & 1 ? rights[i] : '-');
	out_char(o, ' ');
	out_name(o, file_of(m->name));
}

static void print_body(struct out *o, const struct perf_record *rec, const struct perf_sample *s)
{
	struct perf_mmap map;

	if ((rec->type == PERF_MMAP2 || rec->type == PERF_MMAP) && perf_get_mmap(rec, &map))
		print_map(o, &map);
	else if (rec->type >= PERF_HEADER_ATTR)
		print_tool_record(o, rec);
	else if (rec->type != PERF_SAMPLE)
		print_record_body(o, rec, s);
	else if (s->event && !s->bad)
		out_fmt(o, ": %d/%d: 0x%llx period: %llu addr: 0x%llx", s->pid, s->tid, s->ip,
			s->period, s->addr);
}

void print_record_short(struct out *out, const struct perf_record *rec,
			const struct perf_sample *s)
{
	char buf[OUT_ROOM + 4096];
	struct first_line line = { .len = 0 };
	struct out words = { .at = buf, .buf = buf, .end = buf + sizeof(buf), .fd = -1,
			     .drop = true, .gate = take, .who = &line };
	u32 i;

	print_body(&words, rec, s);
	out_flush(&words);
	out_fmt(out, "0x%llx ", rec->off);
	if (s->fields >> PERF_S_TIME & 1 && s->time)
		out_fmt(out, "%llu.%06llu ", s->time / 1000000000, s->time % 1000000000 / 1000);
	out_str(out, record_name(rec->type));
	for (i = 0; i < line.len; i++)
		if (line.text[i] != ' ' || !i || line.text[i - 1] != ' ')
			out_char(out, line.text[i]);
	out_newline(out);
}
