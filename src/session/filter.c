/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The address filters of a recording: which branches leave them.
 *
 * If tracing ends without a packet that tells the branch, the walk needs to know which targets
 * were outside of the filters.
 */
#include <errno.h>

#include <pt/num.h>

#include "session.h"

struct filter {
	struct filter *next;
	bool stop;		/* a region in which tracing stops, not one that is traced */
	u64 addr, size;
	const char *file;	/* NULL: kernel addresses */
};

struct filters {
	struct filter *first;
};

/* "0x10/0x20@/bin/x", with or without size and file, after the name of the action. */
static const char *parse_region(struct session *s, const char *p, struct filter *f)
{
	size_t len;

	p += strspn(p, " ");
	p = num_read(p + 2 * !strncmp(p, "0x", 2), !strncmp(p, "0x", 2) ? 16 : 10, &f->addr);
	if (!p)
		return NULL;
	p += strspn(p, " ");
	if (*p == '/') {
		p += 1 + strspn(p + 1, " ");
		p = num_read(p + 2 * !strncmp(p, "0x", 2), !strncmp(p, "0x", 2) ? 16 : 10,
			     &f->size);
		if (!p)
			return NULL;
		p += strspn(p, " ");
	}
	if (*p == '@') {
		p++;
		len = strcspn(p, " ,");
		f->file = arena_strn(&s->arena, p, len);
		p += len;
	}
	return p + strspn(p, " ,");
}

int filter_parse(struct session *s, const char *text)
{
	struct filter *f;
	size_t len;

	s->filters = NEW(&s->arena, struct filters, 1);
	while (*text) {
		f = NEW(&s->arena, struct filter, 1);
		text += strspn(text, " ");
		len = strcspn(text, " ");
		f->stop = strncmp(text, "filter", len) && strncmp(text, "start", len);
		text = parse_region(s, text + len, f);
		if (!text) {
			s->why = "the address filter in the file cannot be read";
			return -EBADMSG;
		}
		f->next = s->filters->first;
		s->filters->first = f;
	}
	if (!s->filters->first)
		s->filters = NULL;
	return 0;
}

bool filter_has_no_file(const struct session *s)
{
	const struct filter *f;

	for (f = s->filters ? s->filters->first : NULL; f; f = f->next)
		if (f->file)
			return false;
	return true;
}

bool filter_leave(void *who, u64 to)
{
	struct queue *q = ((struct session *)who)->fetching;
	const struct filters *filters = q->session->filters;
	const char *file = NULL;
	bool any = false, inside = false;
	const struct filter *f;
	const struct map *map;
	u64 off = to;

	/* Filters of a bare trace have addresses, not files. */
	if (!(to >> 63) && q->session->source->threads) {
		map = q->thread ? space_find(q->thread->space, to) : NULL;
		if (!map)
			return false;
		file = map->dso->name;
		off = to - map->start + map->pgoff;
	}
	for (f = filters->first; f; f = f->next) {
		any |= !f->stop;
		if (!file != !f->file || (file && strcmp(file, f->file)))
			continue;
		if (off - f->addr >= f->size)
			continue;
		if (f->stop)
			return true;
		inside = true;
	}
	return any && !inside;
}
