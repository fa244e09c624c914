/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls that the kernel does not restart after a stop: those in signal(7), "Interruption of
 * system calls and library functions by stop signals", calls on a socket with a timeout, and
 * io_uring_enter(). They fail with EINTR although no signal came. If they are made again, a timeout
 * starts again.
 */
#ifndef PT_ARCH_CALLS_H
#define PT_ARCH_CALLS_H

#include <pt/base.h>

/* X(name, its number in 64-bit programs, in 32-bit programs). */
#define ARCH_CALLS_CUT(X, none) \
	X(read, 0, 3) \
	X(write, 1, 4) \
	X(readv, 19, 145) \
	X(writev, 20, 146) \
	X(accept, 43, none) \
	X(accept4, 288, 364) \
	X(sendto, 44, 369) \
	X(sendmsg, 46, 370) \
	X(sendmmsg, 307, 345) \
	X(recvfrom, 45, 371) \
	X(recvmsg, 47, 372) \
	X(recvmmsg, 299, 337) \
	X(recvmmsg_time64, none, 417) \
	X(socketcall, none, 102) \
	X(ipc, none, 117) \
	X(semop, 65, none) \
	X(semtimedop, 220, none) \
	X(semtimedop_time64, none, 420) \
	X(rt_sigtimedwait, 128, 177) \
	X(rt_sigtimedwait_time64, none, 421) \
	X(io_getevents, 208, 247) \
	X(io_pgetevents, 333, 385) \
	X(io_pgetevents_time64, none, 416) \
	X(epoll_wait, 232, 256) \
	X(epoll_pwait, 281, 319) \
	X(epoll_pwait2, 441, 441) \
	X(io_uring_enter, 426, 426)

#define ARCH_CALL_64(name, nr, nr_32) nr,
#define ARCH_CALL_32(name, nr, nr_32) nr_32,

/* Is 'nr' one of them, in a 32-bit program if 'narrow'? */
static inline bool arch_calls_cut(u64 nr, bool narrow)
{
	enum { NONE = 0xffff };
	static const u16 calls[] = { ARCH_CALLS_CUT(ARCH_CALL_64, NONE) };
	static const u16 calls_32[] = { ARCH_CALLS_CUT(ARCH_CALL_32, NONE) };
	u32 i;

	for (i = 0; i < N_ELEM(calls); i++)
		if ((narrow ? calls_32 : calls)[i] == nr)
			return true;
	return false;
}

#endif
