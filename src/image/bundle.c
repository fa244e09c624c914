/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bundles: parts of a perf.data to the files that they belong to.
 *
 * A file is assembled in memory when it is needed; its holes take no memory.
 *
 * Format: <pt/bundle.h>.
 */
#define _GNU_SOURCE	/* memfd_create() */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/bundle.h>
#include <pt/config/ZLIB.h>
#include <pt/zip.h>


enum { NAME_MAX_LEN = 4096 };
static const u64 whole_max = 4ull << 30;	/* a longer file is taken for damage */

static bool read_all(const struct bundle *b, u64 off, void *to, size_t n)
{
	return b->read(b->who, off, to, n) == (long)n;
}

static struct bundle_part *add(struct bundle *b)
{
	if (b->n == b->room) {
		u32 room = MAX(64, 2 * b->room);

		b->parts = arena_grow(b->arena, b->parts, sizeof(*b->parts), b->n, room);
		b->room = room;
	}
	return &b->parts[b->n];
}

static bool is_sound(const struct bundle_part *p, u32 name_len)
{
	return name_len > 1 && name_len <= NAME_MAX_LEN && p->whole <= whole_max &&
	       p->size && p->size <= BUNDLE_PART && p->stored && p->stored <= BUNDLE_PART &&
	       p->off <= p->whole && p->size <= p->whole - p->off &&
	       (p->flags & BUNDLE_DEFLATED || p->stored == p->size) &&
	       p->build_id_size <= sizeof(p->build_id);
}

/* Read the part at 'off'. Names repeat from part to part, so one copy is kept. */
static bool read_part(struct bundle *b, u64 off, struct bundle_part *p)
{
	u8 head[BUNDLE_PART_HEAD];
	char name[NAME_MAX_LEN];
	u32 len;

	if (!read_all(b, off, head, sizeof(head)))
		return false;
	p->flags = get32(head);
	len = get32(head + 4);
	p->off = get64(head + 8);
	p->size = get64(head + 16);
	p->stored = get64(head + 24);
	p->whole = get64(head + 32);
	memcpy(p->build_id, head + 40, sizeof(p->build_id));
	p->build_id_size = head[60];
	if (!is_sound(p, len) || !read_all(b, off + sizeof(head), name, len) || name[len - 1])
		return false;
	p->name = b->n && !strcmp(p[-1].name, name) ? p[-1].name : arena_str(b->arena, name);
	p->at = off + sizeof(head) + round_up(len, 8);
	return true;
}

bool bundle_open(struct bundle *b, u64 size)
{
	u8 head[BUNDLE_HEAD];
	u64 off = BUNDLE_HEAD;

	if (!read_all(b, 0, head, sizeof(head)) || memcmp(head, BUNDLE_MAGIC, 8) ||
	    get32(head + 8) != BUNDLE_VERSION)
		return false;
	while (off < size) {
		struct bundle_part *p = add(b);

		if (!read_part(b, off, p) || p->stored > size || p->at > size - p->stored)
			return false;
		off = p->at + round_up(p->stored, 8);
		b->n++;
	}
	return true;
}

static bool is_of(const struct bundle_part *p, const char *name, const u8 *id, unsigned int size)
{
	if (strcmp(p->name, name))
		return false;
	return !size || !p->build_id_size ||
	       (size == p->build_id_size && !memcmp(id, p->build_id, size));
}

/* Write a part to its place in the file. */
static int put_part(const struct bundle *b, const struct bundle_part *p, int fd)
{
	struct arena scratch = { 0 };
	struct bytes in = { arena_alloc(&scratch, p->stored), p->stored }, plain = in;
	int err = -EBADMSG;

	if (!read_all(b, p->at, (u8 *)in.at, in.len))
		goto out;
	if (p->flags & BUNDLE_DEFLATED)
		plain = CONFIG_ZLIB ? zip_inflate(in, p->size, &scratch) : (struct bytes){ 0 };
	if (plain.len == p->size && pwrite(fd, plain.at, plain.len, p->off) == (long)plain.len)
		err = 0;
out:
	arena_free(&scratch);
	return err;
}

int bundle_file(const struct bundle *b, const char *name, const u8 *id, unsigned int id_size)
{
	const struct bundle_part *p, *end = b->parts + b->n;
	int fd, err = 0;

	for (p = b->parts; p < end && !is_of(p, name, id, id_size); p++)
		;
	if (p == end)
		return -ENOENT;
	fd = memfd_create("bundle", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, p->whole))
		err = -errno;
	for (; p < end && !err; p++)
		if (is_of(p, name, id, id_size))
			err = put_part(b, p, fd);
	if (!err)
		return fd;
	close(fd);
	return err;
}
