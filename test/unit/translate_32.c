/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks of random 32-bit instructions: run as such, by a far jump, and translated, from the same
 * registers. What is left in registers, flags and memory has to be the same, and the ring has to
 * have the branch.
 */
#define TRANSLATE_NARROW 1
#define _GNU_SOURCE

#include <test.h>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/host.h>

#include "arch/x86/translate.c"
#include "arch/x86/translate_check.c"
#include "arch/x86/translate_copy.c"
#include "arch/x86/translate_emit.c"
#include "arch/x86/translate_enter.c"
#include "arch/x86/translate_form.c"
#include "arch/x86/translate_32.c"

#include "native.h"

struct block *gs;

TEST_RUN("pxor %xmm0, %xmm0; pxor %xmm3, %xmm3", "");

enum { GS_AREA = 8192, GS_DATA = 4096 };
enum { AREA = 1 << 16, DATA = 1 << 15, DATA_SIZE = AREA - DATA, CODE = 64, ROUNDS = 3000 };
enum { CODE_64 = 0x33, DATA_32 = 0x2b, GET_FS = 0x1003, NR_GETPID_32 = 20, N_REGS = 8 };

static u8 *program, *cache;

/* 'abs': where an address in the data goes. */
static const struct { u8 len, abs, code[15]; } forms[] = {
	{ 2, 0, { 0x01, 0xd8 } }, { 2, 0, { 0x39, 0xd8 } }, { 2, 0, { 0x85, 0xc0 } },
	{ 1, 0, { 0x50 } }, { 1, 0, { 0x54 } }, { 1, 0, { 0x57 } },		/* push */
	{ 1, 0, { 0x58 } }, { 1, 0, { 0x5b } },					/* pop */
	{ 2, 0, { 0x66, 0x51 } }, { 2, 0, { 0x66, 0x59 } },			/* of 16 bits */
	{ 5, 0, { 0x68, 1, 2, 3, 0x84 } }, { 2, 0, { 0x6a, 0xfe } },
	{ 3, 0, { 0xff, 0x76, 0x08 } },						/* push 8(%esi) */
	{ 4, 0, { 0xff, 0x74, 0x24, 0x08 } },					/* push 8(%esp) */
	{ 4, 0, { 0x8f, 0x44, 0x24, 0x08 } },					/* pop 8(%esp) */
	{ 6, 2, { 0xff, 0x35 } }, { 6, 2, { 0x8f, 0x05 } },
	{ 1, 0, { 0x60 } }, { 2, 0, { 0x60, 0x61 } },				/* pusha, popa */
	{ 1, 0, { 0x1e } }, { 1, 0, { 0x0e } },					/* push %ds, %cs */
	{ 4, 0, { 0xc8, 0x20, 0, 0 } }, { 5, 0, { 0xc8, 0x20, 0, 0, 0xc9 } },	/* enter, leave */
	{ 1, 0, { 0x40 } }, { 1, 0, { 0x4f } }, { 2, 0, { 0x66, 0x43 } },	/* inc, dec */
	{ 3, 0, { 0x82, 0xc0, 0x05 } }, { 3, 0, { 0x83, 0xd0, 0x05 } },
	{ 5, 1, { 0xa1 } }, { 5, 1, { 0xa3 } }, { 6, 2, { 0x66, 0xa3 } },
	{ 6, 2, { 0x8b, 0x0d } }, { 6, 2, { 0x89, 0x35 } }, { 6, 2, { 0x8d, 0x15 } },
	{ 10, 2, { 0x81, 0x05, 0, 0, 0, 0, 1, 2, 3, 4 } },
	{ 4, 0, { 0x8b, 0x54, 0x24, 0x08 } }, { 3, 0, { 0x8d, 0x04, 0x9e } },
	{ 8, 4, { 0x66, 0x0f, 0x6f, 0x05 } }, { 8, 4, { 0x66, 0x0f, 0x7f, 0x1d } },
	{ 1, 0, { 0xa5 } }, { 1, 0, { 0xaa } },					/* movs, stos */
	{ 6, 0, { 0x65, 0xa1, 0xf8, 0xff, 0xff, 0xff } },			/* mov %gs:-8, %eax */
	{ 7, 0, { 0x65, 0x89, 0x1d, 0xf0, 0xff, 0xff, 0xff } },			/* mov %ebx, %gs:-16 */
	{ 8, 0, { 0xba, 0xfc, 0xff, 0xff, 0xff, 0x65, 0x01, 0x02 } },		/* add %eax, %gs:(%edx) */
	{ 7, 0, { 0x65, 0xff, 0x35, 0x10, 0, 0, 0 } },				/* push %gs:16 */
	{ 3, 0, { 0x0f, 0x44, 0xc8 } }, { 3, 0, { 0x0f, 0x92, 0xc4 } },
	{ 2, 0, { 0x0f, 0xcb } }, { 3, 0, { 0x0f, 0xaf, 0xd8 } },
	{ 2, 0, { 0xd9, 0xe8 } }, { 2, 0, { 0xdd, 0xd8 } },			/* fld1; fstp */
};

/* A block of 'n' forms at 'code', and a branch to two addresses after it. Returns its end. */
static u8 *make(u8 *code, unsigned int n)
{
	while (n--) {
		unsigned int i = rnd() % N_ELEM(forms);

		memcpy(code, forms[i].code, forms[i].len);
		if (forms[i].abs)
			set32(code + forms[i].abs, (u32)(u64)program + DATA + (rnd() & 0x7f0));
		code += forms[i].len;
	}
	code[0] = 0x70 | (rnd() & 15);
	code[1] = 16;
	return code + 2;
}

static void set_registers(void)
{
	unsigned int i;

	for (i = 0; i < N_REGS; i++)
		gs->in[i] = (u64)program + DATA + 4096 + (rnd() & 0xff8);
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
	static char cpu[HOST_NAME];

	if (!*cpu)
		host_cpuid(cpu);
	return (struct translate){
		.halves = *cpu == 'G',			/* see trans_prepare() */
		.compares = compares,
		.ip = ip, .enter = (u64)cache, .max = TRANSLATE_MAX, .calls = true,
		.hot = { (u64)cache + TRANSLATE_ENTER, cache + TRANSLATE_ENTER },
		.cold = { (u64)cache + AREA, cache + AREA },
		.off = { .ring = 8, .limit = 16, .below = 24, .r11 = 32, .spill = 40,
			 .calls = offsetof(struct block, calls),
			 .top = offsetof(struct block, top) },
		.fetch = fetch, .border = border, .table = TABLE,
	};
}

/* A call of the kernel as 32-bit programs make it. */
static long call_32(long nr, void *arg)
{
	long got;

	asm volatile("int $0x80" : "=a"(got) : "a"(nr), "b"(arg) : "memory");
	return got;
}

/* Else INT 80h is a fault. */
static bool has_32_bit(void)
{
	pid_t pid = fork();
	int status = -1;

	if (!pid)
		_exit(call_32(NR_GETPID_32, NULL) != getpid());
	return waitpid(pid, &status, 0) == pid && !status;
}

static void *map_at(u64 at)
{
	void *got = mmap((void *)at, AREA, PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	return got == MAP_FAILED ? NULL : got;
}

/* 32-bit code needs segments of data, and %gs is an entry of the GDT. */
static bool set_segments(void)
{
	/* Entry number, base, limit, and: 32-bit, limit in pages, usable. */
	u32 *desc = (u32 *)(program + AREA - 64);

	desc[0] = -1;
	desc[1] = (u64)program + DATA + 4096;
	desc[2] = 0xfffff;
	desc[3] = 0x51;
	if (call_32(243, desc))
		return false;
	asm volatile("mov %0, %%gs; mov %1, %%ds; mov %1, %%es"
		     : : "r"(desc[0] << 3 | 3), "r"(DATA_32));
	return true;
}

static bool open_areas(void)
{
	struct translate enter;

	if ((u64)test_back_native >> 32)	/* the far jump has 32 bits */
		return false;
	program = map_at(0x20000000);
	cache = map_at(0x50000000);
	gs = mmap(NULL, GS_AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!program || !cache || gs == MAP_FAILED || !set_segments())
		return false;
	syscall(SYS_arch_prctl, GET_FS, &gs->system);
	enter = setup(0);
	enter.hot = (struct translate_code){ (u64)cache, cache };
	translate_enter(&enter, (u64)test_back);
	return true;
}

static void close_areas(void)
{
	munmap(program, AREA);
	munmap(cache, AREA);
	munmap(gs, GS_AREA);
}

/* Both ways out of the original lead back: ljmp $0x33, $test_back_native. */
static void end_original(u8 *end)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		end[16 * i] = 0xea;
		set32(end + 16 * i + 1, (u64)test_back_native);
		set16(end + 16 * i + 5, CODE_64);
	}
}

#include "steps.h"

TEST(a_block_does_what_the_original_does)
{
	static u8 before[DATA_SIZE], native[DATA_SIZE];
	u64 wanted[18], ring[64];
	unsigned int i, k;

	if (!has_32_bit())
		SKIP("the kernel runs no 32-bit programs");
	if (!open_areas())
		SKIP("no memory at the addresses wanted");
	for (i = 0; i < ROUNDS && !test_bad; i++) {
		u8 *end = make(program, 1 + rnd() % 6);
		struct translate t = setup((u64)program);

		for (k = DATA; k < AREA; k++)
			program[k] = rnd();
		end_original(end);
		set_registers();
		memcpy(before, program + DATA, DATA_SIZE);
		gs->far = (u64)program | 0x23ull << 32;
		test_run((u64)test_native, 0);
		memcpy(wanted, gs->out, sizeof(wanted));
		memcpy(native, program + DATA, DATA_SIZE);
		memcpy(program + DATA, before, DATA_SIZE);
		t.max = count(program, end);
		OK(translate_block(&t));
		gs->ring = (u64)ring;
		gs->limit = (u64)ring + 64;
		gs->below = -gs->limit;
		test_run(i & 1 ? t.entry : t.checked, (u64)ring);
		for (k = 0; k < 17; k++)
			if ((k < N_REGS || k == 16) && gs->out[k] != wanted[k])
				TEST_FAIL("round %u: register %u is %llx, not %llx", i, k,
					  gs->out[k], wanted[k]);
		for (k = 0; k < DATA_SIZE; k++)
			if (program[DATA + k] != native[k])
				TEST_FAIL("round %u: byte %x is %02x, not %02x", i, k,
					  program[DATA + k], native[k]);
		EQ(gs->ring, (u64)ring + 1);
	}
	close_areas();
}

TEST(a_signal_at_any_instruction_finds_registers_and_branches)
{
#ifdef __SANITIZE_ADDRESS__
	SKIP("%fs is the slot's in the handler, and the sanitizer needs it");
#endif
	if (!has_32_bit())
		SKIP("the kernel runs no 32-bit programs");
	step_blocks(open_areas());
}

/* Its address is known. */
TEST(each_address_in_the_cache_is_explained)
{
	unsigned int i, missing = 0, wrong = 0;

	program = map_at(0x20000000);
	cache = map_at(0x50000000);
	if (!program || !cache)
		SKIP("no memory at the addresses wanted");
	for (i = 0; i < 50; i++) {
		u8 *end = make(program, 1 + rnd() % 6), *at;
		struct translate t = setup((u64)program), find;
		struct insn insn;

		memcpy(end, (u8[]){ 0xe3, 5, 0xe8, 1, 0, 0, 0, 0x90, 0xc3 }, 9);
		memset(cache + TRANSLATE_ENTER, 0xcc, AREA / 2);
		OK(translate_block(&t));
		for (at = cache + TRANSLATE_ENTER; at < (u8 *)t.hot.at; at += insn.len) {
			u8 hot[TRANSLATE_HOT], cold[TRANSLATE_COLD];

			insn.len = 1;
			if (*at == 0xcc || !*at)	/* padding */
				continue;
			find = setup((u64)program);
			find.max = t.n;
			find.find = (u64)at;
			find.hot.to = hot;
			find.cold.to = cold + sizeof(cold);
			translate_block(&find);
			missing += !find.found;
			wrong += find.state.ip - (u64)program > CODE * 4 &&
				 find.state.ip < TRANSLATE_RDX;
			if (insn_decode(&insn, INSN_64, (struct bytes){ at, 32 }) <= 0)
				break;
		}
		OK(at == (u8 *)t.hot.at);
	}
	EQ(missing, 0);
	EQ(wrong, 0);
	munmap(program, AREA);
	munmap(cache, AREA);
}

static bool is_odd(const char *code)
{
	u8 bytes[32] = { 0 };
	struct form f;

	memcpy(bytes, code, 15);
	return form_decode(&f, (struct bytes){ bytes, 32 }) > 0 && form_is_odd(&f, bytes);
}

TEST(what_64_bit_code_lacks_is_odd)
{
	static const char odd[][16] = {
		"\xd4\x0a", "\xd5\x0a", "\x27", "\x37",			/* BCD */
		"\x62\x00", "\xc4\x00", "\xc5\x00", "\x63\xc0", "\xce",
		"\x07", "\x1f", "\x8e\xd8", "\x8e\xe0", "\x0f\xa1",	/* segments */
		"\x64\xa1", "\x64\x8b\x00", "\x65\xa5",
		"\x67\x8b\x00", "\x67\xe3\x00",				/* 16-bit addresses */
		"\x9a", "\xea", "\xff\x18", "\xff\x28", "\xcb", "\xcf",	/* far branches */
		"\x66\xe9", "\x66\xc3",
		"\xc4\xe2\xf8\xf2\xc0",					/* ANDN with W */
		"\xc4\xc2\x78\xf2\xc0",					/* ANDN with B */
		"\xf3\x0f\xae\xc0", "\x0f\x01\x00",			/* RDFSBASE, SGDT */
	};
	static const char not[][16] = {
		"\x8e\xe8", "\x65\xa1", "\x65\x8b\x00", "\xcd\x80", "\xf3\xa5", "\xc9", "\xcc",
		"\xc4\xe2\x78\xf2\xc0", "\x2e\x66\x0f\x1f\x84\x00", "\x3e\x8b\x00",
	};
	u32 i;

	for (i = 0; i < N_ELEM(odd); i++)
		if (!is_odd(odd[i]))
			TEST_FAIL("%u is not odd", i);
	for (i = 0; i < N_ELEM(not); i++)
		if (is_odd(not[i]))
			TEST_FAIL("%u is odd", i);
}
