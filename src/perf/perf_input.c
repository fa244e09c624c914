/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes of a perf.data, from a file or a pipe, with only a few blocks of it in memory.
 */
#define _GNU_SOURCE	/* memfd_create() */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/whole.h>
#include "perf_input.h"

long input_pread(int fd, void *to, size_t n, u64 off)
{
	size_t got = 0;
	ssize_t r;

	if (off > INT64_MAX - n)
		return 0;
	while (got < n) {
		r = pread(fd, (u8 *)to + got, n - got, off + got);
		if (r < 0 && errno != EINTR)
			return -errno;
		if (r == 0)
			break;
		if (r > 0)
			got += r;
	}
	return got;
}

static u32 oldest(const struct perf_input *in)
{
	u32 i, old = 0;

	for (i = 1; i < N_BLOCKS; i++)
		if (in->age[i] < in->age[old])
			old = i;
	return old;
}

static u64 block_of(u32 part, u64 off)
{
	return ((u64)part << 52 | off / BLOCK) + 1;
}

/* The block that contains 'off', from there on. */
static long find_block(struct perf_input *in, u32 part, u64 off, const u8 **to)
{
	u64 want = block_of(part, off), start = off / BLOCK * BLOCK;
	const struct part *p = &in->parts[part];
	u32 i = in->last;
	long n;

	if (in->block[i] != want)
		for (i = 0; i < N_BLOCKS && in->block[i] != want; i++)
			;
	if (i == N_BLOCKS) {
		i = oldest(in);
		in->block[i] = 0;
		n = input_pread(p->fd, in->blocks + i * BLOCK,
				MIN((u64)BLOCK, MAX(p->size, start) - start), start);
		if (n < 0)
			return n;
		in->block[i] = want;
		in->fill[i] = n;
	}
	in->last = i;
	in->age[i] = ++in->clock;
	*to = in->blocks + i * BLOCK + off % BLOCK;
	return in->fill[i] > off % BLOCK ? in->fill[i] - off % BLOCK : 0;
}

long input_at(struct perf_input *in, u32 part, u64 off, size_t n, const u8 **to)
{
	size_t got = 0;
	const u8 *at;
	long more;

	if (off > (1ull << 60))
		return 0;
	more = find_block(in, part, off, to);
	if (more < 0 || (size_t)more >= n)
		return more < 0 ? more : (long)n;
	while (more > 0) {
		more = MIN((size_t)more, n - got);
		memcpy(in->whole + got, *to, more);
		got += more;
		if (got == n || (off + got) % BLOCK)
			break;
		more = find_block(in, part, off + got, &at);
		if (more < 0)
			return more;
		*to = at;
	}
	*to = in->whole;
	return got;
}

const u8 *input_at_hand(const struct perf_input *in, u32 part, u64 off, size_t n)
{
	u64 want = block_of(part, off);
	u32 i;

	if (n > BLOCK || off > (1ull << 60))
		return NULL;
	for (i = 0; i < N_BLOCKS; i++)
		if (in->block[i] == want && off % BLOCK + n <= in->fill[i])
			return in->blocks + i * BLOCK + off % BLOCK;
	return NULL;
}

long input_peek(struct perf_input *in, size_t n, const u8 **to)
{
	int fd = in->parts[0].fd;
	ssize_t r;

	if (in->at + n > PIPE_BUFFER) {
		memmove(in->buf, in->buf + in->at, in->have);
		in->at = 0;
	}
	while (in->have < n) {
		r = read(fd, in->buf + in->at + in->have, PIPE_BUFFER - in->at - in->have);
		if (r < 0 && errno != EINTR)
			return -errno;
		if (r == 0)
			break;
		if (r > 0)
			in->have += r;
	}
	*to = in->buf + in->at;
	return MIN(in->have, n);
}

void input_use(struct perf_input *in, size_t n)
{
	in->at += n;
	in->have -= n;
	if (!in->have)
		in->at = 0;
}

long input_read(struct perf_input *in, void *to, size_t n)
{
	const u8 *at;
	ssize_t r;

	if (in->have) {
		n = MIN(n, in->have);
		r = input_peek(in, n, &at);
		memcpy(to, at, n);
		input_use(in, n);
		return r;
	}
	do
		r = read(in->parts[0].fd, to, n);
	while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : r;
}

static int write_all(int fd, const u8 *at, size_t n)
{
	int err = whole_write(fd, at, n);

	return err == -ENOSPC ? -EFBIG : err;
}

/* Move what was kept in memory to the file. */
static int move_to(int to, int from, u64 size)
{
	u8 buf[BLOCK];
	u64 at;
	long n;
	int err = 0;

	for (at = 0; at < size && !err; at += n) {
		n = input_pread(from, buf, sizeof(buf), at);
		if (n <= 0)
			return n ? n : -EIO;
		err = write_all(to, buf, n);
	}
	close(from);
	return err;
}

int input_spool(struct perf_input *in, const struct perf_spool *spool, u64 *size)
{
	int fd = memfd_create("perf.data", MFD_CLOEXEC), err = 0;
	u64 room = spool->mem ? spool->mem : SPOOL_MEM;
	const u8 *at;
	long n;

	if (fd < 0)
		return -errno;
	for (*size = 0; !err && (n = input_peek(in, 1, &at)) > 0; *size += n) {
		n = in->have;
		if (*size + n > room && fd != spool->fd && spool->room) {
			err = move_to(spool->fd, fd, *size);
			fd = spool->fd;
			room = spool->room;
		}
		if (!err)
			err = *size + n > room ? -EFBIG : write_all(fd, at, n);
		input_use(in, n);
	}
	err = n < 0 ? n : err;
	if (!err)
		return fd;
	close(fd);
	return err;
}
