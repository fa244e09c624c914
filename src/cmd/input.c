/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The file that a command reads: which one, and what is said if that fails.
 */
#define _GNU_SOURCE	/* F_GETPIPE_SZ */
#include <errno.h>
#include <fcntl.h>

#include <pt/config/CMD_RECORD.h>
#include <pt/config/CMD_SCRIPT.h>
#include <pt/fail.h>

#include "input.h"

static const char usual[] = "perf.data";

const char *input_usual(void)
{
	/* Only a pipe has a size of this kind. */
	return CONFIG_CMD_SCRIPT && fcntl(0, F_GETPIPE_SZ) > 0 ? "-" : usual;
}

int input_fail(int err, const char *path, const char *why)
{
	if (why)
		return fail(0, "%s: %s", path, why);
	if (err == -ENOENT && CONFIG_CMD_RECORD && !strcmp(path, usual))
		return fail(0, "%s: no such file; run 'pt record COMMAND' first", path);
	if (err == -ENOENT)
		return fail(0, "%s: no such file", path);
	return fail(err, "%s: cannot read it", path);
}

int input_not_trace(const char *path)
{
	return fail(0, "%s: not a trace: neither a perf.data file, nor is a PSB packet in it",
		    path);
}
