/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The file that a command reads: which one it is, and messages if it cannot be read.
 */
#define _GNU_SOURCE	/* F_GETPIPE_SZ, O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <pt/config/CMD_RECORD.h>
#include <pt/config/CMD_SCRIPT.h>
#include <pt/fail.h>
#include <pt/out.h>

#include "input.h"

static const char usual[] = "perf.data";

const char *input_usual(void)
{
	/* This fcntl() fails unless standard input is a pipe. */
	return CONFIG_CMD_SCRIPT && fcntl(0, F_GETPIPE_SZ) > 0 ? "-" : usual;
}

int input_nameless(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char name[PATH_MAX];

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	fmt_str(name, sizeof(name), "%s/pt-pipe-%d", dir, getpid());
	fd = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		unlink(name);
	return fd;
}

const char *input_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

void input_spool_file(struct perf_spool *spool, const char *path, u64 mem)
{
	struct statvfs v;
	struct stat st;

	if ((strcmp(path, "-") ? stat(path, &st) : fstat(0, &st)) || S_ISREG(st.st_mode) ||
	    S_ISDIR(st.st_mode))
		return;
	spool->mem = mem;
	spool->dir = input_dir();
	spool->fd = input_nameless(spool->dir);
	/* Leave space for other programs. */
	if (spool->fd >= 0 && !fstatvfs(spool->fd, &v))
		spool->room = v.f_bavail * (u64)v.f_frsize / 2;
}

int input_fail(int err, const char *path, const char *why)
{
	if (why)
		return fail(0, "%s: %s", path, why);
	if (err == -ENOENT && CONFIG_CMD_RECORD && !strcmp(path, usual))
		return fail(0, "%s: no such file; run 'pt record COMMAND' first", path);
	if (err == -ENOENT)
		return fail(0, "%s: no such file", path);
	return fail(err, "cannot read %s", path);
}

int input_not_trace(const char *path)
{
	return fail(0, "%s: not a trace: no perf.data header and no PSB packet",
		    path);
}
