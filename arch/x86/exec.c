/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Integer instructions done by computing: one switch.
 *
 * Arithmetic is done by the very instruction on this processor, from flags to
 * flags, so that also those that the manual leaves undefined come out as they
 * would have. An instruction writes memory first and registers last: one that
 * cannot have its memory leaves everything as it was.
 * Manual: SDM volume 2.
 */
#include "exec.h"
#include "exec_alu.h"

/* cpu.status: AH has the low byte of RFLAGS, AL is OF. */
enum { CARRY = 1 << 8, PARITY = 1 << 10, ZERO_F = 1 << 14, SIGN = 1 << 15, OVER = 1 };
enum {
	RFLAGS_OF = 1 << 11, RFLAGS_DF = 1 << 10,
	RFLAGS_AC = 1 << 18, RFLAGS_TF = 1 << 8, RFLAGS_RF = 1 << 16,
	RFLAGS_POPPED = STATUS_FLAGS | RFLAGS_DF,	/* what POPF may change here */
	RFLAGS_CHANGED_BY_POPF = 0x244dd5 | RFLAGS_TF,
};

u64 cpu_flags(const struct cpu *cpu)
{
	return cpu->rest | (cpu->status >> 8 & 0xd5) | (cpu->status & 1 ? RFLAGS_OF : 0);
}

void cpu_set_flags(struct cpu *cpu, u64 flags)
{
	cpu->rest = flags & ~(u64)STATUS_FLAGS;
	cpu->status = (flags & 0xd5) << 8 | 2 << 8 | !!(flags & RFLAGS_OF);
}

static bool condition(u32 status, unsigned int cc)
{
	bool is;

	switch (cc >> 1) {
	case 0: is = status & OVER; break;
	case 1: is = status & CARRY; break;
	case 2: is = status & ZERO_F; break;
	case 3: is = status & (CARRY | ZERO_F); break;
	case 4: is = status & SIGN; break;
	case 5: is = status & PARITY; break;
	case 6: is = (status >> 15 ^ status) & 1; break;
	default: is = ((status >> 15 ^ status) & 1) || (status & ZERO_F); break;
	}
	return is ^ (cc & 1);
}

/* Memory. */
static void flush_page(struct exec *x, struct exec_page *p)
{
	x->flush(x->who, p);
	memset(p->stored, 0, sizeof(p->stored));
	p->dirty = false;
}

static void flush_pages(struct exec *x)
{
	u32 i;

	for (i = 0; i < x->n_dirty; i++)
		if (x->page[x->dirty[i]].dirty)
			flush_page(x, &x->page[x->dirty[i]]);
	x->n_dirty = 0;
}

void exec_flush(struct exec *x)
{
	flush_pages(x);
	here_flush(x);
}

static struct exec_page *page_missing(struct exec *x, struct exec_page *p, u64 base)
{
	if (p->dirty)
		flush_pages(x);
	if (p->base != base)
		p->writable = 0;
	p->base = base;
	p->gen = 0;
	if (!x->load(x->who, p))
		return NULL;
	p->gen = x->gen;
	return p;
}

static inline struct exec_page *page_at(struct exec *x, u64 at)
{
	u64 base = at & ~(u64)(EXEC_PAGE - 1);
	struct exec_page *p = &x->page[(at >> 12 ^ at >> 20 ^ at >> 36) % EXEC_PAGES];

	if (likely(p->base == base && p->gen == x->gen))
		return p;
	return page_missing(x, p, base);
}

static inline bool within(u64 at, unsigned int size)
{
	return (at & (EXEC_PAGE - 1)) + size <= EXEC_PAGE;
}

static bool load(struct exec *x, u64 at, unsigned int size, u64 *v)
{
	struct exec_page *p;
	unsigned int i;

	if (likely(within(at, size))) {
		const u8 *from;

		p = page_at(x, at);
		if (unlikely(!p))
			return false;
		from = p->bytes + (at & (EXEC_PAGE - 1));
		switch (size) {
		case 1: *v = *from; break;
		case 2: *v = get16(from); break;
		case 4: *v = get32(from); break;
		default: *v = get64(from); break;
		}
		return true;
	}
	for (*v = 0, i = 0; i < size; i++) {
		p = page_at(x, at + i);
		if (!p)
			return false;
		*v |= (u64)p->bytes[(at + i) & (EXEC_PAGE - 1)] << 8 * i;
	}
	return true;
}

static struct exec_page *page_to_write(struct exec *x, u64 at)
{
	struct exec_page *p = page_at(x, at);

	if (unlikely(!p))
		return NULL;
	if (unlikely(p->writable != x->maps)) {
		if (!x->store(x->who, p, at))
			return NULL;
		p->writable = x->maps;
	}
	return p;
}

static void store_in(struct exec *x, struct exec_page *p, unsigned int off, unsigned int size,
		     u64 v)
{
	u64 mask = (1ULL << size) - 1;

	switch (size) {
	case 1: p->bytes[off] = v; break;
	case 2: set16(p->bytes + off, v); break;
	case 4: set32(p->bytes + off, v); break;
	default: set64(p->bytes + off, v); break;
	}
	p->stored[off / 64] |= mask << off % 64;
	if (off % 64 + size > 64)
		p->stored[off / 64 + 1] |= mask >> (64 - off % 64);
	if (!p->dirty)
		x->dirty[x->n_dirty++] = p - x->page;
	p->dirty = true;
}

static bool store(struct exec *x, u64 at, unsigned int size, u64 v)
{
	struct exec_page *p = page_to_write(x, at);
	unsigned int i;

	if (unlikely(!p))
		return false;
	if (likely(within(at, size))) {
		store_in(x, p, at & (EXEC_PAGE - 1), size, v);
		return true;
	}
	if (!page_to_write(x, at + size - 1))
		return false;
	for (i = 0; i < size; i++) {
		p = page_to_write(x, at + i);	/* may be evicted by the other, and come back */
		store_in(x, p, (at + i) & (EXEC_PAGE - 1), 1, v >> 8 * i & 0xff);
	}
	return true;
}

bool exec_load(struct exec *x, u64 at, u64 *v)
{
	return load(x, at, 8, v);
}

bool exec_may_store(struct exec *x, u64 at, unsigned int size)
{
	return page_to_write(x, at) && page_to_write(x, at + size - 1);
}

void exec_store(struct exec *x, u64 at, u8 v)
{
	store(x, at, 1, v);
}

/* Operands. */
static u64 reg_get(const struct cpu *cpu, u8 n, unsigned int size)
{
	if (unlikely(n & HIGH))
		return cpu->r[n & 3] >> 8 & 0xff;
	return cut(cpu->r[n], size);
}

static void reg_set(struct cpu *cpu, u8 n, unsigned int size, u64 v)
{
	switch (size) {
	case 1:
		if (n & HIGH)
			cpu->r[n & 3] = (cpu->r[n & 3] & ~0xff00ULL) | (v & 0xff) << 8;
		else
			cpu->r[n] = (cpu->r[n] & ~0xffULL) | (v & 0xff);
		return;
	case 2:
		cpu->r[n] = (cpu->r[n] & ~0xffffULL) | (v & 0xffff);
		return;
	case 4:
		cpu->r[n] = (u32)v;
		return;
	}
	cpu->r[n] = v;
}

static inline bool get(struct exec *x, const struct uop *u, u8 place, u64 *v)
{
	switch (place) {
	case AT_REG:
		*v = reg_get(&x->cpu, u->reg, u->size);
		return true;
	case AT_RM:
		*v = reg_get(&x->cpu, u->rm, u->size);
		return true;
	case AT_IMM:
		*v = u->imm;
		return true;
	}
	return load(x, uop_address(&x->cpu, u), u->size, v);
}

static inline bool set(struct exec *x, const struct uop *u, u8 place, u64 v)
{
	if (place == AT_MEM)
		return store(x, uop_address(&x->cpu, u), u->size, v);
	reg_set(&x->cpu, place == AT_REG ? u->reg : u->rm, u->size, v);
	return true;
}

/* Results that go to memory may turn out not to: flags are kept aside until then. */
static bool set_with_flags(struct exec *x, const struct uop *u, u64 v, u32 status)
{
	if (!set(x, u, u->dst, v))
		return false;
	x->cpu.status = status;
	return true;
}

static bool do_alu(struct exec *x, const struct uop *u)
{
	u32 status = x->cpu.status;
	u64 a, b, v;

	if (!get(x, u, u->dst, &a) || !get(x, u, u->src, &b))
		return false;
	v = alu(&status, u->sub, a, b, u->size);
	if (u->sub == 7) {
		x->cpu.status = status;
		return true;
	}
	return set_with_flags(x, u, v, status);
}

static bool do_one(struct exec *x, const struct uop *u)
{
	u32 status = x->cpu.status;
	u64 a;

	if (!get(x, u, u->dst, &a))
		return false;
	switch (u->op) {
	case OP_NOT: a = do_not(&status, a, u->size); break;
	case OP_NEG: a = do_neg(&status, a, u->size); break;
	case OP_INC: a = do_inc(&status, a, u->size); break;
	default: a = do_dec(&status, a, u->size); break;
	}
	return set_with_flags(x, u, a, status);
}

static bool do_shift(struct exec *x, const struct uop *u)
{
	u64 n = u->src == AT_IMM ? u->imm : x->cpu.r[1] & 0xff, a;
	u32 status = x->cpu.status;

	if (!get(x, u, u->dst, &a))
		return false;
	a = shift(&status, u->sub, a, n & 0xff, u->size);
	/* What ROL and ROR by more than 1 do to OF is left open by the manual: some
	 * processors leave it if they are of a register and by a constant. */
	if (u->sub <= 1 && u->src == AT_IMM && u->dst == AT_RM &&
	    (n & (u->size == 8 ? 63 : 31)) != 1 && rotate_keeps_of())
		status = (status & ~OVER) | (x->cpu.status & OVER);
	return set_with_flags(x, u, a, status);
}

static bool do_double(struct exec *x, const struct uop *u)
{
	u64 n = u->sub ? x->cpu.r[1] & 0xff : u->imm, a, b;
	u32 status = x->cpu.status;

	/* A word shifted by more than its size: undefined. */
	if ((u->size == 2 && (n & 31) > 16) || !get(x, u, u->dst, &a) || !get(x, u, u->src, &b))
		return false;
	a = u->op == OP_SHLD ? do_shld(&status, a, b, n, u->size) :
		do_shrd(&status, a, b, n, u->size);
	return set_with_flags(x, u, a, status);
}

static bool do_imul23(struct exec *x, const struct uop *u)
{
	u64 a, b;

	if (!get(x, u, u->src, &b))
		return false;
	a = u->op == OP_IMUL3 ? u->imm : reg_get(&x->cpu, u->reg, u->size);
	return set(x, u, AT_REG, do_imul(&x->cpu.status, a, b, u->size));
}

/* Would it fault? Where that takes arithmetic wider than ours, say yes. */
static bool div_faults(const struct cpu *cpu, u64 b, unsigned int size, bool is_signed)
{
	u64 lo = cut(cpu->r[0], size), hi = cut(size == 1 ? cpu->r[0] >> 8 : cpu->r[2], size);

	if (!is_signed)
		return hi >= b;
	b = widen(b, size);
	lo = widen(lo, size);
	if (b + 1 <= 1)		/* 0, -1 */
		return true;
	return hi != cut((i64)lo < 0 ? -1ULL : 0, size);
}

static bool do_wide(struct exec *x, const struct uop *u)
{
	struct cpu *cpu = &x->cpu;
	u64 b;

	if (!get(x, u, u->dst, &b))
		return false;
	switch (u->op) {
	case OP_MUL:
		do_mul(cpu, b, u->size);
		return true;
	case OP_IMUL:
		do_imul1(cpu, b, u->size);
		return true;
	}
	if (div_faults(cpu, b, u->size, u->op == OP_IDIV))
		return false;
	if (u->op == OP_DIV)
		do_div(cpu, b, u->size);
	else
		do_idiv(cpu, b, u->size);
	return true;
}

static bool do_xchg(struct exec *x, const struct uop *u)
{
	u64 a, b;

	if (!get(x, u, u->dst, &a) || !get(x, u, u->src, &b) || !set(x, u, u->dst, b))
		return false;
	return set(x, u, u->src, a);
}

static bool do_xadd(struct exec *x, const struct uop *u)
{
	u32 status = x->cpu.status;
	u64 a, b, sum;

	if (!get(x, u, u->dst, &a) || !get(x, u, u->src, &b))
		return false;
	sum = do_add(&status, a, b, u->size);
	if (u->dst == AT_RM) {		/* one register twice: the sum stays */
		set(x, u, AT_REG, a);
		return set_with_flags(x, u, sum, status);
	}
	return set_with_flags(x, u, sum, status) && set(x, u, AT_REG, a);
}

static bool do_cmpxchg(struct exec *x, const struct uop *u)
{
	struct cpu *cpu = &x->cpu;
	u64 a, b, ax = cut(cpu->r[0], u->size);
	u32 status = cpu->status;

	if (!get(x, u, u->dst, &a) || !get(x, u, u->src, &b))
		return false;
	do_sub(&status, ax, a, u->size);
	if (cut(a, u->size) == ax)
		return set_with_flags(x, u, b, status);
	if (u->dst == AT_MEM && !set(x, u, AT_MEM, a))	/* it writes in any case */
		return false;
	cpu->status = status;
	reg_set(cpu, 0, u->size, a);
	return true;
}

static bool do_bit(struct exec *x, const struct uop *u)
{
	u32 status = x->cpu.status;
	u64 a, n;

	if (!get(x, u, u->dst, &a) || !get(x, u, u->src, &n))
		return false;
	a = test_bit(&status, u->sub, a, n, u->size);
	if (!u->sub) {
		x->cpu.status = status;
		return true;
	}
	return set_with_flags(x, u, a, status);
}

static bool do_bits(struct exec *x, const struct uop *u)
{
	u64 b, old = x->cpu.r[u->reg], v;

	if (!get(x, u, u->src, &b))
		return false;
	v = bits(&x->cpu.status, u->sub, old, b, u->size);
	if (u->size == 4 && u->sub <= BITS_BSR && !(u32)b) {
		x->cpu.r[u->reg] = v;	/* as this processor leaves it: all of it, perhaps */
		return true;
	}
	return set(x, u, AT_REG, v);
}

static bool do_pop(struct exec *x, const struct uop *u)
{
	u64 v;

	if (!load(x, x->cpu.r[4], 8, &v))
		return false;
	x->cpu.r[4] += 8;
	x->cpu.r[u->rm] = v;
	return true;
}

static bool push(struct exec *x, u64 v)
{
	if (!store(x, x->cpu.r[4] - 8, 8, v))
		return false;
	x->cpu.r[4] -= 8;
	return true;
}

static bool do_leave(struct exec *x)
{
	u64 v;

	if (!load(x, x->cpu.r[5], 8, &v))
		return false;
	x->cpu.r[4] = x->cpu.r[5] + 8;
	x->cpu.r[5] = v;
	return true;
}

/* What else POPF could change is not ours to change. */
static bool do_popf(struct exec *x)
{
	struct cpu *cpu = &x->cpu;
	u64 v, now = cpu_flags(cpu);

	if (!load(x, cpu->r[4], 8, &v))
		return false;
	if ((v ^ now) & RFLAGS_CHANGED_BY_POPF & ~(u64)RFLAGS_POPPED)
		return false;
	cpu->r[4] += 8;
	cpu_set_flags(cpu, (now & ~(u64)RFLAGS_POPPED) | (v & RFLAGS_POPPED));
	return true;
}

enum { STRING_MAX = 512 };	/* bytes: more is quicker done by the processor */

static bool string_round(struct exec *x, const struct uop *u)
{
	struct cpu *cpu = &x->cpu;
	u64 v = cpu->r[0];

	if (u->op != OP_STOS && !load(x, cpu->r[6], u->size, &v))
		return false;
	if (u->op != OP_LODS && !store(x, cpu->r[7], u->size, v))
		return false;
	if (u->op == OP_LODS)
		reg_set(cpu, 0, u->size, v);
	if (u->op != OP_STOS)
		cpu->r[6] += u->size;
	if (u->op != OP_LODS)
		cpu->r[7] += u->size;
	return true;
}

static bool do_string(struct exec *x, const struct uop *u)
{
	struct cpu *cpu = &x->cpu;

	if (cpu->rest & RFLAGS_DF)
		return false;
	if (!u->sub)
		return string_round(x, u);
	if (cpu->r[1] > STRING_MAX)
		return false;
	for (; cpu->r[1]; cpu->r[1]--)
		if (!string_round(x, u))
			return false;
	return true;
}

static bool do_flag(struct cpu *cpu, unsigned int which)
{
	switch (which) {
	case FLAG_CMC: cpu->status ^= CARRY; break;
	case FLAG_CLC: cpu->status &= ~CARRY; break;
	case FLAG_STC: cpu->status |= CARRY; break;
	case FLAG_CLD: cpu->rest &= ~RFLAGS_DF; break;
	case FLAG_STD: cpu->rest |= RFLAGS_DF; break;
	}
	return true;
}

static bool do_sign(struct cpu *cpu, unsigned int size)
{
	reg_set(cpu, 2, size, (i64)widen(cpu->r[0], size) < 0 ? -1ULL : 0);
	return true;
}

static bool do_widen(struct cpu *cpu, unsigned int size)
{
	reg_set(cpu, 0, size, widen(cpu->r[0], size / 2));
	return true;
}

/* LOOPNE, LOOPE, LOOP, JRCXZ: taken? RCX is counted down. */
static bool loops(struct cpu *cpu, const struct uop *u)
{
	u64 n = cpu->r[1];

	if (u->sub == 3)
		return u->narrow ? !(u32)n : !n;
	n = cpu->r[1] = u->narrow ? (u32)(n - 1) : n - 1;
	if (!n || u->sub == 2)
		return n;
	return !!(cpu->status & ZERO_F) == u->sub;
}

/* All but branches; false if it is not ours to do. */
static inline bool do_plain(struct exec *x, const struct uop *u)
{
	struct cpu *cpu = &x->cpu;
	u64 a, b;

	switch (u->op) {
	case OP_NOP:
		return true;
	case OP_MOV:
		return get(x, u, u->src, &a) && set(x, u, u->dst, a);
	case OP_MOVSX:
		if (!get(x, u, u->src, &a))
			return false;
		reg_set(cpu, u->reg, u->sub & ~WITH_ZERO,
			u->sub & WITH_ZERO ? a : widen(a, u->size));
		return true;
	case OP_LEA:
		reg_set(cpu, u->reg, u->size, uop_address(cpu, u));
		return true;
	case OP_XCHG:
		return do_xchg(x, u);
	case OP_PUSH:
		return get(x, u, u->src, &a) && push(x, a);
	case OP_POP:
		return do_pop(x, u);
	case OP_LEAVE:
		return do_leave(x);
	case OP_ALU:
		return do_alu(x, u);
	case OP_TEST:
		if (!get(x, u, u->dst, &a) || !get(x, u, u->src, &b))
			return false;
		do_test(&cpu->status, a, b, u->size);
		return true;
	case OP_NOT: case OP_NEG: case OP_INC: case OP_DEC:
		return do_one(x, u);
	case OP_SHIFT:
		return do_shift(x, u);
	case OP_SHLD: case OP_SHRD:
		return do_double(x, u);
	case OP_IMUL2: case OP_IMUL3:
		return do_imul23(x, u);
	case OP_MUL: case OP_IMUL: case OP_DIV: case OP_IDIV:
		return do_wide(x, u);
	case OP_CMOV:
		if (!get(x, u, u->src, &a))
			return false;
		b = condition(cpu->status, u->sub) ? a : cpu->r[u->reg];
		reg_set(cpu, u->reg, u->size, b);
		return true;
	case OP_SETCC:
		return set(x, u, u->dst, condition(cpu->status, u->sub));
	case OP_WIDEN:
		return do_widen(cpu, u->size);
	case OP_SIGN:
		return do_sign(cpu, u->size);
	case OP_BT:
		return do_bit(x, u);
	case OP_BITS:
		return do_bits(x, u);
	case OP_BSWAP:
		a = __builtin_bswap64(cpu->r[u->rm]);
		reg_set(cpu, u->rm, u->size, u->size == 4 ? a >> 32 : a);
		return true;
	case OP_XADD:
		return do_xadd(x, u);
	case OP_CMPXCHG:
		return do_cmpxchg(x, u);
	case OP_MOVS: case OP_STOS: case OP_LODS:
		return do_string(x, u);
	case OP_PUSHF:
		return push(x, cpu_flags(cpu) & ~(u64)(RFLAGS_RF | 1 << 17));
	case OP_POPF:
		return do_popf(x);
	case OP_PTWRITE:
		return x->ptwrite && get(x, u, u->src, &a) && x->ptwrite(x->who, u, a);
	case OP_LAHF:
		reg_set(cpu, 0 | HIGH, 1, cpu->status >> 8);
		return true;
	case OP_SAHF:
		cpu->status = (cpu->status & 0xff) | (cpu->r[0] & 0xd500) | 2 << 8;
		return true;
	case OP_FLAG:
		return do_flag(cpu, u->sub);
	}
	return false;
}

/* Code. */
static bool fetch(struct exec *x, u64 ip, u8 bytes[INSN_MAX], unsigned int *n)
{
	struct exec_page *p = page_at(x, ip);
	unsigned int off = ip & (EXEC_PAGE - 1);

	if (!p)
		return false;
	*n = MIN(INSN_MAX, EXEC_PAGE - off);
	memcpy(bytes, p->bytes + off, *n);
	if (*n < INSN_MAX) {
		p = page_at(x, ip + *n);
		if (p) {
			memcpy(bytes + *n, p->bytes, INSN_MAX - *n);
			*n = INSN_MAX;
		}
	}
	return true;
}

static bool same_code(struct exec *x, const struct exec_line *line)
{
	u8 bytes[INSN_MAX];
	unsigned int n;

	return fetch(x, line->ip, bytes, &n) && line->u.len && n >= line->u.len &&
	       !memcmp(bytes, line->bytes, line->u.len);
}

static const struct exec_line *decode_line(struct exec *x, struct exec_line *line, u64 ip)
{
	unsigned int n;

	line->code = 0;
	memset(line->bytes, 0, sizeof(line->bytes));
	if (!fetch(x, ip, line->bytes, &n))
		return NULL;
	if (!exec_decode(&line->u, (struct bytes){ line->bytes, n }, ip))
		line->u.op = OP_NATIVE;
	line->ip = ip;
	line->code = x->code;
	line->fixed = x->fixed(x->who, ip) && x->fixed(x->who, ip + n - 1);
	return line;
}

static inline const struct exec_line *line_at(struct exec *x, u64 ip)
{
	struct exec_line *line = &x->line[(ip ^ ip >> 14) % EXEC_LINES];

	if (likely(line->ip == ip && line->code == x->code) &&
	    (likely(line->fixed) || same_code(x, line)))
		return line;
	return decode_line(x, line, ip);
}

const struct exec_line *exec_at(struct exec *x, u64 ip)
{
	return line_at(x, ip);
}

/* A branch to an address that there cannot be faults before it is taken; and one
 * into the kernel is none that we could follow. */
static bool reachable(u64 to)
{
	return !(to >> 47);
}

static enum exec_stop do_branch(struct exec *x, const struct uop *u, u64 next)
{
	struct cpu *cpu = &x->cpu;
	u64 to;

	switch (u->op) {
	case OP_CALL:
		if (!push(x, next))
			return EXEC_NATIVE;
		cpu->ip = u->imm;
		return EXEC_CALL;
	case OP_JCC:
		if (condition(cpu->status, u->sub)) {
			cpu->ip = u->imm;
			return EXEC_TAKEN;
		}
		cpu->ip = next;
		return EXEC_NOT_TAKEN;
	case OP_LOOP:
		if (loops(cpu, u)) {
			cpu->ip = u->imm;
			return EXEC_TAKEN;
		}
		cpu->ip = next;
		return EXEC_NOT_TAKEN;
	case OP_RET:
		if (!load(x, cpu->r[4], 8, &to) || !reachable(to))
			return EXEC_NATIVE;
		cpu->r[4] += 8 + u->imm;
		cpu->ip = to;
		return EXEC_RET;
	case OP_JUMP_RM:
		if (!get(x, u, u->src, &to) || !reachable(to))
			return EXEC_NATIVE;
		cpu->ip = to;
		return EXEC_INDIRECT;
	case OP_CALL_RM:
		if (!get(x, u, u->src, &to) || !reachable(to) || !push(x, next))
			return EXEC_NATIVE;
		cpu->ip = to;
		return EXEC_INDIRECT_CALL;
	}
	return EXEC_NATIVE;
}

enum exec_stop exec_run(struct exec *x, u64 *from)
{
	struct cpu *cpu = &x->cpu;

	if (unlikely(cpu->rest & (RFLAGS_AC | RFLAGS_TF)))
		return EXEC_NATIVE;
	for (;;) {
		const struct exec_line *line;
		enum exec_stop stop;

		if (unlikely(x->n >= x->stop))
			return EXEC_BUDGET;
		line = line_at(x, cpu->ip);
		if (unlikely(!line))
			return EXEC_NATIVE;
		if (line->u.op < OP_JUMP) {
			if (!do_plain(x, &line->u))
				return EXEC_NATIVE;
			cpu->ip += line->u.len;
			x->n++;
			continue;
		}
		if (line->u.op == OP_JUMP) {
			cpu->ip = line->u.imm;
			x->n++;
			continue;
		}
		if (line->u.op == OP_HERE) {
			if (!here_run(x, line))
				return EXEC_NATIVE;
			cpu->ip += line->u.len;
			x->n++;
			continue;
		}
		*from = cpu->ip + line->u.len;
		stop = do_branch(x, &line->u, *from);
		x->n += stop != EXEC_NATIVE;
		return stop;
	}
}
