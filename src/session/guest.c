/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Virtual machines: whose code a trace shows while PIP packets say VMX non-root.
 *
 * As in perf, a guest belongs to the process that runs it. Its kernel is that of --guestkallsyms
 * or --guestvmlinux, or of the files below --guestmount DIR/PID; its user code is not known, unless
 * it is that of the process itself (--guest-code).
 */
#include <unistd.h>

#include <pt/out.h>

#include "session.h"

COLD void guest_start(struct session *s)
{
	struct guests *g = &s->guests;

	g->any = g->code || g->kallsyms || g->modules || g->vmlinux || g->mount;
}

static struct guest *add(struct session *s, i32 pid)
{
	struct guests *all = &s->guests;
	struct guest *g = NEW(&s->arena, struct guest, 1);
	const struct mapping kernel = { .name = "[guest.kernel.kallsyms]" };

	g->pid = pid;
	g->images = (struct images){ .arena = &s->arena, .host = &s->images,
				     .say = s->images.say, .who = s->images.who };
	if (!pid) {
		g->images.vmlinux = all->vmlinux;
		g->images.kallsyms = all->kallsyms;
	}
	processes_start(&g->processes, &g->images, &s->arena);
	images_kernel(&g->images)->guest = &g->images;
	g->next = all->first;
	all->first = g;
	/* Unless a record says where its kernel is, it may be anywhere. */
	if (pid || all->vmlinux || all->kallsyms)
		images_kernel_mmap(&g->images, &kernel);
	return g;
}

static struct guest *find(const struct guests *all, i32 pid)
{
	struct guest *g = all->first;

	while (g && g->pid != pid)
		g = g->next;
	return g;
}

/* The files of the guest of that process; NULL if there are none. */
static struct guest *mounted(struct session *s, i32 pid)
{
	char path[4096];
	struct guest *g;

	if (!s->guests.mount || pid <= 0)
		return NULL;
	g = find(&s->guests, pid);
	if (g)
		return g;
	fmt_str(path, sizeof(path), "%s/%d/proc/kallsyms", s->guests.mount, pid);
	if (access(path, R_OK))
		return NULL;
	g = add(s, pid);
	g->images.kallsyms = arena_str(&s->arena, path);
	return g;
}

struct guest *guest_of(struct session *s, i32 pid)
{
	struct guest *g = mounted(s, pid);

	if (!g)
		g = find(&s->guests, 0);
	return g ? g : add(s, 0);
}

struct thread *guest_thread(struct session *s, i32 pid, i32 tid)
{
	struct guest *g = guest_of(s, pid);
	struct thread *t = process_find(&g->processes, tid), *host;
	char name[32];

	if (t)
		return t;
	t = process_thread(&g->processes, pid, tid);
	t->guest = g;
	t->host = process_find(&s->processes, tid);
	host = s->guests.code ? process_find(&s->processes, pid) : NULL;
	if (host) {
		t->space = host->space;
		fmt_str(name, sizeof(name), "[guest/%d]", pid);
		if (pid == tid)
			process_comm(&g->processes, pid, tid, name);
	}
	return t;
}

struct thread *guest_thread_of(struct queue *q)
{
	return guest_thread(q->session, q->pid, q->tid);
}

struct space *guest_space(struct queue *q, u64 ip)
{
	struct session *s = q->session;

	if (!s->guests.any)
		return NULL;
	if (ip >> 63)
		return images_kernel(&guest_of(s, q->pid)->images);
	return s->guests.code && q->thread ? q->thread->space : NULL;
}
