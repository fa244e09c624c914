/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options, as the help text declares them.
 */
#include <pt/config/ALL_ERRORS.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/near.h>
#include <pt/opt.h>
#include <pt/out.h>

enum { MAX_INDENT = 8 };		/* lines with a larger indentation are text */

enum takes { TAKES_NOTHING, TAKES_ARG, TAKES_PERHAPS };

/* One option line of a help text. */
struct line {
	char letter;		/* or 0 */
	const char *name;	/* long name, not terminated, or NULL */
	int len;
	enum takes takes;
};

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_';
}

static enum takes what_follows(const char *p)
{
	if (*p == '[')
		return TAKES_PERHAPS;
	if (*p == '=')
		return TAKES_ARG;
	if (*p == ' ' && p[1] >= 'A' && p[1] <= 'Z')
		return TAKES_ARG;
	return TAKES_NOTHING;
}

/* Read the option that the help line at 'p' declares. False if it declares none. */
static bool read_line(const char *p, struct line *line)
{
	size_t indent = 0;

	*line = (struct line){ 0 };
	while (p[indent] == ' ')
		indent++;
	if (!indent || indent > MAX_INDENT)
		return false;
	p += indent;
	if (p[0] != '-' || !is_name(p[1]) || (p[1] == '-' && !is_name(p[2])))
		return false;
	if (p[1] != '-') {
		line->letter = p[1];
		p += 2;
		line->takes = what_follows(p);
		if (*p == '[')
			while (*p && *p++ != ']')
				;
		if (strncmp(p, ", --", 4))
			return true;
		p += 2;
	}
	line->name = p += 2;
	while (is_name(*p))
		line->len++, p++;
	line->takes = what_follows(p);
	return true;
}

void opt_append(struct opt *o, const char *help)
{
	o->appended = help;
	o->room += PACKED_MAX;
}

bool opt_more(struct opt *o)
{
	if (!o->packed && o->appended) {
		o->packed = o->appended;
		o->appended = NULL;
		*o->end++ = '\f';
	}
	if (!o->packed)
		return false;
	if (!o->words) {
		o->words = arena_alloc(&o->memory, sizeof(*o->words) + o->room);
		o->help = o->end = (char *)(o->words + 1);
	}
	o->packed = packed_page(o->words, &o->end, o->packed);
	return true;
}

/* Go to the next option line of the help text; '*at' is the position. */
static bool next_line(struct opt *o, const char **at, struct line *line)
{
	while (**at || opt_more(o)) {
		const char *p = *at;

		*at = p + strcspn(p, "\n");
		if (**at)
			++*at;
		if (read_line(p, line))
			return true;
	}
	return false;
}

/* The start of the option lines. */
static const char *first_line(struct opt *o)
{
	if (!o->words)
		opt_more(o);
	return o->help;
}

static bool find_letter(struct opt *o, char letter, struct line *line)
{
	const char *at = first_line(o);

	while (next_line(o, &at, line))
		if (line->letter == letter)
			return true;
	return false;
}

/* How many options begin with 'name'; an exact match counts as the only one. */
static int find_name(struct opt *o, const char *name, int len, struct line *found)
{
	const char *at = first_line(o);
	struct line line;
	int n = 0;

	while (next_line(o, &at, &line)) {
		if (!line.name || line.len < len || strncmp(line.name, name, len))
			continue;
		if (line.len == len) {
			*found = line;
			return 1;
		}
		if (n && found->len == line.len && !strncmp(found->name, line.name, line.len))
			continue;
		n++;
		*found = line;
	}
	return n;
}

void opt_start(struct opt *o, const char *help, char **argv)
{
	*o = (struct opt){ .room = PACKED_MAX, .packed = help, .argv = argv, .rest = argv };
}

static const char *wrong(struct opt *o, const char *what, const char *dashes, const char *name,
			 int len)
{
	fmt_str(o->wrong, sizeof(o->wrong), "%s%s%.*s", what, dashes, len, name);
	o->error = o->wrong;
	return NULL;
}

const char *opt_wrong(struct opt *o, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fmt_vstr(o->wrong, sizeof(o->wrong), fmt, ap);
	va_end(ap);
	return o->wrong;
}

/* Is the option one of those that change nothing? */
static bool is_ignored(const struct opt *o, const char *name)
{
	size_t len = name ? strlen(name) : 0;
	const char *p = o->ignored;

	for (; name && p && *p; p += strcspn(p, ",") + 1)
		if (!strncmp(p, name, len) && p[len] == ',')
			return true;
	return false;
}

/* There is no such option: name the most similar ones. */
static const char *unknown(struct opt *o, const char *name, int len)
{
	char asked[NEAR_MAX + 1], offer[NEAR_MAX + 1];
	struct near near = { .s = asked, .len = len + 2 };
	const char *at = first_line(o);
	struct line line;
	size_t n;

	wrong(o, "unknown option ", "--", name, len);
	if (len + 2 > NEAR_MAX)
		return NULL;
	fmt_str(asked, sizeof(asked), "--%.*s", len, name);
	while (next_line(o, &at, &line)) {
		fmt_str(offer, sizeof(offer), "--%.*s", line.len, line.name);
		if (line.name && !(CONFIG_PERF_OPTIONS && is_ignored(o, offer + 2)))
			near_offer(&near, offer);
	}
	n = strlen(o->wrong);
	if (near.n) {
		o->wrong[n] = ':';
		o->wrong[n + 1] = ' ';
		near_say(o->wrong + n + 2, sizeof(o->wrong) - n - 2, &near);
	}
	return NULL;
}

static const char *found(struct opt *o, const struct line *line)
{
	if (line->name)
		fmt_str(o->name, sizeof(o->name), "%.*s", line->len, line->name);
	else
		fmt_str(o->name, sizeof(o->name), "%c", line->letter);
	return o->name;
}

static const char *read_letter(struct opt *o)
{
	char letter = *o->letters++;
	struct line line;

	if (letter == 'h' && !find_letter(o, 'h', &line)) {
		o->wants_help = true;
		return NULL;
	}
	if (!find_letter(o, letter, &line))
		return wrong(o, "unknown option ", "-", &letter, 1);
	if (!*o->letters)
		o->letters = NULL;
	if (line.takes == TAKES_NOTHING)
		return found(o, &line);
	o->arg = o->letters;
	o->letters = NULL;
	if (!o->arg && line.takes == TAKES_ARG) {
		if (!*o->argv)
			return wrong(o, "missing argument for option ", "-", &letter, 1);
		o->arg = *o->argv++;
	}
	return found(o, &line);
}

static const char *read_name(struct opt *o, const char *name)
{
	const char *eq = strchr(name, '=');
	int len = eq ? eq - name : (int)strlen(name), n;
	struct line line;

	if (!strncmp(name, "help", len) && len >= 3) {
		o->topic = eq ? eq + 1 : NULL;
		o->wants_help = true;
		return NULL;
	}
	n = find_name(o, name, len, &line);
	if (!n && !strncmp(name, "no-", 3)) {
		o->no = true;
		n = find_name(o, name + 3, len - 3, &line);
	}
	if (CONFIG_ALL_ERRORS && !n)
		return unknown(o, name, len);
	if (n != 1)
		return wrong(o, n ? "ambiguous option " : "unknown option ", "--", name, len);
	if (eq && (o->no || line.takes == TAKES_NOTHING))
		return wrong(o, "no argument allowed for option ", "--", name, len);
	o->arg = eq ? eq + 1 : NULL;
	o->unset = o->no && line.takes == TAKES_ARG;
	if (!eq && !o->no && line.takes == TAKES_ARG) {
		if (!*o->argv)
			return wrong(o, "missing argument for option ", "--", name, len);
		o->arg = *o->argv++;
	}
	return found(o, &line);
}

static const char *read_next(struct opt *o)
{
	char *word;

	o->arg = NULL;
	o->no = o->unset = false;
	if (o->letters)
		return read_letter(o);
	while ((word = *o->argv)) {
		if (word[0] == '-' && word[1] == '-' && !word[2]) {
			o->argv++;
			break;
		}
		if (word[0] == '-' && word[1]) {
			o->argv++;
			if (word[1] == '-')
				return read_name(o, word + 2);
			o->letters = word + 1;
			return read_letter(o);
		}
		if (o->plain_ends)
			break;
		o->rest[o->n_rest++] = word;
		o->argv++;
	}
	/* All words after "--" are plain: close the gap that the options left. */
	while (*o->argv)
		o->rest[o->n_rest++] = *o->argv++;
	o->rest[o->n_rest] = NULL;
	arena_free(&o->memory);
	return NULL;
}

const char *opt_next(struct opt *o)
{
	const char *name;

	do
		name = read_next(o);
	while (CONFIG_PERF_OPTIONS && is_ignored(o, name));
	return name;
}

bool opt_set(const struct opt *o, const char *name, const struct opt_member *m, void *of)
{
	for (; m->name; m++)
		if (!strcmp(name, m->name)) {
			char *to = (char *)of + m->at;

			if (m->text)
				*(const char **)to = o->arg;
			else
				*(bool *)to = !o->no;
			return true;
		}
	return false;
}

bool opt_refuse(struct opt *o, const char *name)
{
	if (o->unset)
		wrong(o, "unknown option ", "--no-", name, strlen(name));
	return o->unset;
}

char *opt_word(struct opt *o)
{
	return *o->rest ? *o->rest++ : NULL;
}

char **opt_command_line(const struct opt *o, const char *command, struct arena *arena)
{
	char **line;
	u32 n = 0;

	while (o->argv[n])
		n++;
	line = NEW(arena, char *, n + 3);
	line[0] = arena_str(arena, "pt");
	line[1] = arena_str(arena, command);
	memcpy(line + 2, o->argv, n * sizeof(*line));
	return line;
}

char **opt_words(struct opt *o)
{
	return o->rest;
}
