/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Address filters: "filter main @ /bin/ls" to "filter 0x4a30/0x120@/bin/ls".
 *
 *	filter|start|stop|tracestop ADDR|SYMBOL|* [/ SIZE|SYMBOL] [@ FILE]
 *
 * The kernel takes offsets in files, or its own addresses. A symbol stands for its start; as a size
 * it stands for its end. SYM#2 is the second symbol of that name, SYM#g the global one. Names come
 * from the symbol table of the file, or from /proc/kallsyms if no file is given.
 */
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include <pt/file.h>
#include <pt/lines.h>
#include <pt/num.h>
#include <pt/out.h>

#include "elf_view.h"
#include "hw.h"

enum { WORD = 256 };

/* A place: a number, or a name and the index among symbols of that name. */
struct place {
	u64 at;
	char name[WORD];	/* "" if it is a number */
	u32 nth;		/* 0: the name must be unique */
	bool global;
};

struct filter {
	const char *action;
	bool range;
	struct place from, to;	/* to: a size, if it is a number */
	char file[PATH_MAX];	/* "": the kernel */
};

/* The result of looking up a name: an offset in a file, or an address in the kernel. */
struct found { u64 start, size; u32 n; };

struct symbol_seen { const char *name; u64 start, size; bool global, code; };

/* Words. */

static const char *read_word(const char *s, char *to, size_t size, const char *ends)
{
	size_t len;

	s += strspn(s, " ");
	len = strcspn(s, ends);
	if (!len || len >= size)
		return NULL;
	memcpy(to, s, len);
	to[len] = 0;
	return s + len;
}

static const struct { const char *word, *action; bool range; } actions[] = {
	{ "filter", "filter", true }, { "start", "start", false },
	{ "stop", "stop", false }, { "tracestop", "stop", true },
};

static const char *read_action(const char *s, struct filter *f)
{
	char word[WORD];
	size_t i;

	s = read_word(s, word, sizeof(word), " ");
	for (i = 0; s && i < N_ELEM(actions); i++) {
		if (strcmp(word, actions[i].word))
			continue;
		f->action = actions[i].action;
		f->range = actions[i].range;
		return s;
	}
	return NULL;
}

static const char *read_place(const char *s, struct place *p)
{
	char *hash;
	u64 nth;

	s = read_word(s, p->name, sizeof(p->name), " /@,");
	if (!s)
		return NULL;
	if (num_parse(p->name, &p->at)) {
		p->name[0] = 0;
		return s;
	}
	hash = strchr(p->name, '#');
	if (!hash)
		return s;
	*hash++ = 0;
	p->global = !strcmp(hash, "0") || !strcmp(hash, "g") || !strcmp(hash, "G");
	if (p->global)
		return s;
	if (!num_parse(hash, &nth) || nth > UINT_MAX)
		return NULL;
	p->nth = nth;
	return s;
}

static const char *read_filter(const char *s, struct filter *f)
{
	*f = (struct filter){ 0 };
	s = read_action(s, f);
	s = s ? read_place(s, &f->from) : NULL;
	if (!s)
		return NULL;
	s += strspn(s, " ");
	if (*s == '/') {
		f->range = true;
		s = read_place(s + 1, &f->to);
		if (!s)
			return NULL;
		s += strspn(s, " ");
	}
	if (*s == '@') {
		s = read_word(s + 1, f->file, sizeof(f->file), " ,");
		if (!s)
			return NULL;
	}
	return s + strspn(s, " ,");
}

/* Names. */

static bool matches(const struct place *p, const struct symbol_seen *sym, struct found *found)
{
	if (strcmp(p->name, sym->name) || (p->global && !sym->global))
		return false;
	found->n++;
	if (p->nth ? found->n == p->nth : found->n == 1) {
		found->start = sym->start;
		found->size = sym->size;
	}
	return true;
}

/* '*' is the range from the first symbol to the end of the last. */
static void span(const struct symbol_seen *sym, struct found *found)
{
	u64 end = MAX(found->start + found->size, sym->start + sym->size);

	found->start = found->n++ ? MIN(found->start, sym->start) : sym->start;
	found->size = end - found->start;
}

static void see(const struct place *p, const struct symbol_seen *sym, struct found *found)
{
	if (strcmp(p->name, "*"))
		matches(p, sym, found);
	else if (sym->code)
		span(sym, found);
}

static void see_table(const struct elf_view *e, const struct elf_section *s, const struct place *p,
		      struct found *found)
{
	struct elf_symbol sym;
	u32 i;

	for (i = 0; elf_view_symbol(e, s, i, &sym); i++) {
		struct symbol_seen seen = { sym.name, 0, sym.size, sym.bind != STB_LOCAL,
					    sym.type == STT_FUNC };

		if (sym.section != SHN_UNDEF && *sym.name &&
		    elf_view_offset(e, sym.value, &seen.start))
			see(p, &seen, found);
	}
}

/* Search the full symbol table if the file has one, else the dynamic one. */
static void search_file(struct bytes file, const struct place *p, struct found *found)
{
	struct elf_section s, dynamic = { 0 };
	struct elf_view e;
	u32 i;

	if (!elf_view_open(&e, file))
		return;
	for (i = 0; i < e.shnum; i++) {
		if (!elf_view_section(&e, i, &s))
			continue;
		if (s.type == SHT_SYMTAB) {
			see_table(&e, &s, p, found);
			return;
		}
		if (s.type == SHT_DYNSYM)
			dynamic = s;
	}
	if (dynamic.size)
		see_table(&e, &dynamic, p, found);
}

static void look_into_file(const char *path, const struct place *p, struct found *found)
{
	struct bytes file;
	int fd = file_open(path);

	if (fd < 0)
		return;
	if (!file_map(&file, fd)) {
		search_file(file, p, found);
		file_unmap(&file);
	}
	close(fd);
}

/* Read a line of kallsyms: "address type name [module]". False if it is not a text symbol of the
 * kernel. */
static bool read_kallsym(char *line, struct symbol_seen *sym)
{
	const char *s = num_read(line, 16, &sym->start);

	if (!s || s[0] != ' ' || !s[1] || s[2] != ' ')
		return false;
	sym->code = (s[1] | 0x20) == 't' && !strchr(s, '[');
	sym->global = s[1] >= 'A' && s[1] <= 'Z';
	sym->name = s + 3;
	line[strcspn(line, "\t")] = 0;
	return sym->start;
}

/* A kernel symbol ends where the next one begins. */
static void search_kernel(const struct place *p, struct found *found)
{
	struct symbol_seen sym = { 0 };
	u64 next = ~0ull;
	struct lines lines;
	char *line;

	if (lines_open(&lines, "/proc/kallsyms"))
		return;
	while ((line = lines_next(&lines)))
		if (read_kallsym(line, &sym))
			see(p, &sym, found);
	lines_close(&lines);
	if (!found->n || found->size || lines_open(&lines, "/proc/kallsyms"))
		return;
	while ((line = lines_next(&lines)))
		if (read_kallsym(line, &sym) && sym.start > found->start)
			next = MIN(next, sym.start);
	lines_close(&lines);
	if (next != ~0ull)
		found->size = next - found->start;
}

static int look_up(struct record *r, const struct filter *f, const struct place *p,
		   struct found *found)
{
	const char *where = *f->file ? f->file : "the kernel";

	*found = (struct found){ 0 };
	if (*f->file)
		look_into_file(f->file, p, found);
	else
		search_kernel(p, found);
	if (!found->n || p->nth > found->n) {
		record_say(r, 0, "--filter: no symbol '%s' in %s", p->name, where);
		return -EINVAL;
	}
	if (found->n > 1 && !p->nth && strcmp(p->name, "*")) {
		record_say(r, 0, "--filter: %u symbols '%s' in %s: choose one: '%s#1'",
			   found->n, p->name, where, p->name);
		return -EINVAL;
	}
	return 0;
}

/* Replace names by numbers. 0 or -errno, after a message. */
static int resolve(struct record *r, struct filter *f)
{
	struct found found;
	int err;

	if (*f->from.name) {
		err = look_up(r, f, &f->from, &found);
		if (err)
			return err;
		f->from.at = found.start;
		if (f->range && !f->to.at && !*f->to.name)
			f->to.at = found.size;
	}
	if (*f->to.name) {
		err = look_up(r, f, &f->to, &found);
		if (err)
			return err;
		f->to.at = found.start + found.size - f->from.at;
	}
	if (f->range && (!f->to.at || f->to.at >> 63)) {
		record_say(r, 0, "--filter: the region at '%s' %#llx has no size; use START/SIZE",
			   f->from.name, f->from.at);
		return -EINVAL;
	}
	return 0;
}

static int put_filter(struct record *r, const struct filter *f, char *to, size_t size)
{
	char path[PATH_MAX] = "";
	int len, err = *f->file ? file_real_path(f->file, path) : 0;

	if (err) {
		record_say(r, 0, "--filter: %s: %s", f->file, strerror(-err));
		return -EINVAL;
	}
	len = fmt_str(to, size, "%s %#llx", f->action, f->from.at);
	if (f->range && len < (int)size)
		len += fmt_str(to + len, size - len, "/%#llx", f->to.at);
	if (*path && len < (int)size)
		len += fmt_str(to + len, size - len, "@%s", path);
	return len < (int)size ? len : -EINVAL;
}

int filter_translate(struct record *r, const char *text, bool on_tasks, char **to)
{
	char out[2 * PATH_MAX] = "";
	struct filter f;
	int len = 0, n;

	while (*text) {
		text = read_filter(text, &f);
		if (!text) {
			record_say(r, 0, "--filter is for Intel PT: filter|start|stop|tracestop "
				   "START [/ SIZE] [@FILE]");
			return -EINVAL;
		}
		if (*f.file && !on_tasks) {
			record_say(r, 0, "--filter: addresses in a file need tasks (-p, COMMAND), "
				   "not CPUs");
			return -EINVAL;
		}
		if (resolve(r, &f))
			return -EINVAL;
		if (len)
			out[len++] = ',';
		n = put_filter(r, &f, out + len, sizeof(out) - len - 1);
		if (n < 0)
			return n;
		len += n;
	}
	record_say(r, 1, "filter: %s", out);
	*to = arena_str(r->arena, out);
	return 0;
}
