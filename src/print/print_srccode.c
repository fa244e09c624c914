/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * -F srccode: the text of the source line below a sample's line, where it is not the thread's last.
 */
#include <pt/hash.h>
#include <pt/source.h>
#include "sample_line.h"

/* The line that was printed last for a thread. */
struct last_code {
	struct hashed in;
	const struct thread *thread;
	const char *path;
	u32 line;
};

struct source_lines {
	struct sources sources;
	struct hash_table last;
};

static struct last_code *last_of(struct sample_printer *pr, const struct thread *t)
{
	u64 hash = hash_mix(1, (uintptr_t)t);
	struct arena *arena = &pr->session->arena;
	struct hashed *in = hash_first(&pr->sources->last, hash);
	struct last_code *last;

	while (in && ((struct last_code *)in)->thread != t)
		in = in->next;
	if (in)
		return (struct last_code *)in;
	last = NEW(arena, struct last_code, 1);
	last->in.hash = hash;
	last->thread = t;
	hash_put(arena, &pr->sources->last, &last->in);
	return last;
}

void print_srccode(struct sample_printer *pr, const struct thread *t, u64 ip)
{
	enum { MOST = 500 };
	const struct map *map = session_map_at(pr->session, t, ip);
	struct images *im = &pr->session->images;
	struct source_line line;
	struct last_code *last;
	struct bytes text;
	char one[2] = "", number[16];
	size_t i;

	if (!map || !dso_source_line(im, map->dso, map_addr(im, map, ip), &line))
		return;
	if (!pr->sources) {
		pr->sources = NEW(&pr->session->arena, struct source_lines, 1);
		pr->sources->sources.images = im;
	}
	last = last_of(pr, t);
	if (last->line == line.line && last->path && !strcmp(last->path, line.path))
		return;
	text = source_line_text(&pr->sources->sources, line.path, line.line);
	if (!text.at)
		return;
	last->path = line.path;
	last->line = line.line;
	fmt_str(number, sizeof(number), "|%u", line.line);
	out_str(pr->out, number);
	out_fill(pr->out, ' ', MAX(10 - (int)strlen(number), 1));
	for (i = 0; i < MIN(text.len, (size_t)MOST); i++) {
		one[0] = text.at[i];
		if (*one == '\t')
			out_char(pr->out, '\t');
		else
			out_name(pr->out, one);
	}
	out_newline(pr->out);
}
