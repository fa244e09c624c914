/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options for bare traces.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <pt/config/CAPTURE.h>
#include <pt/num.h>
#include "ask.h"

/* FILE[:OFF[-END]]@ADDR */
static const char *add_map(struct ask *a, struct opt *o, const char *arg)
{
	static const char wrong[] = "--map takes FILE[:OFF[-END]]@ADDR";
	struct session_raw *raw = &a->list->raw;
	struct session_map *maps, map = { .end = ~0ULL };
	const char *at = strrchr(arg, '@'), *colon, *p;

	if (!at || at == arg || !num_parse(at + 1, &map.addr))
		return wrong;
	for (colon = at; colon > arg && *colon != ':'; colon--)
		;
	map.file = arena_strn(&a->list->session.arena, arg, at - arg);
	p = colon > arg ? colon + 1 : NULL;
	if (p && *p >= '0' && *p <= '9') {
		bool hex = p[0] == '0' && p[1] == 'x';

		p = num_read(hex ? p + 2 : p, hex ? 16 : 10, &map.off);
		if (p && *p == '-') {
			hex = p[1] == '0' && p[2] == 'x';
			p = num_read(p + (hex ? 3 : 1), hex ? 16 : 10, &map.end);
		}
		if (!p || p != at || map.end <= map.off)
			return wrong;
		map.file = arena_strn(&a->list->session.arena, arg, colon - arg);
	}
	if (access(map.file, R_OK))
		return opt_wrong(o, "--map %s: %s", map.file, strerror(errno));
	maps = arena_grow(&a->list->session.arena, raw->maps, sizeof(map), raw->n_maps,
			  raw->n_maps + 1);
	maps[raw->n_maps++] = map;
	raw->maps = maps;
	return NULL;
}

/* A file with an argument of --map on each line; "#" begins a comment. */
static const char *add_list(struct ask *a, struct opt *o, const char *path)
{
	enum { LIST_MAX = 1 << 20 };
	char *text = NEW(&a->list->session.arena, char, LIST_MAX), *line, *end;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, LIST_MAX - 1);
	const char *wrong = NULL;

	if (n < 0)
		return opt_wrong(o, "--map @%s: %s", path, strerror(errno));
	close(fd);
	for (line = text; *line && !wrong; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = 0;
		line[strcspn(line, "\r#")] = 0;
		line += strspn(line, " \t");
		if (*line)
			wrong = add_map(a, o, line);
	}
	return wrong;
}

const char *ask_raw_map(struct ask *a, struct opt *o)
{
	return CONFIG_CAPTURE && *o->arg == '@' ? add_list(a, o, o->arg + 1) :
						  add_map(a, o, o->arg);
}

const char *ask_raw_model(struct ask *a, const char *arg)
{
	u64 v[3] = { 0 };
	int i;

	for (i = 0; i < 3 && (*arg || i < 2); i++) {
		bool hex = arg[0] == '0' && (arg[1] | 0x20) == 'x';

		arg = num_read(hex ? arg + 2 : arg, hex ? 16 : 10, &v[i]);
		if (!arg || (*arg && *arg != '/'))
			return "--cpu-model takes FAMILY/MODEL[/STEPPING]";
		arg += *arg == '/';
	}
	a->list->raw.family = v[0];
	a->list->raw.model = v[1];
	a->list->raw.stepping = v[2];
	return NULL;
}

const char *ask_raw_ratio(struct ask *a, const char *arg)
{
	const char *p;
	u64 n, d;

	p = num_read(arg, 10, &n);
	if (!p || (*p != '/' && *p != ':') || !num_parse(p + 1, &d) || !n || !d || n >> 32 ||
	    d >> 32)
		return "--tsc-ratio takes N/D";
	a->list->raw.flow.clock.ctc_n = n;
	a->list->raw.flow.clock.ctc_d = d;
	return NULL;
}
