/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <unistd.h>

#include <pt/config/DEFLATE.h>
#include <pt/bundle.h>
#include <pt/zip.h>

#include "test.h"

static u8 payload[1 << 16];
static u64 size;

static long read_payload(void *who, u64 off, void *to, size_t n)
{
	if (off > size)
		return 0;
	n = MIN(n, size - off);
	memcpy(to, payload + off, n);
	return n;
}

static void start(void)
{
	memset(payload, 0, sizeof(payload));
	memcpy(payload, BUNDLE_MAGIC, 8);
	set32(payload + 8, BUNDLE_VERSION);
	size = BUNDLE_HEAD;
}

static void part(const char *name, u64 off, u64 whole, struct bytes bytes, u64 plain, u8 id)
{
	u8 *head = payload + size;

	set32(head, plain != bytes.len ? BUNDLE_DEFLATED : 0);
	set32(head + 4, strlen(name) + 1);
	set64(head + 8, off);
	set64(head + 16, plain);
	set64(head + 24, bytes.len);
	set64(head + 32, whole);
	head[40] = id;
	head[60] = id ? 20 : 0;
	strcpy((char *)head + BUNDLE_PART_HEAD, name);
	size = round_up(size + BUNDLE_PART_HEAD + strlen(name) + 1, 8);
	memcpy(payload + size, bytes.at, bytes.len);
	size = round_up(size + bytes.len, 8);
}

static struct bundle b;

static bool open_bundle(void)
{
	b = (struct bundle){ .read = read_payload, .arena = &test_arena };
	return bundle_open(&b, size);
}

TEST(parts_make_a_file_with_holes)
{
	u8 got[32] = { 0 };
	int fd;

	start();
	part("/bin/x", 4, 30, BYTES(1, 2, 3), 3, 0);
	part("/bin/y", 0, 5, BYTES(9), 1, 0);
	part("/bin/x", 20, 30, BYTES(7), 1, 0);
	OK(open_bundle());
	EQ(b.n, 3);
	fd = bundle_file(&b, "/bin/x", NULL, 0);
	OK(fd >= 0);
	EQ(pread(fd, got, sizeof(got), 0), 30);
	EQ(got[3], 0);
	EQ(got[6], 3);
	EQ(got[20], 7);
	close(fd);
	EQ(bundle_file(&b, "/bin/z", NULL, 0), -ENOENT);
}

TEST(a_build_tells_files_of_one_name_apart)
{
	u8 id[20] = { 2 }, got = 0;
	int fd;

	start();
	part("/x", 0, 1, BYTES(1), 1, 1);
	part("/x", 0, 1, BYTES(2), 1, 2);
	OK(open_bundle());
	fd = bundle_file(&b, "/x", id, 20);
	OK(fd >= 0);
	EQ(read(fd, &got, 1), 1);
	EQ(got, 2);
	close(fd);
	id[0] = 3;
	EQ(bundle_file(&b, "/x", id, 20), -ENOENT);
}

TEST(deflated_parts_come_back)
{
	u8 plain[5000] = { 0 }, got[5000];
	struct bytes small;
	int fd;

	if (!CONFIG_DEFLATE)
		SKIP("nothing compresses: no DEFLATE");
	plain[77] = 1;
	small = zip_deflate((struct bytes){ plain, 5000 }, &test_arena);
	start();
	part("/x", 0, 5000, small, 5000, 0);
	OK(open_bundle());
	fd = bundle_file(&b, "/x", NULL, 0);
	if (fd == -EBADMSG)
		SKIP("no zlib");
	EQ(read(fd, got, 5000), 5000);
	EQ(memcmp(got, plain, 5000), 0);
	close(fd);
}

TEST(damage_ends_it_and_what_came_before_stays)
{
	u64 sound;

	start();
	part("/x", 0, 1, BYTES(1), 1, 0);
	sound = size;
	part("/y", 0, 1, BYTES(1, 2, 3), 3, 0);		/* longer than its file */
	OK(!open_bundle());
	EQ(b.n, 1);
	size = sound;
	part("/y", 1, 3, BYTES(1, 2, 3), 3, 0);		/* its last byte, too */
	OK(!open_bundle());
	size = sound;
	part("/y", ~0ull, 1, BYTES(1), 1, 0);
	OK(!open_bundle());
	size = sound;
	part("/y", 0, 1, BYTES(1), 1, 0);
	size -= 9;
	OK(!open_bundle());
	EQ(b.n, 1);
	payload[0] = 'Q';
	OK(!open_bundle());
	EQ(b.n, 0);
}
