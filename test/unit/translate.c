/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks of random instructions: run as they are, and translated, from the same registers. What
 * is left in registers, flags and memory has to be the same, and the ring has to tell the branch.
 */
#define _GNU_SOURCE
#include <test.h>

#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/agent.h>
#include <pt/translate.h>

#include "arch/x86/translate.h"

#include "native.h"

TEST_RUN("pxor %xmm0, %xmm0; pxor %xmm3, %xmm3; pxor %xmm8, %xmm8; pxor %xmm11, %xmm11", "");

enum { AREA = 1 << 16, DATA = 1 << 15, CODE = 64, ROUNDS = 3000, N_REGS = 16 };
enum { GS_AREA = 1 << 16, GS_DATA = 4096 };

/* The program's code and data, and two caches: one near and one out of reach of the data. */
static struct block *gs;
static u8 *program, *cache;

/* 'rip': where a displacement to the data goes. */
static const struct { u8 len, rip, code[15]; } forms[] = {
	{ 3, 0, { 0x4c, 0x01, 0xd8 } },				/* add %r11, %rax */
	{ 3, 0, { 0x49, 0x89, 0xc3 } },				/* mov %rax, %r11 */
	{ 4, 0, { 0x49, 0x8d, 0x5b, 0x08 } },			/* lea 8(%r11), %rbx */
	{ 7, 0, { 0x49, 0x89, 0xf3, 0x49, 0x8b, 0x4b, 0x10 } },	/* mov %rsi, %r11; mov 16(%r11) */
	{ 7, 0, { 0x49, 0x89, 0xf3, 0x4d, 0x89, 0x5b, 0xf8 } },	/* the same; mov %r11, -8(%r11) */
	{ 5, 0, { 0x4a, 0x8b, 0x54, 0x04, 0x08 } },		/* mov 8(%rsp,%r8), %rdx */
	{ 2, 0, { 0x41, 0x53 } },				/* push %r11 */
	{ 2, 0, { 0x41, 0x5b } },				/* pop %r11 */
	{ 1, 0, { 0x50 } }, { 1, 0, { 0x5a } }, { 1, 0, { 0x9c } },	/* push, pop, pushf */
	{ 3, 0, { 0x48, 0x39, 0xd8 } },				/* cmp */
	{ 3, 0, { 0x48, 0x85, 0xc0 } },				/* test */
	{ 4, 0, { 0x48, 0x83, 0xd0, 0x05 } },			/* adc $5, %rax */
	{ 3, 0, { 0x49, 0xff, 0xc3 } },				/* inc %r11 */
	{ 4, 0, { 0x4c, 0x0f, 0x44, 0xd8 } },			/* cmove %rax, %r11 */
	{ 4, 0, { 0x41, 0x0f, 0x92, 0xc3 } },			/* setb %r11b */
	{ 3, 0, { 0x49, 0x0f, 0xcb } },				/* bswap %r11 */
	{ 4, 0, { 0x4c, 0x0f, 0xaf, 0xd8 } },			/* imul %rax, %r11 */
	{ 7, 3, { 0x48, 0x8b, 0x05 } },				/* mov rip, %rax */
	{ 7, 3, { 0x4c, 0x8b, 0x1d } },				/* mov rip, %r11 */
	{ 7, 3, { 0x49, 0x8b, 0x05 } },				/* ... with REX.B, unused */
	{ 7, 3, { 0x4d, 0x89, 0x2d } },				/* mov %r13, rip */
	{ 7, 3, { 0x48, 0x89, 0x35 } },				/* mov %rsi, rip */
	{ 7, 3, { 0x48, 0x89, 0x3d } },				/* mov %rdi, rip */
	{ 7, 3, { 0x48, 0x8d, 0x0d } },				/* lea rip, %rcx */
	{ 11, 3, { 0x48, 0x81, 0x05, 0, 0, 0, 0, 1, 2, 3, 4 } },	/* addq $imm, rip */
	{ 8, 4, { 0x66, 0x0f, 0x6f, 0x05 } },			/* movdqa rip, %xmm0 */
	{ 8, 4, { 0x66, 0x0f, 0x7f, 0x1d } },			/* movdqa %xmm3, rip */
	{ 6, 2, { 0xff, 0x35 } },				/* push rip */
	{ 5, 0, { 0x66, 0x45, 0x0f, 0x6f, 0xc3 } },		/* movdqa %xmm11, %xmm8 */
	{ 5, 0, { 0x66, 0x4d, 0x0f, 0x6e, 0xdb } },		/* movq %r11, %xmm11 */
	{ 5, 0, { 0x66, 0x4d, 0x0f, 0x7e, 0xdb } },		/* movq %xmm11, %r11 */
	{ 5, 0, { 0xc4, 0xc2, 0xe0, 0xf2, 0xc0 } },		/* andn %r8, %rbx, %rax */
	{ 5, 0, { 0xc4, 0xe2, 0xa0, 0xf2, 0xc0 } },		/* andn %rax, %r11, %rax */
	{ 3, 0, { 0x48, 0xa5 } }, { 2, 0, { 0x48, 0xaa } },	/* movsq; stosb */
	{ 5, 0, { 0xf0, 0x4c, 0x0f, 0xc1, 0x1e } },		/* lock xadd %r11, (%rsi) */
	{ 2, 0, { 0xd9, 0xe8 } }, { 2, 0, { 0xdd, 0xd8 } },	/* fld1; fstp */
	{ 8, 0, { 0x65, 0x49, 0x8b, 0x80, 0, 0x10 } },		/* mov %gs:0x1000(%r8), %rax */
	{ 8, 0, { 0x65, 0x49, 0x89, 0x98, 0, 0x11 } },		/* mov %rbx, %gs:0x1100(%r8) */
	{ 8, 0, { 0x65, 0x4d, 0x01, 0x98, 0, 0x10 } },		/* add %r11, %gs:0x1000(%r8) */
	{ 4, 0, { 0x67, 0x65, 0x8b, 0x1e } },			/* mov %gs:(%esi), %ebx */
	{ 5, 0, { 0x65, 0x67, 0x40, 0x88, 0x37 } },		/* mov %sil, %gs:(%edi) */
	{ 6, 0, { 0x64, 0x65, 0x67, 0x2e, 0x8b, 0x1e } },	/* mov %gs:(%esi), %ebx */
	{ 4, 0, { 0x65, 0x67, 0x88, 0x27 } },			/* mov %ah, %gs:(%edi) */
	{ 9, 0, { 0x65, 0x48, 0x8b, 0x1c, 0x25, 0x34, 0x12 } },	/* mov %gs:0x1234, %rbx */
	{ 13, 0, { 0x65, 0x43, 0xc7, 0x84, 0x80, 0, 0x10, 0, 0, 1, 2, 3, 4 } },
	{ 8, 0, { 0x65, 0x41, 0xff, 0xb0, 0, 0x10 } },		/* push %gs:0x1000(%r8) */
	{ 10, 0, { 0x65, 0x66, 0x41, 0x0f, 0x6e, 0x80, 0, 0x10 } },	/* movd, to %xmm0 */
	{ 10, 0, { 0x65, 0xc4, 0xc2, 0xe0, 0xf2, 0x80, 0, 0x10 } },	/* andn, with %rbx, %rax */
	{ 5, 0, { 0x65, 0x48, 0x8d, 0x4e, 0x08 } },		/* lea %gs:8(%rsi), %rcx */
	/* rdgsbase %rdx, wrgsbase %rdx; rdgsbase %r11; rdgsbase %eax */
	{ 10, 0, { 0xf3, 0x48, 0x0f, 0xae, 0xca, 0xf3, 0x48, 0x0f, 0xae, 0xda } },
	{ 5, 0, { 0xf3, 0x49, 0x0f, 0xae, 0xcb } },
	{ 4, 0, { 0xf3, 0x0f, 0xae, 0xc8 } },
};

static bool has_gsbase(void)
{
	return getauxval(AT_HWCAP2) & 2;
}

static u64 to_data(u64 end)
{
	return (u64)program + DATA + (rnd() & 0x7f0) - end;
}

/* A block of 'n' forms at 'code', and a branch to two addresses after it. Returns its end. */
static u8 *make(u8 *code, unsigned int n)
{
	unsigned int cc = rnd() & 15;

	while (n--) {
		unsigned int i = rnd() % N_ELEM(forms);
		u8 len = forms[i].len;

		if (forms[i].code[0] == 0xf3 && !has_gsbase())
			continue;
		/* Two of them are shorter than the table says. */
		if (forms[i].code[0] == 0x48 && forms[i].code[1] >= 0xa5)
			len = 2;
		memcpy(code, forms[i].code, len);
		if (forms[i].rip)
			set32(code + forms[i].rip, to_data((u64)code + len));
		code += len;
	}
	code[0] = 0x70 | cc;
	code[1] = 16;
	return code + 2;
}

static void set_registers(void)
{
	unsigned int i;

	for (i = 0; i < 16; i++)
		gs->in[i] = (u64)program + DATA + 4096 + (rnd() & 0xff8);
	gs->in[8] = rnd() & 0x78;
	gs->in[4] = (u64)program + DATA + 8192 + 2048;
	gs->in[16] = 0x202 | (rnd() & 0x8d5);
}

static struct bytes fetch(void *who, u64 ip)
{
	return (struct bytes){ (const u8 *)ip, CODE * 16 };
}

static u64 border(void *who, u64 ip)
{
	return ip + 1;
}

static bool compares;		/* translate.compares */

static struct translate setup(u64 ip)
{
	return (struct translate){
		.ip = ip, .enter = (u64)cache, .max = TRANSLATE_MAX, .calls = true,
		.compares = compares, .gsbase = has_gsbase(),
		.hot = { (u64)cache + TRANSLATE_ENTER, cache + TRANSLATE_ENTER },
		.cold = { (u64)cache + AREA, cache + AREA },
		.off = { .ring = 8, .limit = 16, .below = 24, .r11 = 32, .spill = 40,
			 .calls = offsetof(struct block, calls),
			 .top = offsetof(struct block, top),
			 .gs = offsetof(struct block, system) },
		.fetch = fetch, .border = border, .table = TABLE,
	};
}

static bool open_areas(u64 far)
{
	int prot = PROT_READ | PROT_WRITE | PROT_EXEC, flags = MAP_PRIVATE | MAP_ANONYMOUS;

	/* Not over what is there: the sanitizers have their shadow memory at such addresses. */
	program = mmap((void *)0x200000000, AREA, prot, flags | MAP_FIXED_NOREPLACE, -1, 0);
	cache = mmap((void *)(0x200000000 + far), AREA, prot, flags | MAP_FIXED_NOREPLACE, -1, 0);
	gs = mmap(NULL, GS_AREA, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (gs != MAP_FAILED)
		gs->system = (u64)gs;
	return program != MAP_FAILED && cache != MAP_FAILED && gs != MAP_FAILED &&
	       !syscall(SYS_arch_prctl, 0x1001, gs);
}

static void close_areas(void)
{
	syscall(SYS_arch_prctl, 0x1001, 0);
	munmap(program, AREA);
	munmap(cache, AREA);
	munmap(gs, GS_AREA);
}

/* Both ways out of the original lead back. */
static void end_original(u8 *end)
{
	static const u8 jump[] = { 0xff, 0x25, 0, 0, 0, 0 };
	u64 back = (u64)test_back_native;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		memcpy(end + 16 * i, jump, sizeof(jump));
		memcpy(end + 16 * i + 6, &back, 8);
	}
	end[14] = 0;
}

static void compare_blocks(u64 far)
{
	static u8 before[AREA], native[AREA], before_gs[GS_AREA], native_gs[GS_AREA];
	u64 wanted[18], ring[64];
	struct translate enter;
	unsigned int i, k;

	if (!open_areas(far))
		SKIP("no memory at the addresses wanted");
	enter = setup(0);
	enter.hot = (struct translate_code){ (u64)cache, cache };
	translate_enter(&enter, (u64)test_back);
	for (i = 0; i < ROUNDS && !test_bad; i++) {
		u8 *end = make(program, 1 + rnd() % 6);
		struct translate t;

		compares = i & 2;
		t = setup((u64)program);
		for (k = DATA; k < AREA; k++)
			program[k] = rnd();
		end_original(end);
		set_registers();
		memcpy(before, program, AREA);
		memcpy(before_gs, gs, GS_AREA);
		test_run((u64)program, gs->in[11]);
		memcpy(wanted, gs->out, sizeof(wanted));
		memcpy(native, program, AREA);
		memcpy(native_gs, gs, GS_AREA);
		memcpy(program, before, AREA);
		memcpy(gs, before_gs, GS_AREA);
		/* The block ends where the original leaves for test_back_native. */
		t.max = 0;
		for (k = 0; (u64)program + k < (u64)end;) {
			struct insn insn;

			k += insn_decode(&insn, INSN_64, (struct bytes){ program + k, 32 });
			t.max++;
		}
		OK(translate_block(&t));
		gs->ring = (u64)ring;
		gs->limit = (u64)ring + 64;
		gs->below = -gs->limit;
		gs->r11 = gs->in[11];
		test_run(i & 1 ? t.entry : t.checked, (u64)ring);
		for (k = 0; k < 17; k++)
			if (gs->out[k] != wanted[k])
				TEST_FAIL("round %u: register %u is %llx, not %llx", i, k,
					  gs->out[k], wanted[k]);
		for (k = 0; k < AREA; k++)
			if (program[k] != native[k])
				TEST_FAIL("round %u: byte %x is %02x, not %02x", i, k, program[k],
					  native[k]);
		OK(!memcmp((u8 *)gs + GS_DATA, native_gs + GS_DATA, GS_AREA - GS_DATA));
		EQ(gs->ring, (u64)ring + 1);
	}
	close_areas();
}

TEST(a_block_does_what_the_original_does)
{
	compare_blocks(0x40000000);
}

TEST(operands_out_of_reach_are_reached)
{
	compare_blocks(0x4000000000);
}

/* A signal may come at any instruction of the cache. */
static void explain_blocks(u64 far)
{
	unsigned int i, missing = 0, wrong = 0;

	if (!open_areas(far))
		SKIP("no memory at the addresses wanted");
	for (i = 0; i < 50; i++) {
		u8 *end = make(program, 1 + rnd() % 6), *at, *pushed = NULL;
		struct translate t, find;
		struct insn insn;

		compares = i & 1;
		t = setup((u64)program);
		t.may_change = compares;
		t.max = compares ? 2 : t.max;
		memcpy(end, (u8[]){ 0xe3, 5, 0xe8, 1, 0, 0, 0, 0x90, 0xc3 }, 9);
		memset(cache + TRANSLATE_ENTER, 0xcc, AREA / 2);
		OK(translate_block(&t));
		for (at = cache + TRANSLATE_ENTER; at < (u8 *)t.hot.at; at += insn.len) {
			u8 hot[TRANSLATE_HOT], cold[TRANSLATE_COLD];

			insn.len = at == pushed ? 8 : 1;
			if (at == pushed || *at == 0xcc || !*at)	/* or padding */
				continue;
			find = setup((u64)program);
			find.max = t.n;
			find.flags = t.flags;
			find.span = t.span;
			find.find = (u64)at;
			find.hot.to = hot;
			find.cold.to = cold + sizeof(cold);
			translate_block(&find);
			missing += !find.found;
			wrong += find.state.ip - (u64)program > CODE * 4 &&
				 find.state.ip < TRANSLATE_RDX;
			if (insn_decode(&insn, INSN_64, (struct bytes){ at, 32 }) <= 0)
				break;
			if (at[0] == 0xff && at[1] == 0x35)	/* push address(%rip) */
				pushed = at + insn.len + (i32)get32(at + 2);
		}
		OK(at == (u8 *)t.hot.at);
	}
	EQ(missing, 0);
	EQ(wrong, 0);
	compares = false;
	close_areas();
}

TEST(each_address_in_the_cache_is_explained)
{
	explain_blocks(0x40000000);
}

TEST(so_it_is_where_operands_are_out_of_reach)
{
	explain_blocks(0x4000000000);
}

#include "steps.h"

TEST(a_signal_at_any_instruction_finds_registers_and_branches)
{
	step_blocks(open_areas(0x40000000));
}

TEST(so_it_does_where_operands_are_out_of_reach)
{
	step_blocks(open_areas(0x4000000000));
}

TEST(a_block_ends_at_a_return)
{
	struct translate t;

	if (!open_areas(0x40000000))
		SKIP("no memory at the addresses wanted");
	memcpy(program, (u8[]){ 0x01, 0xd8, 0xc3 }, 3);
	t = setup((u64)program);
	OK(translate_block(&t));
	EQ(t.n, 2);
	close_areas();
}

/* Is this in the code that was emitted? */
static bool is_emitted(const struct translate *t, const u8 *bytes, size_t n)
{
	const u8 *at;

	for (at = cache + TRANSLATE_ENTER; at + n <= (u8 *)t->hot.at; at++)
		if (!memcmp(at, bytes, n))
			return true;
	return false;
}

TEST(a_prefix_gs_without_an_operand_is_replaced)
{
	static const u8 lea[] = { 0x65, 0x48, 0x8d, 0x06, 0xc3 };	/* lea %gs:(%rsi), %rax */
	static const u8 emitted[] = { 0x3e, 0x48, 0x8d, 0x06 };
	struct translate t;

	if (!open_areas(0x40000000))
		SKIP("no memory at the addresses wanted");
	memcpy(program, lea, sizeof(lea));
	t = setup((u64)program);
	OK(translate_block(&t));
	OK(is_emitted(&t, emitted, sizeof(emitted)));
	OK(!is_emitted(&t, lea, 4));
	close_areas();
}

TEST(what_copies_of_operands_in_gs_do_not_know_is_odd)
{
	static const char odd[][8] = {
		"\x65\xa4", "\x65\xa1", "\x65\xd7", "\x65\x8f\x00",
		"\x65\xc4\xe2\x7b\x4b\x04\x08",		/* TILELOADD */
		"\x65\xc4\xe2\x69\x90\x04\x08",		/* VPGATHERDD */
		"\x65\xc5\xf9\xf7\xc1",			/* VMASKMOVDQU */
		"\x65\x62\xf1\x7c\x48\x10\x00",		/* VMOVUPS */
		"\x65\xd5\x10\x8b\x00",			/* REX2 */
	};
	static const char not[][8] = {
		"\x65\x8b\x00", "\x65\xc5\xf8\x10\x00", "\x65\x0f\x1f\x00", "\x65\x8b\xc0",
		"\x65\x64\x8b\x00", "\x65\x74\x00", "\x65\xff\x20",
	};
	u8 code[32] = { 0 };
	struct form f;
	u32 i, k;

	for (i = 0; i < N_ELEM(odd) + N_ELEM(not); i++) {
		bool is = i < N_ELEM(odd);

		k = is ? i : i - N_ELEM(odd);
		memcpy(code, is ? odd[k] : not[k], 7);
		OK(form_decode(&f, (struct bytes){ code, sizeof(code) }) > 0);
		if (form_is_odd(&f, code) != is)
			TEST_FAIL("%s %u", is ? "odd" : "not", k);
	}
}

/* jmp *%gs:8(%r11), and other registers: the target is loaded from there. */
TEST(a_target_in_gs_is_loaded_from_the_programs_gs)
{
	static const u8 jumps[][8] = {
		{ 5, 0x65, 0x41, 0xff, 0x63, 8 }, { 4, 0x65, 0xff, 0x61, 8 },
		{ 5, 0x65, 0x67, 0xff, 0x62, 8 },
	};
	static const u8 regs[] = { 11, 1, 2 };
	struct translate t, enter;
	u64 ring[64];
	u32 i;

	if (!open_areas(0x40000000) ||
	    mmap((void *)TABLE, TABLE_SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (void *)TABLE)
		SKIP("no memory at the addresses wanted");
	enter = setup(0);
	enter.hot = (struct translate_code){ (u64)cache, cache };
	translate_enter(&enter, (u64)test_back);
	for (i = 0; i < N_ELEM(jumps); i++) {
		u32 low = 0x1234 + i;

		memcpy(program, jumps[i] + 1, jumps[i][0]);
		set_registers();
		gs->in[regs[i]] = GS_DATA + 0x100;
		set64((u8 *)gs + GS_DATA + 0x108, 0x777700000000 + low);
		((u64 *)TABLE)[low] = (u64)test_back;
		t = setup((u64)program);
		t.max = 1;
		OK(translate_block(&t));
		gs->ring = (u64)ring;
		gs->limit = (u64)ring + 64;
		gs->below = -gs->limit;
		gs->r11 = gs->in[11];
		test_run(t.entry, (u64)ring);
		EQ(((u8 *)ring)[0], REC_INDIRECT);
		EQ(get64((u8 *)ring + 1), 0x777700000000 + low);
		EQ(gs->out[2], gs->in[2]);
	}
	munmap((void *)TABLE, TABLE_SIZE);
	close_areas();
}

TEST(a_target_in_fs_is_loaded_from_fs_also_if_it_is_out_of_reach)
{
	static const u8 jump[] = { 0x64, 0xff, 0x25, 1, 0, 0, 0 };	/* jmp *%fs:1(%rip) */
	static const u8 emitted[] = { 0x64, 0x48, 0x8b, 0x09 };		/* mov %fs:(%rcx), %rcx */
	struct translate t;

	if (!open_areas(0x4000000000))
		SKIP("no memory at the addresses wanted");
	memcpy(program, jump, sizeof(jump));
	t = setup((u64)program);
	OK(translate_block(&t));
	OK(is_emitted(&t, emitted, sizeof(emitted)));
	close_areas();
}

/* What form_plain_run() takes is copied without a closer look: this look must agree. */
TEST(plain_instructions_are_those_that_a_closer_look_finds_to_be_plain)
{
	u32 i, k, one, n_plain = 0;

	for (i = 0; i < 1000000 && !test_bad; i++) {
		u8 code[40];
		struct bytes bytes = { code, sizeof(code) };
		enum form_flags flags;
		struct form f;
		u32 len;

		for (k = 0; k < sizeof(code); k += 4)
			set32(code + k, rnd() ^ (u32)rnd() << 16);
		if (i & 1)
			code[0] = 0x40 | (code[0] & 15);
		if (i & 2)
			code[i & 1] = 0x0f;
		one = 1;
		len = form_plain_run(bytes, 1, &one, &flags);
		if (!len)
			continue;
		n_plain++;
		EQ(form_decode(&f, bytes), len);
		EQ(form_flags(&f, code), flags);
		EQ(f.insn.kind, INSN_OTHER);
		OK(!f.rip && !form_is_odd(&f, code) && !form_is_xbegin(&f, code));
		OK(!form_touches_r11(&f, code));
	}
	OK(n_plain > 100000);
}

static struct bytes fetch_little(void *who, u64 ip)
{
	return ip - (u64)program < 32 ? fetch(who, ip) : (struct bytes){ 0 };
}

TEST(a_block_ends_before_code_that_cannot_be_read)
{
	u32 stores_end;

	if (!open_areas(0x40000000))
		SKIP("no memory at the addresses wanted");
	for (stores_end = 0; stores_end < 2; stores_end++) {
		struct translate t = setup((u64)program);

		memcpy(program, (u8[]){ 0xff, 0xc0, 0xe9, 200, 0, 0, 0 }, 7);
		t.fetch = fetch_little;
		t.stores_end = stores_end;
		OK(translate_block(&t));
		EQ(t.n, 2);
		EQ(t.span, 7);
	}
	close_areas();
}

/* Blocks of 2 to 10 bytes: NOPs, and INC EAX. */
TEST(a_block_that_compares_does_not_run_if_a_byte_has_changed)
{
	struct translate enter, t;
	unsigned int n, k;
	u64 ring[64];

	if (!open_areas(0x40000000))
		SKIP("no memory at the addresses wanted");
	enter = setup(0);
	enter.hot = (struct translate_code){ (u64)cache, cache };
	translate_enter(&enter, (u64)test_back);
	compares = true;
	for (n = 2; n <= 10; n++) {
		memset(program, 0x90, n - 2);
		memcpy(program + n - 2, (u8[]){ 0xff, 0xc0 }, 2);
		t = setup((u64)program);
		t.max = n - 1;
		OK(translate_block(&t));
		OK(t.compares);
		EQ(t.span, n);
		for (k = 0; k <= n; k++) {
			set_registers();
			gs->in[0] = 7;
			gs->ring = (u64)ring;
			gs->limit = (u64)ring + 64;
			gs->below = -gs->limit;
			gs->r11 = gs->in[11];
			program[k] ^= 0x10;
			test_run(t.entry, (u64)ring);
			program[k] ^= 0x10;
			EQ(gs->out[0], k < n ? 7 : 8);
			EQ(gs->out[1], gs->in[1]);
			EQ(gs->out[16] & 0x8d5, k < n ? gs->in[16] & 0x8d5 : gs->out[16] & 0x8d5);
			EQ(gs->ring, (u64)ring);
		}
	}
	compares = false;
	close_areas();
}
