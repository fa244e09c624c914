/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The blocks of a file that are in memory, and the attributes of events.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "src/perf/perf_input.h"
#include "test.h"

static struct part parts[2];
static struct perf_input in;

/* Each byte of a part is given by its offset. */
static u8 byte_of(u32 part, u64 off)
{
	return (off * 7 + off / BLOCK * 3 + part * 101) & 0xff;
}

static void start(u64 size)
{
	static u8 bytes[(N_BLOCKS + 8) * BLOCK];
	u32 part;
	u64 i;

	for (part = 0; part < 2; part++) {
		for (i = 0; i < size; i++)
			bytes[i] = byte_of(part, i);
		parts[part] = (struct part){ .fd = memfd_create("part", 0), .size = size };
		EQ(write(parts[part].fd, bytes, size), size);
	}
	in = (struct perf_input){ .parts = parts, .n_parts = 2 };
	in.blocks = NEW(&test_arena, u8, (size_t)N_BLOCKS * BLOCK);
	in.whole = NEW(&test_arena, u8, PERF_RECORD_BYTES);
}

static void stop(void)
{
	close(parts[0].fd);
	close(parts[1].fd);
}

/* The first offset of 'n' bytes where another byte is; 'n' if there is none. */
static long first_wrong(u32 part, u64 off, size_t n, const u8 *at)
{
	size_t i;

	for (i = 0; i < n && at[i] == byte_of(part, off + i); i++)
		;
	return i;
}

static void reads(u32 part, u64 off, size_t n, long want)
{
	const u8 *at = NULL;

	EQ(input_at(&in, part, off, n, &at), want);
	EQ(first_wrong(part, off, want, at), want);
}

TEST(the_same_offset_of_two_files_is_two_blocks)
{
	const u8 *at;

	start(3 * BLOCK);
	reads(0, 100, 50, 50);
	reads(1, 100, 50, 50);
	reads(0, 100, 50, 50);
	at = input_at_hand(&in, 1, 100, 50);
	OK(at && first_wrong(1, 100, 50, at) == 50);
	OK(!input_at_hand(&in, 1, BLOCK + 100, 50));
	stop();
}

TEST(bytes_that_cross_blocks_are_put_together)
{
	start(3 * BLOCK);
	reads(0, BLOCK - 10, 30, 30);
	reads(0, 2 * BLOCK - 1, 2, 2);
	reads(0, BLOCK - 10, 10, 10);
	OK(!input_at_hand(&in, 0, BLOCK - 10, 11));
	stop();
}

TEST(a_file_ends_where_it_ends)
{
	start(2 * BLOCK + 100);
	reads(0, 2 * BLOCK + 90, 10, 10);
	reads(0, 2 * BLOCK + 90, 11, 10);
	reads(0, 2 * BLOCK - 10, 200, 110);
	reads(0, 2 * BLOCK + 100, 1, 0);
	reads(0, 5 * BLOCK, 1, 0);
	reads(0, ~0ull - 3, 8, 0);
	stop();
}

TEST(the_block_that_was_used_last_stays)
{
	const u8 *at;
	u32 i;

	start((N_BLOCKS + 8) * BLOCK);
	reads(0, 0, 1, 1);
	for (i = 0; i < N_BLOCKS + 8; i++) {
		reads(1, (u64)i * BLOCK, 1, 1);
		reads(0, 0, 1, 1);
	}
	at = input_at_hand(&in, 0, 0, 1);
	OK(at && *at == byte_of(0, 0));
	OK(!input_at_hand(&in, 1, 0, 1));
	OK(input_at_hand(&in, 1, (u64)(N_BLOCKS + 7) * BLOCK, 1));
	stop();
}

static const char *why;

/* The attributes of an event of 'len' bytes that say that they have 'size'. */
static int event(u32 size, size_t len, struct perf_event **e)
{
	static u8 attr[256];
	static struct perf_file f;

	memset(attr, 0xee, sizeof(attr));
	memset(attr, 0, 4);
	memcpy(attr + 4, &size, 4);
	f = (struct perf_file){ .arena = &test_arena };
	why = NULL;
	return event_add(&f, e, (struct bytes){ attr, len }, &why);
}

TEST(attributes_have_the_size_that_they_say)
{
	struct perf_event *e = NULL;

	EQ(event(64, 64, &e), 0);
	EQ(e->attr.config, 0xeeeeeeeeeeeeeeee);
	EQ(((u8 *)&e->attr)[63], 0xee);
	EQ(((u8 *)&e->attr)[64], 0);
	EQ(event(72, 200, &e), 0);
	EQ(((u8 *)&e->attr)[71], 0xee);
	EQ(((u8 *)&e->attr)[72], 0);
	EQ(event(200, 200, &e), 0);		/* a later kernel's */
	EQ(((u8 *)&e->attr)[sizeof(e->attr) - 1], 0xee);
	EQ(event(0, 200, &e), 0);		/* of the first kernels */
	EQ(((u8 *)&e->attr)[63], 0xee);
	EQ(((u8 *)&e->attr)[64], 0);
}

TEST(attributes_of_an_impossible_size_are_refused)
{
	struct perf_event *e;

	OK(event(63, 200, &e) < 0);
	STR_EQ(why, "an event's attributes have an impossible size");
	OK(event(65, 64, &e) < 0);
	OK(event(64, 63, &e) < 0);
	STR_EQ(why, "an event's attributes are cut off");
}
