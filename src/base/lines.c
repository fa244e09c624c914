/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines, through a buffer. Each read of a file of /proc returns whole lines; a read of any other
 * file may stop anywhere.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <pt/lines.h>

int lines_open(struct lines *l, const char *path)
{
	l->fd = open(path, O_RDONLY | O_CLOEXEC);
	l->at = l->len = 0;
	return l->fd < 0 ? -errno : 0;
}

/* Move the rest to the front, and read more bytes after it. */
static bool more(struct lines *l)
{
	ssize_t n;

	memmove(l->buf, l->buf + l->at, l->len - l->at);
	l->len -= l->at;
	l->at = 0;
	n = read(l->fd, l->buf + l->len, sizeof(l->buf) - 1 - l->len);
	if (n > 0)
		l->len += n;
	return n > 0;
}

char *lines_next(struct lines *l)
{
	char *line, *end;

	while (!(end = memchr(l->buf + l->at, '\n', l->len - l->at))) {
		bool full = !l->at && l->len == sizeof(l->buf) - 1;

		if (full || !more(l)) {
			if (l->at == l->len)
				return NULL;
			end = l->buf + l->len;
			break;
		}
	}
	line = l->buf + l->at;
	l->at = MIN(end + 1 - l->buf, (long)l->len);
	*end = 0;
	return line;
}

void lines_close(struct lines *l)
{
	close(l->fd);
}
