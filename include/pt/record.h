/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Recording a trace: the options, the two recorders, and their common part (start and end of the
 * file, signals and control).
 *
 * A recorder prints nothing. It passes messages to record_say(), and the command prints them.
 */
#ifndef PT_RECORD_H
#define PT_RECORD_H

#include <signal.h>

#include <pt/perf_death.h>
#include <pt/perf_write.h>
#include <pt/target.h>

/* Bits of the config of the Intel PT event, if sysfs has no others (a recording in software has no
 * sysfs). They are those of IA32_RTIT_CTL. */
enum pt_config {
	PT_CFG_PT = 1 << 0, PT_CFG_CYC = 1 << 1, PT_CFG_PWR_EVT = 1 << 4,
	PT_CFG_FUP_ON_PTW = 1 << 5, PT_CFG_MTC = 1 << 9, PT_CFG_TSC = 1 << 10,
	PT_CFG_NORETCOMP = 1 << 11, PT_CFG_PTW = 1 << 12, PT_CFG_BRANCH = 1 << 13,
	PT_CFG_MTC_PERIOD = 14, PT_CFG_CYC_THRESH = 19, PT_CFG_PSB_PERIOD = 24, /* shifts, 4 bits */
	PT_CFG_DEFAULT = 0x300e601,
};

enum record_mode { RECORD_FULL, RECORD_SNAPSHOT, RECORD_SAMPLE };

/* The result of a recording. */
struct record_result {
	u64 bytes;		/* of the output */
	u64 trace_bytes;	/* AUX payload among them */
	struct perf_losses lost;
	u64 data_size, aux_size;	/* of the buffers, as granted */
	u64 wakeups, samples;
	int wait_status;	/* of the command; valid if 'waited' */
	bool waited;
	int signal;		/* the signal that ended the recording, or 0 */
	int exec_err;		/* -errno: the command could not be run */
	const char *output;	/* its name for the summary */
	u64 took_ns;
	u64 programs_ns;	/* CPU time of threads recorded in software; 0: it is not known */
	u64 insns;		/* instructions recorded in software; 0: not counted */
	u64 native_ns;		/* the time of these at one instruction per cycle */
	u64 branches;		/* of translated programs */
	u64 recording_ns;	/* ... with the time that recording them took */
};

/* Estimate the time that programs take alone, if they took 'cpu_ns' translated: all that recording
 * did not take. This is too much if they run much code only once, since translation takes time. */
static inline u64 record_native_ns(const struct record_result *res, u64 cpu_ns)
{
	return MAX(cpu_ns - MIN(res->recording_ns, cpu_ns), cpu_ns / 8);
}

/* All CPU time of a recording, to compare with that: of pt at most as much as of the programs. What
 * pt takes more is for waiting while they wait. */
static inline u64 record_all_ns(u64 own_ns, u64 programs_ns)
{
	return programs_ns + MIN(own_ns, programs_ns);
}

/* Optional contents of samples. */
struct record_samples {
	const char *asked;	/* the first of these options that was given, or NULL */
	u64 sample_type, flags, read_format;	/* bits of perf_attr, for each event */
	u64 track, no_track;	/* flags to set and to clear in the side-band event */
	u64 branches, regs_intr, regs_user;	/* masks of perf_attr; 0: none */
	u32 stack;		/* bytes of stack */
	u32 max_stack;		/* frames of a chain; 0: what the kernel allows */
	i32 clockid;		/* used if 'flags' has its bit */
	bool none;		/* side-band only */
	bool unbuffered, strict_freq;
};

/* The registers that 64-bit programs use. */
enum { RECORD_REGISTERS = 0xff0fff };

/* Set the bits for call chains: "fp[,FRAMES]", "lbr", "dwarf[,BYTES]". Returns NULL, or what is
 * wrong. */
const char *record_call_graph(struct record_samples *s, const char *how);

/* Set the bits for branch stacks, whose kinds are named in "any_call,u". False at an unknown
 * word. */
bool record_branches(struct record_samples *s, const char *list);
extern const char record_branch_words[];	/* text_nth() */

/* A recording in several files: the next one at a size, a time, or SIGUSR2. */
struct record_files {
	bool asked;
	bool by_signal;
	bool stamped;		/* also a single file has its time in its name */
	u64 size;		/* bytes; 0: any */
	u64 ns;			/* 0: any time */
	u32 most;		/* how many files are kept; 0: all */
	u64 earlier;		/* bytes of the files before ... */
	u64 begun;		/* ... and of this one before its first round */
	u32 n;
	char **names;		/* a ring of 'most' */
};

#define RECORD_FREQ_MAX (~0ull >> 1)

/* What is written about processes that already run. */
enum record_running { RECORD_TASKS = 1, RECORD_MAPS = 2, RECORD_CGROUPS = 4, RECORD_ANY = 7 };

struct record {
	struct target target;
	bool no_inherit, inherit, group;
	/* events */
	const char *const *events;	/* -e, one string each, NULL-terminated */
	const char *const *filters;	/* of those that are tracepoints, or NULL */
	u64 pt_config;		/* soft: bits of enum pt_config */
	enum record_mode mode;
	u64 snapshot_size, sample_size;	/* 0: the default */
	bool snapshot_at_exit;	/* soft: always */
	u64 last_ns;		/* soft: of a snapshot, only packets of this time; 0: all */
	const char *filter;	/* of Intel PT */
	const char *data_size, *aux_size;	/* -m DATA,AUX: text or NULL */
	u64 count, freq;	/* -c, -F; 0: not given. -F max: RECORD_FREQ_MAX */
	struct record_samples samples;
	bool kcore, bundle, switch_events;
	bool no_build_ids;
	bool dry_run;		/* end before opening anything */
	bool step;		/* soft: by single steps, the judge of the fast way */
	bool translate;		/* soft: the program runs by itself, translated */
	/* output and limits */
	int level;		/* of zstd; 0: not compressed */
	const char *output;	/* "perf.data", "-" */
	int fd;			/* >= 0: write the pipe form there instead */
	int code_fd;		/* >= 0: write code of the program's own making there, instead of
				 * to OUTPUT.code-PID */
	u64 for_ns;		/* 0: no limit */
	u64 max_size;		/* bytes of output; 0: no limit */
	struct record_files files;
	const char *cgroups;	/* -G: a list, or NULL */
	u32 priority;		/* -r: 0: the usual one */
	bool guests, no_guests, host;	/* --guest, --no-guest, --host: of events without :G, :H */
	u8 leave_out;		/* bits of enum record_running */
	bool tail;		/* write processes that run at the end, not at the start */
	u64 interval_ns;	/* longest time between reads of the buffers; 0: no limit */
	i64 delay_ms;		/* delay of the start; -1: until --control enables */
	const u32 *delays;	/* ... and then, by turns, how long it is on and off, in ms */
	u32 n_delays;
	const char *control;	/* fifo:CTL[,ACK] or NULL */
	const char *tracefs;	/* the folder of tracepoints, if 'events' has any */
	char **cmdline;		/* pt's command line, for the file's header */
	const sigset_t *mask;	/* signal mask of the command; NULL: the current one */

	int verbose;
	void (*say)(void *who, int level, const char *line);
	/* Called when a progress line is due, and if 'asked' by SIGUSR1; NULL: neither */
	void (*progress)(struct record *r, bool asked);
	u32 progress_ms;	/* time between progress lines; 0: only when asked */
	void *who;
	struct arena *arena;

	/* between record_open() and record_close() */
	struct perf_writer w;
	char *unborn;		/* the output's name until record_born(), or NULL */
	struct record_dsos *dsos;
	struct record_result result;
	bool sees_kernel;	/* private to bpf_programs.c, as ... */
	struct bpf_program *programs;
	struct perf_death *deaths;	/* the last DEATHS_MOST, or NULL */
	u32 n_deaths;
};

/* Does it record a trace, which is the default? Else 'events' are sampled, and none is Intel PT. */
bool record_traces(const struct record *r);

/* Record with the intel_pt PMU. Returns -ENODEV if there is none (nothing was started, and
 * record_soft() can be tried), else 0, or -errno after a message. */
int record_hw(struct record *r);

/* Record in software: run the command, or attach, with ptrace. Returns as above. */
int record_soft(struct record *r);

/* For record_soft(): set r->pt_config from r->events without sysfs. 0, or -EINVAL after a
 * message. */
int record_read_terms(struct record *r);

/* Pass a message to the user if r->verbose >= 'level'. */
void record_say(struct record *r, int level, const char *fmt, ...) PRINTF(3, 4);

/* Open the output and write the header, the features of this machine, and TIME_CONV. From here on
 * r->w takes records, also AUXTRACE_INFO. The file has a temporary name until record_born(), which
 * is called when the recording has really begun and renames an older file to .old. Without it
 * record_close() removes the new file. 0 or -errno. */
int record_open(struct record *r, const struct perf_event *events, u32 n_events,
		const struct perf_pt_info *info);

int record_born(struct record *r);

/* Write the last round, the build-ids of all mapped files, and the bundle if requested; close, and
 * fill r->result. */
int record_close(struct record *r);

/* Write a copy of 'from' to r->output, which must not exist, with the code of the files that it
 * names. Set: arena, output, say, who. 0, or -errno; '*why' if there is a reason in words. */
int record_archive(struct record *r, const char *from, const char **why);

/* Note that a process died of a signal: for the file. */
void record_death(struct record *r, const struct perf_death *death);

/* Write the namespaces of a thread, if --namespaces was given. */
void record_namespaces(struct record *r, i32 pid, i32 tid);

/* Write COMM, FORK and MMAP2 records, from /proc, for a running process and all its threads. 0, or
 * -errno if it has ended. */
int record_running(struct record *r, i32 pid);

/* The same for all processes. */
void record_all_running(struct record *r);

/* Write the MMAP records of the kernel and its modules. */
void record_kernel(struct record *r);

/* Requests to a running recording. */
enum record_ask {
	ASK_NOTHING, ASK_STOP, ASK_SNAPSHOT, ASK_ENABLE, ASK_DISABLE, ASK_CHILD /* one ended */,
	ASK_PROGRESS, ASK_NEXT_FILE
};

/* Signals (USR2: snapshot, or the next file; CHLD; USR1: progress, if r->progress; INT TERM HUP
 * QUIT ALRM, and USR1 otherwise: stop), the control FIFO, the delay, the time limit and the timers
 * of progress lines and of files as one descriptor to poll. The signals are blocked from _open()
 * to _close(); a child restores 'old_mask' before it runs its command. */
struct record_control {
	struct record *r;
	int poll_fd;		/* an epoll; readable if there is a request */
	int signal_fd, timer_fd, delay_fd, progress_fd, next_fd, ctl_fd, ack_fd;
	bool acking;		/* the last request came from the FIFO: record_answer() */
	bool closes_ctl;	/* pt has opened them and closes them */
	int signal;		/* the signal that stopped it, or 0 */
	char line[64];
	u32 len;
	u32 n_delays;		/* that are over, the first one included */
	u64 old_mask[16];	/* a sigset_t */
};
int record_control_open(struct record_control *c, struct record *r);
/* The set of those signals. */
void record_signals(sigset_t *set);
/* --for counts from here on, after 'grace_ns'. */
void record_control_begin(struct record_control *c, u64 grace_ns);
void record_control_close(struct record_control *c);
/* The next request, ASK_NOTHING if there is none now. Never waits. */
enum record_ask record_asked(struct record_control *c);
/* The request is done: acknowledge it. */
void record_answer(struct record_control *c);
/* The recording has ended, but its command, process 'pid', still runs: end the command. If the
 * recording ended because the output failed, or if the caller says 'wait', let the command run
 * instead, and wait until it ends or a signal says stop. */
void record_end_command(struct record *r, struct record_control *c, i32 pid, bool wait);

#endif
