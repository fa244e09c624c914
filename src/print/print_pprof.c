/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The profile of pprof, compressed with gzip, for go tool pprof, pprof and others. A sample is a
 * call stack with the weight of all that was executed in it, labelled with its thread. A location
 * is a function; its number is that of its name, plus 1.
 *
 * Manual: https://github.com/google/pprof/blob/main/proto/profile.proto
 */
#include <pt/config/DEFLATE.h>
#include <pt/print_tree.h>
#include <pt/proto.h>
#include <pt/zip.h>

enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6, PROFILE_DEFAULT_TYPE = 14,
	VALUE_TYPE = 1, VALUE_UNIT = 2,
	SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3,
	LABEL_KEY = 1, LABEL_STRING = 2,
	LOCATION_ID = 1, LOCATION_LINE = 4, LINE_FUNCTION = 1, LINE_LINE = 2,
	FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4,
	FUNCTION_LINE = 5,
};

/* Strings after the names. */
static const char *const words[] = { "instructions", "time", "cycles", "count", "nanoseconds",
				     "thread" };
enum { COUNT = 3, NANOSECONDS, THREAD };

struct profile {
	const struct tree *tree;
	enum tree_weight weight;
	struct source_line *lines;	/* by name: the start of the function */
};

static u64 word(const struct profile *f, u32 i)
{
	return f->tree->n_names + 1 + i;
}

static void put_sample_type(struct proto *p, const struct profile *f, u32 weight)
{
	struct proto count = { 0 }, *to = &count;
	u32 i;

	for (i = 0; i < 2; i++, to = p) {
		if (i)
			proto_begin(p, PROFILE_SAMPLE_TYPE, count.n);
		proto_u64(to, VALUE_TYPE, word(f, weight));
		proto_u64(to, VALUE_UNIT, word(f, weight == TREE_NS ? NANOSECONDS : COUNT));
	}
}

/* Write the frames, the innermost first. The outermost one, if it is a command, becomes a label. */
static void put_locations(struct proto *p, const struct profile *f, const struct tree_node *node)
{
	for (; node->depth >= tree_functions(f->tree); node = node->up)
		proto_varint(p, tree_name_nr(node->name) + 1);
}

static void put_values(struct proto *p, const struct profile *f, const struct tree_node *node)
{
	u32 i;

	for (i = 0; i < N_TREE_WEIGHTS; i++)
		if (f->tree->total[i])
			proto_varint(p, node->weight[i]);
}

static void put_label(struct proto *p, const struct profile *f, const struct tree_node *node)
{
	while (node->depth > 1)
		node = node->up;
	proto_u64(p, LABEL_KEY, word(f, THREAD));
	proto_u64(p, LABEL_STRING, tree_name_nr(node->name) + 1);
}

static void put_part(struct proto *p, u32 field, const struct profile *f,
		     const struct tree_node *node,
		     void (*put)(struct proto *p, const struct profile *f,
				 const struct tree_node *node))
{
	struct proto count = { 0 };

	put(&count, f, node);
	proto_begin(p, field, count.n);
	put(p, f, node);
}

static void put_sample(struct proto *p, const struct profile *f, const struct tree_node *node)
{
	put_part(p, SAMPLE_LOCATIONS, f, node, put_locations);
	put_part(p, SAMPLE_VALUES, f, node, put_values);
	if (tree_functions(f->tree) > 1)
		put_part(p, SAMPLE_LABEL, f, node, put_label);
}

static void put_line(struct proto *p, const struct profile *f, u32 nr)
{
	proto_u64(p, LINE_FUNCTION, nr + 1);
	proto_u64(p, LINE_LINE, f->lines[nr].line);
}

static void put_location(struct proto *p, const struct profile *f, u32 nr)
{
	struct proto count = { 0 };

	put_line(&count, f, nr);
	proto_u64(p, LOCATION_ID, nr + 1);
	proto_begin(p, LOCATION_LINE, count.n);
	put_line(p, f, nr);
}

/* Write a function. The names of source files are strings after 'words'. */
static void put_function(struct proto *p, const struct profile *f, u32 nr)
{
	proto_u64(p, FUNCTION_ID, nr + 1);
	proto_u64(p, FUNCTION_NAME, nr + 1);
	proto_u64(p, FUNCTION_SYSTEM_NAME, nr + 1);
	if (f->lines[nr].file)
		proto_u64(p, FUNCTION_FILE, word(f, N_ELEM(words)) + nr);
	proto_u64(p, FUNCTION_LINE, f->lines[nr].line);
}

static void put_names(struct proto *p, const struct profile *f)
{
	static const struct {
		u32 field;
		void (*put)(struct proto *p, const struct profile *f, u32 nr);
	} parts[] = {
		{ PROFILE_LOCATION, put_location }, { PROFILE_FUNCTION, put_function },
	};
	u32 i, nr;

	for (i = 0; i < N_ELEM(parts); i++)
		for (nr = 0; nr < f->tree->n_names; nr++) {
			struct proto count = { 0 };

			parts[i].put(&count, f, nr);
			proto_begin(p, parts[i].field, count.n);
			parts[i].put(p, f, nr);
		}
	proto_text(p, PROFILE_STRING, "");
	for (nr = 0; nr < f->tree->n_names; nr++)
		proto_text(p, PROFILE_STRING, f->tree->name_by_nr[nr]);
	for (i = 0; i < N_ELEM(words); i++)
		proto_text(p, PROFILE_STRING, words[i]);
	for (nr = 0; nr < f->tree->n_names; nr++)
		proto_text(p, PROFILE_STRING, f->lines[nr].file ? f->lines[nr].file : "");
}

static void put_profile(struct proto *p, const struct profile *f)
{
	const struct tree_node *node;
	u32 i;

	for (i = 0; i < N_TREE_WEIGHTS; i++)
		if (f->tree->total[i])
			put_sample_type(p, f, i);
	for (node = f->tree->first; node; node = node->next)
		if (node->weight[TREE_INSNS] || node->weight[TREE_NS])
			put_part(p, PROFILE_SAMPLE, f, node, put_sample);
	put_names(p, f);
	proto_u64(p, PROFILE_DEFAULT_TYPE, word(f, f->weight));
}

/* Find the start of each executed function. */
static struct source_line *find_lines(const struct tree *tree)
{
	struct source_line *lines = NEW(&tree->list->session.arena, struct source_line,
					tree->n_names + 1);
	const struct block *block;

	for (block = tree->blocks->first; block; block = block->next) {
		struct source_line *line = &lines[tree_name_nr(block->name)];

		if (block->line.file && (!line->file || (block->line.file == line->file &&
							 block->line.line < line->line)))
			*line = block->line;
	}
	return lines;
}

void print_pprof(struct out *out, const struct tree *tree, enum tree_weight weight)
{
	struct profile f = { tree, weight, find_lines(tree) };
	struct arena *arena = &tree->list->session.arena;
	struct proto p = { 0 };
	struct bytes packed;
	struct out memory;
	char *buf;

	put_profile(&p, &f);
	buf = NEW(arena, char, p.n + OUT_ROOM);
	memory = (struct out){ .at = buf, .buf = buf, .end = buf + p.n + OUT_ROOM };
	put_profile(&(struct proto){ &memory }, &f);
	/* Readers accept both forms. */
	packed = (struct bytes){ (u8 *)buf, p.n };
	if (CONFIG_DEFLATE)
		packed = zip_gzip(packed, arena);
	out_bytes(out, packed.at, packed.len);
}
