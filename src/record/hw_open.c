/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Open the events and map their buffers. Every event is opened once for each buffer and thread. The
 * first one on a buffer owns it; the others write into the same buffer.
 *
 * If the user may not lock enough memory, smaller buffers are tried. A thread that ends meanwhile
 * is left out.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <pt/config/RECORD_MORE.h>
#include <pt/config/RECORD_SAMPLES.h>
#include <pt/counter.h>
#include <pt/host.h>
#include <pt/out.h>

#include "hw.h"
#include "hw_overwrites.h"

static int *fd_at(struct hw *h, struct hw_event *e, u32 ring, u32 thread)
{
	return &e->fds[ring * h->threads.n + thread];
}

/* Is event 'e' opened for thread 't' on this buffer? */
static bool belongs(const struct hw *h, const struct hw_event *e, const struct hw_ring *ring, u32 t)
{
	if (!ring->traced && !e->everywhere)
		return false;
	if (e->wide)
		return !t;
	return !h->per_thread || ring->tid == h->threads.tid[t];
}

static int leader_fd(struct hw *h, const struct hw_event *e, u32 ring, u32 t)
{
	return e->group < 0 ? -1 : *fd_at(h, &h->events[e->group], ring, t);
}

/* After an error, try less: a lower precision, or cpu-clock in place of cycles. False if there is
 * nothing left to try. */
static bool take_less(struct hw *h, struct event_spec *spec, int err)
{
	struct perf_attr *attr = &spec->attr;

	if (spec->precise_max && attr->flags & 3ull << PERF_F_PRECISE) {
		attr->flags -= 1ull << PERF_F_PRECISE;
		return true;
	}
	if (spec->precise_max)
		attr->flags |= 3ull << PERF_F_PRECISE;
	spec->precise_max = false;
	if (attr->type != EVENT_HARDWARE || attr->config != HW_CYCLES || h->traces ||
	    (err != -ENOENT && err != -ENXIO && err != -ENODEV))
		return false;
	record_say(h->r, 1, "there is no cycles event: cpu-clock is used");
	attr->type = EVENT_SOFTWARE;
	attr->config = SW_CPU_CLOCK;
	spec->name = perf_event_name(h->arena, attr);
	return true;
}

static int open_one(struct hw *h, struct hw_event *e, u32 ring, u32 t)
{
	i32 cpu = h->rings[ring].cpu, tid = e->wide ? -1 : h->threads.tid[t];
	int group = leader_fd(h, e, ring, t), fd;

	if (CONFIG_RECORD_MORE && e->spec.cgroup)
		tid = e->cgroup;
	do
		fd = counter_open_fitting(&e->spec, h->arena, tid, cpu, group);
	while (fd < 0 && CONFIG_RECORD_SAMPLES && take_less(h, &e->spec, fd));
	record_say(h->r, 2, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags 0x8 = %d", tid,
		   cpu, group, fd);
	if (fd >= 0)
		*fd_at(h, e, ring, t) = fd;
	return fd < 0 ? fd : 0;
}

static int open_event(struct hw *h, struct hw_event *e)
{
	u32 ring, t, n = 0;
	int err = 0;

	hw_print_attr(h->r, &e->spec.attr);
	for (ring = 0; ring < h->n_rings; ring++) {
		for (t = 0; t < h->threads.n; t++) {
			if (!belongs(h, e, &h->rings[ring], t))
				continue;
			err = open_one(h, e, ring, t);
			if (err && err != -ESRCH)
				return err;
			n += !err;
		}
	}
	return n ? 0 : err;
}

/* Buffers. */

/* Redirect the records of 'fd' to the buffer, or map the buffer if 'fd' is its first event. */
static int attach(struct hw *h, struct hw_ring *ring, int fd)
{
	int err;

	if (ring->mapped)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->ring.fd) ? -errno : 0;
	err = perf_ring_map(&ring->ring, fd, h->data_size, hw_overwrites(h), h->arena);
	ring->mapped = !err;
	return err;
}

static int map_ring(struct hw *h, u32 r)
{
	struct hw_ring *ring = &h->rings[r];
	u32 i, t;
	int err;

	for (i = 0; i < h->n_events; i++) {
		for (t = 0; t < h->threads.n; t++) {
			struct hw_event *e = &h->events[i];
			int fd = *fd_at(h, e, r, t);

			if (fd < 0)
				continue;
			err = attach(h, ring, fd);
			if (!err && e->role == HW_TRACE && !ring->ring.aux)
				err = perf_ring_map_aux(&ring->ring, fd, h->aux_size,
							h->r->mode != RECORD_FULL, h->arena);
			if (err)
				return err;
		}
	}
	return 0;
}

static int map_all(struct hw *h)
{
	u32 i;
	int err = 0;

	for (i = 0; i < h->n_rings && !err; i++)
		err = map_ring(h, i);
	return err;
}

static int set_filter(struct hw *h, const struct hw_event *e)
{
	const char *why;
	char text[96];
	u64 regions;
	u32 i;
	int err = 0;

	for (i = 0; e->filter && i < h->n_rings * h->threads.n && !err; i++)
		if (e->fds[i] >= 0)
			err = counter_filter(e->fds[i], e->filter);
	if (!err)
		return 0;
	why = strerror(-err);
	if (e->role == HW_TRACE && err == -EOPNOTSUPP &&
	    !event_pmu_value(&h->env, HW_PMU, "caps/num_address_ranges", 16, &regions)) {
		fmt_str(text, sizeof(text), "this processor has %llu regions, for filter and "
			"tracestop; no start and stop", regions);
		why = text;
	}
	record_say(h->r, 0, "%s does not take the filter '%s': %s",
		   e->role == HW_TRACE ? "the kernel" : e->spec.name, e->filter, why);
	return err;
}

/* Read the ids of the event's instances, for the file. */
static int take_ids(struct hw *h, struct hw_event *e)
{
	u32 i, n = h->n_rings * h->threads.n;
	int err = 0;

	e->out = (struct perf_event){ .attr = e->spec.attr, .name = e->spec.name,
				     .members = e->members };
	e->out.ids = NEW(h->arena, u64, n);
	for (i = 0; i < n && !err; i++)
		if (e->fds[i] >= 0)
			err = counter_id(e->fds[i], &e->out.ids[e->out.n_ids++]);
	return err;
}

static void say_refused(struct hw *h, const struct hw_event *e, int err)
{
	bool old = err == -EINVAL || err == -EOPNOTSUPP;
	const char *why;
	char text[256];

	if (err == -EBUSY && e->role == HW_TRACE) {
		why = "Intel PT is in use: another recording, or KVM (pt_mode=1)";
	} else if (e->spec.aux_action && (old || err == -E2BIG)) {
		why = "this kernel has no aux-action for Intel PT; use Linux 6.13 or later";
	} else if (e->spec.aux_sample_size && old) {
		why = "the kernel refuses trace in samples; use Linux 5.5 or later, and at most "
		      "61440 bytes";
	} else {
		counter_why(text, sizeof(text), &e->spec, err, h->on_cpus || e->wide, &h->env);
		why = text;
	}
	record_say(h->r, 0, "%s: %s", e->spec.name, why);
}

static void clear_fds(struct hw *h)
{
	u32 i, j, n = h->n_rings * h->threads.n;

	for (i = 0; i < h->n_events; i++) {
		if (!h->events[i].fds)
			h->events[i].fds = NEW(h->arena, int, n);
		for (j = 0; j < n; j++)
			h->events[i].fds[j] = -1;
	}
}

static int open_all(struct hw *h)
{
	u32 i;
	int err;

	clear_fds(h);
	for (i = 0; i < h->n_events; i++) {
		if (h->events[i].role == HW_TRACE && h->r->mode == RECORD_FULL)
			h->events[i].spec.attr.aux_watermark = MIN(h->aux_size / 4, 1ull << 31);
		err = open_event(h, &h->events[i]);
		if (err) {
			say_refused(h, &h->events[i], err);
			return err;
		}
	}
	return 0;
}

/* Open and map all. If too little memory may be locked, retry with smaller buffers and say so. */
static int open_and_map(struct hw *h)
{
	u64 data = h->data_size, aux = h->aux_size;
	int err;

	for (;;) {
		err = open_all(h);
		if (err)
			return err;
		err = map_all(h);
		if (!err)
			break;
		hw_close(h);
		if ((err != -EPERM && err != -ENOMEM) || !hw_shrink(h)) {
			record_say(h->r, 0, "cannot map the buffers (%llu and %llu KiB each): %s",
				   h->data_size >> 10, h->aux_size >> 10, strerror(-err));
			return err;
		}
	}
	if (data != h->data_size || aux != h->aux_size)
		record_say(h->r, 0, "buffers of %llu KiB, and %llu KiB of trace, each: more may "
			   "not be locked (asked: %llu, %llu)", h->data_size >> 10,
			   h->aux_size >> 10, data >> 10, aux >> 10);
	record_say(h->r, 2, "mmap size %lluB", h->data_size + getpagesize());
	if (h->traces)
		record_say(h->r, 2, "AUX area mmap length %llu", h->aux_size);
	return 0;
}

int hw_open(struct hw *h)
{
	u32 i;
	int err;

	counter_raise_limit();
	err = open_and_map(h);
	for (i = 0; i < h->n_events && !err; i++)
		err = set_filter(h, &h->events[i]);
	for (i = 0; i < h->n_events && !err; i++)
		err = take_ids(h, &h->events[i]);
	h->r->result.data_size = h->data_size;
	h->r->result.aux_size = h->aux_size;
	return err;
}

void hw_close(struct hw *h)
{
	u32 i, j;

	for (i = 0; i < h->n_rings; i++) {
		if (h->rings[i].mapped)
			perf_ring_unmap(&h->rings[i].ring);
		h->rings[i].mapped = false;
	}
	for (i = 0; i < h->n_events; i++)
		for (j = 0; h->events[i].fds && j < h->n_rings * h->threads.n; j++)
			if (h->events[i].fds[j] >= 0)
				close(h->events[i].fds[j]);
	clear_fds(h);
}

/* Enable and disable */

static void switch_event(struct hw *h, struct hw_event *e, bool on)
{
	u32 i;

	for (i = 0; i < h->n_rings * h->threads.n; i++) {
		if (e->fds[i] < 0 || (on && host_is_own(h->hide, e->fds[i])))
			continue;
		if (on)
			counter_enable(e->fds[i], false);
		else
			counter_disable(e->fds[i], false);
	}
}

void hw_switch_trace(struct hw *h, bool on)
{
	if (h->traces)
		switch_event(h, &h->events[0], on);
}

void hw_switch_all(struct hw *h, bool on)
{
	u32 i;

	for (i = 0; i < h->n_events; i++)
		if (!h->events[i].now && (on || h->events[i].role != HW_TRACKING))
			switch_event(h, &h->events[i], on);
	h->enabled = on;
	if (h->hide)
		h->hide->off = on ? 0 : -1;
}
