/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which pages a system call may write to. The agent's code runs here.
 */
#define _GNU_SOURCE
#include <sys/socket.h>
#include <sys/syscall.h>

#include "test.h"

#include "src/agent/writes.c"

static struct agent_thread thread;
static struct { u64 at, size; } said[64];
static u32 n_said;

void guard_write(struct agent_thread *t, u64 at, u64 size)
{
	said[n_said].at = at;
	said[n_said++].size = size;
}

bool sys_read(void *to, u64 at, u64 n)
{
	memcpy(to, (void *)at, n);
	return true;
}

/* Is it opened, all of it? */
static bool is_open(const void *at, u64 size)
{
	u32 i;

	for (i = 0; i < n_said; i++)
		if (said[i].at <= (u64)at && said[i].at + said[i].size >= (u64)at + size)
			return true;
	return false;
}

static void call(u32 nr, u64 a, u64 b, u64 c, u64 d)
{
	u64 *r = thread.regs.r;

	r[RDI] = a;
	r[RSI] = b;
	r[RDX] = c;
	r[R10] = d;
	r[R8] = r[R9] = 0;
	n_said = 0;
	writes_begin(&thread, nr);
}

static u8 one[100], two[20000], three[64];

TEST(the_buffer_of_a_call_is_opened_and_a_page_where_the_size_is_not_known)
{
	call(SYS_read, 3, (u64)two, sizeof(two), 0);
	OK(is_open(two, sizeof(two)));
	call(SYS_fstat, 3, (u64)one, 0, 0);
	OK(is_open(one, PAGE));
}

TEST(all_parts_of_a_vector_are_opened)
{
	const struct iovec { void *at; u64 size; } parts[] = {
		{ one, sizeof(one) }, { two, sizeof(two) }, { three, sizeof(three) },
	};
	static const u32 calls[] = { SYS_readv, SYS_preadv, SYS_preadv2, SYS_process_vm_readv };
	u32 i;

	for (i = 0; i < N_ELEM(calls); i++) {
		call(calls[i], 3, (u64)parts, N_ELEM(parts), 0);
		OK(is_open(one, sizeof(one)));
		OK(is_open(two, sizeof(two)));
		OK(is_open(three, sizeof(three)));
	}
}

TEST(names_control_messages_and_parts_of_messages_are_opened)
{
	struct iovec part = { two, sizeof(two) };
	struct mmsghdr messages[] = {
		{ .msg_hdr = { .msg_name = one, .msg_namelen = sizeof(one) } },
		{ .msg_hdr = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = three,
			       .msg_controllen = sizeof(three) } },
	};

	call(SYS_recvmsg, 3, (u64)&messages[1].msg_hdr, 0, 0);
	OK(is_open(two, sizeof(two)));
	OK(is_open(three, sizeof(three)));
	call(SYS_recvmmsg, 3, (u64)messages, N_ELEM(messages), 0);
	OK(is_open(one, sizeof(one)));
	OK(is_open(two, sizeof(two)));
	OK(is_open(three, sizeof(three)));
}
