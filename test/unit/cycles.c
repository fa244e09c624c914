/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The place of the time between two stamps: by the time of the code that runs there.
 */
#include <pt/agent.h>
#include <pt/operands.h>

#include "../test.h"
#include "src/record/cycles.h"

enum { CODE = 0x1000, OTHER = 0x1040, DRAWS = 400 };

static u8 code[256];

static size_t fetch(void *who, u64 ip, u8 *to, size_t room)
{
	size_t n = ip - CODE < sizeof(code) ? MIN(room, sizeof(code) - (ip - CODE)) : 0;

	memcpy(to, code + (ip - CODE), n);
	return n;
}

static const struct cycles_space space = { 1, fetch, NULL };

static void put(u64 ip, const char *bytes, size_t n)
{
	memcpy(code + (ip - CODE), bytes, n);
}
#define PUT(ip, bytes) put(ip, bytes, sizeof(bytes) - 1)

/* How many of DRAWS places are after an even number of records. */
static u32 even_places(struct bytes records)
{
	struct arena arena = { 0 };
	struct cycles *c = cycles_open(&arena);
	u32 at[4], i, k, n = 0;

	for (i = 0; i < DRAWS / 4; i++) {
		OK(cycles_choose(c, &space, CODE, records, at, 4));
		for (k = 0; k < 4; k++) {
			n += !(at[k] & 1);
			OK(!k || at[k - 1] <= at[k]);
			OK(at[k] < records.len);
		}
	}
	arena_free(&arena);
	return n;
}

static const u8 all_taken[64] = { [0 ... 63] = REC_TAKEN };

TEST(a_division_takes_most_of_the_time)
{
	/* div %rcx; jne OTHER; there: six moves and jne CODE. */
	PUT(CODE, "\x48\xf7\xf1\x75\x3b");
	PUT(OTHER, "\x89\xf7\x89\xf7\x89\xf7\x89\xf7\x89\xf7\x89\xf7\x75\xb2");
	OK(even_places(((struct bytes){ all_taken, sizeof(all_taken) })) > DRAWS * 8 / 10);
}

TEST(a_chain_through_memory_takes_its_time)
{
	/* incl 0x100(%rip) with what follows; jne OTHER; there: independent moves. */
	PUT(CODE, "\xff\x05\x00\x01\x00\x00\x75\x38");
	PUT(OTHER, "\x89\xf7\x89\xf7\x89\xf7\x89\xf7\x89\xf7\x89\xf7\x75\xb2");
	OK(even_places(((struct bytes){ all_taken, sizeof(all_taken) })) > DRAWS * 7 / 10);
}

TEST(equal_code_takes_equal_time)
{
	u32 n;

	PUT(CODE, "\x48\xf7\xf1\x75\x3b");
	PUT(OTHER, "\x48\xf7\xf1\x75\xbb");
	n = even_places(((struct bytes){ all_taken, sizeof(all_taken) }));
	OK(n > DRAWS * 4 / 10);
	OK(n < DRAWS * 6 / 10);
}

TEST(places_end_where_code_and_records_differ)
{
	static const u8 jump[] = { REC_TAKEN, REC_TAKEN, REC_INDIRECT, 0, 0, 0, 0, 0, 0, 0 };
	struct bytes records = { jump, sizeof(jump) };
	struct arena arena = { 0 };
	u32 at[4];
	struct cycles *c = cycles_open(&arena);

	PUT(CODE, "\x48\xf7\xf1\x75\x3b");
	PUT(OTHER, "\x48\xf7\xf1\x75\xbb");
	OK(cycles_choose(c, &space, CODE, records, at, 4));
	OK(at[3] <= 2);
	/* Code that cannot be read. */
	OK(!cycles_choose(c, &space, 0x500000, records, at, 4));
	OK(!cycles_choose(c, &space, CODE + sizeof(code) - 1, records, at, 4));
	arena_free(&arena);
}

/* Masks of general registers (RAX 1, RCX 2, RDX 4, RBX 8, ...), vectors from 16 on, flags. */
static const struct {
	const char *bytes;
	u8 len, latency;
	u64 reads, writes;
	bool load, store;
} known[] = {
#define V(n) (1ull << (OPERAND_VECTOR + (n)))
#define F (1ull << OPERAND_FLAGS)
#define OF(bytes) bytes, sizeof(bytes) - 1
	{ OF("\x48\x01\xd8"), 1, 1 | 8, 1 | F, false, false },		/* add %rbx, %rax */
	{ OF("\x48\x39\xd8"), 1, 1 | 8, F, false, false },		/* cmp %rbx, %rax */
	{ OF("\x31\xc0"), 1, 0, 1 | F, false, false },			/* xor %eax, %eax */
	{ OF("\x4d\x8b\x04\xc8"), 1, 0x102, 0x100, true, false },	/* mov (%r8,%rcx,8), %r8 */
	{ OF("\x89\x48\x08"), 1, 1 | 2, 0, false, true },		/* mov %ecx, 8(%rax) */
	{ OF("\x48\x8d\x14\x01"), 1, 1 | 2, 4, false, false },		/* lea (%rcx,%rax), %rdx */
	{ OF("\x48\xf7\xf9"), 14, 1 | 2 | 4, 1 | 4 | F, false, false },	/* idiv %rcx */
	{ OF("\x48\x0f\xaf\xc3"), 3, 1 | 8, 1 | F, false, false },	/* imul %rbx, %rax */
	{ OF("\xf2\x0f\x59\xc8"), 3, V(0) | V(1), V(1), false, false },	/* mulsd %xmm0, %xmm1 */
	{ OF("\xf2\x0f\x5e\x08"), 13, V(1) | 1, V(1), true, false },	/* divsd (%rax), %xmm1 */
	{ OF("\xf2\x48\x0f\x2a\xc1"), 5, 2, V(0), false, false },	/* cvtsi2sd %rcx, %xmm0 */
	{ OF("\x66\x0f\xef\xc0"), 1, 0, V(0), false, false },		/* pxor %xmm0, %xmm0 */
	{ OF("\xc5\xf3\x59\xd0"), 3, V(0) | V(1), V(2), false, false },	/* vmulsd %xmm0, %xmm1, %xmm2 */
	{ OF("\xf0\xff\x00"), 18, 1, F, true, true },			/* lock incl (%rax) */
	{ OF("\x75\x00"), 1, F, 0, false, false },			/* jne */
	{ OF("\x50"), 1, 1, 0, false, true },				/* push %rax */
};

TEST(operands_of_instructions)
{
	struct operands o;
	u32 i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		operands_read(&o, (struct bytes){ (const u8 *)known[i].bytes, known[i].len }, CODE);
		EQ(o.reads, known[i].reads);
		EQ(o.writes, known[i].writes);
		EQ(o.latency, known[i].latency);
		EQ(o.load, known[i].load);
		EQ(o.store, known[i].store);
	}
}

TEST(the_place_of_an_operand)
{
	struct operands o;

	operands_read(&o, BYTES(0x8b, 0x05, 0x10, 0, 0, 0), 0x1000);	/* 0x10(%rip) */
	OK(o.placed);
	EQ(o.base, OPERAND_NONE);
	EQ(o.place, 0x1016);
	operands_read(&o, BYTES(0x8b, 0x44, 0x24, 0xf8), 0x1000);	/* -8(%rsp) */
	OK(o.placed);
	EQ(o.base, OPERAND_SP);
	EQ(o.place, -8ull);
	operands_read(&o, BYTES(0x8b, 0x04, 0x8b), 0x1000);		/* (%rbx,%rcx,4) */
	OK(!o.placed);
}
