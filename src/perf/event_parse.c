/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parsers of events share: pieces of the text, the first error, and events that are
 * appended to the list and modified.
 */
#include <errno.h>
#include <stdarg.h>

#include <pt/num.h>
#include <pt/out.h>

#include "event_parse.h"

int event_wrong(struct parse *p, const char *at, const char *fmt, ...)
{
	va_list ap;

	if (p->err->what[0])
		return -EINVAL;
	va_start(ap, fmt);
	fmt_vstr(p->err->what, sizeof(p->err->what), fmt, ap);
	va_end(ap);
	p->err->at = at - p->text;
	return -EINVAL;
}

bool piece_is(struct piece s, const char *name)
{
	return strlen(name) == s.len && !memcmp(s.at, name, s.len);
}

bool piece_begins(struct piece s, const char *word)
{
	size_t len = strlen(word);

	return s.len >= len && !memcmp(s.at, word, len);
}

struct piece piece_trim(struct piece s)
{
	while (s.len && (*s.at == ' ' || *s.at == '\n' || *s.at == '\t'))
		s = piece_skip(s, 1);
	while (s.len && (s.at[s.len - 1] == ' ' || s.at[s.len - 1] == '\n'))
		s.len--;
	return s;
}

struct piece piece_until(struct piece s, char c)
{
	const char *end = memchr(s.at, c, s.len);

	return piece_first(s, end ? (size_t)(end - s.at) : s.len);
}

static bool text_of(struct piece s, char *to, size_t size)
{
	if (!s.len || s.len >= size)
		return false;
	memcpy(to, s.at, s.len);
	to[s.len] = 0;
	return true;
}

bool piece_number(struct piece s, u64 *v)
{
	char text[32];

	return text_of(s, text, sizeof(text)) && num_parse(text, v);
}

bool piece_hex(struct piece s, u64 *v)
{
	char text[32];

	return text_of(s, text, sizeof(text)) && num_parse_hex(text, v);
}

char *piece_copy(struct parse *p, struct piece s)
{
	return arena_strn(p->env->arena, s.at, s.len);
}

struct event_spec event_blank(u32 type, u64 config)
{
	return (struct event_spec){
		.attr = { .type = type, .size = 128, .config = config,
			  .flags = 1ull << PERF_F_EXCLUDE_GUEST },
		.unit = "", .scale = 1, .members = 1,
	};
}

void event_append(struct event_list *list, struct arena *arena, const struct event_spec *spec)
{
	if (list->n == list->room) {
		list->room = list->room ? list->room * 2 : 16;
		list->at = arena_grow(arena, list->at, sizeof(*list->at), list->n, list->room);
	}
	list->at[list->n] = *spec;
	list->at[list->n].leader = list->n;
	list->n++;
}

/* Set what the letters exclude, starting from what 'spec' has ('add': those of a group are added
 * to its members' own) or from nothing. */
static int modify_one(struct parse *p, struct event_spec *spec, struct piece mods, bool add,
		      bool is_leader)
{
	struct perf_attr *attr = &spec->attr;
	const u64 rings = 7ull << PERF_F_EXCLUDE_USER;
	const u64 machines = 3ull << PERF_F_EXCLUDE_HOST;
	u64 flags = add ? attr->flags : attr->flags & ~(rings | machines);
	bool some_ring = flags & rings;
	unsigned int precise = add ? flags >> PERF_F_PRECISE & 3 : 0;
	size_t i;

	for (i = 0; i < mods.len; i++) {
		char c = mods.at[i];
		u64 only = c == 'u' ? PERF_F_EXCLUDE_USER : c == 'k' ? PERF_F_EXCLUDE_KERNEL :
			c == 'h' ? PERF_F_EXCLUDE_HV : c == 'G' ? PERF_F_EXCLUDE_GUEST :
			c == 'H' ? PERF_F_EXCLUDE_HOST : 0;

		if (c != 'p' && memchr(mods.at, c, i))
			return event_wrong(p, mods.at + i, "modifier '%c' is given twice", c);
		switch (c) {
		case 'u':
		case 'k':
		case 'h':
			if (!some_ring)
				flags |= rings;
			some_ring = true;
			if (c == 'u' && !spec->guest_given)
				flags |= 1ull << PERF_F_EXCLUDE_GUEST;
			break;
		case 'G':
		case 'H':
			if (!spec->guest_given)
				flags |= machines;
			spec->guest_given = true;
			break;
		case 'p':
			if (++precise > 3)
				return event_wrong(p, mods.at + i, "at most 'ppp'");
			if (!spec->guest_given)
				flags |= 1ull << PERF_F_EXCLUDE_GUEST;
			break;
		case 'I': flags |= 1ull << PERF_F_EXCLUDE_IDLE; break;
		case 'P': spec->precise_max = true; break;
		case 'S': spec->sample_read = true; break;
		case 'W': spec->weak = true; break;
		case 'D':
			if (is_leader)
				flags |= 1ull << PERF_F_PINNED;
			break;
		case 'e':
			if (is_leader)
				flags |= 1ull << PERF_F_EXCLUSIVE;
			break;
		default:
			return event_wrong(p, mods.at + i,
					   "'%c' is not a modifier; use u k h G H I p P "
					   "S D e W",
					   c);
		}
		if (only)
			flags &= ~(1ull << only);
	}
	attr->flags = (flags & ~(3ull << PERF_F_PRECISE)) | (u64)precise << PERF_F_PRECISE;
	return 0;
}

int event_modify(struct parse *p, u32 from, struct piece mods, bool group)
{
	u32 i;
	int err = 0;

	for (i = from; mods.len && !err && i < p->list->n; i++)
		err = modify_one(p, &p->list->at[i], mods, group, p->list->at[i].leader == i);
	return err;
}
