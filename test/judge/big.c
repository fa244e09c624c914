/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * big MIB FILE COMMAND...: makes FILE, perf.data of that size, half trace, half records without a
 * FINISHED_ROUND; runs COMMAND and prints its peak memory in KiB.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "test/unit/perf_data.h"

enum { PIECE = 4 << 20 };

static const u64 timed = 1 << PERF_S_TIME | 1 << PERF_S_CPU;

/* Switches of 64 CPUs, as rings are emptied: 1000 of one, then of the next. */
static u64 add_switches(void)
{
	static u64 n, rings;
	u64 i;

	made.n = 0;
	for (i = 0; made.n < MADE_MAX - 64; i++, n++) {
		if (n % 1000 == 0)
			rings++;
		ADD_RECORD(&made, PERF_SWITCH, 0, 1 + rings / 64 * 1000000 + n % 1000 * 1000 + rings,
			   rings % 64);
	}
	return made.n;
}

static void make_file(const char *path, u64 size)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
	u64 off, end;

	made_begin(&made, &timed, 1);
	set32(made.bytes + made.data - 144, 1);		/* a dummy event */
	set64(made.bytes + made.data - 144 + 8, 9);
	off = made.data;
	end = off + size;
	set64(made.bytes + 48, end - off);
	ADD_RECORD(&made, PERF_AUXTRACE_INFO, 0, 1, 8, 31, 5, 6, 1, 0x400, 0x800, 3, 0, 1);
	if (pwrite(fd, made.bytes, made.n, 0) < 0)
		exit(2);
	off = made.n;
	while (off < size / 2) {
		made.n = 0;
		ADD_RECORD(&made, PERF_AUXTRACE, 0, PIECE, off, 1, 0, 0);
		memset(made.bytes + made.n, 0x19, 4096);
		if (pwrite(fd, made.bytes, made.n + 4096, off) < 0)
			exit(2);
		off += made.n + PIECE;
	}
	while (off + MADE_MAX < end) {
		add_switches();
		if (pwrite(fd, made.bytes, made.n, off) < 0)
			exit(2);
		off += made.n;
	}
	set64(made.bytes, off - 104 - 8 - 144);
	if (pwrite(fd, made.bytes, 8, 48) < 0 || ftruncate(fd, off))
		exit(2);
	close(fd);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	pid_t pid;

	if (argc < 4)
		return 2;
	make_file(argv[2], strtoull(argv[1], NULL, 10) << 20);
	pid = fork();
	if (!pid) {
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) != pid || status)
		return 1;
	fprintf(stderr, "%ld\n", usage.ru_maxrss);
	return 0;
}
