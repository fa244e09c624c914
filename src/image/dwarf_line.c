/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Line number programs: see dwarf_line.h. A unit is a header with the names of files, and a
 * program for a machine with an address, a file and a line, whose instructions append rows.
 */
#include <pt/text.h>

#include "dwarf_line.h"
#include "reader.h"

enum {
	LNS_COPY = 1, LNS_ADVANCE_PC, LNS_ADVANCE_LINE, LNS_SET_FILE, LNS_CONST_ADD_PC = 8,
	LNS_FIXED_ADVANCE_PC,
	LNE_END_SEQUENCE = 1, LNE_SET_ADDRESS, LNE_DEFINE_FILE,
	LNCT_PATH = 1, LNCT_FOLDER = 2,
	FORM_BLOCK2 = 3, FORM_BLOCK4, FORM_DATA2, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK,
	FORM_BLOCK1, FORM_DATA1, FORM_STRP = 0x0e, FORM_UDATA, FORM_DATA16 = 0x1e, FORM_LINE_STRP,
};

/* The text at 'from', of a length that is at hand; "" if it has no end. */
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

struct unit {
	struct reader r;
	struct bytes strings, line_strings;
	u8 version, min_len, line_range, opcode_base;
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

	add_folder(u, "");
	while (*(name = take_text(&u->r)) && !u->r.bad)
		add_folder(u, name);
	add_name(u, "", 0);
	while (*(name = take_text(&u->r)) && !u->r.bad) {
		add_name(u, name, reader_uleb(&u->r));
		reader_uleb(&u->r);
		reader_uleb(&u->r);
	}
}

/* A value of version 5; its text, or its number, if it is one. */
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
		reader_take(r, 4);
		break;
	case FORM_DATA8:
		reader_take(r, 8);
		break;
	case FORM_DATA16:
		reader_bytes(r, 16);
		break;
	case FORM_BLOCK:
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
	u32 first;		/* row of the sequence at hand */
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
		/* Rows of no code. After the end they would go on up to the next sequence. */
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

/* The header up to its names. False if it is of no kind that is known. */
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

void dwarf_line_read(struct line_rows *to, struct bytes section, struct bytes strings,
		     struct bytes line_strings)
{
	struct reader all = { section };

	while (all.rest.len >= 4 && !all.bad) {
		struct unit u = { .strings = strings, .line_strings = line_strings, .to = to };
		u64 len = reader_take(&all, 4);

		u.wide = len == 0xffffffff;
		if (u.wide)
			len = reader_take(&all, 8);
		u.r.rest = reader_bytes(&all, len);
		read_unit(&u);
	}
}
