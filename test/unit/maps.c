/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The ranges of executable memory, as system calls change them and as the kernel lists them. The
 * agent's code runs here.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

#include "src/agent/maps.c"

static struct agent agent;
static struct range ranges[4096];

i64 sys_call(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	return syscall(nr, a, b, c, d, e, f);
}

i64 sys_try(u64 nr, u64 a, u64 b, u64 c, u64 d)
{
	return sys_call(nr, a, b, c, d, 0, 0);
}

void sys_use_keys(struct agent *a)
{
	a->keys = true;
}

static void start(void)
{
	agent = (struct agent){ .ranges = ranges };
}

static bool bounds_are(u64 ip, u64 from, u64 to)
{
	u64 got_from = 0, got_to = 0;

	return maps_bounds(&agent, ip, &got_from, &got_to) && got_from == from && got_to == to;
}

TEST(a_change_in_the_middle_leaves_what_is_before_and_after_it)
{
	u64 from, to;

	start();
	maps_set(&agent, 0x1000, 0x9000, EXEC);
	OK(bounds_are(0x5000, 0x1000, 0x9000));
	maps_set(&agent, 0x3000, 0x4000, EXEC | WRITE | MAPS_MADE);
	OK(bounds_are(0x2fff, 0x1000, 0x3000));
	OK(bounds_are(0x3000, 0x3000, 0x4000));
	OK(bounds_are(0x4000, 0x4000, 0x9000));
	OK(maps_writable(&agent, 0x3fff) && maps_made(&agent, 0x3fff));
	OK(!maps_writable(&agent, 0x4000) && !maps_made(&agent, 0x4000));
	maps_set(&agent, 0x2000, 0x6000, 0);
	OK(!maps_bounds(&agent, 0x2000, &from, &to) && !maps_bounds(&agent, 0x5fff, &from, &to));
	OK(bounds_are(0x1fff, 0x1000, 0x2000));
	OK(bounds_are(0x6000, 0x6000, 0x9000));
	OK(!maps_touch(&agent, 0x2000, 0x4000));
	OK(maps_touch(&agent, 0x2000, 0x4001));
	OK(maps_touch(&agent, 0x1fff, 1));
	OK(!maps_file(&agent, 0x2000, 0x6000) && maps_file(&agent, 0x5000, 0x7000));
}

TEST(shared_memory_is_shared_and_may_be_written)
{
	start();
	maps_set(&agent, 0x1000, 0x2000, EXEC | MAPS_SHARED);
	OK(maps_shared(&agent, 0x1000));
	OK(maps_writable(&agent, 0x1000));
	OK(maps_made(&agent, 0x1000));
	OK(!maps_shared(&agent, 0x2000));
}

static int a_function(void)
{
	return 7;
}

TEST(the_kernels_list_tells_files_from_made_code_and_guards_keep_their_rights)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	u8 *made = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, flags, -1, 0);
	u8 *guarded = mmap(NULL, 2 * PAGE, PROT_READ | PROT_EXEC, flags, -1, 0);
	u8 *data = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (made == MAP_FAILED || guarded == MAP_FAILED)
		SKIP("no memory for code");
	start();
	agent.guarded[agent.n_guarded++] = (u64)guarded;
	maps_read(&agent);
	OK(maps_code(&agent, (u64)a_function).len > 0);
	OK(!maps_made(&agent, (u64)a_function) && !maps_writable(&agent, (u64)a_function));
	OK(maps_made(&agent, (u64)made) && maps_writable(&agent, (u64)made));
	OK(maps_writable(&agent, (u64)guarded));
	OK(maps_made(&agent, (u64)guarded + PAGE) && !maps_writable(&agent, (u64)guarded + PAGE));
	EQ(maps_code(&agent, (u64)data).len, 0);
	OK(maps_may_write((u64)data));
	OK(!maps_may_write((u64)guarded));
	OK(!agent.keys);
	if (!mprotect(made, PAGE, PROT_EXEC))
		maps_read(&agent);
	OK(agent.keys);
	munmap(made, 2 * PAGE);
	munmap(guarded, 2 * PAGE);
	munmap(data, PAGE);
	EQ(a_function(), 7);
}
