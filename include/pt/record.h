/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Making a trace: what was asked for, the two recorders that can do it, and
 * what they share (the file's beginning and end, signals and control).
 *
 * A recorder prints nothing: it says lines by record_say(), and the command
 * decides where they go.
 */
#ifndef PT_RECORD_H
#define PT_RECORD_H

#include <signal.h>

#include <pt/perf_write.h>
#include <pt/target.h>

/* Bits of the PT event's config, where sysfs names no others (the soft recorder
 * has no sysfs). They are those of IA32_RTIT_CTL. */
enum pt_config {
	PT_CFG_PT = 1 << 0, PT_CFG_CYC = 1 << 1, PT_CFG_PWR_EVT = 1 << 4,
	PT_CFG_FUP_ON_PTW = 1 << 5, PT_CFG_MTC = 1 << 9, PT_CFG_TSC = 1 << 10,
	PT_CFG_NORETCOMP = 1 << 11, PT_CFG_PTW = 1 << 12, PT_CFG_BRANCH = 1 << 13,
	PT_CFG_MTC_PERIOD = 14, PT_CFG_CYC_THRESH = 19, PT_CFG_PSB_PERIOD = 24, /* shifts, 4 bits */
	PT_CFG_DEFAULT = 0x300e601,
};

enum record_mode { RECORD_FULL, RECORD_SNAPSHOT, RECORD_SAMPLE };

/* What a recording came to. */
struct record_result {
	u64 bytes;		/* of the output */
	u64 trace_bytes;	/* AUX payload among them */
	struct perf_losses lost;
	u64 data_size, aux_size;	/* of the buffers, as granted */
	u64 wakeups;
	int wait_status;	/* the command's, as wait() has it; valid if 'waited' */
	bool waited;
	int signal;		/* the one that ended the recording, or 0 */
	int exec_err;		/* -errno: the command could not be run */
	const char *output;	/* as named in the last line */
	u64 took_ns, cpu_ns;	/* of the clock; of processors: the recorder and the command */
	u64 insns;		/* that the soft recorder saw done; 0: nobody counted */
	u64 native_ns;		/* what those take if there is one in each cycle */
	u64 branches;		/* that translated programs told; native_ns is estimated by them */
};

/* What samples hold, beside what they always do, and which there are. */
struct record_samples {
	const char *asked;	/* the first option of these that was given, or NULL */
	u64 sample_type, flags, read_format;	/* bits of perf_attr's, for each event */
	u64 track, no_track;	/* of flags: for the one that brings side-band; or not */
	u64 branches, regs_intr, regs_user;	/* perf_attr's masks; 0: none */
	u32 stack;		/* bytes of stack */
	i32 clockid;		/* where 'flags' say that it is used */
	bool none;		/* side-band only */
	bool unbuffered, strict_freq;
};

struct record {
	struct target target;	/* whom */
	bool no_inherit;
	/* what */
	const char *const *events;	/* -e, one string each, NULL-terminated */
	const char *const *filters;	/* of these, as far as they are tracepoints, or NULL */
	u64 pt_config;		/* soft: bits of enum pt_config */
	enum record_mode mode;
	u64 snapshot_size, sample_size;	/* 0: the default */
	bool snapshot_at_exit;
	const char *filter;	/* of Intel PT */
	const char *data_size, *aux_size;	/* -m DATA,AUX: text or NULL */
	u64 count, freq;	/* -c, -F; 0: not given */
	struct record_samples samples;
	bool kcore, bundle, switch_events;
	bool no_build_ids;
	bool dry_run;		/* end before anything is opened */
	bool step;		/* soft: by single steps, the judge of the fast way */
	bool translate;		/* soft: the program runs by itself, translated */
	/* where to and how long */
	const char *output;	/* "perf.data", "-" */
	int fd;			/* >= 0: write the pipe form there, instead */
	u64 for_ns;		/* 0: no limit */
	u64 max_size;		/* bytes of output; 0: no limit */
	u64 interval_ns;	/* look at the buffers at least so often; 0: when the kernel says */
	i64 delay_ms;		/* begin that late; -1: when --control says so */
	const char *control;	/* fifo:CTL[,ACK] or NULL */
	const char *tracefs;	/* where tracepoints are, if events has any */
	char **cmdline;		/* all of pt's words, for the file's head */
	const sigset_t *mask;	/* that the command gets; NULL: the present one */

	int verbose;
	void (*say)(void *who, int level, const char *line);
	void *who;
	struct arena *arena;

	/* between record_open() and record_close() */
	struct perf_writer w;
	char *unborn;		/* the output's name until record_born(), or NULL */
	struct record_dsos *dsos;
	struct record_result result;
};

/* Does it trace, as it does by default? Else 'events' are sampled, and none of them is Intel PT. */
bool record_traces(const struct record *r);

/* Record with the intel_pt PMU. -ENODEV if there is none (nothing was started,
 * and record_soft() can be tried), else 0 or the -errno that a said line explained. */
int record_hw(struct record *r);

/* Record without: run the command, or attach, under ptrace. The same returns. */
int record_soft(struct record *r);

/* r->pt_config of r->events, without sysfs: for record_soft(). 0 or -EINVAL, said. */
int record_read_terms(struct record *r);

/* A line for the user if r->verbose >= 'level'. */
void record_say(struct record *r, int level, const char *fmt, ...) PRINTF(3, 4);

/* Open the output: head, features of this machine, and TIME_CONV. From here on
 * r->w takes records: AUXTRACE_INFO, too. The file has its own name when record_born()
 * says that the recording did begin, and what had that name is .old then; without that
 * record_close() removes it. */
int record_open(struct record *r, const struct perf_event *events, u32 n_events,
		const struct perf_pt_info *info);

int record_born(struct record *r);

/* The last round, build-ids of all that was mapped, the bundle if asked for;
 * close, and fill r->result. */
int record_close(struct record *r);

/* COMM, FORK and MMAP2 records of a process that runs already, made of /proc, with
 * all its threads. 0, or -errno if it is gone. */
int record_running(struct record *r, i32 pid);

/* The same for every process there is. */
void record_all_running(struct record *r);

/* MMAPs of the kernel and its modules. */
void record_kernel(struct record *r);

/* What the world asks of a running recording. */
enum record_ask {
	ASK_NOTHING, ASK_STOP, ASK_SNAPSHOT, ASK_ENABLE, ASK_DISABLE, ASK_CHILD /* one ended */
};

/* Signals (USR2: snapshot, CHLD; INT TERM HUP QUIT USR1 ALRM: stop), the control FIFO, the
 * delay and the time limit as one thing to poll. The signals are blocked from _open() to
 * _close(): a child puts back 'old_mask' before it runs its command. */
struct record_control {
	struct record *r;
	int poll_fd;		/* readable when there is something: an epoll */
	int signal_fd, timer_fd, delay_fd, ctl_fd, ack_fd;
	bool acking;		/* the last ask came by FIFO: record_answer() */
	bool closes_ctl;	/* they are ours to close */
	int signal;		/* the one that stopped it, or 0 */
	char line[64];
	u32 len;
	u64 old_mask[16];	/* a sigset_t */
};
int record_control_open(struct record_control *c, struct record *r);
/* The set of those signals. */
void record_signals(sigset_t *set);
void record_control_close(struct record_control *c);
/* The next thing asked, ASK_NOTHING if there is none now. Never waits. */
enum record_ask record_asked(struct record_control *c);
/* The ask is done: acknowledge it. */
void record_answer(struct record_control *c);
/* The recording is over and its command, process 'pid', is not: end it; but if the output
 * failed, which is not the command's fault, wait until it ends by itself or is told to. */
void record_end_command(struct record *r, struct record_control *c, i32 pid);

#endif
