/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The target of a recording as buffers, one for each CPU or for each thread; and their sizes.
 */
#define _GNU_SOURCE	/* sched_getaffinity() */
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include <pt/counter.h>
#include <pt/host.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/textfile.h>

#include "hw.h"

enum { KiB = 1 << 10, MiB = 1 << 20 };

/* Find the threads: -1 for whole CPUs, the command, or those of -p, -t and -u. */
static int find_threads(struct hw *h)
{
	const struct target *t = &h->r->target;
	const char *which;
	int err;

	if (target_has_threads(t)) {
		err = target_find_threads(t, false, &h->threads, h->arena, &which);
		if (!err && !h->threads.n)
			err = -ESRCH;
		if (err)
			record_say(h->r, 0, "cannot trace '%s': %s", which, target_why(t, err));
		return err;
	}
	h->threads.n = 1;
	h->threads.tid = NEW(h->arena, i32, 1);
	h->threads.pid = NEW(h->arena, i32, 1);
	h->threads.tid[0] = h->threads.pid[0] = h->on_cpus ? -1 : h->child.pid;
	return 0;
}

static int rings_of_cpus(struct hw *h)
{
	struct cpus asked, all;
	u32 i;

	if (target_find_cpus(&h->r->target, "/sys", &asked, h->arena)) {
		record_say(h->r, 0, "-C %s: not a list of online CPUs", h->r->target.cpus);
		return -EINVAL;
	}
	cpus_online(&all, "/sys", h->arena);
	h->n_rings = all.n;
	h->rings = NEW(h->arena, struct hw_ring, all.n);
	for (i = 0; i < all.n; i++) {
		h->rings[i].cpu = all.cpu[i];
		h->rings[i].tid = -1;
		h->rings[i].traced = cpus_find(&asked, all.cpu[i]) >= 0;
	}
	return 0;
}

static int rings_of_threads(struct hw *h)
{
	u32 i;

	h->n_rings = h->threads.n;
	h->rings = NEW(h->arena, struct hw_ring, h->n_rings);
	for (i = 0; i < h->n_rings; i++)
		h->rings[i] = (struct hw_ring){
			.cpu = -1, .tid = h->threads.tid[i], .traced = true,
		};
	return 0;
}

int hw_choose_target(struct hw *h)
{
	const struct target *t = &h->r->target;
	int err;

	h->on_cpus = target_has_cpus(t) || (!t->argv && !target_has_threads(t));
	h->per_thread = t->per_thread || (h->traces && t->tids);
	h->workload = t->argv && !target_has_threads(t) && !h->on_cpus;
	err = find_threads(h);
	if (err)
		return err;
	return h->per_thread ? rings_of_threads(h) : rings_of_cpus(h);
}

void hw_step_aside(struct hw *h)
{
	enum { BITS = 8 * sizeof(long) };
	unsigned long others[HOST_CPUS / BITS], some = 0;
	struct host_hide *hide;
	u32 i;

	if (!h->on_cpus || !h->traces)
		return;
	hide = NEW(h->arena, struct host_hide, 1);
	if (sched_getaffinity(0, sizeof(hide->any), (cpu_set_t *)hide->any))
		return;
	memcpy(others, hide->any, sizeof(others));
	for (i = 0; i < h->n_rings; i++) {
		u32 cpu = h->rings[i].cpu;

		if (!h->rings[i].traced || cpu >= HOST_CPUS)
			continue;
		others[cpu / BITS] &= ~(1ul << cpu % BITS);
		hide->event[cpu] = h->events[0].fds[i] + 1;
	}
	for (i = 0; i < N_ELEM(others); i++)
		some |= others[i];
	if (some)
		memcpy(hide->any, others, sizeof(others));
	hide->off = -1;
	host_hide(hide);
	h->r->w.hide = h->hide = hide;
}

/* Sizes. */

static bool privileged(void)
{
	return geteuid() == 0 || counter_paranoid() < 0;
}

/* Read a number of pages, or bytes with a unit, and round it up to a power of two pages. */
static bool read_size(struct hw *h, const char *text, u64 *bytes)
{
	u64 page = getpagesize(), v;
	const char *end = num_read(text, 10, &v);

	if (!end)
		return false;
	if (!*end)
		v *= page;
	else if (!num_parse_size(text, &v))
		return false;
	if (!v || v > 1ull << 40)
		return false;
	for (*bytes = page; *bytes < v; *bytes *= 2)
		;
	if (*bytes != v)
		record_say(h->r, 0, "-m %s is rounded to %llu KiB", text, *bytes / KiB);
	return true;
}

static int wrong_size(struct hw *h, const char *text)
{
	record_say(h->r, 0, "-m %s: not a size (pages, or bytes with B, K, M or G)", text);
	return -EINVAL;
}

/* The default size of a data buffer: what the kernel lets every user lock, without the control
 * page. */
static u64 default_data(bool may)
{
	u64 kb, size = 32 * KiB;

	if (!may)
		return 256 * KiB;
	if (textfile_value("/proc/sys/kernel/perf_event_mlock_kb", 10, &kb))
		return 512 * KiB;
	while (2 * size <= kb * KiB - getpagesize())
		size *= 2;
	return size;
}

static u64 biggest_sample(const struct hw *h)
{
	u64 most = 0;
	u32 i;

	for (i = 0; i < h->n_events; i++)
		most = MAX(most, h->events[i].spec.aux_sample_size);
	return most;
}

/* A snapshot or a sample must fit into the trace buffer, and should contain a PSB. */
static int check_part(struct hw *h, const char *what, u64 size)
{
	u64 psb = hw_psb_bytes(h, &h->events[0].spec);

	if (size > h->aux_size) {
		record_say(h->r, 0, "the %s of %llu bytes exceeds the trace "
			   "buffer of %llu", what, size, h->aux_size);
		return -EINVAL;
	}
	record_say(h->r, 2, "Intel PT %s size: %llu", what, size);
	if (psb && size <= psb + 256)
		record_say(h->r, 0,
			   "Intel PT %s size (%llu) may be too small for PSB period (%llu)", what,
			   size, psb);
	return 0;
}

static u64 power_of_two(u64 v)
{
	u64 p = getpagesize();

	while (p < v)
		p *= 2;
	return p;
}

static int choose_aux(struct hw *h, bool may)
{
	struct record *r = h->r;
	u64 least = r->mode == RECORD_FULL ? 8 * KiB : 4 * KiB;

	if (r->aux_size && !read_size(h, r->aux_size, &h->aux_size))
		return wrong_size(h, r->aux_size);
	if (!h->aux_size && r->mode == RECORD_SNAPSHOT && r->snapshot_size)
		h->aux_size = power_of_two(r->snapshot_size);
	if (!h->aux_size && r->mode == RECORD_SAMPLE)
		h->aux_size = power_of_two(biggest_sample(h));
	if (!h->aux_size)
		h->aux_size = may ? 4 * MiB : 128 * KiB;
	if (h->aux_size < least) {
		record_say(r, 0, "the trace buffer needs at least %llu KiB", least / KiB);
		return -EINVAL;
	}
	if (r->mode == RECORD_SNAPSHOT) {
		if (!r->snapshot_size)
			r->snapshot_size = h->aux_size;
		return check_part(h, "snapshot", r->snapshot_size);
	}
	return r->mode == RECORD_SAMPLE ? check_part(h, "sample", biggest_sample(h)) : 0;
}

int hw_choose_sizes(struct hw *h)
{
	bool may = privileged();

	h->data_size = default_data(may);
	if (h->r->data_size && !read_size(h, h->r->data_size, &h->data_size))
		return wrong_size(h, h->r->data_size);
	return h->traces ? choose_aux(h, may) : 0;
}

/* Halve the trace buffer first, down to a size below which data would be lost regularly. */
bool hw_shrink(struct hw *h)
{
	u64 least = h->r->mode == RECORD_FULL ? 8 * KiB : 4 * KiB;

	if (h->r->mode != RECORD_FULL)
		least = MAX(least, power_of_two(biggest_sample(h)));
	if (h->aux_size > 64 * KiB && h->aux_size > least)
		h->aux_size /= 2;
	else if (h->data_size > 32 * KiB)
		h->data_size /= 2;
	else if (h->aux_size > least)
		h->aux_size /= 2;
	else if (h->data_size > 4 * KiB)
		h->data_size /= 2;
	else
		return false;
	if (h->r->mode == RECORD_SNAPSHOT)
		h->r->snapshot_size = MIN(h->r->snapshot_size, h->aux_size);
	return true;
}
