/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Processes that died of a signal: a feature in pt's perf.data, which perf skips.
 *
 *	u32 n, size	entries, and the bytes of each
 *	then of each	i32 pid, tid; u64 time; i32 signo, code; u64 what, ip, addr, regs[16]
 */
#ifndef PT_PERF_DEATH_H
#define PT_PERF_DEATH_H

#include <pt/perf_write.h>

enum {
	DEATH_IP = 1,		/* 'ip' and the registers are known */
	DEATH_SENT = 2,		/* 'addr' is the process that sent the signal */
	DEATH_ADDR = 4,		/* 'addr' is the address that was accessed */
	DEATHS_MOST = 16,	/* only the last ones are kept */
};

struct perf_death {
	i32 pid, tid;		/* 0: the command, whose pid is not known */
	u64 time;		/* ns; 0: not known */
	i32 signo, code;	/* as in siginfo; code is not known if 'what' is 0 */
	u64 what;		/* DEATH_* */
	u64 ip, addr;		/* SIGSEGV by SI_KERNEL: 'addr' is the top word of the stack */
	u64 regs[16];		/* by their numbers in instructions */
};

/* Read them into 'to', which has DEATHS_MOST entries, the oldest first. Returns their number. */
u32 perf_deaths(struct perf_file *f, struct perf_death *to);

/* Write them. Call it after perf_write_end(). */
void perf_write_deaths(struct perf_writer *w, const struct perf_death *deaths, u32 n);

#endif
