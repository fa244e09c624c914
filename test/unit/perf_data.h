/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Makes perf.data files in memory, record by record, for unit tests.
 */
#ifndef PERF_DATA_H
#define PERF_DATA_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/out.h>
#include <pt/perf.h>

enum { MADE_MAX = 1 << 20 };

/* A perf.data that is being made. */
struct made {
	u8 bytes[MADE_MAX];
	size_t n;		/* bytes so far */
	size_t data;		/* where the records begin */
	int fd;
	char path[32];		/* that perf_open() can open */
};

static inline void add(struct made *m, const void *bytes, size_t n)
{
	memcpy(m->bytes + m->n, bytes, n);
	m->n += n;
}

static inline void add64(struct made *m, u64 v)
{
	add(m, &v, 8);
}

/* A record of this type with a body of these words. */
#define ADD_RECORD(m, type, misc, ...) \
	add_record(m, type, misc, (const u64[]){ __VA_ARGS__ }, sizeof((u64[]){ __VA_ARGS__ }))

static inline void add_record(struct made *m, u32 type, u16 misc, const void *body, size_t n)
{
	u16 size = n + 8;

	add(m, &type, 4);
	add(m, &misc, 2);
	add(m, &size, 2);
	add(m, body, n);
}

/* The file form's beginning: events with these sample types, sample_id_all, and ids
 * 100, 101, ... */
static inline void made_begin(struct made *m, const u64 *sample_types, size_t n_events)
{
	struct perf_attr attr = { .size = 128, .flags = 1ull << PERF_F_SAMPLE_ID_ALL };
	size_t i;

	memset(m, 0, sizeof(*m));
	add(m, "PERFILE2", 8);
	add64(m, 104);
	add64(m, 128 + 16);
	m->n = 104;
	for (i = 0; i < n_events; i++)
		add64(m, 100 + i);
	set64(m->bytes + 24, m->n);
	set64(m->bytes + 32, n_events * (128 + 16));
	for (i = 0; i < n_events; i++) {
		attr.type = i;
		attr.sample_type = sample_types[i];
		add(m, &attr, 128);
		add64(m, 104 + 8 * i);
		add64(m, 8);
	}
	m->data = m->n;
	set64(m->bytes + 40, m->n);
}

/* The records are complete. */
static inline void made_end(struct made *m)
{
	set64(m->bytes + 48, m->n - m->data);
}

/* Write it to where 'path' says. */
static inline const char *made_write(struct made *m)
{
	if (m->fd <= 0)
		m->fd = memfd_create("perf.data", 0);
	if (ftruncate(m->fd, 0) || pwrite(m->fd, m->bytes, m->n, 0) != (ssize_t)m->n)
		abort();
	fmt_str(m->path, sizeof(m->path), "/proc/self/fd/%d", m->fd);
	return m->path;
}

/* The same bytes out of a pipe (64 KiB at most). */
static inline const char *made_pipe(struct made *m)
{
	int fds[2];

	if (pipe(fds) || write(fds[1], m->bytes, m->n) != (ssize_t)m->n)
		abort();
	close(fds[1]);
	fmt_str(m->path, sizeof(m->path), "/proc/self/fd/%d", fds[0]);
	return m->path;
}

static struct made made;

#endif
