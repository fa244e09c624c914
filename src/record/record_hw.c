/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A recording with the PMU: ring buffers to perf.data.
 *
 * Each round first reads the trace, then the records of all buffers. Thus the records that the
 * trace needs are in the same round or an earlier one, and a reader that follows live never waits
 * for a later round. There is one round for each wake-up; data that comes meanwhile causes another
 * wake-up. After the trace is read its event is enabled again, because the kernel disables it when
 * a buffer is full.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/config/BPF_PROGRAMS.h>
#include <pt/config/RECORD_FILES.h>
#include <pt/config/RECORD_MORE.h>
#include <pt/config/ZSTD.h>
#include <pt/counter.h>
#include <pt/host.h>

#include "hw.h"
#include "hw_overwrites.h"

/* Reading. */

static i32 aux_tid(const struct hw *h, const struct hw_ring *ring)
{
	return h->per_thread ? ring->tid : h->threads.tid[0];
}

static bool take_trace(struct hw *h, u32 index)
{
	struct hw_ring *ring = &h->rings[index];
	struct perf_writer *w = &h->r->w;
	struct perf_stretch s;

	if (!ring->ring.aux || !perf_ring_aux(&ring->ring, h->r->snapshot_size, &s))
		return false;
	perf_write_aux_start(w, &(struct perf_auxtrace){
		.size = s.size, .off = s.off, .reference = host_tsc(), .idx = index,
		.tid = aux_tid(h, ring), .cpu = ring->cpu,
	});
	perf_write_bytes(w, s.piece[0].at, s.piece[0].len);
	perf_write_bytes(w, s.piece[1].at, s.piece[1].len);
	perf_write_aux_end(w);
	h->r->result.trace_bytes += s.size;
	perf_ring_aux_release(&ring->ring, &s);
	return true;
}

/* Enable the trace events of a buffer again, if the kernel stopped them. */
static void go_on(struct hw *h, u32 ring)
{
	u32 t;

	for (t = 0; t < h->threads.n; t++) {
		int fd = h->events[0].fds[ring * h->threads.n + t];

		if (fd >= 0 && !host_is_own(h->hide, fd))
			counter_enable(fd, false);
	}
}

/* The records that the ring has now. */
static bool take_new(struct hw *h, struct hw_ring *ring)
{
	struct bytes records;
	bool any = false;

	while (perf_ring_next(&ring->ring, &records)) {
		perf_write_records(&h->r->w, records);
		perf_ring_release(&ring->ring);
		any = true;
	}
	return any;
}

static bool take_records(struct hw *h, struct hw_ring *ring)
{
	return ring->mapped && !ring->ring.backward && take_new(h, ring);
}

static void end_round(struct hw *h)
{
	perf_write_record(&h->r->w, PERF_FINISHED_ROUND, 0, (struct bytes){ 0 }, NULL);
	perf_write_round(&h->r->w);
}

static void take_round(struct hw *h)
{
	bool any = false;
	u32 i;

	for (i = 0; h->traces && h->r->mode == RECORD_FULL && i < h->n_rings; i++) {
		if (!take_trace(h, i))
			continue;
		any = true;
		if (h->enabled)
			go_on(h, i);
	}
	for (i = 0; i < h->n_rings; i++)
		any |= take_records(h, &h->rings[i]);
	if (any)
		end_round(h);
}

static void take_snapshot(struct hw *h)
{
	u32 i;

	record_say(h->r, 1, "Recording AUX area tracing snapshot");
	hw_switch_trace(h, false);
	take_round(h);
	for (i = 0; i < h->n_rings; i++)
		take_trace(h, i);
	end_round(h);
	if (h->enabled)
		hw_switch_trace(h, true);
}

/* The file's beginning. */

static void write_ids(struct hw *h)
{
	struct perf_id *ids;
	u32 i, r, t, n = 0, taken;

	ids = NEW(h->r->arena, struct perf_id, h->n_events * h->n_rings * h->threads.n);
	for (i = 0; i < h->n_events; i++) {
		struct hw_event *e = &h->events[i];

		for (r = taken = 0; r < h->n_rings; r++)
			for (t = 0; t < h->threads.n; t++)
				if (e->fds[r * h->threads.n + t] >= 0)
					ids[n++] = (struct perf_id){
						.id = e->out.ids[taken++], .idx = r,
						.cpu = h->rings[r].cpu,
						.tid = e->wide ? -1 : h->threads.tid[t],
					};
	}
	perf_write_id_index(&h->r->w, ids, n);
}

/* The process that will be the command. */
static void write_command(struct hw *h)
{
	const i32 pid = h->child.pid;

	if (CONFIG_RECORD_MORE)
		record_namespaces(h->r, pid, pid);
	perf_write_comm(&h->r->w, &(struct perf_comm){
		.pid = pid, .tid = pid, .name = "perf-exec",
	}, &(struct perf_stamp){ 0 });
}

static void write_running(struct hw *h)
{
	const struct target_threads *t = &h->threads;
	u32 i;

	if (h->sees_kernel)
		record_kernel(h->r);
	if (CONFIG_BPF_PROGRAMS && h->sees_kernel)
		bpf_programs_start(h->r);
	if (CONFIG_RECORD_MORE && !(h->r->leave_out & RECORD_CGROUPS))
		hw_write_cgroups(h);
	if (CONFIG_RECORD_MORE && h->r->leave_out & RECORD_TASKS)
		return;
	if (h->on_cpus || (CONFIG_RECORD_FILES && h->late))
		record_all_running(h->r);
	else if (h->workload)
		write_command(h);
	else
		for (i = 0; i < t->n; i++)
			if (!i || t->pid[i] != t->pid[i - 1])
				record_running(h->r, t->pid[i]);
}

/* With --overwrite, what was written at the start of a long recording is old. */
static bool is_late(const struct hw *h)
{
	return CONFIG_RECORD_MORE && (h->r->tail || hw_overwrites(h));
}

/* The end of a file: the processes that run now, and what the buffers kept. */
static void take_kept(struct hw *h)
{
	u32 i;

	if (!is_late(h))
		return;
	for (i = 0; i < h->n_rings; i++)
		if (h->rings[i].mapped && h->rings[i].ring.backward)
			perf_ring_pause(&h->rings[i].ring);
	write_running(h);
	for (i = 0; i < h->n_rings; i++)
		if (h->rings[i].mapped && h->rings[i].ring.backward) {
			take_new(h, &h->rings[i]);
			perf_ring_resume(&h->rings[i].ring);
		}
	end_round(h);
}

int hw_write_start(struct hw *h)
{
	struct perf_event *events = NEW(h->r->arena, struct perf_event, h->n_events);
	u32 i;
	int err;

	for (i = 0; i < h->n_events; i++) {
		events[i] = h->events[i].out;
		events[i].index = i;
	}
	if (h->traces)
		hw_fill_info(h);
	h->r->tracefs = h->env.tracefs;
	perf_ring_time(&h->rings[0].ring, &h->info);
	err = record_open(h->r, events, h->n_events, &h->info);
	if (CONFIG_ZSTD && !err && h->r->level)
		err = perf_write_compress(&h->r->w, h->r->level, h->data_size);
	if (err)
		return err;
	if (h->traces) {
		write_ids(h);	/* before the record that makes perf search samples for trace */
		perf_write_pt_info(&h->r->w, &h->info);
	}
	if (!is_late(h))
		write_running(h);
	perf_write_record(&h->r->w, PERF_FINISHED_INIT, 0, (struct bytes){ 0 }, NULL);
	h->r->files.begun = h->r->w.at;
	return perf_write_round(&h->r->w);
}

/* Waiting. */

/* Poll all instances of the trace event; they also report the end of their task. */
static int watch_events(struct hw *h, struct record_control *c)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = c->poll_fd };
	int poll = epoll_create1(EPOLL_CLOEXEC);
	u32 i, j, n = h->n_rings * h->threads.n;

	if (poll < 0)
		return -errno;
	epoll_ctl(poll, EPOLL_CTL_ADD, c->poll_fd, &e);
	for (i = 0; i < n; i++) {
		for (j = 0; j < h->n_events && h->events[j].fds[i] < 0; j++)
			;
		if (j == h->n_events)
			continue;
		e.data.fd = h->events[j].fds[i];
		h->live += !epoll_ctl(poll, EPOLL_CTL_ADD, e.data.fd, &e);
	}
	return poll;
}

static void wait_for_more(struct hw *h, int poll)
{
	int ms = h->r->interval_ns ? (int)(h->r->interval_ns / 1000000) : -1, n, i;
	struct epoll_event e[32];

	n = host_call(h->hide, SYS_epoll_wait, poll, e, N_ELEM(e), ms);
	for (i = 0; i < n; i++)
		if (e[i].events & EPOLLHUP && !epoll_ctl(poll, EPOLL_CTL_DEL, e[i].data.fd, NULL))
			h->live--;
	h->r->result.wakeups++;
}

/* Has the command ended? */
static bool reap(struct hw *h)
{
	struct record_result *res = &h->r->result;

	if (h->started && !res->waited)
		res->waited = waitpid(h->child.pid, &res->wait_status, WNOHANG) == h->child.pid;
	return res->waited;
}

/* The trace that the kernel still holds belongs to this file, which has the records to decode it.
 * The kernel hands it over when the event stops. */
static void take_all(struct hw *h)
{
	bool stops = h->traces && h->r->mode == RECORD_FULL && h->enabled;

	if (stops)
		hw_switch_trace(h, false);
	take_round(h);
	take_kept(h);
	if (stops)
		hw_switch_trace(h, true);
}

/* Snapshots and files are both requested by SIGUSR2: each snapshot has its own file then. */
static bool is_for_next(const struct record *r, enum record_ask ask)
{
	return ask == ASK_NEXT_FILE || (ask == ASK_SNAPSHOT && r->files.by_signal);
}

/* Handle requests; true if one of them is to stop. */
static bool obey(struct hw *h, struct record_control *c)
{
	enum record_ask ask;

	while ((ask = record_asked(c)) != ASK_NOTHING) {
		if (ask == ASK_STOP || (ask == ASK_CHILD && reap(h)))
			return true;
		if (ask == ASK_SNAPSHOT && h->r->mode == RECORD_SNAPSHOT)
			take_snapshot(h);
		if (CONFIG_RECORD_FILES && is_for_next(h->r, ask)) {
			take_all(h);
			if (hw_next_file(h))
				return true;
		}
		if (ask == ASK_ENABLE || ask == ASK_DISABLE)
			hw_switch_all(h, ask == ASK_ENABLE);
		record_answer(c);
	}
	return false;
}

static bool all_gone(const struct hw *h)
{
	return !h->on_cpus && !h->has_child && !h->live;
}

static void watch_and_write(struct hw *h, struct record_control *c, int poll)
{
	while (!h->r->w.err) {
		take_round(h);
		if (obey(h, c) || all_gone(h))
			break;
		wait_for_more(h, poll);
	}
}

/* Start, stop, and the last round */

static int start(struct hw *h)
{
	struct pollfd exec = { .fd = h->child.failed, .events = POLLIN };
	int err;

	h->enabled = h->r->delay_ms == 0;
	if (h->enabled && !h->workload)
		hw_switch_all(h, true);
	if (!h->has_child)
		return 0;
	h->started = true;
	target_release(&h->child);
	host_call(h->hide, SYS_poll, (long)&exec, (void *)1, -1, 0);
	err = target_start(&h->child);
	if (err) {
		h->started = h->has_child = false;
		h->r->result.exec_err = err;
		record_say(h->r, 0, "cannot run %s: %s", h->r->target.argv[0], strerror(-err));
	}
	return err;
}

static void stop(struct hw *h, struct record_control *c)
{
	hw_switch_all(h, false);
	if (h->r->mode == RECORD_SNAPSHOT && h->r->snapshot_at_exit)
		take_snapshot(h);
	else
		take_round(h);
	take_kept(h);
	if (CONFIG_RECORD_MORE)
		hw_write_lost(h);
	if (h->started && !reap(h))
		record_end_command(h->r, c, h->child.pid, false);
	record_answer(c);
}

static int record(struct hw *h, struct record_control *c)
{
	int err, poll;

	err = hw_write_start(h);
	if (err)
		return err;
	if (CONFIG_RECORD_MORE && h->r->priority && (err = hw_set_priority(h->r)))
		return err;
	poll = watch_events(h, c);
	if (poll < 0) {
		record_say(h->r, 0, "cannot wait for events: %s", strerror(-poll));
		return poll;
	}
	err = start(h);
	if (!err)
		err = record_born(h->r);
	if (!err) {
		watch_and_write(h, c, poll);
		stop(h, c);
	}
	close(poll);
	return err;
}

static int prepare(struct hw *h, struct record_control *c)
{
	const struct target *t = &h->r->target;
	int err;

	if (t->argv) {
		err = target_prepare(&h->child, t->argv, h->r->fd < 0 && !strcmp(h->r->output, "-"),
				     (sigset_t *)c->old_mask);
		if (err) {
			record_say(h->r, 0, "cannot start a process: %s", strerror(-err));
			return err;
		}
		h->has_child = true;
	}
	err = hw_choose_target(h);
	if (!err)
		err = hw_choose_events(h);
	if (CONFIG_RECORD_MORE && !err && h->r->cgroups)
		err = hw_set_cgroups(h);
	if (!err)
		err = hw_choose_sizes(h);
	if (!err && !h->r->dry_run)
		err = hw_open(h);
	if (!err && !h->r->dry_run)
		hw_step_aside(h);
	return err;
}

int record_hw(struct record *r)
{
	struct hw h = { .r = r, .arena = r->arena, .env = { .sysfs = "/sys", .arena = r->arena } };
	struct record_control control;
	int err, closed;

	h.traces = record_traces(r);
	if (h.traces && !event_pmu_find(&h.env, HW_PMU))
		return -ENODEV;
	err = record_control_open(&control, r);
	if (err)
		return err;
	err = prepare(&h, &control);
	if (!err && !r->dry_run)
		err = record(&h, &control);
	if (h.has_child && !h.started)
		target_cancel(&h.child);
	if (r->dsos) {		/* events stay open, as closing them changes the kernel's code */
		closed = record_close(r);
		err = err ? err : closed;
		if (CONFIG_RECORD_FILES && !err && !r->unborn)
			err = hw_name_file(r, h.arena);
	}
	if (h.events)
		hw_close(&h);
	if (CONFIG_RECORD_FILES && r->arena == &h.of_file) {
		r->arena = h.arena;
		arena_free(&h.of_file);
	}
	record_control_close(&control);
	r->result.signal = control.signal;
	return err;
}
