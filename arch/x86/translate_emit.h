/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Write instructions into a struct translate_code.
 */
#ifndef PT_X86_TRANSLATE_EMIT_H
#define PT_X86_TRANSLATE_EMIT_H

#include <pt/translate.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R11 = 11, R13 = 13 };
enum { SEG_CS = 0x2e, SEG_DS = 0x3e, SEG_FS = 0x64, SEG_GS = 0x65, ADDR32 = 0x67 };

/* The prefix of the segment whose base is the thread's slot: GS, or FS for 32-bit code. */
#define SLOT_PREFIX (TRANSLATE_NARROW ? 0x64 : 0x65)

static inline void emit(struct translate_code *c, const void *bytes, unsigned int n)
{
	const u8 *from = bytes;
	u8 *to = c->to;

	/* Copy the few bytes in a loop: gcc's REP MOVSB starts slowly (it took 36 % of the time of
	 * /bin/true under pt). */
	c->at += n;
	c->to += n;
	while (n--)
		*to++ = *from++;
}

static inline void emit32(struct translate_code *c, u32 v)
{
	set32(c->to, v);
	c->at += 4;
	c->to += 4;
}

static inline void emit64(struct translate_code *c, u64 v)
{
	set64(c->to, v);
	c->at += 8;
	c->to += 8;
}

/* Write eight bytes, of which 'n' count. There is always room, since the last bytes of a block are
 * written by one of the functions above. (copy_plain() writes sixteen: the end of the block follows
 * them.) */
void translate_emit(struct translate_code *c, u64 bytes, unsigned int n);

#define EMIT_N(...) sizeof((const u8[]){ __VA_ARGS__ })
#define EMIT(c, ...) translate_emit((c), \
	((union { u8 b[8]; u64 v; }){ .b = { __VA_ARGS__ } }).v, EMIT_N(__VA_ARGS__))

/* mov $v, reg */
static inline void emit_address(struct translate_code *c, u8 reg, u64 v)
{
	EMIT(c, 0x48 | reg >> 3, 0xb8 | (reg & 7));
	emit64(c, v);
}

/* Write a rel32 that leads to 'to'. */
static inline void emit_rel(struct translate_code *c, u64 to)
{
	emit32(c, to - (c->at + 4));
}

/* MOV of a 64-bit register to or from the slot, by opcode. */
static inline void emit_slot(struct translate_code *c, u8 op, u8 reg, u16 off)
{
	EMIT(c, SLOT_PREFIX, 0x48 | (reg >> 3 << 2), op, (reg & 7) << 3 | 4, 0x25);
	emit32(c, off);
}

static inline void emit_save(struct translate_code *c, u8 reg, u16 off)
{
	emit_slot(c, 0x89, reg, off);
}

static inline void emit_load(struct translate_code *c, u8 reg, u16 off)
{
	emit_slot(c, 0x8b, reg, off);
}

/* lea n(%r11), %r11 */
static inline void emit_advance(struct translate_code *c, i32 n)
{
	if (n >= -128 && n < 128)
		EMIT(c, 0x4d, 0x8d, 0x5b, n);
	else {
		EMIT(c, 0x4d, 0x8d, 0x9b);
		emit32(c, n);
	}
}

/* Operand k(%r11) after an opcode, with 'reg' in ModRM. */
static inline void emit_ring(struct translate_code *c, u8 reg, i32 k)
{
	EMIT(c, 0x40 | reg << 3 | 3, k);
}

/* Take 'n' bytes, a multiple of 8, from the cold end. */
static inline struct translate_code take_cold(struct translate *t, unsigned int n)
{
	t->cold.at -= n;
	t->cold.to -= n;
	return t->cold;
}

/* Pad with up to three bytes, so that a rel32 'n' bytes later does not cross an 8-byte boundary: it
 * is patched while other processors may execute it. */
static inline void emit_align(struct translate_code *c, unsigned int n)
{
	static const u8 nops[][4] = { { 0 }, { 0x90 }, { 0x66, 0x90 }, { 0x0f, 0x1f, 0x00 },
				      { 0x0f, 0x1f, 0x40, 0x00 } };
	unsigned int at = (c->at + n) & 7;

	if (at > 4)
		emit(c, nops[8 - at], 8 - at);
}

/* t->now is the state before the instruction that will be emitted at 'c'. If this is the address to
 * look up, keep it. */
static inline void mark(struct translate *t, const struct translate_code *c)
{
	if (t->find == c->at && t->find && !t->found) {
		t->found = true;
		t->state = t->now;
	}
}

/* Registers that emitted code needs are saved in the ring, a little after the write pointer: there
 * a displacement of 8 bits is enough. They are not overwritten: an indirect branch adds only 8
 * bytes to the ring before its target restores RCX. While r11 has the program's value, they are
 * saved in the slot. */
enum { SCRATCH = 24 };

/* MOV of a register to or from this place, by opcode; n: 0, or 8 for the second register. */
void translate_scratch(struct translate *t, u8 op, u8 reg, u8 n);

static inline void spill(struct translate *t, u8 reg)
{
	t->now.scratch = t->now.swapped ? 0 : t->now.pending + SCRATCH;
	translate_scratch(t, 0x89, reg, 0);
	t->now.spilled = reg + 1;
}

static inline void fill(struct translate *t)
{
	translate_scratch(t, 0x8b, t->now.spilled - 1, 0);
	t->now.spilled = 0;
}

static inline void spill_second(struct translate *t, u8 reg)
{
	translate_scratch(t, 0x89, reg, 8);
	t->now.second = reg + 1;
}

static inline void fill_second(struct translate *t)
{
	translate_scratch(t, 0x8b, t->now.second - 1, 8);
	t->now.second = 0;
}

/* r11 becomes the program's, or the write pointer. */
void translate_swap_in(struct translate *t);
void translate_swap_out(struct translate *t);

#endif
