/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls that write to pages with code.
 *
 * The kernel obeys guards, too: the call would fail with EFAULT, or return less than it could, and
 * what it has already taken (a datagram, a child, a signal) would be lost. So guards are opened
 * before the call. There is no list of what each call writes: any argument may be an address, and
 * the one after it the size. Usually none of them is near a guard.
 */
#include "own.h"

enum { NR_READV = 19, NR_RECVMSG = 47, NR_PREADV = 295, NR_RECVMMSG = 299, NR_VM_READ = 310,
       NR_PREADV2 = 327, SOCKETCALL_32 = 102 };
enum { LEAST = PAGE, MOST = 64 << 20, MOST_PARTS = 1024, N_ARGS = 6, FEW = 32 };
#define WORD (TRANSLATE_NARROW ? 4 : 8)
#define MESSAGE_SIZE (8 * WORD)

/* The program's 'n' words at 'at'; 0 where they cannot be read. */
static void words(u64 v[FEW], u64 at, u32 n)
{
	u32 narrow[FEW] = { 0 }, i;

	memset(v, 0, FEW * sizeof(*v));
	sys_read(TRANSLATE_NARROW ? (void *)narrow : v, at, n * WORD);
	for (i = 0; TRANSLATE_NARROW && i < n; i++)
		v[i] = narrow[i];
}

/* 'n' pairs of an address and a size. Few calls have more than FEW / 2 of them. */
static void parts(struct agent_thread *t, u64 at, u64 n)
{
	u64 v[FEW];
	u32 i;

	words(v, at, MIN(n * 2, FEW));
	for (i = 0; i < FEW; i += 2)
		guard_write(t, v[i], v[i + 1]);
}

/* The second and third argument of calls that have more addresses, in memory. */
static void reach(struct agent_thread *t, u32 nr, u64 at, u64 n)
{
	u64 v[FEW];

	switch (nr) {
	case NR_READV: case NR_PREADV: case NR_PREADV2: case NR_VM_READ:
		parts(t, at, n);
		return;
	case NR_RECVMSG:
		n = 1;
		/* fall through */
	case NR_RECVMMSG:
		for (n = MIN(n, MOST_PARTS); n > 0; n--, at += MESSAGE_SIZE) {
			words(v, at, 6);
			guard_write(t, v[0], v[1]);	/* the sender's name */
			guard_write(t, v[4], v[5]);	/* control messages */
			parts(t, v[2], v[3]);
		}
	}
}

/* 32-bit programs have their arguments of recvmsg() and others in memory. */
static void look_at_socketcall(struct agent_thread *t, u32 what, u64 at)
{
	enum { RECVMSG = 17, RECVMMSG = 19 };
	u64 v[FEW];
	u32 i;

	words(v, at, N_ARGS);
	for (i = 0; i < N_ARGS; i++)
		guard_write(t, v[i], MAX(v[i + 1] % MOST, LEAST));
	reach(t, what == RECVMSG ? NR_RECVMSG : what == RECVMMSG ? NR_RECVMMSG : 0, v[1], v[2]);
}

void writes_begin(struct agent_thread *t, u32 nr)
{
	u64 size = 0, at;
	u32 i;

	for (i = N_ARGS; i-- > 0; size = at) {
		at = syscalls_arg(t, i);
		guard_write(t, at, size < MOST ? MAX(size, LEAST) : LEAST);
	}
	reach(t, nr, syscalls_arg(t, 1), syscalls_arg(t, 2));
	if (TRANSLATE_NARROW && t->call_nr == SOCKETCALL_32)
		look_at_socketcall(t, syscalls_arg(t, 0), syscalls_arg(t, 1));
}
