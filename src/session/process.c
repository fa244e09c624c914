/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads by number, with the address space of their process.
 *
 * Threads are found by tid alone, as the kernel numbers them. A thread that exits is kept, because
 * records about it may follow, until a fork creates another thread with the same number. It is
 * then marked as gone, and objects that point to it may still use it. A file may have any number
 * of threads, with any numbers, so they are in a balanced tree.
 */
#include <pt/out.h>
#include "session.h"

enum { MAX_CPUS = 1 << 16, THREADS_MIN = 16 };

/* The index of the newest thread of that number; 0 if there is none. */
static u32 find(const struct processes *p, i32 tid)
{
	const struct rb_node *node = p->by_tid.node;
	u32 at = p->by_tid.root;

	while (at && node[at].key != (u32)tid)
		at = (u32)tid < node[at].key ? node[at].left : node[at].right;
	return at;
}

struct thread *process_newest(const struct processes *p, i32 tid)
{
	u32 at = find(p, tid);

	return at ? p->threads[at] : NULL;
}

struct thread *process_find(const struct processes *p, i32 tid)
{
	struct thread *t = process_newest(p, tid);

	return t && !t->gone ? t : NULL;
}

static void grow_threads(struct processes *p)
{
	struct rb_tree *tree = &p->by_tid;
	u32 old = p->threads_room, room = MAX(2 * old, (u32)THREADS_MIN);

	if (p->n_threads + 1 < old)
		return;
	p->threads = arena_grow(p->arena, p->threads, sizeof(*p->threads), old, room);
	tree->node = arena_grow(p->arena, tree->node, sizeof(*tree->node), old, room);
	p->threads_room = room;
}

/* Make 't' the newest thread of its number. */
static void add(struct processes *p, struct thread *t)
{
	u32 at = find(p, t->tid);

	if (!at) {
		grow_threads(p);
		at = ++p->n_threads;
		rb_insert(&p->by_tid, at, (u32)t->tid);
	}
	t->older = p->threads[at];
	p->threads[at] = t;
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
	struct thread *t = process_find(p, tid);
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
	add(p, t);
	return t;
}

void processes_start(struct processes *p, struct images *images, struct arena *arena)
{
	*p = (struct processes){ .images = images, .arena = arena };
	set_comm(p, process_thread(p, 0, 0), "swapper");
}

/* As in perf, an exec does not clear the maps: new maps cover old ones, and part of a trace may
 * be decoded only when all of them are there. */
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

/* Records */

enum { MISC_MMAP_DATA = 1 << 13, MISC_FORK_EXEC = 1 << 13 };

bool process_mapping(const struct perf_record *rec, struct perf_mmap *m, struct mapping *map)
{
	if (!perf_get_mmap(rec, m))
		return false;
	*map = (struct mapping){ .pid = m->pid, .start = m->start, .len = m->len,
				 .pgoff = m->pgoff, .prot = m->prot, .flags = m->flags,
				 .name = m->name, .build_id = m->build_id,
				 .build_id_size = m->build_id_size };
	if (rec->type == PERF_MMAP)
		map->prot = rec->misc & MISC_MMAP_DATA ? 0 : 4;
	return true;
}

void process_task(struct processes *processes, const struct perf_record *rec)
{
	struct perf_comm comm;
	struct perf_task task;

	if (rec->type == PERF_COMM && perf_get_comm(rec, &comm))
		process_comm(processes, comm.pid, comm.tid, comm.name);
	else if (rec->type == PERF_FORK && perf_get_task(rec, &task))
		process_fork(processes, task.pid, task.tid, task.ppid, task.ptid,
			     rec->misc & MISC_FORK_EXEC);
}
