/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf's configuration: of a file that --config or PERF_CONFIG names, and of no other.
 *
 *	[intel-pt]
 *		mispred-all = true
 *
 * Other keys change only what pt does not have (intel-pt.cache-divisor, intel-pt.max-loops,
 * itrace.debug-log-buffer-size), or belong to other parts of perf.
 */
#include <stdlib.h>
#include <strings.h>

#include <pt/fail.h>
#include <pt/lines.h>
#include "ask.h"

static char *skip_blanks(char *s)
{
	return s + strspn(s, " \t");
}

/* Cut blanks off the end. */
static char *trim(char *s)
{
	size_t len = strlen(s);

	while (len && strchr(" \t\r\"", s[len - 1]))
		s[--len] = 0;
	return s;
}

/* A key alone is true. */
static bool is_true(const char *value)
{
	static const char *const words[] = { "true", "yes", "on", "1" };
	size_t i;

	for (i = 0; value && i < N_ELEM(words); i++)
		if (!strcasecmp(value, words[i]))
			return true;
	return !value;
}

static void take_key(struct ask *a, const char *section, char *line)
{
	char *value = strchr(line, '=');

	if (value) {
		*value = 0;
		value = trim(skip_blanks(value + 1));
		value += *value == '"';
	}
	if (!strcasecmp(section, "intel-pt") && !strcasecmp(trim(line), "mispred-all"))
		a->mispredicted = is_true(value);
}

static int read_file(struct ask *a, const char *path)
{
	struct lines lines;
	char section[32] = "", *line;
	int err = lines_open(&lines, path);

	if (err)
		return err;
	while ((line = lines_next(&lines))) {
		line = skip_blanks(line);
		if (*line == '[') {
			fmt_str(section, sizeof(section), "%.*s", (int)strcspn(line + 1, "]"),
				line + 1);
			continue;
		}
		if (*line && *line != '#' && *line != ';')
			take_key(a, section, line);
	}
	lines_close(&lines);
	return 0;
}

bool ask_config(struct ask *a)
{
	const char *path = a->config ? a->config : getenv("PERF_CONFIG");
	int err = path && *path ? read_file(a, path) : 0;

	return !err || !fail(err, "cannot read %s %s", a->config ? "--config" : "PERF_CONFIG",
			     path);
}
