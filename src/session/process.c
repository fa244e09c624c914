/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads by number, with the address space of their process.
 *
 * Threads are found by tid alone, as the kernel numbers them. One that exits is
 * kept, since records about it may follow, until a fork makes another of the same
 * number; then it is gone, and what still points to it may go on using it.
 */
#include <pt/out.h>
#include <pt/process.h>

enum { MAX_CPUS = 1 << 16 };

static struct thread **bucket(struct processes *p, i32 tid)
{
	return &p->threads[(u32)tid % THREAD_BUCKETS];
}

struct thread *process_find(struct processes *p, i32 tid)
{
	struct thread *t;

	for (t = *bucket(p, tid); t; t = t->next)
		if (t->tid == tid && !t->gone)
			return t;
	return NULL;
}

static struct space *space_of(struct processes *p, i32 pid, i32 tid)
{
	if (pid == tid || pid == -1)
		return space_new(p->images);
	return process_thread(p, pid, pid)->space;
}

static void set_comm(struct processes *p, struct thread *t, const char *comm)
{
	if (t->comm_known && !strcmp(t->comm, comm))
		return;
	t->comm = arena_str(p->arena, comm);
	t->comm_known = true;
}

struct thread *process_thread(struct processes *p, i32 pid, i32 tid)
{
	struct thread *t = process_find(p, tid), **at;
	char name[16];

	if (t) {
		if (t->pid == -1 && pid != -1) {
			t->pid = pid;
			if (pid != tid)
				t->space = process_thread(p, pid, pid)->space;
		}
		return t;
	}
	t = NEW(p->arena, struct thread, 1);
	*t = (struct thread){ .pid = pid, .tid = tid, .cpu = -1, .space = space_of(p, pid, tid),
			      .born = p->forks };
	fmt_str(name, sizeof(name), ":%d", tid);
	t->comm = arena_str(p->arena, name);
	at = bucket(p, tid);
	t->next = *at;
	*at = t;
	return t;
}

void processes_start(struct processes *p, struct images *images, struct arena *arena)
{
	*p = (struct processes){ .images = images, .arena = arena,
				 .threads = NEW(arena, struct thread *, THREAD_BUCKETS) };
	set_comm(p, process_thread(p, 0, 0), "swapper");
}

/* An exec clears nothing, as in perf: new maps cover old ones, and a trace may be decoded
 * when all of them are there. */
void process_comm(struct processes *p, i32 pid, i32 tid, const char *name)
{
	set_comm(p, process_thread(p, pid, tid), name);
}

void process_fork(struct processes *p, i32 pid, i32 tid, i32 ppid, i32 ptid, bool shares_no_maps)
{
	struct thread *parent = process_thread(p, ppid, ptid), *t;

	p->forks++;
	if (parent->pid != ppid) {
		parent->gone = true;
		parent = process_thread(p, ppid, ptid);
	}
	t = process_find(p, tid);
	if (t)
		t->gone = true;
	t = process_thread(p, pid, tid);
	if (parent->comm_known)
		set_comm(p, t, parent->comm);
	if (pid == ppid)
		t->space = parent->space;
	else if (!shares_no_maps)
		t->space = space_fork(p->images, parent->space);
}

static bool grow_cpus(struct processes *p, i32 cpu)
{
	u32 room = p->n_cpus ? p->n_cpus : 8, i;

	if (cpu < 0 || cpu >= MAX_CPUS)
		return false;
	if ((u32)cpu < p->n_cpus)
		return true;
	while (room <= (u32)cpu)
		room *= 2;
	p->cpu_tid = arena_grow(p->arena, p->cpu_tid, sizeof(*p->cpu_tid), p->n_cpus, room);
	for (i = p->n_cpus; i < room; i++)
		p->cpu_tid[i] = -1;
	p->n_cpus = room;
	return true;
}

void process_switch(struct processes *p, i32 cpu, i32 pid, i32 tid)
{
	if (!grow_cpus(p, cpu))
		return;
	p->cpu_tid[cpu] = tid;
	if (tid != -1)
		process_thread(p, pid, tid)->cpu = cpu;
}

i32 process_on_cpu(const struct processes *p, i32 cpu)
{
	return cpu >= 0 && (u32)cpu < p->n_cpus ? p->cpu_tid[cpu] : -1;
}
