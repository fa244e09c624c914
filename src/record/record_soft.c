/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A recording without the PMU: a command, or running threads, under ptrace.
 *
 * Every thread has its own buffer of packets, as with perf record --per-thread. Time is the TSC,
 * converted to perf's clock if the kernel has it. The tracer and stepped threads share one CPU,
 * because switching between them is then eight times as fast.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pt/config/SOFT_AGAIN.h>
#include <pt/config/SOFT_SNAPSHOT.h>
#include <pt/config/SOFT_STEP_CODE.h>
#include <pt/config/SOFT_TRANSLATE.h>
#include <pt/counter.h>
#include <pt/date.h>
#include <pt/host.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/perf_ring.h>
#include <pt/text.h>
#include <pt/textfile.h>

#include "trans.h"

enum {
	SOFTWARE = 1, DUMMY = 9,
	TICK_MS = 50,		/* period of checks for requests */
	NAP_NS = 100000, NAP_MAX_NS = 2000000,
	GRACE_NS = 2000000000,
	CRYSTAL = 25000000,	/* Hz, if CPUID does not have it */
	STUCK_MS = 1000,	/* so long pt waits for a thread in state D */
	IN_A_ROW = 64,		/* steps of a thread before pt looks at other threads */
	PATIENCE_S = 20,
	ROUND_TICKS = 40,	/* longest round */
};

#define FLAG(name) (1ULL << PERF_F_##name)

const long soft_options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
	PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;

/* Time. */

static u64 to_ns(const struct perf_pt_info *i, u64 tsc)
{
	u64 mask = (1ULL << i->time_shift) - 1;

	if (i->cap_user_time_short)
		tsc = i->time_cycles + ((tsc - i->time_cycles) & i->time_mask);
	return i->time_zero + (tsc >> i->time_shift) * i->time_mult +
	       ((tsc & mask) * i->time_mult >> i->time_shift);
}

u64 soft_time(const struct soft *s, u64 tsc)
{
	return to_ns(&s->info, tsc);
}

u64 soft_now(const struct soft *s)
{
	return to_ns(&s->info, s->when ? MAX(s->when, s->floor) : host_tsc());
}

/* Read the parameters of perf's clock from the page of an event. */
static bool ask_perf(struct perf_pt_info *info, struct arena *arena)
{
	struct perf_attr attr = { .type = SOFTWARE, .config = DUMMY, .size = 128,
				  .flags = FLAG(EXCLUDE_KERNEL) };
	struct perf_ring ring = { 0 };
	int fd = counter_open(&attr, 0, -1, -1);
	bool can;

	if (fd < 0)
		return false;
	can = !perf_ring_map(&ring, fd, getpagesize(), false, arena);
	if (can) {
		perf_ring_time(&ring, info);
		perf_ring_unmap(&ring);
	}
	close(fd);
	return can && info->cap_user_time_zero && info->time_mult;
}

/* Without perf events use CLOCK_MONOTONIC, which is close to perf's clock. */
static void measure(struct perf_pt_info *info)
{
	u64 tsc = host_tsc(), ns = date_clock(CLOCK_MONOTONIC), ticks, took;

	poll(NULL, 0, 20);
	took = date_clock(CLOCK_MONOTONIC) - ns;
	ticks = host_tsc() - tsc;
	info->time_shift = 31;
	info->time_mult = num_scale(took, 1ull << 31, ticks);
	info->cap_user_time_zero = true;
	info->cap_user_time_short = false;
	info->time_zero = 0;
	info->time_zero = ns - to_ns(info, tsc);
}

static void open_clock(struct soft *s)
{
	struct perf_pt_info *info = &s->info;
	u64 hz;

	if (!ask_perf(info, s->r->arena))
		measure(info);
	hz = num_scale(1000000000, 1ull << info->time_shift, info->time_mult);
	host_tsc_ratio(&s->clock.ctc_n, &s->clock.ctc_d);
	if (!s->clock.ctc_n) {
		s->clock.ctc_n = MAX(hz / CRYSTAL, 1);
		s->clock.ctc_d = 1;
	}
	info->max_nonturbo = (hz + 50000000) / 100000000;
	s->clock.cbr = info->max_nonturbo;
	s->clock.config = s->r->pt_config;
	s->clock.vectors = host_has_ssse3();
	s->keys = host_has_keys();
}

/* The file. */

void soft_put_trace(struct soft *s, i32 pid, i32 tid, u32 idx, u64 tsc, u64 off,
		    struct bytes packets)
{
	const u64 body[3] = { off, packets.len };
	struct perf_stamp stamp = { pid, tid, soft_time(s, MAX(tsc, s->floor)), SOFT_PT_ID, -1 };

	perf_write_record(&s->r->w, PERF_AUX, 0, (struct bytes){ (const u8 *)body, sizeof(body) },
			  &stamp);
	perf_write_aux(&s->r->w, &(struct perf_auxtrace){
		.size = packets.len, .off = off, .reference = tsc, .idx = idx, .tid = tid,
		.cpu = -1 }, packets);
	s->r->result.trace_bytes += packets.len;
}

static void put_trace(void *who, struct trans_pack *p)
{
	struct soft *s = who;
	struct tracee *t = (struct tracee *)((u8 *)p - offsetof(struct tracee, pack));

	if (t->quiet)
		return;
	if (CONFIG_SOFT_SNAPSHOT && s->kept) {
		soft_snapshot_keep(s->kept, t);
		return;
	}
	perf_write_saw(&s->r->w, soft_time(s, p->from));
	soft_put_trace(s, t->pid, t->tid, t->idx, p->tsc, p->off,
		       (struct bytes){ p->buf, p->at - p->buf });
}

void trans_pack_open(struct soft *s, struct tracee *t)
{
	t->pack = (struct trans_pack){ .clock = &s->clock, .buf = s->pack_buf, .full = put_trace,
				       .who = s };
	if (CONFIG_SOFT_STEP_CODE)
		t->pack.side_band = trans_side_band;
	trans_pack_start(&t->pack);
}

static int open_file(struct soft *s)
{
	const u64 sample_type = 1ULL << PERF_S_IP | 1ULL << PERF_S_TID | 1ULL << PERF_S_TIME |
		1ULL << PERF_S_IDENTIFIER;
	const u64 flags = FLAG(INHERIT) | FLAG(EXCLUDE_KERNEL) | FLAG(EXCLUDE_HV) |
		FLAG(SAMPLE_ID_ALL) | FLAG(DISABLED) | FLAG(ENABLE_ON_EXEC);
	struct perf_event *events = NEW(s->r->arena, struct perf_event, 2);
	u64 *ids = NEW(s->r->arena, u64, 2);
	struct perf_pt_info *info = &s->info;
	int err;

	ids[0] = SOFT_PT_ID;
	ids[1] = SOFT_SIDE_BAND_ID;
	events[0] = (struct perf_event){ .name = "intel_pt//u", .ids = ids, .n_ids = 1,
		.attr = { .type = PERF_SOFT_PMU, .size = 128, .config = s->r->pt_config,
			  .period = 1, .sample_type = sample_type, .read_format = 4,
			  .flags = flags } };
	events[1] = (struct perf_event){ .name = "dummy:u", .ids = ids + 1, .n_ids = 1, .index = 1,
		.attr = { .type = SOFTWARE, .size = 128, .config = DUMMY, .period = 1,
			  .sample_type = sample_type, .read_format = 4,
			  .flags = flags | FLAG(MMAP) | FLAG(MMAP2) | FLAG(COMM) |
				   FLAG(COMM_EXEC) | FLAG(TASK) } };
	info->type = PERF_AUXTRACE_INTEL_PT;
	info->pmu_type = PERF_SOFT_PMU;
	info->tsc_bit = PT_CFG_TSC;
	info->noretcomp_bit = PT_CFG_NORETCOMP;
	info->mtc_bit = PT_CFG_MTC;
	info->mtc_freq_bits = 15ULL << PT_CFG_MTC_PERIOD;
	info->cyc_bit = PT_CFG_CYC;
	info->tsc_ctc_n = s->clock.ctc_n;
	info->tsc_ctc_d = s->clock.ctc_d;
	info->filter = "";
	info->snapshot = s->r->mode == RECORD_SNAPSHOT;
	err = record_open(s->r, events, 2, info);
	if (!err)
		perf_write_pt_info(&s->r->w, info);
	return err;
}

/* Has a running thread published nothing since the end of the last round? What it publishes next
 * may be older than the end of this one, if the thread waits for a processor. */
static bool is_behind(const struct soft *s)
{
	const struct tracee *t = NULL;

	if (CONFIG_SOFT_TRANSLATE)
		while ((t = tracee_next(s, t)))
			if (t->slot && t->pack.on && t->pack.tsc < s->round)
				return true;
	return false;
}

static void end_round(struct soft *s)
{
	if (!(CONFIG_SOFT_TRANSLATE && trans_files_are_held(s)) &&
	    (!is_behind(s) || ++s->longer == ROUND_TICKS)) {
		s->longer = 0;
		perf_write_record(&s->r->w, PERF_FINISHED_ROUND, 0, (struct bytes){ 0 }, NULL);
		s->floor = s->round;
		s->round = host_tsc();
	}
	perf_write_round(&s->r->w);
}

void soft_flush(struct soft *s)
{
	struct tracee *t = NULL;

	while ((t = tracee_next(s, t)))
		step_flush(t);
}

/* The target */

void soft_choose_cpu(struct soft *s)
{
	cpu_set_t one;

	if (s->cpu >= 0 || syscall(SYS_getcpu, &s->cpu, NULL, NULL))
		return;
	CPU_ZERO(&one);
	CPU_SET(s->cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		s->cpu = -1;
}

u64 soft_cpu_ns(i32 tid)
{
	char text[64];
	u64 ns = 0;

	if (textfile_readf(text, sizeof(text), "/proc/%d/schedstat", tid) > 0)
		num_read(text, 10, &ns);
	return ns;
}

/* ptrace() fails with EPERM for several reasons: find and print the reason. */
static void say_refused(struct record *r, i32 tid, int err)
{
	u64 tracer = target_status(tid, "\nTracerPid", 10), yama = 0;
	char text[96];
	const char *why = text;

	textfile_value("/proc/sys/kernel/yama/ptrace_scope", 10, &yama);
	if (err != EPERM)
		why = strerror(err);
	else if (tracer)
		fmt_str(text, sizeof(text), "process %llu traces it already", tracer);
	else if (geteuid() && target_status(tid, "\nUid", 10) != geteuid())
		why = "it belongs to another user; run pt as root";
	else if (yama && (geteuid() || yama > 2))
		fmt_str(text, sizeof(text), "kernel.yama.ptrace_scope is %llu: %s", yama,
			yama > 2 ? "reboot, and set it to 1" : "run pt as root, or set it to 0");
	else
		why = "seccomp forbids ptrace(), or CAP_SYS_PTRACE is missing "
		      "(container: --cap-add SYS_PTRACE)";
	record_say(r, 0, "cannot trace %d: %s", tid, why);
}

static int seize(struct soft *s, i32 tid)
{
	enum { TRIES = 20, PAUSE_MS = 10 };
	int err, tries = TRIES;

	do {
		err = ptrace(PTRACE_SEIZE, tid, 0, soft_options) ? errno : 0;

		/* A traced thread may have made it in the meantime, or it has ended: then it has no
		 * files, but stays while other threads live if it is the first one. */
		if (err == EPERM && (soft_traces(tid) || !target_status(tid, "\nFDSize", 10)))
			err = ESRCH;
		/* If its tracer was killed just now, this takes effect soon. */
	} while (err == EPERM && --tries && !poll(NULL, 0, PAUSE_MS));
	if (err && err != ESRCH)
		say_refused(s->r, tid, err);
	return -err;
}

static int prepare_command(struct soft *s, struct record_control *c, struct target_child *child)
{
	struct record *r = s->r;
	int err = target_prepare(child, r->target.argv, r->fd < 0 && !strcmp(r->output, "-"),
				 (sigset_t *)c->old_mask);

	if (err)
		record_say(r, 0, "cannot start a process: %s", strerror(-err));
	return err;
}

/* Let the command run. If it is traced, a signal stops it before its exec, too. */
static int let_go(struct soft *s, struct target_child *child)
{
	struct pollfd started = { child->failed, POLLIN, 0 };
	int err, status;

	s->child = child->pid;
	target_release(child);
	while (!poll(&started, 1, 1))
		if (waitpid(child->pid, &status, WNOHANG | __WALL) > 0)
			soft_stopped(s, child->pid, status);
	err = target_start(child);
	if (err) {
		s->r->result.exec_err = err;
		record_say(s->r, 0, "cannot run %s: %s", s->r->target.argv[0], strerror(-err));
	}
	return err;
}

static int start_command(struct soft *s, struct record_control *c)
{
	struct target_child child;
	struct tracee *t;
	int err = prepare_command(s, c, &child);

	if (err)
		return err;
	err = seize(s, child.pid);
	if (err) {
		target_cancel(&child);
		return err;
	}
	t = tracee_add(s, child.pid);
	t->state = TRACEE_FREE;
	tracee_pin(s, t, true);
	perf_write_comm(&s->r->w, &(struct perf_comm){ .pid = t->pid, .tid = t->tid,
		.name = "perf-exec" }, &(struct perf_stamp){ 0 });
	return let_go(s, &child);
}

/* Can this process be recorded? If not, it is left alone. */
static int may_seize(struct soft *s, i32 tid, i32 pid, u8 *left)
{
	const char *why;

	*left = LEFT_NONE;
	if (CONFIG_SOFT_TRANSLATE && !(CONFIG_SOFT_AGAIN && vm_of(s, pid)) &&
	    !target_status(tid, "\nTracerPid", 10))
		*left = trans_was_here(tid);
	why = !CONFIG_SOFT_AGAIN && *left ? "it still runs in the code cache of a pt that was "
		"killed" : *left ? trans_look_left(s, tid, *left) : NULL;
	if (!why)
		return seize(s, tid);
	record_say(s->r, 0, "cannot trace %d: %s", pid, why);
	return -EBUSY;
}

void soft_know(struct soft *s, struct tracee *t)
{
	struct vm *vm = vm_of(s, t->pid);

	sched_getaffinity(t->tid, sizeof(t->cpus), &t->cpus);
	tracee_pin(s, t, true);
	t->vm = vm ? vm : vm_new(s, t->tid);
	t->vm->users++;
	t->known = true;
	soft_write_comm(s, t, false);
	if (!vm)
		vm_load(s, t->vm, t, VM_ALL);
	if (CONFIG_SOFT_STEP_CODE && !vm && !s->r->translate)
		vm_find_changed(t->vm, t->pid);
}

static void attach(struct soft *s, i32 tid, i32 pid, bool quiet, u8 left)
{
	struct tracee *t = tracee_add(s, tid);

	t->pid = pid;
	t->quiet = quiet;
	t->cpu_ns = soft_cpu_ns(tid);
	soft_know(s, t);
	if (CONFIG_SOFT_AGAIN) {
		t->vm->left |= left;
		s->left |= left;
	}
	ptrace(PTRACE_INTERRUPT, tid, 0, 0);
}

/* Find the threads. If threads are translated, all threads of their processes must be. */
static int find_threads(struct soft *s, struct target_threads *found, const char **which)
{
	int err = target_find_threads(&s->r->target, false, found, s->r->arena, which);
	struct target whole = { 0 };
	char *pids, *to;
	u32 i;

	if (err || !s->r->translate || !s->r->target.tids)
		return err;
	whole.pids = pids = to = arena_alloc(s->r->arena, 16 * found->n + 1);
	for (i = 0; i < found->n; i++)
		to += fmt_str(to, 16, i ? ",%d" : "%d", found->pid[i]);
	return target_find_threads(&whole, false, found, s->r->arena, which);
}

static bool is_asked(const struct target_threads *asked, i32 tid)
{
	u32 i;

	for (i = 0; i < asked->n; i++)
		if (asked->tid[i] == tid)
			return true;
	return false;
}

/* The thread has another tracer, for example another pt that began at the same time. */
static void lack(struct soft *s, i32 pid, int err)
{
	struct vm *vm = vm_of(s, pid);

	if (CONFIG_SOFT_AGAIN && vm && err == -EPERM)
		vm->part = true;
}

/* Attach to all threads. Threads that start meanwhile are found by searching again. */
static int attach_all(struct soft *s)
{
	struct target_threads found, asked;
	const char *which;
	u32 i, n;
	int err;
	u8 left;

	do {
		err = target_find_threads(&s->r->target, false, &asked, s->r->arena, &which);
		if (!err)
			err = find_threads(s, &found, &which);
		if (err) {
			record_say(s->r, 0, "cannot trace '%s': %s", which ? which : "",
				   target_why(&s->r->target, err));
			return err;
		}
		for (i = n = 0; i < found.n; i++) {
			if (tracee_find(s, found.tid[i]) || found.pid[i] == getpid())
				continue;
			err = may_seize(s, found.tid[i], found.pid[i], &left);
			if (err && err != -ESRCH && !s->n_threads)
				return err;
			if (err) {
				lack(s, found.pid[i], err);
				continue;
			}
			attach(s, found.tid[i], found.pid[i], !is_asked(&asked, found.tid[i]),
			       left);
			n++;
		}
	} while (n);
	if (s->n_threads)
		return 0;
	record_say(s->r, 0, "'%s' has no process that could be traced", s->r->target.user ?
		   s->r->target.user : s->r->target.pids ? s->r->target.pids : s->r->target.tids);
	return -ESRCH;
}

/* A command with -p or -t is not traced; it only sets the duration. */
static int attach_while_command(struct soft *s, struct record_control *c)
{
	struct target_child child;
	int err = prepare_command(s, c, &child);

	if (err)
		return err;
	err = attach_all(s);
	if (err) {
		target_cancel(&child);
		return err;
	}
	sched_setaffinity(child.pid, sizeof(s->cpus), &s->cpus);
	return let_go(s, &child);
}

static int begin(struct soft *s, struct record_control *c)
{
	if (!s->r->target.argv)
		return attach_all(s);
	return (target_has_threads(&s->r->target) ? attach_while_command : start_command)(s, c);
}

/* The loop. */

/* Ticks of the timer. While pt itself is stopped there is none, so that is not counted. */
static volatile u32 ticked;

u32 soft_patience(void)
{
	return ticked + PATIENCE_S * 1000 / TICK_MS;
}

bool soft_is_late(u32 end)
{
	return (i32)(ticked - end) > 0;
}

static void tick(int signal)
{
	ticked++;	/* and waitpid() is interrupted */
}

/* The signals that stop a recording are blocked; a timer interrupts waitpid() regularly, so that
 * pt reads them. The timer's own signal is not blocked: pt would read it as a request to stop. */
static void start_ticking(const struct record_control *c)
{
	struct sigaction action = { .sa_handler = tick };
	struct itimerval every = { { 0, TICK_MS * 1000 }, { 0, TICK_MS * 1000 } };
	sigset_t alarm;

	record_signals(&alarm);
	sigdelset(&alarm, SIGALRM);
	signalfd(c->signal_fd, &alarm, 0);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	sigprocmask(SIG_UNBLOCK, &alarm, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

static void stop_ticking(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
}

/* Read all rings. Returns up to when. */
static u64 catch_up(struct soft *s)
{
	u64 tsc = host_tsc();

	if (CONFIG_SOFT_TRANSLATE) {
		trans_poll(s, true);
		trans_code_done(s, tsc);
	}
	return tsc;
}

static void take_snapshot(struct soft *s)
{
	u64 tsc;

	if (!s->kept)
		return;
	record_say(s->r, 1, "Recording AUX area tracing snapshot");
	tsc = catch_up(s);
	soft_flush(s);
	soft_snapshot_write(s, tsc);
	end_round(s);
	s->died = false;
}

static void hear(struct soft *s, struct record_control *c)
{
	enum record_ask ask;

	while ((ask = record_asked(c)) != ASK_NOTHING) {
		if (ask == ASK_STOP)
			s->ending = true;
		if (CONFIG_SOFT_SNAPSHOT && ask == ASK_SNAPSHOT)
			take_snapshot(s);
		record_answer(c);
	}
}

static void listen(struct soft *s, struct record_control *c)
{
	u64 tsc;

	hear(s, c);
	if (CONFIG_SOFT_SNAPSHOT && s->died)
		take_snapshot(s);
	if (s->r->interval_ns || CONFIG_SOFT_STEP_CODE)
		soft_flush(s);
	tsc = catch_up(s);
	if (CONFIG_SOFT_SNAPSHOT && s->kept)
		soft_snapshot_trim(s, tsc);
	end_round(s);
	soft_adopt(s);
	if (s->r->w.err)
		s->ending = true;
}

/* Nothing happened: wait for a stop, or until a ring may have many records. A ring is full after a
 * millisecond at the earliest. Each nap in a row is twice as long. When a ring has had many
 * records, follow() begins with half of the last nap: so there are few naps in vain. */
static void nap(struct soft *s, struct record_control *c, u32 *idle)
{
	struct timespec ts = { .tv_nsec = MIN(NAP_NS << *idle, NAP_MAX_NS) };
	struct pollfd any = { c->poll_fd, POLLIN, 0 };

	if (*idle < 8)
		++*idle;
	if (ppoll(&any, 1, &ts, NULL) > 0)
		hear(s, c);
}

/* Start the time of --for when all threads are attached, which may take long on a busy machine.
 * The wait for a thread that was already stopped has a limit. */
static void note_begin(struct soft *s, struct record_control *c)
{
	if (s->began || (s->r->translate && !s->images && !s->steps))
		return;
	s->began = true;
	record_control_begin(c, 0);
}

/* Wait for a stop or an end. If pt dies in a stop for a signal, the kernel passes the signal on,
 * but not if pt has waited for this stop. So translated threads, which continue at once, are only
 * looked at. (waitid() knows __WALL from Linux 4.7 on.) */
static i32 next_stop(struct soft *s, i32 last, int *status)
{
	enum { EVENTS = 0x80 };		/* the least status of other stops */
	int hang = s->images ? WNOHANG : 0;
	const struct tracee *t = tracee_find(s, last);
	siginfo_t info;

	/* A step ends soon, so pt waits for this thread alone. Steps must be quick: if the vDSO has
	 * not read the time before the next tick of the clock, it begins again. */
	if (s->steps % IN_A_ROW && t && t->state == TRACEE_STEP) {
		last = waitpid(last, status, __WALL);
		if (last > 0)
			return last;
	}
	info.si_pid = 0;
	if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL | hang))
		return errno == EINVAL ? waitpid(-1, status, __WALL | hang) : -1;
	if (!info.si_pid)
		return 0;
	t = tracee_find(s, info.si_pid);
	if (!t || !t->image || info.si_code != CLD_TRAPPED || info.si_status >= EVENTS)
		return waitpid(info.si_pid, status, __WALL | WNOHANG);
	*status = info.si_status << 8 | 0x7f;
	return info.si_pid;
}

/* A thread does not leave the code cache: it is in a system call that does not end, or has written
 * to pt's memory. */
static void give_up(struct soft *s)
{
	record_say(s->r, 0, "pt ends, but a thread stays in the code cache");
	if (s->child)
		kill(s->child, SIGKILL);
	s->child = 0;		/* its threads stop once more, and end when pt has ended */
}

static void follow(struct soft *s, struct record_control *c)
{
	u64 due = 0, ticks = (u64)s->info.max_nonturbo * 100000 * TICK_MS, steps;
	bool detached = false, more = false;
	u32 idle = 0, left = 0, end = 0, begun = ticked + STUCK_MS / TICK_MS;
	i32 tid = 0;
	int status;

	while (s->n_threads) {
		note_begin(s, c);
		if (host_tsc() > due || (CONFIG_SOFT_SNAPSHOT && s->died)) {
			listen(s, c);
			due = host_tsc() + ticks;
			if (soft_is_late(begun) && soft_free_stuck(s))
				return;
		}
		if (s->ending && !detached) {
			detached = true;
			begun = ticked + STUCK_MS / TICK_MS;
			soft_detach(s);
			continue;
		}
		if (CONFIG_SOFT_TRANSLATE && detached && s->n_threads != left) {
			left = s->n_threads;
			end = soft_patience();
		}
		if (CONFIG_SOFT_TRANSLATE && (s->images || (CONFIG_SOFT_AGAIN && s->left)) &&
		    (s->gave_up || (detached && soft_is_late(end)))) {
			give_up(s);
			return;
		}
		if (CONFIG_SOFT_TRANSLATE && s->images)
			more = trans_poll(s, false);
		steps = s->steps;
		tid = next_stop(s, tid, &status);
		if (tid > 0)
			soft_stopped(s, tid, status);
		else if (tid < 0 && errno == ECHILD)
			return;
		if (s->steps != steps || tid > 0)	/* more will come soon */
			idle = 0;
		else if (more)
			idle -= MIN(idle, 1);
		else if (s->images)
			nap(s, c, &idle);
	}
}

/* The time of the program alone is not known; one instruction per TSC cycle is assumed. */
static void count_work(struct soft *s)
{
	struct record_result *res = &s->r->result;

	res->insns = s->steps;
	res->native_ns = res->insns * 10 / MAX(s->info.max_nonturbo, 1);
	if (CONFIG_SOFT_TRANSLATE && s->r->translate)
		trans_count(s);
}

static int record(struct soft *s, struct record_control *c)
{
	int err = open_file(s);

	if (err)
		return err;
	clock_gettime(CLOCK_REALTIME, &s->since);
	err = begin(s, c);
	if (!err)
		err = record_born(s->r);
	if (err)
		return err;
	perf_write_record(&s->r->w, PERF_FINISHED_INIT, 0, (struct bytes){ 0 }, NULL);
	counter_raise_limit();	/* one descriptor for each address space */
	start_ticking(c);
	record_control_begin(c, GRACE_NS);
	follow(s, c);
	stop_ticking();
	if (s->child)
		record_end_command(s->r, c, s->child, !s->ending);
	if (CONFIG_SOFT_TRANSLATE)
		trans_code_done(s, -1ull);
	if (CONFIG_SOFT_SNAPSHOT && s->kept)
		soft_snapshot_write(s, host_tsc());
	if (CONFIG_SOFT_TRANSLATE)
		trans_files_end(s);
	end_round(s);
	count_work(s);
	record_say(s->r, 1, "pt made %llu single steps", s->steps);
	return s->stuck && !s->began ? -EBUSY : 0;
}

int record_soft(struct record *r)
{
	struct soft *s = NEW(r->arena, struct soft, 1);
	struct record_control control;
	int err, closed;

	s->r = r;
	s->pack_buf = arena_alloc(r->arena, 2 * PACK_BUFFER);	/* see step_flush() */
	if (CONFIG_SOFT_SNAPSHOT && r->mode == RECORD_SNAPSHOT)
		s->kept = soft_snapshot_open(r);
	err = record_control_open(&control, r);
	if (err)
		return err;
	s->cpu = -1;
	sched_getaffinity(0, sizeof(s->cpus), &s->cpus);
	if (!r->translate)
		soft_choose_cpu(s);
	else if (CONFIG_SOFT_TRANSLATE)
		s->agent = trans_blob(r->arena, false);
	open_clock(s);
	err = record(s, &control);
	if (r->dsos) {
		closed = record_close(r);
		err = err ? err : closed;
	}
	if (s->cpu >= 0)
		sched_setaffinity(0, sizeof(s->cpus), &s->cpus);
	record_control_close(&control);
	r->result.signal = control.signal;
	return err;
}
