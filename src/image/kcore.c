/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Kernel code as it was in memory: /proc/kcore, a copy of it, or vmlinux.
 *
 * All are ELF files whose program headers tell which addresses are where. A file is mapped if that
 * is possible. /proc/kcore cannot be mapped and claims sizes of up to 128 TiB; it is read on
 * demand, in chunks that overlap a little, so that no instruction is cut by their end.
 */
#include <elf.h>
#include <errno.h>
#include <unistd.h>

#include <pt/file.h>

#include "image.h"
#include "kernel.h"
#include "segment.h"

enum {
	HEADERS = 64 << 10,	/* a larger header is taken for damage */
	CHUNK = 16 << 10, OVERLAP = 16, N_BUCKETS = 1024,
	READ_MAX = 256 << 20,	/* no kernel has more code than that */
};

struct kcore_chunk {
	struct kcore_chunk *next;
	u64 start;
	u32 len;
	u8 bytes[CHUNK + OVERLAP];
};

static void add_parts(struct kcore *c, struct bytes headers, struct arena *a)
{
	struct segments all = segments_of(headers);
	struct segment s;

	c->parts = NEW(a, struct kcore_part, all.rest.len / sizeof(Elf32_Phdr) + 1);
	while (segment_next(&all, &s)) {
		u64 size = MIN(s.filesz, s.memsz);

		if (s.type == PT_LOAD && size && s.vaddr + size > s.vaddr &&
		    s.off + size > s.off)
			c->parts[c->n_parts++] = (struct kcore_part){
				s.vaddr, s.vaddr + size, s.off,
			};
	}
}

int kcore_open(struct kcore *c, int fd, struct arena *a)
{
	struct bytes headers;
	ssize_t n;

	*c = (struct kcore){ .fd = fd };
	if (!file_map(&c->map, fd)) {
		add_parts(c, c->map, a);
	} else {
		headers.at = NEW(a, u8, HEADERS);
		n = pread(fd, (u8 *)headers.at, HEADERS, 0);
		headers.len = MAX(n, 0);
		add_parts(c, headers, a);
		c->chunks = NEW(a, struct kcore_chunk *, N_BUCKETS);
	}
	if (c->n_parts)
		return 0;
	kcore_close(c);
	return -ENOEXEC;
}

void kcore_close(struct kcore *c)
{
	file_unmap(&c->map);
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	c->n_parts = 0;
}

static struct kcore_chunk *read_chunk(struct kcore *c, u64 start, u64 off, u64 len,
				      struct arena *a)
{
	struct kcore_chunk *chunk;
	ssize_t n;

	if (c->n_read >= READ_MAX)
		return NULL;
	chunk = NEW(a, struct kcore_chunk, 1);
	chunk->start = start;
	n = pread(c->fd, chunk->bytes, MIN(len, sizeof(chunk->bytes)), off);
	chunk->len = MAX(n, 0);
	c->n_read += sizeof(*chunk);
	return chunk;
}

/* A chunk holds the bytes of one part from a multiple of CHUNK on. */
static struct bytes chunk_bytes(struct kcore *c, const struct kcore_part *p, u64 addr,
				struct arena *a)
{
	u64 start = MAX(addr & ~(u64)(CHUNK - 1), p->start);
	struct kcore_chunk **bucket = &c->chunks[start / CHUNK % N_BUCKETS], *chunk;

	for (chunk = *bucket; chunk && chunk->start != start; )
		chunk = chunk->next;
	if (!chunk) {
		chunk = read_chunk(c, start, p->off + (start - p->start), p->end - start, a);
		if (!chunk)
			return (struct bytes){ 0 };
		chunk->next = *bucket;
		*bucket = chunk;
	}
	return bytes_skip((struct bytes){ chunk->bytes, chunk->len }, addr - start);
}

struct bytes kcore_bytes(struct kcore *c, u64 addr, struct arena *a)
{
	u32 i;

	addr += c->delta;
	for (i = 0; i < c->n_parts; i++) {
		const struct kcore_part *p = &c->parts[i];

		if (addr < p->start || addr >= p->end)
			continue;
		if (c->map.len)
			return slice(c->map, p->off + (addr - p->start), p->end - addr);
		return chunk_bytes(c, p, addr, a);
	}
	return (struct bytes){ 0 };
}
