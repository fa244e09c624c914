/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Stacks to call chains: see <pt/unwind.h>. Each frame is that of a function; its call frame
 * information says where the registers of the caller are. Code without such information (made at
 * run time, or written in assembler) mostly keeps the address of its frame in RBP.
 *
 * All bytes come from outside. A stack has a limited number of frames, and what reads beyond the
 * recorded memory ends it.
 */
#include <pt/unwind.h>

#include "cfi.h"
#include "elf.h"
#include "image.h"
#include "segment.h"

/* What a DSO has of call frame information. The second section is only read if the first does not
 * have some address; it may be in a separate debug file. */
struct unwind_tables {
	struct cfi eh, debug;
	bool has_debug;
};

struct unwinder {
	struct images *im;
	struct space *space;
	struct bytes stack;
	u64 stack_at;		/* its address */
	struct cfi_frame frame;
	bool exact;		/* the frame continues at its address; else it is after a call */
};

/* Memory: the copy of the stack, or the contents of a file. perf does not use the last word of the
 * copy. */
static bool read_memory(void *who, u64 addr, u32 size, u64 *to)
{
	struct unwinder *u = who;
	struct bytes b;

	if (addr - u->stack_at < u->stack.len && addr - u->stack_at + 8 < u->stack.len)
		b = bytes_skip(u->stack, addr - u->stack_at);
	else
		b = space_bytes(u->im, u->space, addr);
	if (b.len < size)
		return false;
	*to = get_le(b.at, size);
	return true;
}

static void read_eh_frame(struct images *im, struct cfi *c, struct elf *e)
{
	u32 i = elf_find(e, ".eh_frame");

	if (!i)
		return;
	c->is_eh = true;
	c->bytes = elf_bytes(e, i);
	c->addr = e->sections[i].addr;
	cfi_read(c, im->arena);
}

static struct unwind_tables *tables_of(struct images *im, struct dso *dso)
{
	struct arena scratch = { 0 };
	struct elf elf;

	if (dso->unwind)
		return dso->unwind;
	dso->unwind = NEW(im->arena, struct unwind_tables, 1);
	if (elf_open(&elf, dso_file_bytes(im, dso), &scratch) && elf.wide)
		read_eh_frame(im, &dso->unwind->eh, &elf);
	arena_free(&scratch);
	return dso->unwind;
}

/* The information about the code at 'ip', or NULL. */
static const struct cfi *find_row(struct unwinder *u, u64 ip, struct cfi_row *row)
{
	const struct map *m = space_find(u->space, ip);
	struct images *im = u->im;
	struct unwind_tables *t;
	u64 addr;

	if (!m || !segments_address(dso_file_bytes(im, m->dso), map_addr(im, m, ip), &addr))
		return NULL;
	t = tables_of(im, m->dso);
	if (cfi_row(&t->eh, addr, row))
		return &t->eh;
	if (!t->has_debug) {
		t->has_debug = true;
		t->debug.bytes = symbols_section(im, m->dso, ".debug_frame");
		cfi_read(&t->debug, im->arena);
	}
	return cfi_row(&t->debug, addr, row) ? &t->debug : NULL;
}

/* Is 'ip' the code that a handler of a signal returns to: mov $15, %eax or %rax; syscall? */
static bool is_signal_return(struct unwinder *u, u64 ip)
{
	u64 first, second;

	return read_memory(u, ip, 8, &first) && first == 0x0f0000000fc0c748 &&
	       read_memory(u, ip + 8, 1, &second) && second == 0x05;
}

/* An entry of a procedure linkage table: jmp *...; push number; jmp to the first. */
static bool is_plt_entry(struct unwinder *u, u64 ip)
{
	u64 first, second;

	return read_memory(u, ip, 8, &first) && read_memory(u, ip + 8, 8, &second) &&
	       (first & 0xffff) == 0x25ff && (first >> 48 & 0xff) == 0x68 &&
	       (second >> 24 & 0xff) == 0xe9;
}

static bool knows(const struct cfi_frame *f, u32 reg)
{
	return f->known >> reg & 1;
}

static void set(struct cfi_frame *f, u32 reg, u64 value)
{
	f->reg[reg] = value;
	f->known |= 1u << reg;
}

/* Go from the code that ends a handler to what the signal interrupted: the kernel saved its
 * registers on the stack (struct ucontext). */
static bool leave_handler(struct cfi_frame *f)
{
	static const u8 saved[] = { 8, 9, 10, 11, 12, 13, 14, 15, CFI_DI, CFI_SI, CFI_BP, CFI_BX,
				    CFI_DX, CFI_AX, CFI_CX, CFI_SP, CFI_IP };
	enum { REGISTERS = 40 };
	struct cfi_frame up = *f;
	u32 i;

	for (i = 0; i < N_ELEM(saved); i++)
		if (!f->read(f->who, f->reg[CFI_SP] + REGISTERS + 8 * i, 8, &up.reg[saved[i]]))
			return false;
	up.known = (1u << CFI_REGS) - 1;
	up.cfa = up.reg[CFI_SP];
	*f = up;
	return true;
}

/* The return address is where the stack pointer is. */
static bool leave_at_sp(struct cfi_frame *f)
{
	u64 ip;

	if (!f->read(f->who, f->reg[CFI_SP], 8, &ip))
		return false;
	set(f, CFI_IP, ip);
	f->reg[CFI_SP] += 8;
	f->cfa = f->reg[CFI_SP];
	return true;
}

/* RBP is the address of the frame, if it is a little above the last one. */
static bool leave_by_bp(struct cfi_frame *f)
{
	enum { FRAME_MAX = 0x4000 };
	u64 at = f->reg[CFI_BP], bp, ip;

	if (!knows(f, CFI_BP) || at < f->cfa || at - f->cfa > FRAME_MAX ||
	    !f->read(f->who, at, 8, &bp) || !f->read(f->who, at + 8, 8, &ip))
		return false;
	f->known = 0;
	set(f, CFI_BP, bp);
	set(f, CFI_IP, ip);
	set(f, CFI_SP, at + 16);
	f->cfa = at + 16;
	return true;
}

/* Go to the caller without call frame information. */
static bool guess(struct unwinder *u)
{
	struct cfi_frame *f = &u->frame;
	u64 ip = f->reg[CFI_IP], code;
	bool exact = u->exact;

	if (!knows(f, CFI_SP))
		return false;
	u->exact = is_signal_return(u, ip);
	if (u->exact)
		return leave_handler(f);
	if (is_plt_entry(u, ip))
		return leave_at_sp(f);
	/* A call of an address where there is no code? */
	if (exact && !read_memory(u, ip, 1, &code) && read_memory(u, f->reg[CFI_SP], 8, &ip) &&
	    space_bytes(u->im, u->space, ip).len)
		return leave_at_sp(f);
	return leave_by_bp(f);
}

/* Go to the caller. False if there is none, or if it is not known. */
static bool step(struct unwinder *u)
{
	struct cfi_frame *f = &u->frame;
	u64 ip = f->reg[CFI_IP], cfa = f->cfa;
	const struct cfi *cfi;
	struct cfi_row row;
	bool can;

	cfi = find_row(u, u->exact ? ip : ip - 1, &row);
	if (cfi) {
		can = cfi_step(cfi, &row, f);
		u->exact = row.signal;
	} else {
		can = guess(u);
	}
	return can && f->reg[CFI_IP] && (f->reg[CFI_IP] != ip || f->cfa != cfa);
}

static bool take_registers(struct cfi_frame *f, const struct unwind_state *from)
{
	/* By the kernel's numbers; 0xff: not needed. */
	static const u8 numbers[] = {
		CFI_AX, CFI_BX, CFI_CX, CFI_DX, CFI_SI, CFI_DI, CFI_BP, CFI_SP, CFI_IP,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 8, 9, 10, 11, 12, 13, 14, 15,
	};
	struct bytes all = from->registers;
	u32 i;

	for (i = 0; i < N_ELEM(numbers) && all.len >= 8; i++) {
		u64 value;

		if (!(from->mask >> i & 1))
			continue;
		value = bytes_take64(&all);
		if (numbers[i] != 0xff)
			set(f, numbers[i], value);
	}
	f->cfa = f->reg[CFI_SP];
	return knows(f, CFI_IP) && knows(f, CFI_SP);
}

u32 unwind(struct images *im, struct space *space, const struct unwind_state *from, u64 *to,
	   u32 n)
{
	struct unwinder u = { .im = im, .space = space, .stack = from->stack, .exact = true };
	u32 i = 0;

	u.frame.read = read_memory;
	u.frame.who = &u;
	if (!n || !take_registers(&u.frame, from))
		return 0;
	u.stack_at = u.frame.reg[CFI_SP];
	to[i++] = u.frame.reg[CFI_IP];
	for (; i < n && step(&u); i++) {
		to[i] = u.frame.reg[CFI_IP];
		if (!u.exact && !is_signal_return(&u, to[i]))
			to[i]--;
	}
	return i;
}
