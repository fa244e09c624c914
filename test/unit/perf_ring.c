/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include <pt/perf_ring.h>

#include "test.h"

/* A file stands for the event: the kernel's side is played here. */
enum { PAGE = 4096, DATA = 8192, AUX = 8192 };
enum { DATA_HEAD = 1024, DATA_TAIL = 1032, AUX_HEAD = 1056, AUX_TAIL = 1064 };

static struct perf_ring r;
static u8 *kernel;		/* the same memory */

static void start(bool overwrite)
{
	int fd = memfd_create("ring", 0);

	EQ(ftruncate(fd, PAGE + DATA + AUX), 0);
	kernel = mmap(NULL, PAGE + DATA + AUX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	EQ(perf_ring_map(&r, fd, DATA, false, &test_arena), 0);
	EQ(perf_ring_map_aux(&r, fd, AUX, overwrite, &test_arena), 0);
	close(fd);
}

static void end(void)
{
	perf_ring_unmap(&r);
	munmap(kernel, PAGE + DATA + AUX);
}

/* Write a record of 'size' bytes, all 'fill'. */
static void produce(u16 size, u8 fill)
{
	u64 head = get64(kernel + DATA_HEAD);
	u8 record[DATA];
	u16 i;

	memset(record, fill, size);
	set64(record, 1 | (u64)size << 48);
	for (i = 0; i < size; i++)
		kernel[PAGE + (head + i) % DATA] = record[i];
	set64(kernel + DATA_HEAD, head + size);
}

static void trace(u64 n, u8 fill)
{
	u64 head = get64(kernel + AUX_HEAD);

	while (n--)
		kernel[PAGE + DATA + head++ % AUX] = fill;
	set64(kernel + AUX_HEAD, r.overwrite ? head % AUX : head);
}

TEST(records_come_in_one_piece_where_they_lie_so)
{
	struct bytes b;

	start(false);
	OK(!perf_ring_next(&r, &b));
	produce(40, 1);
	produce(64, 2);
	OK(perf_ring_next(&r, &b));
	EQ(b.len, 104);
	EQ(get64(kernel + DATA_TAIL), 0);
	perf_ring_release(&r);
	EQ(get64(kernel + DATA_TAIL), 104);
	OK(!perf_ring_next(&r, &b));
	end();
}

TEST(a_record_across_the_end_is_put_together)
{
	int i, n = 0;
	struct bytes b;

	start(false);
	for (i = 0; i < 1000; i++) {
		produce(1000, i);
		while (perf_ring_next(&r, &b)) {
			EQ(b.len % 1000, 0);
			EQ(b.at[b.len - 1], (u8)i);
			EQ(b.at[8], (u8)i);
			n += b.len / 1000;
		}
		perf_ring_release(&r);
	}
	EQ(n, 1000);
	end();
}

TEST(trace_wraps_into_two_pieces)
{
	struct perf_stretch s;

	start(false);
	OK(!perf_ring_aux(&r, 0, &s));
	trace(6000, 1);
	OK(perf_ring_aux(&r, 0, &s));
	EQ(s.off, 0);
	EQ(s.piece[0].len, 6000);
	perf_ring_aux_release(&r, &s);
	EQ(get64(kernel + AUX_TAIL), 6000);
	trace(5000, 2);
	OK(perf_ring_aux(&r, 0, &s));
	EQ(s.off, 6000);
	EQ(s.piece[0].len, AUX - 6000);
	EQ(s.piece[1].len, 5000 - (AUX - 6000));
	EQ(s.piece[1].at[0], 2);
	perf_ring_aux_release(&r, &s);
	OK(!perf_ring_aux(&r, 0, &s));
	end();
}

/* What a snapshot has after so many bytes of trace. */
static u64 snap(u64 n, u8 fill, u64 most)
{
	struct perf_stretch s;
	u64 size;

	trace(n, fill);
	size = perf_ring_aux(&r, most, &s) ? s.size : 0;
	if (size)
		EQ(s.piece[0].at[0] == 0, false);
	perf_ring_aux_release(&r, &s);
	return size;
}

TEST(a_snapshot_has_what_is_new)
{
	start(true);
	EQ(snap(0, 0, AUX), 0);
	EQ(snap(100, 1, AUX), 100);
	EQ(snap(200, 2, AUX), 200);
	EQ(snap(0, 0, AUX), 0);
	EQ(snap(AUX - 50, 3, AUX), AUX - 50);
	end();
}

TEST(a_snapshot_has_all_when_the_writer_came_round)
{
	start(true);
	EQ(snap(100, 1, AUX), 100);
	EQ(snap(AUX + 10, 2, AUX), AUX);
	EQ(snap(AUX, 3, AUX), AUX);
	EQ(snap(3 * AUX, 4, AUX), AUX);
	EQ(snap(5, 5, AUX), 5);
	end();
}

TEST(a_snapshot_is_not_longer_than_asked_for_and_offsets_go_on)
{
	struct perf_stretch s;

	start(true);
	trace(1000, 1);
	OK(perf_ring_aux(&r, 300, &s));
	EQ(s.size, 300);
	EQ(s.off, 700);
	perf_ring_aux_release(&r, &s);
	trace(10, 2);
	OK(perf_ring_aux(&r, 300, &s));
	EQ(s.off, 1000);
	EQ(s.size, 10);
	perf_ring_aux_release(&r, &s);
	trace(AUX + 100, 3);
	OK(perf_ring_aux(&r, AUX, &s));
	OK(s.off > 1010);
	end();
}
