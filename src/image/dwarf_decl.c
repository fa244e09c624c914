/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The lines on which functions are declared: .debug_info (DWARF 2 to 5).
 *
 * The entries of a unit are read one after another, since the attributes of each say how long it
 * is. What is unknown ends the unit. The entry of a function that was inlined elsewhere, or of a
 * method, has an address and refers to the entry that has the line.
 */
#include <pt/image.h>

#include "image.h"
#include "reader.h"
#include "segment.h"

enum {
	TAG_SUBPROGRAM = 0x2e,
	AT_LOW_PC = 0x11, AT_ORIGIN = 0x31, AT_LINE = 0x3b, AT_SPECIFICATION = 0x47,
	AT_ADDR_BASE = 0x73,
	FORM_ADDR = 1, FORM_BLOCK2 = 3, FORM_BLOCK4, FORM_DATA2, FORM_DATA4, FORM_DATA8,
	FORM_STRING, FORM_BLOCK, FORM_BLOCK1, FORM_DATA1, FORM_FLAG, FORM_SDATA, FORM_STRP,
	FORM_UDATA, FORM_REF_ADDR, FORM_REF1, FORM_REF2, FORM_REF4, FORM_REF8, FORM_REF_UDATA,
	FORM_INDIRECT, FORM_SEC_OFFSET, FORM_EXPRLOC, FORM_FLAG_PRESENT, FORM_STRX, FORM_ADDRX,
	FORM_REF_SUP4, FORM_STRP_SUP, FORM_DATA16, FORM_LINE_STRP, FORM_REF_SIG8,
	FORM_IMPLICIT_CONST, FORM_LOCLISTX, FORM_RNGLISTX, FORM_REF_SUP8, FORM_STRX1, FORM_STRX2,
	FORM_STRX3, FORM_STRX4, FORM_ADDRX1, FORM_ADDRX2, FORM_ADDRX3, FORM_ADDRX4,
	UT_COMPILE = 1, UT_PARTIAL = 3,
	CODES = 4096,		/* abbreviations that are found at once */
	REFERENCES = 4,		/* from a function to its declaration */
};

/* The sections, and the unit that is read. */
struct decl {
	struct bytes info, abbrevs, addresses;
	struct reader r;
	u64 unit, next;		/* offsets of this unit and of the next one */
	u8 version, addr_size;
	bool wide;
	struct bytes abbrev;	/* of the unit */
	u64 addr_base;
	u32 *codes;		/* the place of each abbreviation in 'abbrev', plus 1 */
};

struct entry {
	u64 tag, low_pc, line, reference;
	bool has_pc, has_reference;
};

static u64 here(const struct decl *d)
{
	return d->r.rest.at - d->info.at;
}

static u64 take_block(struct decl *d, u64 len)
{
	reader_bytes(&d->r, len);
	return 0;
}

static u64 address_at(const struct decl *d, u64 index)
{
	u64 off = d->addr_base + index * d->addr_size;

	if (index > d->addresses.len || off > d->addresses.len ||
	    d->addresses.len - off < d->addr_size)
		return 0;
	return get_le(d->addresses.at + off, d->addr_size);
}

/* The value of an attribute. References become offsets in .debug_info. */
static u64 take_value(struct decl *d, u64 form, i64 constant)
{
	struct reader *r = &d->r;
	const u32 size = d->wide ? 8 : 4;

	switch (form) {
	case FORM_ADDR: return reader_take(r, d->addr_size);
	case FORM_BLOCK1: return take_block(d, reader_take(r, 1));
	case FORM_BLOCK2: return take_block(d, reader_take(r, 2));
	case FORM_BLOCK4: return take_block(d, reader_take(r, 4));
	case FORM_BLOCK: case FORM_EXPRLOC: return take_block(d, reader_uleb(r));
	case FORM_STRING:
		while (reader_take(r, 1) && !r->bad)
			;
		return 0;
	case FORM_DATA1: case FORM_FLAG: case FORM_STRX1: return reader_take(r, 1);
	case FORM_DATA2: case FORM_STRX2: return reader_take(r, 2);
	case FORM_STRX3: return reader_take(r, 3);
	case FORM_DATA4: case FORM_STRX4: case FORM_REF_SUP4: return reader_take(r, 4);
	case FORM_DATA8: case FORM_REF_SIG8: case FORM_REF_SUP8: return reader_take(r, 8);
	case FORM_DATA16: return take_block(d, 16);
	case FORM_SDATA: return reader_sleb(r);
	case FORM_UDATA: case FORM_STRX: case FORM_LOCLISTX: case FORM_RNGLISTX:
		return reader_uleb(r);
	case FORM_STRP: case FORM_LINE_STRP: case FORM_STRP_SUP: case FORM_SEC_OFFSET:
		return reader_take(r, size);
	case FORM_REF_ADDR: return reader_take(r, d->version < 3 ? d->addr_size : size);
	case FORM_REF1: return d->unit + reader_take(r, 1);
	case FORM_REF2: return d->unit + reader_take(r, 2);
	case FORM_REF4: return d->unit + reader_take(r, 4);
	case FORM_REF8: return d->unit + reader_take(r, 8);
	case FORM_REF_UDATA: return d->unit + reader_uleb(r);
	case FORM_FLAG_PRESENT: return 1;
	case FORM_IMPLICIT_CONST: return constant;
	case FORM_ADDRX: return address_at(d, reader_uleb(r));
	case FORM_ADDRX1: case FORM_ADDRX2: case FORM_ADDRX3: case FORM_ADDRX4:
		return address_at(d, reader_take(r, form - FORM_ADDRX1 + 1));
	case FORM_INDIRECT:
		form = reader_uleb(r);
		if (form != FORM_INDIRECT && form != FORM_IMPLICIT_CONST)
			return take_value(d, form, 0);
	}
	r->bad = true;
	return 0;
}

/* Read the header of the unit at 'at'. False at the end, or if the unit is damaged. */
static bool start_unit(struct decl *d, u64 at)
{
	struct bytes rest = bytes_skip(d->info, MIN(at, d->info.len));
	u64 len, abbrevs, type = UT_COMPILE;

	d->r = (struct reader){ rest };
	d->unit = at;
	len = reader_take(&d->r, 4);
	d->wide = len == 0xffffffff;
	if (d->wide)
		len = reader_take(&d->r, 8);
	if (d->r.bad || !len || len > d->r.rest.len)
		return false;
	d->r.rest = bytes_first(d->r.rest, len);
	d->next = here(d) + len;
	d->version = reader_take(&d->r, 2);
	if (d->version >= 5) {
		type = reader_take(&d->r, 1);
		d->addr_size = reader_take(&d->r, 1);
	}
	abbrevs = reader_take(&d->r, d->wide ? 8 : 4);
	if (d->version < 5)
		d->addr_size = reader_take(&d->r, 1);
	/* Units of types have no functions. */
	if (d->version < 2 || d->version > 5 || !d->addr_size || d->addr_size > 8 ||
	    (type != UT_COMPILE && type != UT_PARTIAL) || abbrevs > d->abbrevs.len)
		d->r.rest.len = 0;
	d->abbrev = bytes_skip(d->abbrevs, MIN(abbrevs, d->abbrevs.len));
	d->addr_base = 8;
	memset(d->codes, 0, CODES * sizeof(*d->codes));
	return true;
}

static void skip_abbrev(struct reader *a)
{
	u64 attribute, form;

	do {
		attribute = reader_uleb(a);
		form = reader_uleb(a);
		if (form == FORM_IMPLICIT_CONST)
			reader_sleb(a);
	} while ((attribute || form) && !a->bad);
}

/* Set 'a' to the attributes of an abbreviation. Returns its tag; 0 if there is none. */
static u64 find_abbrev(struct decl *d, u64 code, struct reader *a)
{
	u64 found, tag;

	*a = (struct reader){ d->abbrev };
	if (code < CODES && d->codes[code])
		reader_bytes(a, d->codes[code] - 1);
	for (;;) {
		u64 at = a->rest.at - d->abbrev.at;

		found = reader_uleb(a);
		if (!found || a->bad)
			return 0;
		if (found < CODES)
			d->codes[found] = at + 1;
		tag = reader_uleb(a);
		reader_take(a, 1);		/* whether it has children */
		if (found == code)
			return tag;
		skip_abbrev(a);
	}
}

/* Read the next entry that is not empty. False at the end of the unit. */
static bool next_entry(struct decl *d, struct entry *e)
{
	u64 code = 0, attribute, form, v;
	struct reader a;
	i64 constant;

	while (d->r.rest.len && !code)
		code = reader_uleb(&d->r);
	*e = (struct entry){ .tag = code && !d->r.bad ? find_abbrev(d, code, &a) : 0 };
	if (!e->tag)
		return false;
	while ((attribute = reader_uleb(&a)) && !a.bad) {
		form = reader_uleb(&a);
		constant = form == FORM_IMPLICIT_CONST ? reader_sleb(&a) : 0;
		v = take_value(d, form, constant);
		if (d->r.bad)
			return false;
		if (attribute == AT_LOW_PC) {
			e->low_pc = v;
			e->has_pc = true;
		} else if (attribute == AT_LINE) {
			e->line = v;
		} else if (attribute == AT_ORIGIN || attribute == AT_SPECIFICATION) {
			e->reference = v;
			e->has_reference = true;
		} else if (attribute == AT_ADDR_BASE) {
			d->addr_base = v;
		}
	}
	reader_uleb(&a);
	return true;
}

/* The line of an entry, or of the one that it refers to. */
static u64 line_of(struct decl *d, struct entry *e)
{
	u64 at;
	u32 n;

	for (n = 0; !e->line && e->has_reference && n < REFERENCES; n++) {
		u64 to = e->reference;

		for (at = 0; start_unit(d, at) && d->next <= to; at = d->next)
			;
		if (to < here(d) || to >= d->next)
			return 0;
		reader_bytes(&d->r, to - here(d));
		if (!next_entry(d, e))
			return 0;
	}
	return e->line;
}

static u64 find_line(struct decl *d, u64 pc)
{
	struct entry e;
	u64 at;

	for (at = 0; start_unit(d, at); at = d->next)
		while (next_entry(d, &e))
			if (e.tag == TAG_SUBPROGRAM && e.has_pc && e.low_pc == pc)
				return line_of(d, &e);
	return 0;
}

u32 dso_function_line(struct images *im, struct dso *dso, u64 off)
{
	struct arena scratch = { 0 };
	struct decl d = {
		.info = symbols_section(im, dso, ".debug_info"),
		.abbrevs = symbols_section(im, dso, ".debug_abbrev"),
		.addresses = symbols_section(im, dso, ".debug_addr"),
	};
	u64 pc, line = 0;

	d.codes = NEW(&scratch, u32, CODES);
	if (segments_address(dso_file_bytes(im, dso), off, &pc))
		line = find_line(&d, pc);
	arena_free(&scratch);
	return line;
}
