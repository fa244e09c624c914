/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The second process of --split: see split.h.
 */
#define _GNU_SOURCE	/* pipe2() */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <pt/whole.h>
#include "split.h"

/* What the second process reports at the end. */
struct end { i32 err; u32 nr; };

struct maker {
	const char *path;
	int bytes, beginnings, fd;
	u64 at, next;		/* bytes so far; where the next file begins, or ~0 */
	u32 nr;
};

static int next_file(struct maker *m)
{
	char path[4096];

	if (m->fd >= 0)
		close(m->fd);
	if (fmt_str(path, sizeof(path), "%s.%u", m->path, ++m->nr) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	m->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return m->fd < 0 ? -errno : 0;
}

/* A part of a file is useless: if a write fails, the file becomes empty. */
static int put(struct maker *m, const char *p, size_t len)
{
	int err = whole_write(m->fd, p, len);

	if (err)
		ftruncate(m->fd, 0);
	return err;
}

/* Write 'len' bytes; new files may begin in them. */
static int take(struct maker *m, const char *p, size_t len)
{
	int err = 0;

	while (len && !err) {
		size_t n;

		if (m->next == ~0ULL && read(m->beginnings, &m->next, 8) != 8)
			m->next = ~0ULL;
		if (m->at == m->next) {
			m->next = ~0ULL;
			err = next_file(m);
			continue;
		}
		n = MIN(len, m->next - m->at);
		err = put(m, p, n);
		p += n;
		len -= n;
		m->at += n;
	}
	return err;
}

static _Noreturn void make_files(struct maker *m, int end)
{
	static char buf[64 << 10];
	struct end last = { .err = next_file(m) };
	ssize_t n = 1;

	while (!last.err && n) {
		n = read(m->bytes, buf, sizeof(buf));
		if (n > 0)
			last.err = take(m, buf, n);
		else if (n < 0 && errno != EINTR)
			last.err = -errno;
	}
	last.nr = m->nr;
	_exit(write(end, &last, sizeof(last)) != sizeof(last));
}

int split_open(struct split *s, const char *path, struct out *out, char *buf, size_t size)
{
	int bytes[2], beginnings[2], end[2];
	pid_t pid;

	if (pipe2(bytes, O_CLOEXEC) || pipe2(beginnings, O_CLOEXEC) || pipe2(end, O_CLOEXEC))
		return -errno;
	pid = _Fork();
	if (pid < 0)
		return -errno;
	if (!pid) {
		struct maker m = { path, bytes[0], beginnings[0], -1, .next = ~0ULL };

		close(bytes[1]);
		close(beginnings[1]);
		close(end[0]);
		/* Ctrl-C ends pt, which closes the pipe of bytes. */
		signal(SIGINT, SIG_IGN);
		fcntl(m.beginnings, F_SETFL, O_NONBLOCK);
		make_files(&m, end[1]);
	}
	close(bytes[0]);
	close(beginnings[0]);
	close(end[1]);
	s->bytes = bytes[1];
	s->beginnings = beginnings[1];
	s->end = end[0];
	/* If the second process fails, split_end() returns its error. */
	signal(SIGPIPE, SIG_IGN);
	out_open(out, s->bytes, buf, size);
	return 0;
}

void split_next(struct split *s, struct out *out)
{
	s->begun = split_position(out);
	if (write(s->beginnings, &s->begun, 8) != 8 && !out->err)
		out->err = -EPIPE;
}

int split_end(struct split *s, struct out *out, u32 *nr)
{
	struct end last = { .err = -EPIPE };

	out_flush(out);
	close(s->bytes);
	if (read(s->end, &last, sizeof(last)) != sizeof(last))
		return -EPIPE;
	*nr = last.nr;
	return last.err;
}
