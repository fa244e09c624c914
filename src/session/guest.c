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

	g->any = g->asked || g->code || g->kallsyms || g->modules || g->vmlinux || g->mount;
}

static struct guest *add(struct session *s, i32 pid)
{
	struct guests *all = &s->guests;
	struct guest *g = NEW(&s->arena, struct guest, 1);
	struct mapping kernel = { .start = 0 };
	char name[48] = "[guest.kernel.kallsyms]";

	if (pid)
		fmt_str(name, sizeof(name), "[guest.kernel.kallsyms.%d]", pid);
	kernel.name = arena_str(&s->arena, name);
	g->pid = pid;
	g->images = (struct images){ .arena = &s->arena, .host = &s->images,
				     .kernel_name = kernel.name,
				     .say = s->images.say, .who = s->images.who };
	if (!pid) {
		g->images.vmlinux = all->vmlinux;
		g->images.kallsyms = all->kallsyms;
	}
	processes_start(&g->processes, &g->images, &s->arena);
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

/* Records of guests, which 'perf inject --guest-data' puts into the host's file */

void guest_learn(struct session *s, const struct perf_record *rec)
{
	enum { ENTRY = 32, MORE = 16 };	/* bytes */
	struct bytes b = bytes_skip(rec->raw, 8), more;
	struct guests *all = &s->guests;
	u64 n = bytes_take64(&b), i;

	if (n > b.len / (ENTRY + MORE))
		return;
	more = bytes_skip(b, n * ENTRY);
	for (i = 0; i < n; i++) {
		const u8 *entry = b.at + i * ENTRY, *guest = more.at + i * MORE;
		u32 k = all->n_vcpus;

		if (!get64(guest))
			continue;
		if (!(k & (k - 1)))
			all->vcpus = arena_grow(&s->arena, all->vcpus, sizeof(*all->vcpus), k,
						MAX(2 * k, 1));
		all->vcpus[all->n_vcpus++] = (struct vcpu){
			.id = get64(entry), .machine = get64(guest), .cpu = get64(guest + 8),
			.tid = get64(entry + 24) };
		all->any = true;
	}
}

static const struct vcpu *vcpu_of_id(const struct session *s, u64 id)
{
	u32 i;

	for (i = 0; id && i < s->guests.n_vcpus; i++)
		if (s->guests.vcpus[i].id == id)
			return &s->guests.vcpus[i];
	return NULL;
}

bool guest_has(const struct session *s, u64 id)
{
	return vcpu_of_id(s, id);
}

static const struct vcpu *vcpu_of(const struct queue *q)
{
	const struct guests *all = &q->session->guests;
	u32 i;

	for (i = 0; i < all->n_vcpus; i++)
		if (all->vcpus[i].tid == q->tid)
			return &all->vcpus[i];
	return NULL;
}

/* The guest of a process of which there are records. */
static struct guest *machine(struct session *s, i32 pid)
{
	struct guest *g = mounted(s, pid);
	char path[4096];

	if (!g)
		g = find(&s->guests, pid);
	if (!g)
		g = add(s, pid);
	if (!s->guests.mount)
		g->images.symfs = s->images.symfs;
	if (s->guests.mount && !g->images.symfs) {
		fmt_str(path, sizeof(path), "%s/%d", s->guests.mount, pid);
		g->images.symfs = arena_str(&s->arena, path);
	}
	return g;
}

static void take_mmap(struct guest *g, const struct perf_record *rec)
{
	enum { CPUMODE = 7, KERNEL = 1, GUEST_KERNEL = 4 };
	u8 mode = rec->misc & CPUMODE;
	struct perf_mmap m;
	struct mapping map;

	if (!process_mapping(rec, &m, &map))
		return;
	if (mode == KERNEL || mode == GUEST_KERNEL)
		images_kernel_mmap(&g->images, &map);
	else
		space_mmap(&g->images, process_thread(&g->processes, m.pid, m.tid)->space, &map);
}

bool guest_apply(struct session *s, const struct perf_record *rec, const struct perf_sample *sample)
{
	const struct vcpu *v = vcpu_of_id(s, sample->id);
	struct perf_switch sw;
	struct guest *g;

	if (!v || rec->type >= PERF_HEADER_ATTR)
		return false;
	g = machine(s, v->machine);
	switch (rec->type) {
	case PERF_MMAP:
	case PERF_MMAP2:
		take_mmap(g, rec);
		break;
	case PERF_COMM:
	case PERF_FORK:
		process_task(&g->processes, rec);
		break;
	case PERF_SWITCH:
	case PERF_SWITCH_CPU_WIDE:
		if (perf_get_switch(rec, &sw) && !sw.out)
			process_switch(&g->processes, v->cpu, sample->pid, sample->tid);
		break;
	}
	return true;
}

struct thread *guest_thread_of_id(struct session *s, u64 id, i32 pid, i32 tid)
{
	const struct vcpu *v = vcpu_of_id(s, id);
	struct guest *g = v ? machine(s, v->machine) : NULL;
	struct thread *t = g ? process_thread(&g->processes, pid, tid) : NULL;

	if (t) {
		t->guest = g;
		t->vcpu = v->cpu;
	}
	return t;
}

/* The thread that runs on the virtual CPU of the queue's host thread; NULL: it has none. */
static struct thread *inner_thread(struct queue *q)
{
	const struct vcpu *v = vcpu_of(q);
	struct guest *g = v ? machine(q->session, v->machine) : NULL;
	i32 tid = g ? process_on_cpu(&g->processes, v->cpu) : -1;
	struct thread *t;

	if (tid == -1)
		return NULL;
	t = process_thread(&g->processes, -1, tid);
	t->guest = g;
	t->host = q->thread;
	t->vcpu = v->cpu;
	return t;
}

struct thread *guest_thread_of(struct queue *q)
{
	struct thread *t = q->session->guests.n_vcpus ? inner_thread(q) : NULL;

	return t ? t : guest_thread(q->session, q->pid, q->tid);
}

u64 guest_key(struct queue *q, u64 user)
{
	enum { BITS = 20 };
	struct thread *t = q->session->guests.n_vcpus ? inner_thread(q) : NULL;

	return t ? (user & ((1 << BITS) - 1)) | (u64)t->space->id << BITS : user;
}

struct space *guest_space(struct queue *q, u64 ip)
{
	struct session *s = q->session;
	struct thread *t = s->guests.n_vcpus ? inner_thread(q) : NULL;

	if (!s->guests.any)
		return NULL;
	if (t)
		return ip >> 63 ? images_kernel(&t->guest->images) : t->space;
	if (ip >> 63)
		return images_kernel(&guest_of(s, q->pid)->images);
	return s->guests.code && q->thread ? q->thread->space : NULL;
}
