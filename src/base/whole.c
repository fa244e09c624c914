/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Read and write all bytes, though a signal may interrupt a call and a pipe may take fewer.
 */
#include <errno.h>
#include <unistd.h>

#include <pt/whole.h>

bool whole_read(int fd, void *to, size_t n)
{
	char *p = to;

	while (n) {
		ssize_t got = read(fd, p, n);

		if (!got || (got < 0 && errno != EINTR))
			return false;
		if (got < 0)
			continue;
		p += got;
		n -= got;
	}
	return true;
}

int whole_write(int fd, const void *from, size_t n)
{
	const char *p = from;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (done < 0)
			continue;
		p += done;
		n -= done;
	}
	return 0;
}
