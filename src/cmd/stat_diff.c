/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt stat --diff: run two commands in turn. Their order changes each time, so that a machine that
 * gets slower or faster during the test affects both equally.
 */
#include <stdlib.h>
#include <sys/wait.h>

#include <pt/fail.h>
#include <pt/print_diff.h>

#include "stat.h"

/* A command given as one word: split it at blanks, or pass it to sh if it has characters of the
 * shell. */
static char **split(const char *command, struct arena *arena)
{
	char *text = arena_str(arena, command), *at = text;
	char **words = NEW(arena, char *, strlen(command) / 2 + 4);
	u32 n = 0;

	if (strpbrk(command, "|&;<>()$`\\\"'*?[]#~=%{}\n!")) {
		words[0] = "sh";
		words[1] = "-c";
		words[2] = text;
		return words;
	}
	while (*(at += strspn(at, " \t"))) {
		words[n++] = at;
		at += strcspn(at, " \t");
		if (*at)
			*at++ = 0;
	}
	return words;
}

static void add(struct stat *s, struct mean *means)
{
	u32 i;

	stat_count(s);
	mean_add(&means[s->events.n], s->run.wall_ns);
	for (i = 0; i < s->events.n; i++)
		if (s->cells[i].state == CELL_COUNTED)
			mean_add(&means[i], s->cells[i].value);
}

static void print_all(struct stat *s, struct mean *const sides[2])
{
	u32 i;

	for (i = 0; i < s->events.n; i++) {
		const struct event_spec *spec = &s->events.at[i];
		struct diff_line line = {
			.name = spec->name, .unit = spec->unit, .scale = spec->scale,
			.decimals = spec->scale == 1 ? 0 : 2, .a = sides[0][i], .b = sides[1][i],
		};

		print_diff(&s->out, &s->style, &line);
	}
	print_diff(&s->out, &s->style, &(struct diff_line){
		.name = "elapsed", .unit = "s", .scale = 1e-9, .decimals = 6,
		.a = sides[0][s->events.n], .b = sides[1][s->events.n],
	});
}

int stat_diff(struct stat *s)
{
	struct mean *sides[2] = {
		NEW(&s->arena, struct mean, s->events.n + 1),
		NEW(&s->arena, struct mean, s->events.n + 1),
	};
	char **argv[2] = { split(s->commands[0], &s->arena), split(s->commands[1], &s->arena) };
	int status = 0, k;
	u32 i;

	for (i = 0; i < s->style.runs && !s->run.signal; i++)
		for (k = 0; k < 2; k++) {
			u32 side = (i + k) & 1;

			s->run.argv = s->target.argv = argv[side];
			if (stat_once(s, &status))
				return status;
			if (status && !s->run.signal)
				return fail(0, "%c ended with %d: there is nothing to compare",
					    'A' + side, status);
			if (!s->run.signal)
				add(s, sides[side]);
		}
	print_diff_title(&s->out, &s->style, s->commands[0], s->commands[1]);
	print_all(s, sides);
	stat_reasons(s, true);
	return status;
}
