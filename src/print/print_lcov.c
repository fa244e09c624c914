/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * lcov's tracefiles, for genhtml and for editors that show coverage. They have all lines with code,
 * and all functions, of each source file of which a line was executed. The count of a line is the
 * largest count of its instructions.
 *
 * Manual: geninfo(1), "FILES"
 */
#include <pt/print_tree.h>
#include <pt/sort.h>

/* A source file. */
struct source_file {
	struct hashed in;
	const char *path;
	u64 *counts;		/* by line: 0: no code; else its count plus 1 */
	u32 n_lines;
	struct routine *routines;
};

/* A function of it. */
struct routine {
	struct routine *next;
	const char *name;
	u64 count;
	u32 line;
};

/* The end of a range of code, or the start of a function, with its count. */
struct point {
	struct hashed in;
	const struct dso *dso;
	u64 addr;
	u64 count;
};

struct coverage {
	struct arena *arena;
	struct images *images;
	struct hash_table sources, ends, starts;
	struct hash_table done;		/* DSOs that were searched: points of count 1 */
};

static struct source_file *source_at(struct coverage *c, const char *path, bool make)
{
	u64 hash = hash_text(1, path);
	struct source_file *source;
	struct hashed *in;

	for (in = hash_first(&c->sources, hash); in; in = in->next) {
		source = (struct source_file *)in;
		if (in->hash == hash && !strcmp(source->path, path))
			return source;
	}
	if (!make)
		return NULL;
	source = NEW(c->arena, struct source_file, 1);
	source->in.hash = hash;
	source->path = path;
	hash_put(c->arena, &c->sources, &source->in);
	return source;
}

static struct point *point_at(struct coverage *c, struct hash_table *table, const struct dso *dso,
			      u64 addr)
{
	u64 hash = hash_mix((uintptr_t)dso, addr);
	struct point *point;
	struct hashed *in;

	for (in = hash_first(table, hash); in; in = in->next) {
		point = (struct point *)in;
		if (point->dso == dso && point->addr == addr)
			return point;
	}
	point = NEW(c->arena, struct point, 1);
	point->in.hash = hash;
	point->dso = dso;
	point->addr = addr;
	hash_put(c->arena, table, &point->in);
	return point;
}

static void raise_count(struct coverage *c, struct source_file *source, u32 line, u64 count)
{
	enum { LINES_MAX = 1 << 20 };

	if (line >= LINES_MAX)
		return;
	if (line >= source->n_lines) {
		u32 room = MAX(line + 1, source->n_lines * 2);

		source->counts = arena_grow(c->arena, source->counts, sizeof(u64),
					    source->n_lines, room);
		source->n_lines = room;
	}
	source->counts[line] = MAX(source->counts[line], count + 1);
}

/* A row of the line table: add a function if one begins there. */
static void add_routine(struct coverage *c, struct dso *dso, struct source_file *source, u64 addr,
			u32 line)
{
	const struct symbol *sym = dso_symbol(c->images, dso, addr);
	struct routine *r;

	if (!sym || sym->start != addr)
		return;
	for (r = source->routines; r; r = r->next)
		if (r->line == line && !strcmp(r->name, sym->name)) {
			r->count = MAX(r->count, point_at(c, &c->starts, dso, addr)->count);
			return;
		}
	r = NEW(c->arena, struct routine, 1);
	r->name = sym->name;
	r->line = line;
	r->count = point_at(c, &c->starts, dso, addr)->count;
	r->next = source->routines;
	source->routines = r;
}

/* Of several rows at one address, the last one has the code, and the first one has the start of a
 * function. */
static void add_dso(struct coverage *c, struct dso *dso)
{
	u64 addr, next, last = ~0ULL;
	struct source_line at, after;
	struct source_file *source;
	u32 i;

	for (i = 0; dso_source_row(c->images, dso, i, &addr, &at); i++, last = addr) {
		if (!at.file || !(source = source_at(c, at.path, false)))
			continue;
		if (!dso_source_row(c->images, dso, i + 1, &next, &after) || next != addr)
			raise_count(c, source, at.line, 0);
		if (last != addr)
			add_routine(c, dso, source, addr, at.line);
	}
}

static void put_path(struct out *out, const char *what, const char *text)
{
	out_str(out, what);
	for (; *text; text++)
		out_char(out, (u8)*text < ' ' || *text == 0x7f ? '?' : *text);
	out_char(out, '\n');
}

static void put_source(struct out *out, const struct source_file *source)
{
	u32 i, n = 0, hit = 0;
	const struct routine *r;
	char text[64];

	put_path(out, "TN:\nSF:", source->path);
	for (r = source->routines; r; r = r->next) {
		fmt_str(text, sizeof(text), "FN:%u,", r->line);
		put_path(out, text, r->name);
		fmt_str(text, sizeof(text), "FNDA:%llu,", r->count);
		put_path(out, text, r->name);
		n++;
		hit += r->count > 0;
	}
	out_fmt(out, "FNF:%u\nFNH:%u\n", n, hit);
	for (i = n = hit = 0; i < source->n_lines; i++)
		if (source->counts[i]) {
			out_fmt(out, "DA:%u,%llu\n", i, source->counts[i] - 1);
			n++;
			hit += source->counts[i] > 1;
		}
	out_fmt(out, "LF:%u\nLH:%u\nend_of_record\n", n, hit);
}

void print_lcov(struct out *out, const struct tree *tree, enum tree_weight weight)
{
	struct session *s = &tree->list->session;
	struct coverage c = { .arena = &s->arena, .images = &s->images };
	const struct block *block;
	struct hashed *in;
	u32 i;

	(void)weight;
	for (block = tree->blocks->first; block; block = block->next) {
		if (block->line.file)
			source_at(&c, block->line.path, true);
		point_at(&c, &c.ends, block->dso, block->addr + block->len)->count += block->count;
		point_at(&c, &c.starts, block->dso, block->addr)->count += block->count;
	}
	for (block = tree->blocks->first; block; block = block->next) {
		if (!block->line.file)
			continue;
		if (!point_at(&c, &c.done, block->dso, 0)->count++)
			add_dso(&c, block->dso);
		raise_count(&c, source_at(&c, block->line.path, true), block->line.line,
			    point_at(&c, &c.ends, block->dso, block->addr + block->len)->count);
	}
	for (i = 0; i < c.sources.room && !out->err; i++)
		for (in = c.sources.at[i]; in; in = in->next)
			put_source(out, (struct source_file *)in);
}
