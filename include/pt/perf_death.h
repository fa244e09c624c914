/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Processes that died of a signal: a feature of a perf.data of pt, which perf skips.
 *
 *	u32 n, size	entries, and the bytes of each
 *	then of each	i32 pid, tid; u64 time; i32 signo, code; u64 what, ip, addr, regs[16]
 */
#ifndef PT_PERF_DEATH_H
#define PT_PERF_DEATH_H

#include <pt/perf_write.h>

enum {
	DEATH_IP = 1,		/* 'ip' is known, and the registers */
	DEATH_SENT = 2,		/* 'addr' is the process that sent the signal */
	DEATH_ADDR = 4,		/* 'addr' is the address that was accessed */
	DEATHS_MOST = 16,	/* so many are kept: the last ones */
};

struct perf_death {
	i32 pid, tid;		/* 0: of the command; its number is not known */
	u64 time;		/* ns; 0: not known */
	i32 signo, code;	/* as siginfo has them; code 0 where 'what' is 0: not known */
	u64 what;		/* DEATH_* */
	u64 ip, addr;
	u64 regs[16];		/* by their numbers in instructions */
};

/* Read them, the oldest first, to 'to' of DEATHS_MOST. Returns how many there are. */
u32 perf_deaths(struct perf_file *f, struct perf_death *to);

/* After perf_write_end(). */
void perf_write_deaths(struct perf_writer *w, const struct perf_death *deaths, u32 n);

#endif
