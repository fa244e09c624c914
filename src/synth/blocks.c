/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Instructions to blocks. The tree converts each run once, and then only counts.
 */
#include <pt/blocks.h>

struct path { struct hashed in; struct source_line line; };

/* Each compilation unit has its own names of files; equal names get the same pointer. */
static void settle_path(struct blocks *b, struct source_line *line)
{
	struct arena *arena = &b->session->arena;
	u64 hash = hash_text(1, line->path);
	struct hashed *in;
	struct path *path;

	for (in = hash_first(&b->paths, hash); in; in = in->next) {
		path = (struct path *)in;
		if (in->hash == hash && !strcmp(path->line.path, line->path)) {
			line->path = path->line.path;
			line->file = path->line.file;
			return;
		}
	}
	path = NEW(arena, struct path, 1);
	path->in.hash = hash;
	path->line = *line;
	hash_put(arena, &b->paths, &path->in);
}

static struct source_line line_at(struct blocks *b, const struct map *map, u64 ip)
{
	struct images *im = &b->session->images;
	struct source_line line;

	if (!b->lines || !map || !dso_source_line(im, map->dso, map_addr(im, map, ip), &line))
		return (struct source_line){ 0 };
	settle_path(b, &line);
	return line;
}

bool blocks_extend(struct blocks *b, struct block_place *p, const struct thread *thread,
		   const char *name, u64 ip, u32 len)
{
	bool follows = p->n && p->name == name && p->ip + p->len == ip && ip < p->map_end;
	const struct map *map = follows ? p->map : session_map_at(b->session, thread, ip);
	struct source_line line = line_at(b, map, ip);

	if (follows && line.file == p->line.file && line.line == p->line.line) {
		p->len += len;
		p->n++;
		return true;
	}
	*p = (struct block_place){ name, map, map ? map->end : 0, ip, len, 1, line };
	return false;
}

struct block *blocks_get(struct blocks *b, const struct block_place *p)
{
	struct arena *arena = &b->session->arena;
	struct dso *dso = p->map ? p->map->dso : NULL;
	u64 addr = p->map ? map_addr(&b->session->images, p->map, p->ip) : p->ip;
	u64 hash = hash_mix(hash_mix(hash_mix(1, (uintptr_t)dso), addr), p->len);
	struct hashed *in;
	struct block *block;

	for (in = hash_first(&b->table, hash); in; in = in->next) {
		block = (struct block *)in;
		if (block->dso == dso && block->addr == addr && block->len == p->len)
			return block;
	}
	block = NEW(arena, struct block, 1);
	block->in.hash = hash;
	block->name = p->name;
	block->dso = dso;
	block->addr = addr;
	block->off = p->map ? p->ip - p->map->start + p->map->pgoff : p->ip;
	block->len = p->len;
	block->n = p->n;
	block->line = p->line;
	b->n_lines += p->line.file != NULL;
	*(b->newest ? &b->newest->next : &b->first) = block;
	b->newest = block;
	hash_put(arena, &b->table, &block->in);
	return block;
}
