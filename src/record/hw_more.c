/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Events of cgroups, the names of cgroups, namespaces, samples that were lost, and a recorder with
 * real-time priority.
 */
#define _GNU_SOURCE	/* name_to_handle_at() */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/counter.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/text.h>

#include "hw.h"

void hw_set_machines(const struct record *r, struct event_spec *spec)
{
	const u64 guest = 1ull << PERF_F_EXCLUDE_GUEST, host = 1ull << PERF_F_EXCLUDE_HOST;

	if (spec->guest_given || (!r->guests && !r->no_guests && !r->host))
		return;
	spec->guest_given = true;
	spec->attr.flags &= ~(guest | host);
	if (r->no_guests)
		spec->attr.flags |= guest;
	else if (!r->host)
		spec->attr.flags |= host;
}

void hw_group(struct event_list *list)
{
	u32 i;

	for (i = 0; i < list->n; i++) {
		list->at[i].leader = 0;
		list->at[i].members = i ? 0 : list->n;
		list->at[i].grouped = true;
	}
}

static int set_cgroup(struct hw *h, struct hw_event *e, const char *name)
{
	if (!*name)
		return 0;
	e->spec.cgroup = name;
	e->cgroup = counter_cgroup(name);
	if (e->cgroup >= 0)
		return 0;
	record_say(h->r, 0, "-G: there is no cgroup '%s'", name);
	return e->cgroup;
}

/* One name is for all requested events; of several, each is for one event, and an empty one for
 * none. */
int hw_set_cgroups(struct hw *h)
{
	const char *at = h->r->cgroups;
	bool one = !strchr(at, ',');
	u32 i;
	int err = 0;

	if (!h->on_cpus) {
		record_say(h->r, 0, "-G is for whole CPUs; add -a or -C");
		return -EINVAL;
	}
	for (i = 0; i < h->n_events && at && !err; i++) {
		size_t len = strcspn(at, ",");

		if (h->events[i].role != HW_TRACE && h->events[i].role != HW_SAMPLED)
			continue;
		err = set_cgroup(h, &h->events[i], arena_strn(h->arena, at, len));
		if (!one)
			at = at[len] ? at + len + 1 : NULL;
	}
	return err;
}

/* Names. The id of a cgroup is the handle of its folder. */

enum { PATH_ROOM = 4096, DEPTH = 64 };

static void write_cgroup(struct record *r, int fd, const char *path)
{
	struct { struct file_handle head; u64 id; } handle = { { .handle_bytes = 8 }, 0 };
	u8 body[8 + PATH_ROOM];
	size_t len = strlen(path);
	int mount;

	if (name_to_handle_at(fd, "", &handle.head, &mount, AT_EMPTY_PATH))
		return;
	memcpy(body, handle.head.f_handle, 8);
	memcpy(body + 8, path, len + 1);
	perf_write_record(&r->w, PERF_CGROUP, 0, (struct bytes){ body, 8 + len + 1 },
			  &(struct perf_stamp){ 0 });
}

/* Write the cgroup whose folder is open as 'fd', and those in it; 'path' has 'len' bytes. */
static void walk_cgroups(struct record *r, int fd, char *path, size_t len, u32 depth)
{
	DIR *dir = fdopendir(fd);
	struct dirent *d;
	int sub;

	if (!dir) {
		close(fd);
		return;
	}
	write_cgroup(r, fd, len ? path : "/");
	while (depth < DEPTH && (d = readdir(dir))) {
		size_t more = strlen(d->d_name);

		if (d->d_type != DT_DIR || *d->d_name == '.' || len + more + 2 > PATH_ROOM)
			continue;
		sub = openat(fd, d->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (sub < 0)
			continue;
		path[len] = '/';
		memcpy(path + len + 1, d->d_name, more + 1);
		walk_cgroups(r, sub, path, len + 1 + more, depth + 1);
		path[len] = 0;
	}
	closedir(dir);
}

void hw_write_cgroups(struct hw *h)
{
	char path[PATH_ROOM] = "";
	bool any = false;
	u32 i;
	int fd;

	for (i = 0; i < h->n_events; i++)
		any |= perf_attr_flag(&h->events[i].out.attr, PERF_F_CGROUP);
	fd = any ? counter_cgroup("") : -1;
	if (fd >= 0)
		walk_cgroups(h->r, fd, path, 0, 0);
}

void record_namespaces(struct record *r, i32 pid, i32 tid)
{
	static const char names[] = "net\0uts\0ipc\0pid\0user\0mnt\0cgroup\0";
	enum { N = 7 };
	struct { u32 pid, tid; u64 n; struct { u64 dev, ino; } of[N]; } body = {
		.pid = pid, .tid = tid, .n = N,
	};
	u32 i;

	if (!(r->samples.track >> PERF_F_NAMESPACES & 1))
		return;
	for (i = 0; i < N; i++)
		body.of[i].ino = target_namespace(tid, text_nth(names, i), &body.of[i].dev);
	perf_write_record(&r->w, PERF_NAMESPACES, 0, (struct bytes){ (u8 *)&body, sizeof(body) },
			  &(struct perf_stamp){ 0 });
}

/* How many samples of an event the kernel could not store; 0 if it does not count them. It is the
 * last number that the event's read_format has. */
static u64 lost_of(const struct perf_attr *attr, int fd)
{
	enum { ID = 1 << 2, GROUP = 1 << 3, LOST = 1 << 4 };
	u64 numbers[5], place = 1 + num_ones(attr->read_format & (LOST - 1));

	if (fd < 0 || !(attr->read_format & LOST) || attr->read_format & GROUP)
		return 0;
	return read(fd, numbers, sizeof(numbers)) > (ssize_t)(8 * place) ? numbers[place] : 0;
}

void hw_write_lost(struct hw *h)
{
	u32 i, k, n = h->n_rings * h->threads.n, taken;

	for (i = 0; i < h->n_events; i++) {
		struct hw_event *e = &h->events[i];

		for (k = taken = 0; k < n; k++) {
			u64 id = e->fds[k] < 0 ? 0 : e->out.ids[taken++];
			u64 lost = lost_of(&e->out.attr, e->fds[k]);

			if (lost)
				perf_write_record(&h->r->w, PERF_LOST_SAMPLES, 0,
						  (struct bytes){ (u8 *)&lost, sizeof(lost) },
						  &(struct perf_stamp){ .id = id });
		}
	}
}

int hw_set_priority(const struct record *r)
{
	struct sched_param param = { .sched_priority = r->priority };

	/* musl's function does nothing, because its threads could not follow. */
	if (!syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &param))
		return 0;
	record_say((struct record *)r, 0, "-r %u: %s", r->priority, strerror(errno));
	return -errno;
}
