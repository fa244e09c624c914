/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Arithmetic, done by the very instruction: flags in, flags out. For exec.c.
 *
 * 'status' is AX as LAHF and SETO leave it; adding 7fh to AL brings OF back.
 */
#ifndef X86_EXEC_ALU_H
#define X86_EXEC_ALU_H

#include "exec.h"

#define WITH_FLAGS(code) "addb $0x7f, %%al; sahf; " code "; lahf; seto %%al"

/* The same for each size: 'w' and so on are operands 1 and 2 as the code has them. */
#define SIZED(n, code, reg, ...) \
	case n: asm(WITH_FLAGS(code) : "+a"(*status), reg(a) : __VA_ARGS__); break

#define TWO(name, code) \
	u64 do_##name(u32 *status, u64 a, u64 b, unsigned int size) \
	{ \
		switch (size) { \
		SIZED(1, code "b %b2, %b1", "+q", "q"(b)); \
		SIZED(2, code "w %w2, %w1", "+r", "r"(b)); \
		SIZED(4, code "l %k2, %k1", "+r", "r"(b)); \
		SIZED(8, code "q %q2, %q1", "+r", "r"(b)); \
		} \
		return a; \
	}
/* No form for bytes. */
#define WIDER(name, code) \
	u64 do_##name(u32 *status, u64 a, u64 b, unsigned int size) \
	{ \
		switch (size) { \
		SIZED(2, code "w %w2, %w1", "+r", "r"(b)); \
		SIZED(4, code "l %k2, %k1", "+r", "r"(b)); \
		SIZED(8, code "q %q2, %q1", "+r", "r"(b)); \
		} \
		return a; \
	}
#define ONE(name, code) \
	u64 do_##name(u32 *status, u64 a, unsigned int size) \
	{ \
		switch (size) { \
		SIZED(1, code "b %b1", "+q", ); \
		SIZED(2, code "w %w1", "+r", ); \
		SIZED(4, code "l %k1", "+r", ); \
		SIZED(8, code "q %q1", "+r", ); \
		} \
		return a; \
	}
#define BY_CL(name, code) \
	u64 do_##name(u32 *status, u64 a, u64 b, unsigned int size) \
	{ \
		switch (size) { \
		SIZED(1, code "b %%cl, %b1", "+q", "c"(b)); \
		SIZED(2, code "w %%cl, %w1", "+r", "c"(b)); \
		SIZED(4, code "l %%cl, %k1", "+r", "c"(b)); \
		SIZED(8, code "q %%cl, %q1", "+r", "c"(b)); \
		} \
		return a; \
	}
#define DOUBLE(name, code) \
	u64 do_##name(u32 *status, u64 a, u64 b, u64 n, unsigned int size) \
	{ \
		switch (size) { \
		SIZED(2, code "w %%cl, %w2, %w1", "+r", "r"(b), "c"(n)); \
		SIZED(4, code "l %%cl, %k2, %k1", "+r", "r"(b), "c"(n)); \
		SIZED(8, code "q %%cl, %q2, %q1", "+r", "r"(b), "c"(n)); \
		} \
		return a; \
	}
/* RAX and RDX are operands, so flags go by the stack, below the red zone. */
#define WIDE(name, code) \
	void do_##name(struct cpu *cpu, u64 b, unsigned int size) \
	{ \
		u64 f = cpu_flags(cpu) & STATUS_FLAGS; \
		switch (size) { \
		case 1: asm(BY_STACK(code "b %b3") : WIDE_OPERANDS); break; \
		case 2: asm(BY_STACK(code "w %w3") : WIDE_OPERANDS); break; \
		case 4: asm(BY_STACK(code "l %k3") : WIDE_OPERANDS); break; \
		case 8: asm(BY_STACK(code "q %q3") : WIDE_OPERANDS); break; \
		} \
		cpu_set_flags(cpu, cpu->rest | (f & STATUS_FLAGS)); \
	}
#define BY_STACK(code) \
	"lea -128(%%rsp), %%rsp; push %2; popfq; " code "; pushfq; pop %2; lea 128(%%rsp), %%rsp"
#define WIDE_OPERANDS "+a"(cpu->r[0]), "+d"(cpu->r[2]), "+r"(f) : "r"(b) : "memory"


static TWO(add, "add") static TWO(or, "or") static TWO(adc, "adc") static TWO(sbb, "sbb")
static TWO(and, "and") static TWO(sub, "sub") static TWO(xor, "xor") static TWO(test, "test")
static ONE(not, "not") static ONE(neg, "neg") static ONE(inc, "inc") static ONE(dec, "dec")
static BY_CL(rol, "rol") static BY_CL(ror, "ror") static BY_CL(rcl, "rcl")
static BY_CL(rcr, "rcr") static BY_CL(shl, "shl") static BY_CL(shr, "shr")
static BY_CL(sar, "sar") static DOUBLE(shld, "shld") static DOUBLE(shrd, "shrd")
static WIDER(imul, "imul") static WIDER(bsf, "bsf") static WIDER(bsr, "bsr")
static WIDER(tzcnt, "tzcnt") static WIDER(lzcnt, "lzcnt") static WIDER(popcnt, "popcnt")
static WIDER(bt, "bt") static WIDER(bts, "bts") static WIDER(btr, "btr")
static WIDER(btc, "btc") static WIDE(mul, "mul") static WIDE(imul1, "imul")
static WIDE(div, "div") static WIDE(idiv, "idiv")

/* The low bytes of a number, with zeros or its sign above. */
static u64 cut(u64 v, unsigned int size)
{
	switch (size) {
	case 1: return (u8)v;
	case 2: return (u16)v;
	case 4: return (u32)v;
	}
	return v;
}

static u64 widen(u64 v, unsigned int size)
{
	switch (size) {
	case 1: return (i8)v;
	case 2: return (i16)v;
	case 4: return (i32)v;
	}
	return v;
}

static u64 alu(u32 *status, unsigned int which, u64 a, u64 b, unsigned int size)
{
	switch (which) {
	case 0: return do_add(status, a, b, size);
	case 1: return do_or(status, a, b, size);
	case 2: return do_adc(status, a, b, size);
	case 3: return do_sbb(status, a, b, size);
	case 4: return do_and(status, a, b, size);
	case 6: return do_xor(status, a, b, size);
	}
	return do_sub(status, a, b, size);
}

static u64 shift(u32 *status, unsigned int which, u64 a, u64 n, unsigned int size)
{
	switch (which) {
	case 0: return do_rol(status, a, n, size);
	case 1: return do_ror(status, a, n, size);
	case 2: return do_rcl(status, a, n, size);
	case 3: return do_rcr(status, a, n, size);
	case 4: return do_shl(status, a, n, size);
	case 5: return do_shr(status, a, n, size);
	}
	return do_sar(status, a, n, size);
}

/* Does this processor leave OF when it rotates a register by a constant over 1? */
static bool rotate_keeps_of(void)
{
	u32 status = 1, a = 0;

	asm(WITH_FLAGS("rol $2, %1") : "+a"(status), "+r"(a));
	return status & 1;
}

static u64 test_bit(u32 *status, unsigned int which, u64 a, u64 n, unsigned int size)
{
	switch (which) {
	case 0: return do_bt(status, a, n, size);
	case 1: return do_bts(status, a, n, size);
	case 2: return do_btr(status, a, n, size);
	}
	return do_btc(status, a, n, size);
}

static u64 bits(u32 *status, unsigned int which, u64 a, u64 b, unsigned int size)
{
	switch (which) {
	case BITS_BSF: return do_bsf(status, a, b, size);
	case BITS_BSR: return do_bsr(status, a, b, size);
	case BITS_TZCNT: return do_tzcnt(status, a, b, size);
	case BITS_LZCNT: return do_lzcnt(status, a, b, size);
	}
	return do_popcnt(status, a, b, size);
}

#endif
