/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One measured run: start the command, or watch what runs already, until it
 * ends; intervals, time limit and control commands on the way.
 */
#ifndef PT_STAT_RUN_H
#define PT_STAT_RUN_H

#include <pt/count.h>

enum { STAT_STAY_OFF = -1 };

struct stat_run {
	struct counting *counting;
	char **argv;		/* the command, or NULL */
	bool counts_command;	/* it is what 'counting' counts; else it only says how long */
	u64 interval_ns;	/* 0: none */
	u64 timeout_ns;		/* 0: none; the command gets SIGTERM then */
	u32 ticks;		/* intervals to go; 0: no limit */
	i64 delay_ns;		/* switch on so long after the start, or STAT_STAY_OFF */
	int ctl_fd, ack_fd;	/* commands come, acknowledgments go; -1: none */
	/* An interval is over and read: it began at 'from' and ended at 'to', ns
	 * since the start. */
	void (*tick)(void *who, u64 from, u64 to);
	void (*list)(void *who);	/* print the events; NULL: cannot */
	void *who;
	/* what came of it */
	u64 wall_ns, user_ns, sys_ns;
	int status;		/* as wait() has it */
	bool waited;		/* there is a status */
	int signal;		/* what ended it early, or 0 */
	bool cut;		/* a limit was reached, and the command was told to end */
	const struct event_spec *which;	/* of a failed opening */
};

enum stat_failed { STAT_FAILED_NOTHING, STAT_FAILED_OPEN, STAT_FAILED_EXEC, STAT_FAILED_SYSTEM };

/* Run once. What is counted then stands in the counters' 'now'. 'err' is why
 * it failed. */
enum stat_failed stat_run(struct stat_run *r, int *err);

/* "fd:CTL[,ACK]" or "fifo:CTL[,ACK]" of --control. 0, -EINVAL, -errno. */
int stat_run_control(struct stat_run *r, const char *text);

/* Run 'argv' to its end, not measured; its status as wait() has it, or -errno. */
int stat_run_aside(char *const *argv);

#endif
