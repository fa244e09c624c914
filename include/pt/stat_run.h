/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One measured run: start the command, or watch running tasks, until the end; with intervals, a
 * time limit and control commands.
 */
#ifndef PT_STAT_RUN_H
#define PT_STAT_RUN_H

#include <pt/count.h>

enum { STAT_STAY_OFF = -1 };

struct stat_run {
	struct counting *counting;
	char **argv;		/* the command, or NULL */
	bool counts_command;	/* the command is counted; else it only sets the duration */
	u64 interval_ns;	/* 0: none */
	u64 timeout_ns;		/* 0: none; at the timeout the command gets SIGTERM */
	u32 ticks;		/* limit of intervals; 0: none */
	i64 delay_ns;		/* enable this long after the start, or STAT_STAY_OFF */
	int ctl_fd, ack_fd;	/* descriptors for commands and acknowledgments; -1: none */
	/* Called when an interval has ended and was read: it began at 'from' and ended at 'to', ns
	 * since the start. */
	void (*tick)(void *who, u64 from, u64 to);
	void (*list)(void *who);	/* print the events; NULL: cannot */
	void *who;
	/* results */
	u64 wall_ns, user_ns, sys_ns;
	int status;		/* wait status */
	bool waited;		/* 'status' is valid */
	int signal;		/* the signal that ended it early, or 0 */
	bool cut;		/* a limit was reached, and pt ended the command */
	const struct event_spec *which;	/* of a failed opening */
};

enum stat_failed { STAT_FAILED_NOTHING, STAT_FAILED_OPEN, STAT_FAILED_EXEC, STAT_FAILED_SYSTEM };

/* Run once. The counts are then in 'now' of the counters. '*err' is the -errno of a failure. */
enum stat_failed stat_run(struct stat_run *r, int *err);

/* Open "fd:CTL[,ACK]" or "fifo:CTL[,ACK]" of --control. 0, -EINVAL, or -errno. */
int stat_run_control(struct stat_run *r, const char *text);

/* Run 'argv' to its end without counting. Returns its wait status, or -errno. */
int stat_run_aside(char *const *argv);

#endif
