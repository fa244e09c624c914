/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bare trace: one queue without side-band; the command line tells where its code is.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/file.h>

#include "session.h"

enum { CHUNK = 64 << 10, ENOUGH = 16 << 20 };

/* The length of a pipe is unknown until its end. */
static const u64 ENDLESS = 1ULL << 62;

static long read_raw(struct session *s, u64 off, void *to, size_t n)
{
	ssize_t got;

	do
		got = pread(s->fd, to, n, off);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

/* A pipe: first the bytes that were read ahead, then new ones. A decoder never goes back. */
static long read_on(struct session *s, u64 off, void *to, size_t n)
{
	struct bytes seen = bytes_skip(s->file.seen, MIN(off, s->file.seen.len));
	ssize_t got;

	if (seen.len) {
		n = MIN(n, seen.len);
		memcpy(to, seen.at, n);
		return n;
	}
	do
		got = read(s->fd, to, n);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

/* Read a pipe up to its first PSB. A device such as /dev/zero has neither a PSB nor an end. */
static int look_for_psb(struct session *s)
{
	size_t n = s->file.seen.len, room = n + CHUNK, from = 0;
	u8 *bytes = NEW(&s->arena, u8, room);
	ssize_t got = 1;

	if (n)
		memcpy(bytes, s->file.seen.at, n);
	for (;;) {
		from += sync_find((struct bytes){ bytes + from, n - from });
		if (from < n)
			break;
		if (!got || n > ENOUGH)
			return -EBADMSG;
		from = n - MIN(n, (size_t)PACKET_MAX);
		if (n == room) {
			bytes = arena_grow(&s->arena, bytes, 1, n, room * 2);
			room *= 2;
		}
		got = read(s->fd, bytes + n, room - n);
		if (got < 0 && errno != EINTR)
			return -errno;
		n += MAX(got, (ssize_t)0);
	}
	s->file.seen = (struct bytes){ bytes, n };
	return 0;
}

static bool has_psb(struct session *s, const struct buffer *b)
{
	u8 *chunk = NEW(&s->arena, u8, CHUNK);
	u64 off;
	long n;

	for (off = 0; off < b->size; off += CHUNK - PACKET_MAX) {
		n = read_raw(s, off, chunk, CHUNK);
		if (n <= 0)
			return false;
		if (sync_find((struct bytes){ chunk, n }) < (size_t)n)
			return true;
	}
	return false;
}

/* File names of the command line are relative to the current folder, not to --symfs. */
static struct dso *get_dso(struct session *s, const char *name)
{
	char path[PATH_MAX];

	return dso_get(&s->images, file_real_path(name, path) ? name : path, NULL, 0);
}

static void map_code(struct session *s, const struct session_raw *raw)
{
	struct thread *t = process_thread(&s->processes, -1, -1);
	const struct session_map *m;
	struct dso *dso;
	struct stat st;
	u32 i;

	for (i = 0; i < raw->n_maps; i++) {
		u64 end;

		m = &raw->maps[i];
		end = stat(m->file, &st) ? m->off + 1 : MIN(m->end, (u64)st.st_size);
		dso = get_dso(s, m->file);
		if (end > m->off)
			space_map(&s->images, m->addr >> 63 ? images_kernel(&s->images) : t->space,
				  m->addr, end - m->off, m->off, dso, 5, 2);
	}
	s->queues[0]->thread = t;
}

/* Ticks of the TSC, whose frequency is 'nom_freq' times 100 MHz, to ns. */
static struct timescale scale_of(u32 nom_freq)
{
	enum { SHIFT = 28 };	/* the product of the lower bits then fits into 64 bits */

	return (struct timescale){ .shift = SHIFT,
				   .mult = ((10ULL << SHIFT) + nom_freq - 1) / nom_freq };
}

static int set_up(struct session *s, const struct session_raw *raw)
{
	s->setup = raw->flow;
	s->setup.hop = s->options.quick;
	s->setup.leap = s->options.quick > 1;
	errata_set(s, raw->family, raw->model);
	s->max_nonturbo = raw->flow.clock.max_nonturbo;
	s->khz_per_cbr = s->max_nonturbo ? 100000 : 0;
	s->pt.cap_event_trace = raw->event_trace;
	s->timeless = true;
	s->clocked = s->max_nonturbo && !s->options.timeless;
	s->scale = s->clocked ? scale_of(s->max_nonturbo) : (struct timescale){ .mult = 1 };
	/* A TSC has 56 bits here, and every value is within half of that range from this
	 * reference. */
	if (s->clocked)
		s->queues[0]->first->reference = 1ULL << 55;
	if (!raw->filter)
		return 0;
	if (filter_parse(s, raw->filter) || !filter_has_no_file(s)) {
		s->why = "--addr-filter takes addresses: 'filter 0x1000/0x200'";
		return -EINVAL;
	}
	if (s->filters)
		s->setup.leaves = filter_leave;
	return 0;
}

static int no_records(struct session *s)
{
	return 0;
}

int session_open_raw(struct session *s, const char *path, const struct session_raw *raw,
		     const struct session_options *options)
{
	static const struct source file = { .read_at = read_raw, .next = no_records },
				   pipe = { .read_at = read_on, .next = no_records };
	struct buffer *b;
	struct stat st;
	int err = 0;

	s->options = *options;
	s->options.cpus = NULL;
	s->source = &file;
	s->have_pt = true;
	s->images.arena = &s->arena;
	s->images.symfs = NULL;
	s->images.any_file_is_code = true;
	s->runs.fetch = code_fetch;
	s->runs.who = s;
	s->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : 0;
	if (s->fd < 0 || fstat(s->fd, &st))
		return -errno;
	processes_start(&s->processes, &s->images, &s->arena);
	b = queue_add(s, 0, -1, -1);
	if (S_ISREG(st.st_mode)) {
		b->size = st.st_size;
		err = has_psb(s, b) ? 0 : -EBADMSG;
	} else {
		s->streamed = true;
		s->source = &pipe;
		b->size = ENDLESS;
		err = look_for_psb(s);
	}
	if (err)
		return err;
	map_code(s, raw);
	s->why = NULL;
	return set_up(s, raw);
}
