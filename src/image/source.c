/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source files, mapped when their first line is needed.
 */
#include <unistd.h>

#include <pt/file.h>
#include <pt/source.h>

struct source_text {
	struct source_text *next;
	const char *path;
	struct bytes text;
	u64 *starts;		/* of each line */
	u32 n;
};

static void read_text(struct sources *s, struct source_text *t)
{
	int fd = file_open_below(s->images->symfs, t->path);
	u32 lines = 1;
	size_t i;

	if (fd < 0)
		return;
	if (file_map(&t->text, fd))
		t->text = (struct bytes){ 0 };
	close(fd);
	for (i = 0; i < t->text.len; i++)
		lines += t->text.at[i] == '\n';
	t->starts = NEW(s->images->arena, u64, lines + 1);
	for (i = 0, t->n = 1; i < t->text.len; i++)
		if (t->text.at[i] == '\n')
			t->starts[t->n++] = i + 1;
	t->starts[t->n] = t->text.len + 1;
}

struct bytes source_line_text(struct sources *s, const char *path, u32 line)
{
	struct source_text *t = s->first;

	while (t && strcmp(t->path, path))
		t = t->next;
	if (!t) {
		t = NEW(s->images->arena, struct source_text, 1);
		t->path = path;
		t->next = s->first;
		s->first = t;
		read_text(s, t);
	}
	if (!line || line > t->n || t->starts[line - 1] > t->text.len)
		return (struct bytes){ 0 };
	return (struct bytes){ t->text.at + t->starts[line - 1],
			       t->starts[line] - t->starts[line - 1] - 1 };
}
