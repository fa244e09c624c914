/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Logs of a console that contain a trace, and other texts. Commands are not in the archive that
 * fuzzers link, therefore the files are included.
 */
#include <pt/config/ZSTD.h>
#include "src/cmd/capture.c"
#include "src/cmd/holes.c"
#include "src/cmd/input.c"
#if CONFIG_ZSTD
#include "src/cmd/expand.c"
#endif

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n)
{
	static char paths[2][40];	/* two, since capture_path() knows the last one */
	static u32 turn;
	int fd = memfd_create("log", MFD_CLOEXEC), null = open("/dev/null", O_WRONLY), said = dup(2);
	char *path = paths[turn++ % 2];
	const char *got;

	fmt_str(path, sizeof(paths[0]), "/proc/self%s/fd/%d", turn % 2 ? "" : "/.", fd);
	dup2(null, 2);			/* its messages */
	if (write(fd, bytes, n) == (ssize_t)n) {
		got = capture_path(path);
		if (got != path)
			close(atoi(got + strlen("/proc/self/fd/")));
	}
	dup2(said, 2);
	close(said);
	close(null);
	close(fd);
	return 0;
}
