/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An instruction to its operands, as far as they matter for its time: registers, memory, latency.
 *
 * Most opcodes follow a few patterns: rm and reg, in either direction. The others are in
 * switches. What is forgotten costs accuracy only. Latencies are those of present processors, which
 * differ little from each other: 3 cycles for a multiplication, 14 for a division.
 *
 * Manual: SDM volume 2, "Opcode Map"; Optimization Reference Manual, "Instruction Latency".
 */
#include <pt/operands.h>

enum { LOCKED = 18, DIVIDE = 14, MULTIPLY = 3, FLOAT = 3, FMA = 4, FLOAT_DIVIDE = 13, ROOT = 15,
       CONVERT = 5, SERIAL = 40, STRING = 20 };
enum { RAX, RCX, RDX, RSI = 6, RDI };

/* The parts of an instruction. */
struct form {
	struct operands *o;
	const u8 *at, *end;
	u8 op, map;		/* 0: one byte, 1: 0f, 2: 0f 38, 3: 0f 3a */
	u8 rex;			/* as the prefix: W 8, R 4, X 2, B 1 */
	u8 third;		/* VEX.vvvv, or OPERAND_NONE */
	u8 pp;			/* 0, 1: 66, 2: f3, 3: f2 */
	bool vex, lock, memory;
	u8 reg, rm;		/* numbers; 'rm' is no register if 'memory' */
};

static u64 bit(u32 n)
{
	return 1ull << n;
}

static u64 vector(u8 n)
{
	return bit(OPERAND_VECTOR + (n & 15));
}

static u8 next(struct form *f)
{
	return f->at < f->end ? *f->at++ : 0;
}

static void read_vex(struct form *f, u8 first)
{
	u8 a = next(f), b = a;

	f->vex = true;
	f->map = 1;
	f->rex = ~a >> 5 & 4;
	if (first != 0xc5) {
		b = next(f);
		if (first == 0x62)
			next(f);
		f->map = a & 3;
		f->rex = (~a >> 5 & 7) | (b >> 4 & 8);
	}
	f->third = ~b >> 3 & 15;
	f->pp = b & 3;
	f->op = next(f);
}

static void read_opcode(struct form *f)
{
	u8 b;

	for (;;) {
		b = next(f);
		if (b == 0x66)
			f->pp = f->pp ? f->pp : 1;
		else if (b == 0xf2 || b == 0xf3)
			f->pp = b == 0xf3 ? 2 : 3;
		else if (b == 0xf0)
			f->lock = true;
		else if (b != 0x67 && b != 0x2e && b != 0x36 && b != 0x3e && b != 0x26 &&
			 b != 0x64 && b != 0x65)
			break;
	}
	if (b >> 4 == 4) {
		f->rex = b & 15;
		b = next(f);
	}
	if (b == 0xc4 || b == 0xc5 || b == 0x62) {
		read_vex(f, b);
		return;
	}
	if (b == 0x0f) {
		f->map = 1;
		b = next(f);
		if (b == 0x38 || b == 0x3a) {
			f->map = b == 0x38 ? 2 : 3;
			b = next(f);
		}
	}
	f->op = b;
}

static i32 displacement(struct form *f, u32 size)
{
	i32 d = 0;

	if (size == 1)
		return (i8)next(f);
	if (size && f->end - f->at >= 4)
		memcpy(&d, f->at, 4);
	return d;
}

/* Read ModRM and what follows. 'ip' is the address after the instruction. */
static void read_modrm(struct form *f, u64 ip)
{
	u8 modrm = next(f), mod = modrm >> 6, sib;
	struct operands *o = f->o;

	f->reg = (modrm >> 3 & 7) | (f->rex & 4) << 1;
	f->rm = (modrm & 7) | (f->rex & 1) << 3;
	f->memory = mod != 3;
	if (!f->memory)
		return;
	o->base = f->rm;
	o->placed = true;
	if ((modrm & 7) == 4) {
		sib = next(f);
		o->base = (sib & 7) | (f->rex & 1) << 3;
		if (((sib >> 3 & 7) | (f->rex & 2) << 2) != 4) {
			o->reads |= bit((sib >> 3 & 7) | (f->rex & 2) << 2);
			o->placed = false;
		}
		if ((sib & 7) == 5 && !mod)
			o->base = OPERAND_NONE, mod = 2, ip = 0;
	} else if ((modrm & 7) == 5 && !mod) {
		o->base = OPERAND_NONE;
		mod = 2;
	}
	o->place = (i64)displacement(f, mod);
	if (o->base == OPERAND_NONE)
		o->place += ip;
	else
		o->reads |= bit(o->base);
}

/* rm is read, or written, or both; as a general register or a vector. */
enum { READ = 1, WRITE = 2 };

static void touch_rm(struct form *f, u32 how, bool is_vector)
{
	struct operands *o = f->o;

	if (f->memory) {
		o->load |= how & READ;
		o->store |= (how & WRITE) != 0;
		return;
	}
	o->reads |= how & READ ? is_vector ? vector(f->rm) : bit(f->rm) : 0;
	o->writes |= how & WRITE ? is_vector ? vector(f->rm) : bit(f->rm) : 0;
}

static void touch_reg(struct form *f, u32 how, bool is_vector)
{
	u64 reg = is_vector ? vector(f->reg) : bit(f->reg & 15);

	f->o->reads |= how & READ ? reg : 0;
	f->o->writes |= how & WRITE ? reg : 0;
}

static void flags(struct form *f, u32 how)
{
	f->o->reads |= how & READ ? bit(OPERAND_FLAGS) : 0;
	f->o->writes |= how & WRITE ? bit(OPERAND_FLAGS) : 0;
}

/* ADD, OR, ADC, SBB, AND, SUB, XOR, CMP by number. */
static u32 arithmetic_writes(struct form *f, u8 number)
{
	flags(f, number == 2 || number == 3 ? READ | WRITE : WRITE);
	return number == 7 ? READ : READ | WRITE;
}

static void read_arithmetic(struct form *f)
{
	u8 number = f->op >> 3;
	u32 how = arithmetic_writes(f, number);
	bool zero = (number == 6 || number == 5) && f->reg == f->rm && !f->memory;

	if ((f->op & 7) >= 4) {
		f->o->reads |= bit(RAX);
		f->o->writes |= how & WRITE ? bit(RAX) : 0;
		return;
	}
	if (zero)
		how = WRITE;	/* it does not depend on the register */
	touch_rm(f, f->op & 2 ? how & READ : how, false);
	touch_reg(f, f->op & 2 ? how : how & READ, false);
}

static void read_group3(struct form *f)
{
	u8 number = f->reg & 7;

	touch_rm(f, number == 2 || number == 3 ? READ | WRITE : READ, false);
	if (number != 2)
		flags(f, WRITE);
	if (number < 4)
		return;
	f->o->latency = number < 6 ? MULTIPLY : DIVIDE;
	f->o->reads |= bit(RAX) | (number < 6 ? 0 : bit(RDX));
	f->o->writes |= bit(RAX) | bit(RDX);
}

/* The general registers of opcodes that contain one. */
static u64 low(const struct form *f)
{
	return bit((f->op & 7) | (f->rex & 1) << 3);
}

static void read_one_byte(struct form *f)
{
	struct operands *o = f->o;

	if (f->op < 0x40) {
		read_arithmetic(f);
		return;
	}
	switch (f->op) {
	case 0x50 ... 0x57: o->reads |= low(f); o->store = true; break;
	case 0x58 ... 0x5f: o->writes |= low(f); o->load = true; break;
	case 0x63: case 0x8a: case 0x8b:
		touch_rm(f, READ, false);
		touch_reg(f, WRITE, false);
		break;
	case 0x68: case 0x6a: o->store = true; break;
	case 0x69: case 0x6b:
		touch_rm(f, READ, false);
		touch_reg(f, WRITE, false);
		flags(f, WRITE);
		o->latency = MULTIPLY;
		break;
	case 0x70 ... 0x7f: flags(f, READ); break;
	case 0x80 ... 0x83: touch_rm(f, arithmetic_writes(f, f->reg & 7), false); break;
	case 0x84: case 0x85:
		touch_rm(f, READ, false);
		touch_reg(f, READ, false);
		flags(f, WRITE);
		break;
	case 0x86: case 0x87:
		touch_rm(f, READ | WRITE, false);
		touch_reg(f, READ | WRITE, false);
		o->latency = f->memory ? LOCKED : 2;
		break;
	case 0x88: case 0x89:
		touch_rm(f, WRITE, false);
		touch_reg(f, READ, false);
		o->latency = f->memory;
		break;
	case 0x8d: touch_reg(f, WRITE, false); break;
	case 0x8f: touch_rm(f, WRITE, false); o->load = true; break;
	case 0x98: o->reads |= bit(RAX); o->writes |= bit(RAX); break;
	case 0x99: o->reads |= bit(RAX); o->writes |= bit(RDX); break;
	case 0xa4 ... 0xa7: case 0xaa ... 0xaf:
		o->reads |= bit(RSI) | bit(RDI) | bit(RCX) | bit(RAX);
		o->writes |= bit(RSI) | bit(RDI) | bit(RCX);
		o->latency = f->pp >= 2 ? STRING : 1;
		o->load = true;
		break;
	case 0xa8: case 0xa9: o->reads |= bit(RAX); flags(f, WRITE); break;
	case 0xb0 ... 0xbf: o->writes |= low(f); break;
	case 0xd2: case 0xd3: o->reads |= bit(RCX); /* fall through */
	case 0xc0: case 0xc1: case 0xd0: case 0xd1:
		touch_rm(f, READ | WRITE, false);
		flags(f, WRITE);
		break;
	case 0xc2: case 0xc3: o->load = true; break;
	case 0xc6: case 0xc7: touch_rm(f, WRITE, false); break;
	case 0xc9: o->reads |= bit(5); o->writes |= bit(5) | bit(OPERAND_SP); o->load = true; break;
	case 0xd8 ... 0xdf:
		touch_rm(f, f->memory ? READ : 0, false);
		o->reads |= bit(OPERAND_X87);
		o->writes |= bit(OPERAND_X87);
		o->latency = FMA;
		break;
	case 0xe8: o->store = true; break;
	case 0xf6: case 0xf7: read_group3(f); break;
	case 0xfe: touch_rm(f, READ | WRITE, false); flags(f, WRITE); break;
	case 0xff:
		touch_rm(f, (f->reg & 7) < 2 ? READ | WRITE : READ, false);
		if ((f->reg & 7) < 2)
			flags(f, WRITE);
		else if ((f->reg & 7) != 4)
			o->store = true;
		break;
	}
}

/* Instructions of general registers after 0f. False: 'op' is one of vectors. */
static bool read_two_bytes(struct form *f)
{
	struct operands *o = f->o;

	switch (f->op) {
	case 0x00 ... 0x0f: case 0x18 ... 0x1f: case 0x77: break;
	case 0x31: o->writes |= bit(RAX) | bit(RDX); o->latency = SERIAL; break;
	case 0xa2: o->writes |= bit(RAX) | bit(RCX) | bit(RDX) | bit(3); o->latency = 100; break;
	case 0x40 ... 0x4f: touch_rm(f, READ, false); touch_reg(f, READ | WRITE, false);
		flags(f, READ); break;
	case 0x80 ... 0x8f: flags(f, READ); break;
	case 0x90 ... 0x9f: touch_rm(f, WRITE, false); flags(f, READ); break;
	case 0xa3: case 0xab: case 0xb3: case 0xbb: case 0xba:
		touch_rm(f, READ | WRITE, false);
		if (f->op != 0xba)
			touch_reg(f, READ, false);
		flags(f, WRITE);
		break;
	case 0xa4: case 0xa5: case 0xac: case 0xad:
		touch_rm(f, READ | WRITE, false);
		touch_reg(f, READ, false);
		o->latency = 3;
		break;
	case 0xaf: touch_rm(f, READ, false); touch_reg(f, READ | WRITE, false); flags(f, WRITE);
		o->latency = MULTIPLY; break;
	case 0xb0: case 0xb1: case 0xc0: case 0xc1:
		touch_rm(f, READ | WRITE, false);
		touch_reg(f, READ, false);
		o->reads |= bit(RAX);
		o->writes |= bit(RAX);
		flags(f, WRITE);
		break;
	case 0xb6: case 0xb7: case 0xbe: case 0xbf:
		touch_rm(f, READ, false);
		touch_reg(f, WRITE, false);
		break;
	case 0xb8: case 0xbc: case 0xbd:
		touch_rm(f, READ, false);
		touch_reg(f, WRITE, false);
		flags(f, WRITE);
		break;
	case 0xc7: touch_rm(f, READ | WRITE, false); o->latency = LOCKED; break;
	case 0xc8 ... 0xcf: o->reads |= low(f); o->writes |= low(f); break;
	default: return false;
	}
	return true;
}

/* Conversions and moves between vectors and general registers. */
static bool read_mixed(struct form *f)
{
	switch (f->op) {
	case 0x2a: case 0x6e:
		touch_rm(f, READ, false);
		touch_reg(f, WRITE, true);
		break;
	case 0x2c: case 0x2d: case 0x50: case 0xd7: case 0xc5:
		touch_rm(f, READ, true);
		touch_reg(f, WRITE, false);
		break;
	case 0x2e: case 0x2f:
		touch_rm(f, READ, true);
		touch_reg(f, READ, true);
		flags(f, WRITE);
		f->o->latency = FLOAT;
		return true;
	case 0x7e:
		if (f->pp == 2)
			return false;	/* a move between vectors */
		touch_rm(f, WRITE, false);
		touch_reg(f, READ, true);
		break;
	default: return false;
	}
	f->o->latency = CONVERT;
	return true;
}

static u8 float_latency(const struct form *f)
{
	if (f->map == 2)
		return (f->op & 15) >= 6 && f->op >> 4 >= 9 && f->op >> 4 <= 0xb ? FMA : 1;
	if (f->map == 3)
		return 2;
	switch (f->op) {
	case 0x51: return ROOT;
	case 0x58: case 0x59: case 0x5c: return FLOAT;
	case 0x5e: return FLOAT_DIVIDE;
	case 0x5a: case 0x5b: case 0xe6: return CONVERT;
	case 0x5d: case 0x5f: return 2;
	default: return 1;
	}
}

static void read_vectors(struct form *f)
{
	enum { NONE, LOADS, STORES } move = NONE;
	u32 old = f->vex ? 0 : READ;

	if (f->map == 1 && read_mixed(f))
		return;
	if (f->map == 1)
		switch (f->op) {
		case 0x10: case 0x12: case 0x16: case 0x28: case 0x6f: case 0x7e: case 0xf0:
			move = LOADS; break;
		case 0x11: case 0x13: case 0x17: case 0x29: case 0x2b: case 0x7f: case 0xd6:
		case 0xe7:
			move = STORES; break;
		}
	if (f->map == 2 && f->op >= 0xf0) {	/* BMI, CRC32, MOVBE */
		touch_rm(f, READ, false);
		touch_reg(f, READ | WRITE, false);
		if (f->third != OPERAND_NONE)
			f->o->reads |= bit(f->third);
		f->o->latency = f->op == 0xf6 || f->op == 0xf0 || f->op == 0xf1 ? MULTIPLY : 1;
		return;
	}
	f->o->latency = float_latency(f);
	if (move == STORES) {
		touch_rm(f, WRITE, true);
		touch_reg(f, READ, true);
		return;
	}
	touch_rm(f, READ, true);
	touch_reg(f, move == LOADS ? WRITE : WRITE | (f->o->latency == FMA ? READ : old), true);
	if (f->third != OPERAND_NONE && move == NONE)
		f->o->reads |= vector(f->third);
	/* PXOR, XORPS, PSUB and comparisons of a register with itself. */
	if (f->map == 1 && (f->op == 0xef || f->op == 0x57) && !f->memory && f->reg == f->rm)
		f->o->reads = 0;
}

static bool has_modrm(const struct form *f)
{
	u8 op = f->op;

	if (f->map == 1)
		return op != 0x77 && !(op >= 0x80 && op <= 0x8f) && !(op >= 0xc8 && op <= 0xcf) &&
		       op != 0x31 && op != 0x05 && op != 0x0b && op != 0xa2;
	if (f->map)
		return true;
	if (op < 0x40)
		return (op & 7) < 4;
	return op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8f) || op == 0xc0 ||
	       op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op <= 0xd3) ||
	       (op >= 0xd8 && op <= 0xdf) || op == 0xf6 || op == 0xf7 || op >= 0xfe;
}

void operands_read(struct operands *o, struct bytes code, u64 ip)
{
	struct form f = { .o = o, .at = code.at, .end = code.at + code.len, .third = OPERAND_NONE };

	*o = (struct operands){ .base = OPERAND_NONE, .latency = 1 };
	read_opcode(&f);
	if (has_modrm(&f))
		read_modrm(&f, ip + code.len);
	if (!f.map)
		read_one_byte(&f);
	else if (f.vex || f.map != 1 || !read_two_bytes(&f))
		read_vectors(&f);
	if (f.lock)
		o->latency = LOCKED;
}
