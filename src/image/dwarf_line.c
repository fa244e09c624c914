/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Line number programs: see dwarf_line.h. A unit is a header with the names of files, and a
 * program for a machine with an address, a file and a line, whose instructions append rows. Up to
 * version 4 the folder of the compiler is an attribute of the unit in .debug_info that points to
 * the header (DWARF 4, "Unit Headers" and "Abbreviations Tables").
 */
#include <pt/hash.h>
#include <pt/text.h>

#include "dwarf_line.h"
#include "reader.h"

enum {
	LNS_COPY = 1, LNS_ADVANCE_PC, LNS_ADVANCE_LINE, LNS_SET_FILE, LNS_CONST_ADD_PC = 8,
	LNS_FIXED_ADVANCE_PC,
	LNE_END_SEQUENCE = 1, LNE_SET_ADDRESS, LNE_DEFINE_FILE,
	LNCT_PATH = 1, LNCT_FOLDER = 2,
	FORM_ADDR = 1, FORM_BLOCK2 = 3, FORM_BLOCK4, FORM_DATA2, FORM_DATA4, FORM_DATA8,
	FORM_STRING, FORM_BLOCK, FORM_BLOCK1, FORM_DATA1, FORM_FLAG, FORM_SDATA, FORM_STRP,
	FORM_UDATA, FORM_SEC_OFFSET = 0x17, FORM_EXPRLOC, FORM_FLAG_PRESENT, FORM_DATA16 = 0x1e,
	FORM_LINE_STRP,
	AT_STMT_LIST = 0x10, AT_COMP_DIR = 0x1b,
	ABBREV_MAX = 4096,	/* bytes up to the end of the first one that units use */
};

/* The text at offset 'from', which a NUL ends; "" if there is none. */
static const char *text_at(struct bytes all, u64 from)
{
	struct bytes b = bytes_skip(all, MIN(from, all.len));

	return b.len && memchr(b.at, 0, b.len) ? (const char *)b.at : "";
}

static const char *take_text(struct reader *r)
{
	const char *text = text_at(r->rest, 0);

	reader_bytes(r, strlen(text) + 1);
	return text;
}

/* Where a unit was compiled whose lines are at offset 'at'. */
struct compiled {
	struct hashed in;
	u64 at;
	const char *folder;
};

struct unit {
	struct reader r;
	struct bytes strings, line_strings;
	const char *folder;	/* of the compiler, up to version 4 */
	u8 version, addr_size, min_len, line_range, opcode_base;
	i8 line_base;
	bool wide;		/* the 64-bit format of DWARF */
	struct bytes program;
	struct bytes lengths;	/* how many operands the standard opcodes have */
	u32 first_name;		/* where its names begin among all */
	const char **folders;	/* the first is that of the compiler, "" where it is not known */
	u32 n_folders, folders_room;
	struct line_rows *to;
};

static void add_folder(struct unit *u, const char *name)
{
	if (u->n_folders == u->folders_room) {
		u->folders = arena_grow(u->to->arena, u->folders, sizeof(*u->folders),
					u->n_folders, 2 * u->n_folders + 64);
		u->folders_room = 2 * u->n_folders + 64;
	}
	u->folders[u->n_folders++] = name;
}

/* The path of a file, in the arena for texts. */
static const char *join(struct unit *u, const char *name, u64 folder)
{
	const char *parts[3] = { "", "", name };
	size_t len = 0, n;
	char *text, *at;
	int i;

	if (*name != '/' && folder < u->n_folders) {
		parts[1] = u->folders[folder];
		if (folder && *parts[1] != '/')
			parts[0] = u->folders[0];
	}
	for (i = 0; i < 3; i++)
		len += strlen(parts[i]) + 1;
	at = text = arena_alloc(u->to->texts, len);
	for (i = 0; i < 3; i++) {
		n = strlen(parts[i]);
		memcpy(at, parts[i], n);
		at += n;
		if (n && i < 2)
			*at++ = '/';
	}
	return text;
}

static void add_name(struct unit *u, const char *name, u64 folder)
{
	struct line_rows *to = u->to;

	if (to->n_names == to->names_room) {
		to->names = arena_grow(to->arena, to->names, sizeof(*to->names), to->n_names,
				       2 * to->n_names + 64);
		to->names_room = 2 * to->n_names + 64;
	}
	to->names[to->n_names++] = *name ? join(u, name, folder) : "";
}

/* Up to version 4 files are named by text, from 1 on. */
static void read_old_names(struct unit *u)
{
	const char *name;

	add_folder(u, u->folder);
	while (*(name = take_text(&u->r)) && !u->r.bad)
		add_folder(u, name);
	add_name(u, "", 0);
	while (*(name = take_text(&u->r)) && !u->r.bad) {
		add_name(u, name, reader_uleb(&u->r));
		reader_uleb(&u->r);
		reader_uleb(&u->r);
	}
}

/* The value of an attribute; its text, or its number, if it is one. */
static const char *take_form(struct unit *u, u64 form, u64 *number)
{
	struct reader *r = &u->r;

	switch (form) {
	case FORM_STRING:
		return take_text(r);
	case FORM_LINE_STRP:
		return text_at(u->line_strings, reader_take(r, u->wide ? 8 : 4));
	case FORM_STRP:
		return text_at(u->strings, reader_take(r, u->wide ? 8 : 4));
	case FORM_UDATA:
		*number = reader_uleb(r);
		break;
	case FORM_DATA1:
		*number = reader_take(r, 1);
		break;
	case FORM_DATA2:
		*number = reader_take(r, 2);
		break;
	case FORM_DATA4:
		*number = reader_take(r, 4);
		break;
	case FORM_DATA8:
		*number = reader_take(r, 8);
		break;
	case FORM_SEC_OFFSET:
		*number = reader_take(r, u->wide ? 8 : 4);
		break;
	case FORM_ADDR:
		reader_take(r, u->addr_size);
		break;
	case FORM_FLAG:
		reader_take(r, 1);
		break;
	case FORM_SDATA:
		reader_uleb(r);
		break;
	case FORM_FLAG_PRESENT:
		break;
	case FORM_DATA16:
		reader_bytes(r, 16);
		break;
	case FORM_BLOCK:
	case FORM_EXPRLOC:
		reader_bytes(r, reader_uleb(r));
		break;
	case FORM_BLOCK1:
		reader_bytes(r, reader_take(r, 1));
		break;
	case FORM_BLOCK2:
		reader_bytes(r, reader_take(r, 2));
		break;
	case FORM_BLOCK4:
		reader_bytes(r, reader_take(r, 4));
		break;
	default:
		r->bad = true;
	}
	return "";
}

/* From version 5 on, a table begins with a description of its entries. */
static void read_names(struct unit *u, bool files)
{
	u64 kinds[16], forms[16], count;
	u32 n = reader_take(&u->r, 1), i;

	u->r.bad |= n > N_ELEM(kinds);
	for (i = 0; i < n && !u->r.bad; i++) {
		kinds[i] = reader_uleb(&u->r);
		forms[i] = reader_uleb(&u->r);
	}
	for (count = reader_uleb(&u->r); count && n && !u->r.bad; count--) {
		const char *name = "";
		u64 folder = 0;

		for (i = 0; i < n; i++) {
			u64 number = 0;
			const char *text = take_form(u, forms[i], &number);

			if (kinds[i] == LNCT_PATH)
				name = text;
			else if (kinds[i] == LNCT_FOLDER)
				folder = number;
		}
		if (files)
			add_name(u, name, folder);
		else
			add_folder(u, name);
	}
}

static void add_row(struct unit *u, u64 addr, u64 file, u64 line)
{
	struct line_rows *to = u->to;
	u32 name = u->first_name + (file < to->n_names - u->first_name ? file : 0);

	if (to->n == to->room) {
		to->rows = arena_grow(to->arena, to->rows, sizeof(*to->rows), to->n,
				      2 * to->n + 256);
		to->room = 2 * to->n + 256;
	}
	to->rows[to->n++] = (struct line_row){ addr, name, MIN(line, ~0u) };
}

/* The machine's registers. */
struct state {
	u64 addr, file, line;
	u32 first;		/* row of the current sequence */
};

static void restart(struct unit *u, struct state *s)
{
	*s = (struct state){ .file = 1, .line = 1, .first = u->to->n };
}

static void extended(struct unit *u, struct state *s)
{
	u64 len = reader_uleb(&u->r);
	struct reader r = { reader_bytes(&u->r, len) };

	switch (reader_take(&r, 1)) {
	case LNE_END_SEQUENCE:
		/* The last rows have the address of the end: there is no code between. */
		while (u->to->n > s->first && u->to->rows[u->to->n - 1].addr == s->addr)
			u->to->n--;
		add_row(u, s->addr, 0, 0);
		u->to->rows[u->to->n - 1].file = LINE_END;
		restart(u, s);
		break;
	case LNE_SET_ADDRESS:
		s->addr = reader_take(&r, MIN(r.rest.len, 8u));
		break;
	case LNE_DEFINE_FILE:
		add_name(u, take_text(&r), 0);
		break;
	}
}

static void standard(struct unit *u, struct state *s, u8 opcode)
{
	u32 n;

	switch (opcode) {
	case LNS_COPY:
		add_row(u, s->addr, s->file, s->line);
		break;
	case LNS_ADVANCE_PC:
		s->addr += reader_uleb(&u->r) * u->min_len;
		break;
	case LNS_ADVANCE_LINE:
		s->line += reader_sleb(&u->r);
		break;
	case LNS_SET_FILE:
		s->file = reader_uleb(&u->r);
		break;
	case LNS_CONST_ADD_PC:
		s->addr += (255 - u->opcode_base) / u->line_range * u->min_len;
		break;
	case LNS_FIXED_ADVANCE_PC:
		s->addr += reader_take(&u->r, 2);
		break;
	default:
		for (n = u->lengths.at[opcode - 1]; n; n--)
			reader_uleb(&u->r);
	}
}

static void run(struct unit *u)
{
	struct state s;

	restart(u, &s);
	while (u->r.rest.len && !u->r.bad) {
		u8 opcode = reader_take(&u->r, 1);

		if (opcode >= u->opcode_base) {
			opcode -= u->opcode_base;
			s.addr += opcode / u->line_range * u->min_len;
			s.line += u->line_base + opcode % u->line_range;
			add_row(u, s.addr, s.file, s.line);
		} else if (opcode) {
			standard(u, &s, opcode);
		} else {
			extended(u, &s);
		}
	}
	u->to->n = s.first;
}

/* Read the header up to the names. False if its version or its format is unknown. */
static bool read_header(struct unit *u)
{
	u64 version = reader_take(&u->r, 2), len;

	if (version < 2 || version > 5)
		return false;
	if (version >= 5)
		reader_take(&u->r, 2);		/* sizes of addresses and of segment selectors */
	u->version = version;
	len = reader_take(&u->r, u->wide ? 8 : 4);
	u->r.bad |= len > u->r.rest.len;
	u->program = bytes_skip(u->r.rest, MIN(len, u->r.rest.len));
	u->min_len = reader_take(&u->r, 1);
	if (version >= 4)
		reader_take(&u->r, 1);		/* operations of an instruction: x86 has one */
	reader_take(&u->r, 1);		/* whether rows are statements at first: all count here */
	u->line_base = reader_take(&u->r, 1);
	u->line_range = reader_take(&u->r, 1);
	u->opcode_base = reader_take(&u->r, 1);
	if (!u->opcode_base || !u->line_range)
		return false;
	u->lengths = reader_bytes(&u->r, u->opcode_base - 1);
	return !u->r.bad;
}

static void read_unit(struct unit *u)
{
	if (!read_header(u))
		return;
	u->first_name = u->to->n_names;
	if (u->version >= 5) {
		read_names(u, false);
		read_names(u, true);
	} else {
		read_old_names(u);
	}
	if (u->r.bad || u->to->n_names == u->first_name)
		return;
	u->r.rest = u->program;
	run(u);
}

/* The next unit of a section: all that follows its length. */
static bool next_unit(struct reader *all, struct unit *u)
{
	u64 len;

	if (all->rest.len < 4 || all->bad)
		return false;
	len = reader_take(all, 4);
	u->wide = len == 0xffffffff;
	if (u->wide)
		len = reader_take(all, 8);
	u->r.rest = reader_bytes(all, len);
	return true;
}

/* Read up to the attributes of the abbreviation 'code'. False if there is none. */
static bool find_abbrev(struct reader *r, u64 code)
{
	u64 found, attribute, form;

	while ((found = reader_uleb(r)) && !r->bad) {
		reader_uleb(r);		/* tag */
		reader_take(r, 1);		/* whether it has children */
		if (found == code)
			return true;
		do {
			attribute = reader_uleb(r);
			form = reader_uleb(r);
		} while ((attribute || form) && !r->bad);
	}
	return false;
}

/* A unit of .debug_info: where are its lines, and in which folder was it compiled? */
static void read_compiled(struct unit *u, struct bytes abbrev, struct hash_table *to)
{
	struct compiled c = { .folder = "" }, *kept;
	u64 version = reader_take(&u->r, 2), number, attribute, form;
	struct reader r;
	bool has = false;

	if (version < 2 || version > 4)
		return;
	number = reader_take(&u->r, u->wide ? 8 : 4);
	u->addr_size = reader_take(&u->r, 1);
	r.rest = bytes_skip(abbrev, MIN(number, abbrev.len));
	r.rest = bytes_first(r.rest, MIN(r.rest.len, (size_t)ABBREV_MAX));
	r.bad = false;
	if (!find_abbrev(&r, reader_uleb(&u->r)))
		return;
	while ((attribute = reader_uleb(&r)) && !r.bad && !u->r.bad) {
		const char *text;

		form = reader_uleb(&r);
		number = 0;
		text = take_form(u, form, &number);
		if (attribute == AT_COMP_DIR)
			c.folder = text;
		has |= attribute == AT_STMT_LIST;
		if (attribute == AT_STMT_LIST)
			c.at = number;
	}
	if (!has || !*c.folder)
		return;
	kept = NEW(u->to->arena, struct compiled, 1);
	*kept = c;
	kept->in.hash = hash_mix(1, c.at);
	hash_put(u->to->arena, to, &kept->in);
}

static const char *folder_of(const struct hash_table *t, u64 at)
{
	const struct hashed *in;

	for (in = hash_first(t, hash_mix(1, at)); in; in = in->next)
		if (((const struct compiled *)in)->at == at)
			return ((const struct compiled *)in)->folder;
	return "";
}

bool dwarf_line_is_old(struct bytes lines)
{
	struct reader all = { lines };
	struct unit u = { 0 };

	while (next_unit(&all, &u))
		if (reader_take(&u.r, 2) < 5)
			return true;
	return false;
}

void dwarf_line_read(struct line_rows *to, const struct dwarf_sections *from)
{
	const struct unit start = { .strings = from->strings, .line_strings = from->line_strings,
				    .to = to };
	struct reader info = { from->info }, lines = { from->lines };
	struct hash_table compiled = { 0 };
	struct unit u;
	u64 at = 0;

	for (u = start; next_unit(&info, &u); u = start)
		read_compiled(&u, from->abbrev, &compiled);
	for (u = start; next_unit(&lines, &u); u = start) {
		u.folder = folder_of(&compiled, at);
		read_unit(&u);
		at = lines.rest.at - from->lines.at;
	}
}
