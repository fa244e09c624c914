/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Stretches of the code cache. The agent's code runs here, with memory of this process.
 */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "test.h"

#include "src/agent/room.c"

const u8 agent_text[16], agent_enter[16];

static u32 n_mapped;
static bool denied;		/* memory that is writable and executable */

static void *map(void *at, u64 size, int flags)
{
	void *got = mmap(at, size, PROT_READ | PROT_WRITE,
			 MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

	n_mapped += got != MAP_FAILED;
	return got == MAP_FAILED ? NULL : got;
}

u64 sys_map_at(u64 at, u64 size, u64 prot)
{
	if (denied && prot == RWX)
		return 0;
	return (u64)map((void *)at, size, MAP_FIXED_NOREPLACE |
			(prot == RX ? MAP_SHARED : MAP_PRIVATE));
}

void *sys_map(u64 size)
{
	return map(NULL, size, MAP_PRIVATE);
}

void sys_unmap(const void *at, u64 size)
{
	if (at)
		n_mapped -= !munmap((void *)at, size);
}

i64 sys_call(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	return nr == NR_MREMAP ? (i64)mremap((void *)a, b, c, d, (void *)e) : 0;
}

i64 sys_try(u64 nr, u64 a, u64 b, u64 c, u64 d)
{
	return sys_call(nr, a, b, c, d, 0, 0);
}

struct bytes maps_code(struct agent *a, u64 ip)
{
	return (struct bytes){ 0 };
}

static bool is_near(const struct stretch *s, u64 ip)
{
	return s->at - ip + NEAR < 2ULL * NEAR;
}

TEST(code_gets_a_stretch_near_it_and_shares_it_until_that_is_full)
{
	const u64 here = 0x200000000, far = 0x6000000000;
	struct agent *a = sys_map(sizeof(*a));
	struct stretch *s, *other, *next;
	u32 i;

	s = stretch_for(a, here);
	other = s ? stretch_for(a, far) : NULL;
	if (!other)
		SKIP("no memory at the addresses wanted");
	OK(is_near(s, here));
	OK(s == stretch_for(a, here + 0x10000));
	OK(other != s);
	OK(is_near(other, far));
	OK(other == stretch_for(a, far - 0x10000));
	OK(stretch_at(a, other->at + other->size - 1) == other);
	OK(stretch_at(a, other->at + other->size) == NULL);

	s->hot = s->size - TRANSLATE_HOT;
	next = stretch_for(a, here);
	OK(next && next != s && is_near(next, here));

	/* If there are no more, any will do; one is left for the next epoch. */
	for (i = a->n_stretches; i < N_STRETCHES; i++)
		stretch_for(a, here + i * 0x100000000ULL * 64);
	EQ(a->n_stretches, N_STRETCHES - 1);
	s = stretch_for(a, 0x7000000000);
	OK(s != NULL && !is_near(s, 0x7000000000));
	OK(stretch_new(a, here, N_STRETCHES) != NULL);

	for (i = 0; i < N_STRETCHES; i++)
		stretch_drop(&a->stretches[i]);
	sys_unmap(a, sizeof(*a));
	EQ(n_mapped, 0);
}

TEST(where_code_may_not_be_written_it_is_mapped_twice)
{
	struct agent *a = sys_map(sizeof(*a));
	struct translate_code c;
	struct stretch *s;

	denied = true;
	s = stretch_for(a, 0x200000000);
	denied = false;
	if (!s)
		SKIP("no memory at the addresses wanted");
	c = stretch_code(s, s->hot);
	EQ(c.at, s->at + s->hot);
	OK((u64)c.to != c.at);
	*c.to = 0xcc;
	EQ(*(u8 *)c.at, 0xcc);
	OK(a->twice);
	stretch_drop(s);
	sys_unmap(a, sizeof(*a));
	EQ(n_mapped, 0);
}
