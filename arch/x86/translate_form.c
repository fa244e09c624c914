/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One instruction: its parts, whether it touches r11, and what it does to the flags.
 *
 * insn.c finds the length and the kind. This file finds the parts that a copy may have to change:
 * prefixes, ModRM, and a RIP-relative displacement. If it is not known whether a field names a
 * general register, it is taken for one; the only effect is one unnecessary swap of r11.
 *
 * Manual: SDM volume 2, "Instruction Format", "Opcode Map"; APX, "REX2 Prefix".
 */
#include "insn_maps.h"
#include "translate.h"
#include "translate_emit.h"

enum { STOLEN = 11, ROOM = INSN_MAX + 9 };
enum { AHEAD = 16 };	/* instructions in which to look for one that overwrites the flags */

/* Returns the offset of the opcode, or of VEX and similar prefixes. */
static unsigned int read_prefixes(struct form *f, const u8 *code)
{
	unsigned int i;

	for (i = 0; i < INSN_MAX; i++) {
		u8 byte = code[i], kind = kinds0[byte];

		if (kind == OP_REX && !TRANSLATE_NARROW) {
			f->rex_at = i + 1;
			continue;
		}
		if (kind != OP_PREFIX)
			break;
		f->rex_at = 0;
		switch (byte) {
		case 0x66:
			f->op16 = true;
			break;
		case 0x67:
			f->addr32 = true;
			break;
		case 0xf0:
			f->lock = true;
			break;
		case 0xf2: case 0xf3:
			f->repne = byte == 0xf2;
			f->rep = byte == 0xf3;
			break;
		default:		/* 64-bit code ignores CS, DS, ES and SS */
			if (TRANSLATE_NARROW || byte >= SEG_FS)
				f->seg = byte;
		}
	}
	return i;
}

static void take_bits(struct form *f, u8 rex)
{
	f->r = rex & 4 ? 8 : 0;
	f->x = rex & 2 ? 8 : 0;
	f->b = rex & 1 ? 8 : 0;
}

/* Read C5, C4, 8F or 62, in which R, X and B are inverted. Returns the offset of the opcode. */
static unsigned int read_vex(struct form *f, const u8 *code, unsigned int i)
{
	bool two = code[i] == 0xc5, evex = code[i] == 0x62;
	u8 last = two ? code[i + 1] : code[i + 2];

	f->vex_at = i + 1;
	take_bits(f, ~code[i + 1] >> 5 & (two ? 4 : 7));
	f->map = two ? 1 : code[i + 1] & (evex ? 7 : 31);
	f->v = ~last >> 3 & 15;
	return i + (two ? 2 : evex ? 4 : 3);
}

static unsigned int read_opcode(struct form *f, const u8 *code, unsigned int i)
{
	if (f->rex_at)
		take_bits(f, code[f->rex_at - 1]);
	if (kinds0[code[i]] < OP_ESCAPE)
		return i;
	if (TRANSLATE_NARROW && code[i] != 0x8f && code[i] != 0x0f &&
	    (code[i] == 0xd5 || code[i + 1] < 0xc0))
		return i;		/* LES, LDS, BOUND, AAD */
	if (code[i] == 0xc4 || code[i] == 0xc5 || code[i] == 0x62 ||
	    (code[i] == 0x8f && (code[i + 1] & 0x1f) >= 8))
		return read_vex(f, code, i);
	if (code[i] == 0xd5) {
		f->vex_at = i + 1;
		f->map = code[i + 1] >> 7;
		take_bits(f, code[i + 1]);
		return i + 2;
	}
	if (code[i] != 0x0f)
		return i;
	f->map = code[i + 1] == 0x38 ? 2 : code[i + 1] == 0x3a ? 3 : 1;
	return i + (f->map == 1 ? 1 : 2);
}

static bool has_modrm(const struct form *f, const u8 *code)
{
	u8 first = f->vex_at ? code[f->vex_at - 1] : 0;

	if (first == 0x62)
		return true;
	if (first && first != 0xd5)
		return f->op != 0x77 || f->map != 1;
	if (f->map > 1)
		return true;
	return (f->map ? shapes1[f->op] : shapes0[f->op]) & SHAPE_MODRM;
}

int form_decode(struct form *f, struct bytes code)
{
	const u8 *at = code.at;
	u8 copy[ROOM];
	int len;

	*f = (struct form){ .v = 16 };
	len = insn_decode(&f->insn, TRANSLATE_MODE, code);
	if (len <= 0)
		return len;
	if (code.len < ROOM) {
		memset(copy, 0, sizeof(copy));
		at = memcpy(copy, at, len);
	}
	if (kinds0[*at] >= OP_ESCAPE)
		f->op_at = read_opcode(f, at, read_prefixes(f, at));
	f->op = at[f->op_at];
	if (has_modrm(f, at)) {
		f->modrm_at = f->op_at + 1;
		f->rip = (at[f->modrm_at] & 0xc7) == 5;
		f->disp_at = f->modrm_at + 1;
	}
	return len;
}

/* The opcodes of maps 0 and 1, a row of 16 each, that plain() takes in 64-bit mode. Missing
 * are branches, prefixes, invalid opcodes, and those that have a kind of their own, or that
 * form_is_odd() or form_is_xbegin() may find in one of the two maps: 8E, A9, B5, C7. */
static const u16 plain_ops[2][16] = {
	{ 0x3f3f, 0x3f3f, 0x3f3f, 0x3f3f, 0x0000, 0xffff, 0xff08, 0x0000,
	  0x3ffb, 0xdbff, 0xfdf0, 0xffdf, 0x0343, 0xff8f, 0xf0f0, 0x7f30 },
	{ 0xff5d, 0xffff, 0xff00, 0xface, 0xffff, 0xffff, 0xffff, 0xfeff,
	  0x0000, 0xffff, 0xbdff, 0xffdf, 0xff7f, 0xffff, 0xffff, 0xffff },
};

/* Is r11 the register with these three bits, and the bit of 'rex' at 'shift'? */
static inline bool is_stolen(u8 rex, unsigned int shift, u8 bits)
{
	return (rex >> shift & 1) && (bits & 7) == (STOLEN & 7);
}

/* The length of one such instruction, or 0. ROOM bytes can be read. */
static inline __attribute__((always_inline)) unsigned int plain(const u8 *code)
{
	const u8 *at = code;
	u8 rex = (*at & 0xf0) == 0x40 ? *at++ : 0, op = *at++, shape = shapes0[op], modrm;
	u16 row = plain_ops[0][op >> 4];

	if (op == 0x0f) {
		op = *at++;
		shape = shapes1[op];
		row = plain_ops[1][op >> 4];
	}
	if (!(row >> (op & 15) & 1))
		return 0;
	modrm = *at;
	if (shape & SHAPE_MODRM) {
		u8 base = modrm;

		if ((modrm & 0xc7) == 5)
			return 0;
		at += modrm_sizes[modrm];
		if ((modrm & 7) == 4 && modrm < 0xc0) {
			base = at[1 - modrm_sizes[modrm]];
			at += modrm < 0x40 && (base & 7) == 5 ? 4 : 0;
			if (rex & 2 && is_stolen(rex, 1, base >> 3))
				return 0;
		}
		if (rex & 7 && (is_stolen(rex, 0, base) || is_stolen(rex, 2, modrm >> 3)))
			return 0;
	} else if (is_stolen(rex, 0, op)) {
		return 0;
	}
	return at - code + shape / SHAPE_IMM + (rex & shape & SHAPE_V) / 2;
}

_Static_assert(SHAPE_V == 8, "REX.W");

struct span {
	u8 first, last;
};

static bool in_spans(const struct span *s, size_t n, u8 op)
{
	while (n--)
		if (op >= s[n].first && op <= s[n].last)
			return true;
	return false;
}

/* Are all registers of this opcode vector or mask registers (not in a memory operand)? By map. */
bool form_only_vectors(const struct form *f, const u8 *code)
{
	static const struct span map1[] = {
		{ 0x10, 0x17 }, { 0x28, 0x29 }, { 0x2b, 0x2b }, { 0x2e, 0x2f }, { 0x51, 0x6d },
		{ 0x6f, 0x76 }, { 0x7c, 0x7d }, { 0x7f, 0x7f }, { 0xc2, 0xc2 }, { 0xc6, 0xc6 },
		{ 0xd0, 0xd6 }, { 0xd8, 0xf6 }, { 0xf8, 0xfe },
	};
	static const struct span masks1[] = { { 0x41, 0x4b }, { 0x90, 0x91 }, { 0x98, 0x99 } };
	static const struct span map2[] = { { 0x00, 0x79 }, { 0x7d, 0x7f }, { 0x83, 0x83 },
					    { 0x88, 0xdf } };
	static const struct span map3[] = { { 0x00, 0x13 }, { 0x18, 0x1f }, { 0x21, 0x21 },
					    { 0x23, 0x33 }, { 0x38, 0xdf } };
	u8 first = f->vex_at ? code[f->vex_at - 1] : 0;

	if (first == 0x8f || first == 0xd5)
		return false;
	switch (f->map) {
	case 1:
		/* Conversions and VMOVQ: four bits for each opcode, one for each prefix. */
		if (first == 0x62 && f->op - 0x78u < 7)
			return 0x4002e33 >> (f->op - 0x78) * 4 >> (code[f->vex_at + 1] & 3) & 1;
		return in_spans(map1, N_ELEM(map1), f->op) ||
		       (f->vex_at && in_spans(masks1, N_ELEM(masks1), f->op));
	case 2:
		return in_spans(map2, N_ELEM(map2), f->op);
	case 3:
		return in_spans(map3, N_ELEM(map3), f->op);
	}
	return false;
}

static bool memory_touches(const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at], sib = code[f->modrm_at + 1];

	if ((modrm & 7) != 4)
		return (modrm & 7) + f->b == STOLEN && !f->rip;
	if ((sib & 7) + f->b == STOLEN)
		return true;
	return (sib >> 3 & 7) + f->x == STOLEN;
}

bool form_touches_r11(const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at], first = f->vex_at ? code[f->vex_at - 1] : 0;
	bool vectors;

	if (TRANSLATE_NARROW || (!f->rex_at && !f->vex_at))
		return false;
	/* REX2 and EVEX map 4 have more bits for more registers. */
	if (first == 0xd5 || (first == 0x62 && f->map == 4))
		return true;
	if (!f->modrm_at)
		return f->b && (f->op & 7) == (STOLEN & 7);
	vectors = form_only_vectors(f, code);
	if (modrm < 0xc0 && memory_touches(f, code))
		return true;
	if (vectors)
		return false;
	return (modrm >= 0xc0 && (modrm & 7) + f->b == STOLEN) ||
	       (modrm >> 3 & 7) + f->r == STOLEN || f->v == STOLEN;
}

bool form_may_write_r11(const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at], op = f->op & ~1;
	bool is_reg = (modrm >> 3 & 7) + f->r == STOLEN;
	bool is_rm = modrm >= 0xc0 && (modrm & 7) + f->b == STOLEN;

	if (f->vex_at || !f->modrm_at || f->map > 1)
		return true;
	if (f->map)		/* CMOVcc, MOVZX and MOVSX write only to the register in 'reg' */
		return is_reg || (is_rm && (f->op & 0xf0) != 0x40 && (f->op & 0xf6) != 0xb6);
	if (op == 0x38 || op == 0x3a || op == 0x84)			/* CMP, TEST */
		return false;
	if (op == 0x86)							/* XCHG */
		return true;
	if (is_reg)
		return op != 0x88 || is_rm;				/* MOV from r11 */
	return is_rm && op != 0x8a && f->op != 0x63 && (f->op >= 0x40 || (f->op & 6) != 2);
}

/* The effect of the opcodes of maps 0 and 1, two bits each, a row of 16 in a word. FLAGS_READ also
 * stands for what is not known; FLAGS_KEPT, for opcodes that write only some of the flags. With
 * FLAGS_GROUP, it depends on the bits 'reg' of ModRM. */
enum { FLAGS_GROUP = 3 };

static const u32 flag_rows[2][16] = {
	{ 0xa555a555, 0xaaaaaaaa, 0xa555a555, 0xa555a555, 0x00000000, 0x00000000,
	  0xaa00aa2a, 0xaaaaaaaa, 0xa20005ef, 0xaaa00000, 0xa005a0aa, 0x00000000,
	  0xaaa20aaf, 0xaaaaaaff, 0xaaaaaaaa, 0xcaaafaaa },
	{ 0xa2aaaaaa, 0x00000000, 0x5000aaaa, 0xaaaaaaaa, 0xaaaaaaaa, 0x00000000,
	  0x00000000, 0x00aa0000, 0xaaaaaaaa, 0xaaaaaaaa, 0x202aa00a, 0x00000a25,
	  0x00000005, 0x00000000, 0x00000000, 0x80000000 },
};

static enum form_flags group_flags(u8 op, u8 reg)
{
	bool carry = reg == 2 || reg == 3;

	if (op < 0x84)					/* ADD to CMP */
		return carry ? FLAGS_READ : FLAGS_KILLED;
	if (op < 0xf6)					/* shifts */
		return carry ? FLAGS_READ : FLAGS_KEPT;
	if (op < 0xff)					/* TEST, NOT, NEG, MUL ... */
		return reg == 2 ? FLAGS_KEPT : reg < 4 ? FLAGS_KILLED : FLAGS_READ;
	return reg < 2 || reg == 6 ? FLAGS_KEPT : FLAGS_READ;	/* INC, DEC, PUSH; branches */
}

static inline enum form_flags flags_of(u32 map, u8 op, u8 modrm)
{
	u32 effect = flag_rows[map][op >> 4] >> (op & 15) * 2 & 3;

	return effect == FLAGS_GROUP ? group_flags(op, modrm >> 3 & 7) : effect;
}

enum form_flags form_flags(const struct form *f, const u8 *code)
{
	u8 first = f->vex_at ? code[f->vex_at - 1] : 0;

	if (first == 0xd5 || (first == 0x62 && f->map >= 4))
		return FLAGS_READ;
	if (first)
		return FLAGS_KEPT;
	if (f->map < 2)
		return flags_of(f->map, f->op, code[f->modrm_at]);
	return f->map == 2 && f->op == 0xf6 ? FLAGS_READ : FLAGS_KEPT;
}

/* The effect of an instruction for which plain() is not 0. */
static enum form_flags plain_flags(const u8 *code)
{
	bool map;

	code += (*code & 0xf0) == 0x40;
	map = *code == 0x0f;
	code += map;
	return flags_of(map, code[0], code[1]);
}

unsigned int form_plain_run(struct bytes code, u64 limit, u32 *n, enum form_flags *flags)
{
	const u8 *at = code.at, *end;
	u32 most = *n, len;

	*n = 0;
	if (TRANSLATE_NARROW || code.len < ROOM)
		return 0;
	end = at + MIN(limit, code.len - ROOM + 1);
	while (at < end && *n < most && (len = plain(at))) {
		++*n;
		at += len;
		if (flags && (*flags = plain_flags(at - len)) != FLAGS_KEPT)
			break;
	}
	return at - code.at;
}

bool translate_flags_are_dead(struct translate *t)
{
	enum form_flags flags = FLAGS_KEPT;
	u32 left = AHEAD, n;
	u64 ip = t->ip;
	struct form f;

	for (; left && flags == FLAGS_KEPT; left -= n) {
		struct bytes code = t->fetch(t->who, ip);
		int len;

		n = left;
		len = form_plain_run(code, ~0ULL, &n, &flags);
		if (!n) {
			n = 1;
			len = form_decode(&f, code);
			if (len <= 0)
				return false;
			if (!t->may_change &&
			    (f.insn.kind == INSN_JUMP || f.insn.kind == INSN_CALL)) {
				ip = insn_target(&f.insn, TRANSLATE_MODE, ip);
				continue;
			}
			flags = f.insn.kind == INSN_OTHER ? form_flags(&f, code.at) : FLAGS_READ;
		}
		ip += len;
		if (t->may_change)
			t->span = ip - t->ip;
	}
	return flags == FLAGS_KILLED;
}

bool form_may_store(const struct form *f, const u8 *code)
{
	return f->modrm_at ? code[f->modrm_at] < 0xc0 : !f->map && (f->op & 0xf0) == 0xa0;
}

u64 form_operand(const struct form *f, const u8 *code, u64 ip)
{
	u64 at = ip + f->insn.len + (i32)get32(code + f->disp_at);

	return f->addr32 ? (u32)at : at;
}

/* With LOCK, a copy faults as the original does. (In 32-bit code the effect of 66h on the target
 * differs.) */
bool form_is_xbegin(const struct form *f, const u8 *code)
{
	return f->op == 0xc7 && !f->map && !f->vex_at && code[f->modrm_at] == 0xf8 && !f->lock;
}

bool form_is_string(const struct form *f)
{
	return !f->map && !f->vex_at && ((f->op >= 0x6c && f->op <= 0x6f) ||
					 (f->op >= 0xa4 && f->op <= 0xaf && f->op != 0xa8 &&
					  f->op != 0xa9));
}

bool form_is_implicit(const struct form *f, const u8 *code)
{
	if (form_is_string(f) || form_is_moffs(f))
		return true;
	if (f->vex_at)
		return f->map == 1 && f->op == 0xf7;
	if (!f->map)
		return f->op == 0xd7;				/* XLAT */
	return f->map == 1 && code[f->modrm_at] >= 0xc0 &&
	       (f->op == 0xf7 || f->op == 0x01 || f->op == 0xae);	/* MASKMOV */
}

bool form_is_hint(const struct form *f)
{
	return !f->vex_at && (f->map ? f->map == 1 && f->op >= 0x18 && f->op < 0x20 :
			      f->op == 0x8d);
}

bool form_is_gather(const struct form *f)
{
	return f->vex_at && f->map == 2 && ((f->op & 0xfc) == 0x90 || (f->op & 0xfc) == 0xa0 ||
					    (f->op & 0xfe) == 0xc6);
}

unsigned int form_operand_end(const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at], sib = code[f->modrm_at + 1];

	return f->modrm_at + modrm_sizes[modrm] +
		(modrm < 0x40 && (modrm & 7) == 4 && (sib & 7) == 5 ? 4 : 0);
}

bool form_uses_gs(const struct form *f, const u8 *code)
{
	return f->seg == SEG_GS && form_is_memory(f, code) && !form_is_hint(f);
}

/* What copy_in_gs() in translate_copy.c cannot do: addresses that are not in ModRM, or are used in
 * another way; EVEX, whose displacement may have a scale; and REX2. */
static COLD bool gs_operand_is_odd(const struct form *f, const u8 *code)
{
	u8 first = f->vex_at ? code[f->vex_at - 1] : 0;

	if (!form_is_memory(f, code))
		return form_is_implicit(f, code);
	if (form_is_hint(f))
		return false;
	if (f->insn.len == INSN_MAX)
		return true;
	if (!first)
		return f->op == 0x8f && !f->map;	/* POP: its operand may contain RSP */
	return first == 0xd5 || first == 0x62 || form_is_gather(f) ||
	       (f->map == 2 && f->op == 0x4b);		/* TILELOADD */
}

bool form_is_odd64(const struct form *f, const u8 *code)
{
	u8 modrm = code[f->modrm_at], reg = modrm >> 3 & 7;

	switch (f->insn.kind) {
	case INSN_FAR_CALL: case INSN_FAR_JUMP: case INSN_FAR_RET: case INSN_IRET:
	case INSN_VMCALL:
		return true;
	case INSN_INT:
		return f->op == 0xcd;
	}
	if (f->rip && f->b && f->vex_at)	/* the base is RIP whatever B is */
		return true;
	/* The effect of 66h on a branch depends on the processor; before REX.W it has none. */
	if (f->insn.kind >= INSN_JUMP && f->op16 && !form_wide(f, code))
		return true;
	if (f->insn.kind > INSN_COND && f->vex_at)
		return true;
	if (f->seg == SEG_GS && gs_operand_is_odd(f, code))
		return true;
	if (f->vex_at)
		return false;
	if (!f->map)
		return f->op == 0x8e && reg == 5;
	return f->map == 1 && (f->op == 0xa9 || f->op == 0xb5 || f->op == 0x34);
}
