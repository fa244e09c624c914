/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Symbols of ELF files: which file has them, which of them are used, and where they are, as
 * offsets in the file, which map_addr() returns.
 *
 * Names come from the first file with a .symtab, the file itself or a separate debug file;
 * procedure linkage tables from the first with a .dynsym. Files of another build than the recorded
 * one are ignored.
 */
#include <elf.h>
#include <limits.h>
#include <unistd.h>

#include <pt/config/CMD_PROBE.h>
#include <pt/config/DEMANGLE.h>
#include <pt/config/SRCLINE.h>
#include <pt/config/UNWIND.h>
#include <pt/config/ZLIB.h>
#include <pt/out.h>
#include <pt/sort.h>
#include <pt/text.h>
#include <pt/zip.h>

#include "dwarf_line.h"
#include "elf.h"
#include "image.h"
#include "segment.h"
#include "symbol_name.h"
#include "symtab.h"

/* A file that may have symbols. */
struct source {
	struct elf elf;
	struct bytes file;
	bool ours;		/* mapped here, not the DSO's own */
	u32 symtab, dynsym, wanted;	/* sections, or 0 */
};

struct load {
	struct images *im;
	struct dso *dso;
	const char *section;	/* it is looked for, not symbols */
	struct bytes build_id;	/* that a source must have; empty: any */
	struct arena scratch;
	struct symtab table;
	struct source source[2], *syms, *run;
	u32 n_sources;
	struct segment *loaded;	/* the segments in memory */
	u32 n_loaded;
};

/* No file that was ever linked has more. */
enum { LOADED_MAX = 256, NAME_LEN_MAX = 64 << 10, READABLE_MAX = 16 << 10 };

static u32 section_of_type(const struct elf *e, const char *name, u32 type)
{
	u32 i = elf_find(e, name);

	return i && e->sections[i].type == type ? i : 0;
}

static void drop(struct source *s)
{
	if (s->ours)
		file_unmap(&s->file);
}

/* Look into 'file'. True if both symbols and those of the runtime linker were found. */
static bool look_into(struct load *l, struct bytes file, bool ours)
{
	struct source *s = &l->source[l->n_sources];
	struct bytes id = note_build_id(file);
	bool used = false;

	*s = (struct source){ .file = file, .ours = ours };
	if ((l->build_id.len && (id.len != l->build_id.len ||
				 memcmp(id.at, l->build_id.at, id.len))) ||
	    !elf_open(&s->elf, file, &l->scratch)) {
		if (ours)
			file_unmap(&s->file);
		return false;
	}
	if ((CONFIG_SRCLINE || CONFIG_UNWIND) && l->section) {
		s->wanted = elf_find(&s->elf, l->section);
		l->n_sources = s->wanted != 0;
		if (!s->wanted)
			drop(s);
		return s->wanted;
	}
	s->symtab = section_of_type(&s->elf, ".symtab", SHT_SYMTAB);
	s->dynsym = section_of_type(&s->elf, ".dynsym", SHT_DYNSYM);
	if (!l->syms && s->symtab) {
		l->syms = s;
		used = true;
	}
	if (!l->run && s->dynsym) {
		l->run = s;
		used = true;
	}
	if (used)
		l->n_sources++;
	else
		drop(s);
	return l->syms && l->run;
}

static bool look_at_fd(struct load *l, int fd)
{
	struct bytes file;
	int err;

	if (fd < 0)
		return false;
	err = file_map(&file, fd);
	close(fd);
	return !err && look_into(l, file, true);
}

static bool look_at(struct load *l, const char *path)
{
	int fd = images_open_bundled(l->im, path, NULL, 0);

	return look_at_fd(l, fd >= 0 ? fd : file_open_below(l->im->symfs, path));
}

/* Follow the file's own link to its debug file. */
static bool look_at_link(struct load *l, struct bytes file, int dir, const char *name)
{
	static const char *const places[] = {
		"%.*s/%s", "%.*s/.debug/%s", "/usr/lib/debug%.*s/%s",
	};
	char path[PATH_MAX];
	struct bytes link = { 0 };
	struct elf elf;
	size_t i;

	if (elf_open(&elf, file, &l->scratch))
		link = elf_bytes(&elf, elf_find(&elf, ".gnu_debuglink"));
	if (!link.len || !memchr(link.at, 0, link.len) || strchr((const char *)link.at, '/'))
		return false;
	for (i = 0; i < N_ELEM(places); i++) {
		int fd;

		fmt_str(path, sizeof(path), places[i], dir, name, (const char *)link.at);
		fd = file_open_below(l->im->symfs, path);
		if (fd < 0)
			continue;
		close(fd);
		return look_at(l, path);
	}
	return false;
}

static bool look_by_build_id(struct load *l)
{
	char path[PATH_MAX], *at;
	size_t i;

	if (!l->build_id.len || l->build_id.len > 64)
		return false;
	at = put_byte(put_str(path, "/usr/lib/debug/.build-id/"), l->build_id.at[0]);
	at = put_char(at, '/');
	for (i = 1; i < l->build_id.len; i++)
		at = put_byte(at, l->build_id.at[i]);
	*put_str(at, ".debug") = 0;
	return look_at(l, path);
}

/* Try every place, in perf's order, until both were found. */
static void look_everywhere(struct load *l)
{
	const char *name = l->dso->path ? l->dso->path : l->dso->name, *slash = strrchr(name, '/');
	struct bytes file = dso_file_bytes(l->im, l->dso);
	int dir = slash ? slash - name : 0;
	char path[PATH_MAX];

	if (l->dso->build_id_size)
		l->build_id = (struct bytes){ l->dso->build_id, l->dso->build_id_size };
	else
		l->build_id = note_build_id(file);
	if (l->dso->kind == DSO_VDSO) {
		look_into(l, file, false);
		return;
	}
	if ((file.len && look_at_link(l, file, dir, name)) ||
	    look_at_fd(l, cache_open(l->im, l->dso, "debug")))
		return;
	fmt_str(path, sizeof(path), "/usr/lib/debug%s.debug", name);
	if (look_at(l, path))
		return;
	fmt_str(path, sizeof(path), "/usr/lib/debug%s", name);
	if (look_at(l, path) || look_by_build_id(l) || (file.len && look_into(l, file, false)))
		return;
	fmt_str(path, sizeof(path), "%.*s/.debug%s", dir, name, name + dir);
	if (look_at(l, path) || strncmp(name, "/usr/lib/", 9))
		return;
	fmt_str(path, sizeof(path), "/usr/lib/debug%s", name + 4);
	look_at(l, path);
}

static bool is_code_or_data(const struct elf_symbol *s)
{
	return (s->type == STT_FUNC || s->type == STT_GNU_IFUNC || s->type == STT_OBJECT) &&
	       s->name && s->section != SHN_UNDEF;
}

static bool is_label(const struct elf_symbol *s)
{
	return s->type == STT_NOTYPE && s->name && s->section != SHN_UNDEF &&
	       s->section != SHN_ABS && s->visibility != STV_HIDDEN &&
	       s->visibility != STV_INTERNAL;
}

/* A section in which labels are names. */
static bool takes_labels(const struct elf_section *s)
{
	return text_after(s->name, "text") || text_after(s->name, "data");
}

static enum symbol_bind bind_of(const struct elf_symbol *s)
{
	return s->bind == STB_WEAK ? BIND_WEAK : s->bind == STB_GLOBAL ? BIND_GLOBAL : BIND_LOCAL;
}

/* A debug file may have other offsets than its program. As in perf, symbols use the offsets of the
 * file that has .dynsym, or else of the file that has the symbols. */
static void find_loaded(struct load *l)
{
	struct bytes program = l->section ? dso_file_bytes(l->im, l->dso) : (struct bytes){ 0 };
	struct segments all = segments_of(program.len ? program : l->run->file);
	struct segment s;

	l->loaded = NEW(&l->scratch, struct segment, LOADED_MAX);
	while (l->n_loaded < LOADED_MAX && segment_next(&all, &s))
		if (s.type == PT_LOAD)
			l->loaded[l->n_loaded++] = s;
}

/* What is loaded to 'addr', or NULL. */
static const struct segment *loaded_at(const struct load *l, u64 addr)
{
	const struct segment *s;

	for (s = l->loaded; s < l->loaded + l->n_loaded; s++)
		if (addr - s->vaddr < MAX(s->memsz, s->filesz))
			return s;
	return NULL;
}

/* The file offset of what is loaded to 'addr': by program headers, or else by
 * the section it is in. */
static u64 file_offset(const struct load *l, u64 addr, const struct elf_section *section)
{
	const struct segment *s = loaded_at(l, addr);

	return s ? addr - s->vaddr + s->off : addr - section->addr + section->off;
}

/* The names of a table. Symbols may share them, within a limit. */
struct names {
	struct bytes all;
	u64 left;
};

static struct names names_of(struct elf *e, u32 table)
{
	struct bytes all = elf_strings(e, e->sections[table].link);

	return (struct names){ all, 4 * (u64)all.len + (1 << 20) };
}

/* The name that the programmer gave to 'name', of 'len' bytes. */
static const char *readable(struct load *l, const char *name, size_t *len)
{
	char text[READABLE_MAX], *kept;
	size_t n = 0;

	if (CONFIG_DEMANGLE && !l->im->mangled)
		n = symbol_name_read(name, *len, text, sizeof(text));
	if (!n)
		return name;
	*len = n;
	kept = NEW(&l->scratch, char, n);
	memcpy(kept, text, n);
	return kept;
}

/* Add 's' at 'addr'. False if there are too many. */
static bool add_symbol(struct load *l, struct names *names, const struct elf_symbol *s, u64 addr)
{
	const char *name = (const char *)names->all.at + s->name;
	size_t len = strnlen(name, NAME_LEN_MAX);

	name = readable(l, name, &len);
	if (len > names->left)
		return false;
	names->left -= len;
	symtab_add(&l->table, addr, s->size, name, len, bind_of(s));
	return true;
}

/* Add the symbols of a table. False if it is damaged. */
static bool add_symbols(struct load *l, u32 table)
{
	struct elf *e = &l->syms->elf, *run = &l->run->elf;
	struct names names = names_of(e, table);
	struct elf_table t;
	struct elf_symbol s;
	u32 i;

	if (!elf_table(e, table, &t))
		return false;
	symtab_reserve(&l->table, l->table.n + t.n);
	for (i = 0; i < t.n; i++) {
		const struct elf_section *section;
		bool label;

		elf_symbol(&t, i, &s);
		label = is_label(&s);
		if ((!label && !is_code_or_data(&s)) || s.section == SHN_ABS ||
		    s.name >= names.all.len)
			continue;
		if (s.section >= e->n_sections)
			return false;
		section = &e->sections[s.section];
		if (!(section->flags & SHF_ALLOC))
			continue;
		if (section->type == SHT_NOBITS) {
			if (s.section >= run->n_sections)
				return false;
			section = &run->sections[s.section];
		}
		if (label && !takes_labels(section))
			continue;
		if (!add_symbol(l, &names, &s, file_offset(l, s.value, section)))
			return false;
	}
	if (l->table.n)
		symtab_fix(&l->table, false);
	return true;
}

/* The entries of .plt correspond, in order, to those of its relocations. */
static void add_plt(struct load *l)
{
	struct elf *e = &l->run->elf;
	u32 plt = elf_find(e, ".plt"), rel = elf_find(e, ".rela.plt"), i;
	enum { LEN_MAX = 1023 };
	struct elf_table rels, syms;
	struct bytes names;
	u64 at, size;

	if (!rel)
		rel = elf_find(e, ".rel.plt");
	if (!plt || !rel || !l->run->dynsym || e->sections[rel].link != l->run->dynsym ||
	    !elf_table(e, rel, &rels) || !elf_table(e, l->run->dynsym, &syms))
		return;
	names = elf_strings(e, e->sections[l->run->dynsym].link);
	size = e->sections[plt].entsize;
	at = e->sections[plt].off + size;
	for (i = 0; i < rels.n; i++, at += size) {
		u32 number = elf_reloc(&rels, i);
		struct elf_symbol s;
		const char *name;
		size_t len;
		char *with;

		if (number >= syms.n)
			return;
		elf_symbol(&syms, number, &s);
		name = s.name < names.len ? (const char *)names.at + s.name : "";
		len = strnlen(name, LEN_MAX);
		name = readable(l, name, &len);
		with = NEW(&l->scratch, char, len + 5);
		memcpy(with, name, len);
		memcpy(with + len, "@plt", 4);
		symtab_add(&l->table, at, size, with, MIN(len + 4, (size_t)LEN_MAX), BIND_GLOBAL);
	}
}

static void add_all(struct load *l)
{
	if (!l->run)
		l->run = l->syms;
	if (!l->syms)
		l->syms = l->run;
	find_loaded(l);
	if (l->syms->symtab && !add_symbols(l, l->syms->symtab))
		return;
	if (l->syms->dynsym && !add_symbols(l, l->syms->dynsym))
		return;
	if (l->table.n)
		add_plt(l);
}

static struct symbols *finish(struct load *l)
{
	struct symbols *s;
	u32 i;

	if (l->n_sources)
		add_all(l);
	s = symtab_finish(&l->table, l->im->arena);
	for (i = 0; i < l->n_sources; i++)
		drop(&l->source[i]);
	arena_free(&l->scratch);
	return s;
}

struct symbols *symbols_of_elf(struct images *im, struct dso *dso)
{
	struct load l = { .im = im, .dso = dso };

	look_everywhere(&l);
	return finish(&l);
}

struct symbols *symbols_of_file(struct images *im, struct bytes file)
{
	struct load l = { .im = im };

	look_into(&l, file, false);
	return finish(&l);
}

/* Rows by the file's own addresses become sorted ones by offsets. Sequences whose code the
 * linker dropped are in no segment, or at 0: they go. */
static void settle_rows(struct load *l, struct line_rows *to, const struct line_rows *from)
{
	struct sort_item *items = NEW(&l->scratch, struct sort_item, 2 * (size_t)from->n);
	const struct segment *segment = NULL;
	bool first = true;
	u32 i;

	for (i = 0; i < from->n; i++) {
		const struct line_row *r = &from->rows[i];
		bool end = r->file == LINE_END;

		if (first)
			segment = r->addr ? loaded_at(l, r->addr) : NULL;
		first = end;
		/* An end comes before the row that begins where it is. */
		if (segment)
			items[to->n++] = (struct sort_item){
				2 * (r->addr - segment->vaddr + segment->off) + !end, i };
	}
	sort_items(items, to->n, items + from->n);
	to->rows = NEW(to->arena, struct line_row, to->n);
	for (i = 0; i < to->n; i++) {
		to->rows[i] = from->rows[items[i].index];
		to->rows[i].addr = items[i].key / 2;
	}
	to->n_names = from->n_names;
	to->names = NEW(to->arena, const char *, to->n_names);
	memcpy(to->names, from->names, to->n_names * sizeof(*to->names));
}

struct line_rows *lines_of_elf(struct images *im, struct dso *dso)
{
	struct load l = { .im = im, .dso = dso, .section = ".debug_line" };
	struct line_rows rows = { .texts = im->arena }, *to = NEW(im->arena, struct line_rows, 1);
	struct source *s = l.source;
	struct dwarf_sections from;

	to->arena = im->arena;
	look_everywhere(&l);
	if (CONFIG_SRCLINE && l.n_sources) {
		l.run = s;
		find_loaded(&l);
		rows.arena = &l.scratch;
		from = (struct dwarf_sections){
			elf_bytes(&s->elf, s->wanted),
			elf_bytes(&s->elf, elf_find(&s->elf, ".debug_str")),
			elf_bytes(&s->elf, elf_find(&s->elf, ".debug_line_str")),
		};
		if (dwarf_line_is_old(from.lines)) {
			from.info = elf_bytes(&s->elf, elf_find(&s->elf, ".debug_info"));
			from.abbrev = elf_bytes(&s->elf, elf_find(&s->elf, ".debug_abbrev"));
		}
		dwarf_line_read(&rows, &from);
		if (rows.n)
			settle_rows(&l, to, &rows);
		drop(s);
	}
	arena_free(&l.scratch);
	return to;
}

/* Files of the source */

/* Is it in code, as addr2line of binutils sees it? */
static bool is_place(const struct elf_symbol *s)
{
	bool local_label = s->type == STT_NOTYPE && s->bind == STB_LOCAL && !s->size &&
			   s->visibility == STV_HIDDEN;

	return !local_label && s->type != STT_SECTION && s->type != STT_OBJECT &&
	       s->type != STT_TLS && s->type != STT_FILE;
}

/* Local symbols follow that of their file. Global ones come after all files, unless there is only
 * one, at the front. Symbols are added in the order of the table; of equal addresses those of
 * functions precede labels. */
static u32 read_files(struct load *l, const struct elf_table *t, struct bytes names,
		      struct symbol_file *to, struct sort_item *order)
{
	struct elf *e = &l->syms->elf;
	const char *file = NULL;
	bool seen = false, again = false;
	struct elf_symbol s;
	u32 i, n = 0;

	for (i = 1; i < t->n; i++) {
		const struct elf_section *section;

		elf_symbol(t, i, &s);
		if (s.type == STT_FILE) {
			file = s.name < names.len ? (const char *)names.at + s.name : NULL;
			again |= seen;
			continue;
		}
		seen = true;
		if (!is_place(&s) || s.section == SHN_UNDEF || s.section >= e->n_sections)
			continue;
		section = &e->sections[s.section];
		if (!(section->flags & SHF_EXECINSTR))
			continue;
		to[n].start = file_offset(l, s.value, section);
		to[n].end = file_offset(l, section->addr, section) + section->size;
		to[n].file = file && (s.bind == STB_LOCAL || !again) ? file : "??";
		order[n] = (struct sort_item){ 2 * to[n].start + (s.type == STT_NOTYPE), n };
		n++;
	}
	return n;
}

struct symbol_files *symbol_files_of_elf(struct images *im, struct dso *dso)
{
	struct load l = { .im = im, .dso = dso };
	struct symbol_files *files = NEW(im->arena, struct symbol_files, 1);
	struct sort_item *order;
	struct symbol_file *all;
	struct elf_table t;
	u32 table, n, i;

	look_everywhere(&l);
	l.syms = l.syms ? l.syms : l.run;
	l.run = l.run ? l.run : l.syms;
	table = !l.syms ? 0 : l.syms->symtab ? l.syms->symtab : l.syms->dynsym;
	if (table && elf_table(&l.syms->elf, table, &t)) {
		find_loaded(&l);
		all = NEW(&l.scratch, struct symbol_file, t.n);
		order = NEW(&l.scratch, struct sort_item, 2 * (size_t)t.n);
		n = read_files(&l, &t, names_of(&l.syms->elf, table).all, all, order);
		sort_items(order, n, order + n);
		files->at = NEW(im->arena, struct symbol_file, n);
		for (i = 0; i < n; i++) {
			if (files->n && files->at[files->n - 1].start == order[i].key / 2)
				continue;
			files->at[files->n] = all[order[i].index];
			files->at[files->n].file = arena_str(im->arena, all[order[i].index].file);
			files->n++;
		}
	}
	for (i = 0; i < l.n_sources; i++)
		drop(&l.source[i]);
	arena_free(&l.scratch);
	return files;
}

struct bytes symbols_section(struct images *im, struct dso *dso, const char *name)
{
	struct load l = { .im = im, .dso = dso, .section = name };
	struct source *s = l.source;
	struct bytes b = { 0 };

	look_everywhere(&l);
	if ((CONFIG_UNWIND || (CONFIG_SRCLINE && CONFIG_CMD_PROBE)) && l.n_sources) {
		b = elf_bytes(&s->elf, s->wanted);
		if (b.len)
			b.at = (const u8 *)arena_strn(im->arena, b.at, b.len);
		drop(s);
	}
	arena_free(&l.scratch);
	return b;
}

/* The address of the symbol 'name'; 0 if there is none. */
static u64 find_symbol(struct elf *e, u32 table, const char *name)
{
	struct bytes names = elf_strings(e, e->sections[table].link);
	struct elf_table t;
	struct elf_symbol s;
	u32 i;

	if (!elf_table(e, table, &t))
		return 0;
	for (i = 0; i < t.n; i++) {
		elf_symbol(&t, i, &s);
		if (s.name < names.len && !strcmp((const char *)names.at + s.name, name))
			return s.value;
	}
	return 0;
}

/* Add the symbols of section 'only' (0: of all sections that are loaded), 'delta' higher. */
static void add_moved(struct load *l, struct elf *e, u32 table, u32 only, u64 delta)
{
	struct names names = names_of(e, table);
	struct elf_table t;
	struct elf_symbol s;
	u32 i;

	if (!elf_table(e, table, &t))
		return;
	for (i = 0; i < t.n; i++) {
		bool label;

		elf_symbol(&t, i, &s);
		label = is_label(&s);
		if ((!label && !is_code_or_data(&s)) || s.name >= names.all.len ||
		    s.section >= e->n_sections || (only && s.section != only) ||
		    !(e->sections[s.section].flags & SHF_ALLOC) ||
		    (label && !takes_labels(&e->sections[s.section])))
			continue;
		if (!add_symbol(l, &names, &s, s.value + delta))
			break;
	}
	symtab_fix(&l->table, false);
}

struct symbols *symbols_of_vmlinux(struct images *im, struct bytes file, u64 delta)
{
	struct load l = { .im = im };
	struct symbols *s;
	struct elf elf;
	u32 table;

	if (!elf_open(&elf, file, &l.scratch))
		return NULL;
	table = section_of_type(&elf, ".symtab", SHT_SYMTAB);
	if (table)
		add_moved(&l, &elf, table, 0, -delta);
	s = symtab_finish(&l.table, im->arena);
	arena_free(&l.scratch);
	return s;
}

u64 symbols_address(struct bytes file, const char *name)
{
	struct arena scratch = { 0 };
	struct elf elf;
	u64 addr = 0;
	u32 table;

	if (!elf_open(&elf, file, &scratch))
		return 0;
	table = section_of_type(&elf, ".symtab", SHT_SYMTAB);
	if (table)
		addr = find_symbol(&elf, table, name);
	arena_free(&scratch);
	return addr;
}

/* A module's file, decompressed if necessary. */
static struct bytes module_file(struct load *l, struct bytes *mapped)
{
	int err, fd = file_open_below(l->im->symfs, l->dso->path);
	struct bytes file;

	if (fd < 0)
		return (struct bytes){ 0 };
	err = file_map(mapped, fd);
	close(fd);
	if (err || !zip_is_gzip(*mapped))
		return *mapped;
	file = *mapped;
	return CONFIG_ZLIB ? zip_inflate(file, get32(file.at + file.len - 4), &l->scratch) :
		(struct bytes){ 0 };
}

struct symbols *symbols_of_module(struct images *im, struct dso *dso)
{
	struct load l = { .im = im, .dso = dso };
	struct bytes mapped = { 0 }, file = module_file(&l, &mapped), id = note_build_id(file);
	bool is_it = !dso->build_id_size || (id.len == dso->build_id_size &&
					     !memcmp(id.at, dso->build_id, id.len));
	struct symbols *s;
	struct elf elf;
	u32 table, text;

	if (is_it && elf_open(&elf, file, &l.scratch)) {
		table = section_of_type(&elf, ".symtab", SHT_SYMTAB);
		text = elf_find(&elf, ".text");
		if (table && text)
			add_moved(&l, &elf, table, text, dso->start);
	}
	s = symtab_finish(&l.table, im->arena);
	file_unmap(&mapped);
	arena_free(&l.scratch);
	return s;
}
