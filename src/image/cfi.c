/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call frame information: see cfi.h. A section is a list of entries. Common ones (CIE) have what
 * many functions share; the others (FDE) are of one function, and name their CIE. Both contain a
 * program that changes a row of rules; the row is right when the program comes to the address.
 */
#include <pt/sort.h>

#include "cfi.h"
#include "reader.h"

enum {
	CFA_NOP = 0, CFA_SET_LOC, CFA_ADVANCE1, CFA_ADVANCE2, CFA_ADVANCE4, CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED, CFA_UNDEFINED, CFA_SAME, CFA_REGISTER, CFA_REMEMBER,
	CFA_RESTORE_STATE, CFA_DEF, CFA_DEF_REGISTER, CFA_DEF_OFFSET, CFA_DEF_EXPRESSION,
	CFA_EXPRESSION, CFA_OFFSET_SIGNED, CFA_DEF_SIGNED, CFA_DEF_OFFSET_SIGNED, CFA_VAL_OFFSET,
	CFA_VAL_OFFSET_SIGNED, CFA_VAL_EXPRESSION,
	CFA_ARGS_SIZE = 0x2e, CFA_OFFSET_NEGATIVE = 0x2f,
	CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0,	/* the other bits count */

	PE_PCREL = 0x10, PE_FORM = 0x0f, PE_PLACE = 0x70, PE_OMIT = 0xff,

	/* Programs of compilers are far below these. */
	OPERATIONS_MAX = 1 << 16, NESTED_MAX = 8, AUGMENTATION_MAX = 8,
};

/* An entry, without its length. */
struct entry {
	struct reader r;	/* what follows the id */
	u64 id;
	u64 id_off;		/* where it is in the section */
	bool common;		/* a CIE */
};

struct common {
	u64 code_align;
	i64 data_align;
	u8 ip, encoding;
	bool has_size;		/* the FDE has the size of what an augmentation adds */
	bool signal;
	struct reader program;
};

static u64 offset_of(const struct cfi *c, const u8 *at)
{
	return at - c->bytes.at;
}

/* The entry at the front of '*all'. False at the end of the list. */
static bool next_entry(const struct cfi *c, struct reader *all, struct entry *e)
{
	u64 len = reader_take(all, 4), id_max = 0xffffffff;
	u32 word = 4;

	if (len == 0xffffffff) {
		len = reader_take(all, 8);
		word = c->is_eh ? 4 : 8;
		id_max = c->is_eh ? id_max : ~0ULL;
	}
	if (!len)
		return false;
	e->r = (struct reader){ reader_bytes(all, len), false };
	e->id_off = offset_of(c, e->r.rest.at);
	e->id = reader_take(&e->r, word);
	e->common = e->id == (c->is_eh ? 0 : id_max);
	return !all->bad && !e->r.bad;
}

/* A pointer, by its encoding: 'base' is the address of the section's first byte. */
static u64 take_pointer(const struct cfi *c, struct reader *r, u8 encoding)
{
	static const u8 sizes[16] = { 8, 0, 2, 4, 8, 0, 0, 0, 8, 0, 2, 4, 8 };
	u64 at = c->addr + offset_of(c, r->rest.at), v;
	u32 form = encoding & PE_FORM, size = sizes[form];

	if (size) {
		v = reader_take(r, size);
		if (form & 8 && size < 8 && v >> (8 * size - 1))
			v |= ~0ULL << 8 * size;
	} else {
		v = reader_leb(r, form & 8);
	}
	if ((encoding & PE_PLACE) == PE_PCREL)
		v += at;
	else if (encoding & PE_PLACE)
		r->bad = true;		/* relative to data or text: not used on x86-64 */
	return v;
}

static void skip_pointer(const struct cfi *c, struct reader *r, u8 encoding)
{
	if (encoding != PE_OMIT)
		take_pointer(c, r, encoding & PE_FORM);
}

/* What the letters of an augmentation add. */
static void read_augmentation(const struct cfi *c, struct common *to, struct reader *r,
			      const char *letters)
{
	struct reader more = { 0 };

	if (*letters == 'z') {
		to->has_size = true;
		more.rest = reader_bytes(r, reader_uleb(r));
		letters++;
	}
	for (; *letters && !r->bad && !more.bad; letters++) {
		switch (*letters) {
		case 'L':
			reader_take(&more, 1);
			break;
		case 'P':
			skip_pointer(c, &more, reader_take(&more, 1));
			break;
		case 'R':
			to->encoding = reader_take(&more, 1);
			break;
		case 'S':
			to->signal = true;
			break;
		case 'B':
			break;
		default:
			r->bad |= !to->has_size;
			return;
		}
	}
	r->bad |= more.bad;
}

static bool read_common(const struct cfi *c, u64 off, struct common *to)
{
	struct reader all = { bytes_skip(c->bytes, MIN(off, c->bytes.len)), false };
	char letters[AUGMENTATION_MAX];
	struct entry e;
	struct reader *r = &e.r;
	u64 version;
	u32 n = 0;

	*to = (struct common){ .encoding = 0 };
	if (!next_entry(c, &all, &e) || !e.common)
		return false;
	version = reader_take(r, 1);
	do {
		letters[n] = reader_take(r, 1);
	} while (letters[n] && ++n < sizeof(letters));
	if (n == sizeof(letters) || (version != 1 && version != 3 && version != 4))
		return false;
	if (version == 4)
		reader_take(r, 2);	/* sizes of addresses and of segment selectors */
	to->code_align = reader_uleb(r);
	to->data_align = reader_sleb(r);
	to->ip = version == 1 ? reader_take(r, 1) : reader_uleb(r);
	read_augmentation(c, to, r, letters);
	to->program = *r;
	return !r->bad && to->ip < CFI_REGS;
}

/* The CIE that an FDE names. */
static u64 common_of(const struct cfi *c, const struct entry *e)
{
	return c->is_eh ? e->id_off - e->id : e->id;
}

/* The addresses of an FDE. What remains to be read is its program. */
static bool read_range(const struct cfi *c, const struct common *common, struct entry *e,
		       struct cfi_function *f)
{
	f->start = take_pointer(c, &e->r, common->encoding);
	f->end = f->start + take_pointer(c, &e->r, common->encoding & PE_FORM);
	if (common->has_size)
		reader_bytes(&e->r, reader_uleb(&e->r));
	return !e->r.bad && f->start && f->start < f->end;
}

static void sort_functions(struct cfi *c, struct arena *arena)
{
	struct arena scratch = { 0 };
	struct sort_item *items = NEW(&scratch, struct sort_item, 2 * (size_t)c->n);
	struct cfi_function *sorted = NEW(arena, struct cfi_function, c->n);
	u32 i;

	for (i = 0; i < c->n; i++)
		items[i] = (struct sort_item){ c->functions[i].start, i };
	sort_items(items, c->n, items + c->n);
	for (i = 0; i < c->n; i++)
		sorted[i] = c->functions[items[i].index];
	c->functions = sorted;
	arena_free(&scratch);
}

void cfi_read(struct cfi *c, struct arena *arena)
{
	struct reader all = { c->bytes, false };
	struct arena scratch = { 0 };
	struct common common;
	u64 of = ~0ULL;
	u32 room = 0, off;
	bool can = false;
	struct entry e;

	c->functions = NULL;
	c->n = 0;
	if (c->bytes.len > UINT32_MAX)
		return;
	while (off = offset_of(c, all.rest.at), next_entry(c, &all, &e)) {
		struct cfi_function f = { .off = off };

		if (e.common)
			continue;
		if (common_of(c, &e) != of) {
			of = common_of(c, &e);
			can = read_common(c, of, &common);
		}
		if (!can || !read_range(c, &common, &e, &f))
			continue;
		if (c->n == room) {
			room = 2 * room + 256;
			c->functions = arena_grow(&scratch, c->functions, sizeof(f), c->n, room);
		}
		c->functions[c->n++] = f;
	}
	sort_functions(c, arena);
	arena_free(&scratch);
}

/* The state of a program. */
struct state {
	const struct cfi *c;
	const struct common *common;
	u64 loc, addr;		/* where it is, and where it stops */
	u32 operations, depth;
	struct cfi_row row, first, saved[NESTED_MAX];
};

/* The rule of a register; a register that is not known here has none that matters. */
static struct cfi_rule *rule_of(struct state *state, u64 reg)
{
	static struct cfi_rule ignored;

	return reg < CFI_REGS ? &state->row.reg[reg] : &ignored;
}

static void set_rule(struct state *state, u64 reg, enum cfi_how how, i64 value)
{
	*rule_of(state, reg) = (struct cfi_rule){ .how = how, .value = value };
}

static void restore(struct state *state, u64 reg)
{
	if (reg < CFI_REGS)
		state->row.reg[reg] = state->first.reg[reg];
}

static void set_cfa(struct state *state, u64 reg, i64 value)
{
	state->row.cfa = (struct cfi_rule){ CFI_IN, MIN(reg, (u64)CFI_REGS), value };
}

/* Skip an expression. Returns where it is. */
static i64 take_expression(struct state *state, struct reader *r)
{
	i64 off = offset_of(state->c, r->rest.at);

	reader_bytes(r, reader_uleb(r));
	return off;
}

/* Operations that have a register as their first operand. */
static bool set_register(struct state *state, struct reader *r, u8 op)
{
	i64 align = state->common->data_align;
	u64 reg = reader_uleb(r);

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		set_rule(state, reg, CFI_AT, reader_uleb(r) * align);
		break;
	case CFA_OFFSET_SIGNED:
		set_rule(state, reg, CFI_AT, (u64)reader_sleb(r) * align);
		break;
	case CFA_OFFSET_NEGATIVE:
		set_rule(state, reg, CFI_AT, -reader_uleb(r) * align);
		break;
	case CFA_VAL_OFFSET:
		set_rule(state, reg, CFI_IS, reader_uleb(r) * align);
		break;
	case CFA_VAL_OFFSET_SIGNED:
		set_rule(state, reg, CFI_IS, (u64)reader_sleb(r) * align);
		break;
	case CFA_RESTORE_EXTENDED:
		restore(state, reg);
		break;
	case CFA_UNDEFINED:
		set_rule(state, reg, CFI_UNDEFINED, 0);
		break;
	case CFA_SAME:
		set_rule(state, reg, CFI_SAME, 0);
		break;
	case CFA_REGISTER:
		set_rule(state, reg, CFI_IN, 0);
		rule_of(state, reg)->reg = MIN(reader_uleb(r), (u64)CFI_REGS);
		break;
	case CFA_EXPRESSION:
		set_rule(state, reg, CFI_AT_RESULT, take_expression(state, r));
		break;
	case CFA_VAL_EXPRESSION:
		set_rule(state, reg, CFI_IS_RESULT, take_expression(state, r));
		break;
	case CFA_DEF:
		set_cfa(state, reg, reader_uleb(r));
		break;
	case CFA_DEF_SIGNED:
		set_cfa(state, reg, (u64)reader_sleb(r) * align);
		break;
	case CFA_DEF_REGISTER:
		set_cfa(state, reg, state->row.cfa.value);
		break;
	default:
		return false;
	}
	return true;
}

/* One operation that does not go on to another address. False if it is unknown. */
static bool operate(struct state *state, struct reader *r, u8 op)
{
	u8 low = op & 0x3f;

	if ((op & 0xc0) == CFA_OFFSET) {
		set_rule(state, low, CFI_AT, reader_uleb(r) * state->common->data_align);
		return true;
	}
	if ((op & 0xc0) == CFA_RESTORE) {
		restore(state, low);
		return true;
	}
	switch (op) {
	case CFA_NOP:
		return true;
	case CFA_REMEMBER:
		if (state->depth == NESTED_MAX)
			return false;
		state->saved[state->depth++] = state->row;
		return true;
	case CFA_RESTORE_STATE:
		if (!state->depth)
			return false;
		state->row = state->saved[--state->depth];
		return true;
	case CFA_DEF_OFFSET:
		state->row.cfa.value = reader_uleb(r);
		return true;
	case CFA_DEF_OFFSET_SIGNED:
		state->row.cfa.value = (u64)reader_sleb(r) * state->common->data_align;
		return true;
	case CFA_DEF_EXPRESSION:
		state->row.cfa = (struct cfi_rule){ CFI_IS_RESULT, 0, take_expression(state, r) };
		return true;
	case CFA_ARGS_SIZE:
		reader_uleb(r);
		return true;
	}
	return set_register(state, r, op);
}

/* The address where the rows after 'op' begin; the current one if it only changes the row. */
static u64 advance(const struct state *state, struct reader *r, u8 op)
{
	u64 align = state->common->code_align;

	if ((op & 0xc0) == CFA_ADVANCE)
		return state->loc + (op & 0x3f) * align;
	if (op == CFA_SET_LOC)
		return take_pointer(state->c, r, state->common->encoding);
	if (op >= CFA_ADVANCE1 && op <= CFA_ADVANCE4)
		return state->loc + reader_take(r, 1u << (op - CFA_ADVANCE1)) * align;
	return state->loc;
}

static bool goes_on(u8 op)
{
	return (op & 0xc0) == CFA_ADVANCE || (op >= CFA_SET_LOC && op <= CFA_ADVANCE4);
}

/* Run a program up to the address. False if it is damaged. */
static bool run_program(struct state *state, struct reader r)
{
	while (r.rest.len && state->operations++ < OPERATIONS_MAX) {
		u8 op = reader_take(&r, 1);

		if (goes_on(op)) {
			u64 loc = advance(state, &r, op);

			if (loc > state->addr)
				return !r.bad;
			state->loc = loc;
		} else if (!operate(state, &r, op)) {
			return false;
		}
		if (r.bad)
			return false;
	}
	return !r.rest.len;
}

/* The last function that starts at or before 'addr', or NULL. */
static const struct cfi_function *find(const struct cfi *c, u64 addr)
{
	u32 low = 0, high = c->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (c->functions[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &c->functions[low - 1] : NULL;
}

bool cfi_row(const struct cfi *c, u64 addr, struct cfi_row *row)
{
	const struct cfi_function *f = find(c, addr);
	struct cfi_function again;
	struct reader all;
	struct common common;
	struct state state;
	struct entry e;

	if (!f || addr >= f->end)
		return false;
	all = (struct reader){ bytes_skip(c->bytes, f->off), false };
	if (!next_entry(c, &all, &e) || !read_common(c, common_of(c, &e), &common) ||
	    !read_range(c, &common, &e, &again))
		return false;
	state.c = c;
	state.common = &common;
	state.loc = f->start;
	state.addr = addr;
	state.operations = state.depth = 0;
	memset(&state.row, 0, sizeof(state.row));
	state.first = state.row;
	state.row.cfa.how = CFI_UNDEFINED;
	state.row.signal = common.signal;
	state.row.ip = common.ip;
	if (!run_program(&state, common.program))
		return false;
	state.first = state.row;
	state.loc = f->start;
	if (!run_program(&state, e.r))
		return false;
	*row = state.row;
	return true;
}

/* The expression at an offset that take_expression() returned. */
static struct bytes expression_at(const struct cfi *c, i64 off)
{
	struct reader r = { bytes_skip(c->bytes, off), false };

	return reader_bytes(&r, reader_uleb(&r));
}

static bool has_register(const struct cfi_frame *f, u8 reg)
{
	return reg < CFI_REGS && f->known >> reg & 1;
}

static bool find_cfa(const struct cfi *c, const struct cfi_rule *rule, const struct cfi_frame *f,
		     u64 *cfa)
{
	if (rule->how == CFI_IS_RESULT)
		return cfi_result(expression_at(c, rule->value), f, 0, cfa);
	if (rule->how != CFI_IN || !has_register(f, rule->reg))
		return false;
	*cfa = f->reg[rule->reg] + rule->value;
	return true;
}

/* Is the register saved below the stack pointer? Then it was restored already: compilers do not
 * change its rule before the end of the function. */
static bool is_restored(const struct cfi_rule *rule, const struct cfi_frame *f, u64 cfa)
{
	return rule->how == CFI_AT && f->known >> CFI_SP & 1 &&
	       cfa + rule->value < f->reg[CFI_SP];
}

/* What the caller has in a register that 'rule' is about. */
static bool find_register(const struct cfi *c, const struct cfi_rule *rule,
			  const struct cfi_frame *f, u64 cfa, u64 *to)
{
	u64 addr = cfa + rule->value;

	switch (rule->how) {
	case CFI_AT_RESULT:
		if (!cfi_result(expression_at(c, rule->value), f, cfa, &addr))
			return false;
		/* fall through */
	case CFI_AT:
		return f->read(f->who, addr, 8, to);
	case CFI_IS:
		*to = addr;
		return true;
	case CFI_IS_RESULT:
		return cfi_result(expression_at(c, rule->value), f, cfa, to);
	case CFI_IN:
		*to = has_register(f, rule->reg) ? f->reg[rule->reg] : 0;
		return has_register(f, rule->reg);
	}
	return false;
}

bool cfi_step(const struct cfi *c, const struct cfi_row *row, struct cfi_frame *f)
{
	struct cfi_frame up = *f;
	bool knows;
	u32 i;

	if (!find_cfa(c, &row->cfa, f, &up.cfa))
		return false;
	for (i = 0; i < CFI_REGS; i++) {
		if (row->reg[i].how == CFI_SAME || is_restored(&row->reg[i], f, up.cfa))
			continue;
		knows = find_register(c, &row->reg[i], f, up.cfa, &up.reg[i]);
		up.known = (up.known & ~(1u << i)) | (u32)knows << i;
	}
	if (row->reg[CFI_SP].how == CFI_SAME) {
		up.reg[CFI_SP] = up.cfa;
		up.known |= 1u << CFI_SP;
	}
	if (!(up.known >> row->ip & 1))
		return false;
	up.reg[CFI_IP] = up.reg[row->ip];
	up.known |= 1u << CFI_IP;
	*f = up;
	return true;
}
