/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt report --stats, --tasks, --mmaps: how many records there are; processes, and what they mapped.
 */
#include <pt/fail.h>
#include <pt/print_record.h>
#include <pt/real.h>
#include "input.h"
#include <pt/sort.h>
#include "report.h"

/* --stats */

struct counts {
	struct perf_file file;
	struct arena arena;
	u64 total, *of_type;
	u64 *samples;		/* of each event */
	u32 n_samples;
	bool trace;
};

enum { MAX_TYPES = 256, BUCKETS = 256 };

static void count_sample(struct counts *c, const struct perf_record *rec)
{
	struct perf_sample s;
	u32 n;

	perf_sample(&c->file, rec, &s);
	if (!s.event)
		return;
	n = MAX(s.event->index + 1, c->file.n_events);
	if (s.event->index >= c->n_samples) {
		c->samples = arena_grow(&c->arena, c->samples, sizeof(u64), c->n_samples, n);
		c->n_samples = n;
	}
	c->samples[s.event->index]++;
}

static void put_count(struct out *out, const char *name, u64 n, u64 total)
{
	out_fmt(out, "%16s events: %10llu", name, n);
	if (total) {
		out_str(out, "  (");
		out_real(out, 100.0 * n / total, 4, 1);
		out_str(out, "%)");
	}
	out_newline(out);
}

static int print_stats(struct report *r)
{
	static struct counts c;
	struct out *out = r->out;
	const char *path = r->list.path, *why = NULL;
	struct perf_record rec;
	u32 i;
	int err = perf_open(&c.file, path, &c.arena, &why);

	if (err)
		return input_fail(err, path, why);
	c.of_type = NEW(&c.arena, u64, MAX_TYPES);
	while ((err = perf_next(&c.file, &rec, &why)) > 0) {
		c.total++;
		c.of_type[MIN(rec.type, MAX_TYPES - 1u)]++;
		c.trace |= rec.type == PERF_AUXTRACE_INFO;
		if (rec.type == PERF_SAMPLE)
			count_sample(&c, &rec);
	}
	out_fmt(out, "\nAggregated stats:%s\n", !c.trace ? "" : " (excludes AUX area (e.g. "
		"instruction trace) decoded / synthesized events)");
	put_count(out, "TOTAL", c.total, 0);
	for (i = 0; i < MAX_TYPES; i++)
		if (c.of_type[i])
			put_count(out, record_name(i), c.of_type[i], c.total);
	for (i = 0; i < c.n_samples; i++)
		if (c.samples[i]) {
			out_name(out, c.file.events[i]->name);
			out_str(out, " stats:\n");
			put_count(out, "SAMPLE", c.samples[i], 0);
		}
	return err < 0 ? input_fail(err, path, why) : 0;
}

/* --tasks, --mmaps */

struct task {
	struct task *next;	/* of the same parent */
	struct task *first, **last;	/* children */
	struct thread *thread;
	i32 ppid;
	bool listed;
};

struct tasks {
	struct report *report;
	struct task *by_nr;
	u32 n;
	struct hash_table inodes;
};

/* The inode of a mapped file ('start' 0), or the recorded offset of a map. */
struct inode { struct hashed in; const char *name; u64 start, number; };

static struct inode *inode_of(struct tasks *t, const char *name, u64 start, bool make)
{
	struct arena *arena = &t->report->list.session.arena;
	u64 hash = hash_text(start + 1, name);
	struct hashed *in;
	struct inode *inode;

	for (in = hash_first(&t->inodes, hash); in; in = in->next) {
		inode = (struct inode *)in;
		if (in->hash == hash && inode->start == start && !strcmp(inode->name, name))
			return inode;
	}
	if (!make)
		return NULL;
	inode = NEW(arena, struct inode, 1);
	inode->in.hash = hash;
	inode->name = arena_str(arena, name);
	inode->start = start;
	hash_put(arena, &t->inodes, &inode->in);
	return inode;
}

/* The parent of each thread, as the records say: by its number. A parent is a thread, too. */
struct parent { struct hashed in; i32 tid, ppid; };

static struct parent *parent_of(struct hash_table *table, struct arena *arena, i32 tid)
{
	u64 hash = hash_mix(1, tid);
	struct hashed *in = hash_first(table, hash);
	struct parent *p;

	while (in && ((struct parent *)in)->tid != tid)
		in = in->next;
	if (in || !arena)
		return (struct parent *)in;
	p = NEW(arena, struct parent, 1);
	p->in.hash = hash;
	p->tid = tid;
	p->ppid = -1;
	hash_put(arena, table, &p->in);
	return p;
}

static void take_record(struct tasks *t, struct hash_table *parents, const struct perf_record *rec)
{
	struct arena *arena = &t->report->list.session.arena;
	struct perf_mmap map;
	struct perf_task task;
	char name[32];

	if (rec->type == PERF_FORK && perf_get_task(rec, &task)) {
		parent_of(parents, arena, task.tid)->ppid = task.ptid;
		parent_of(parents, arena, task.ptid);
	}
	if (rec->type != PERF_MMAP2 || !perf_get_mmap(rec, &map))
		return;
	if (!map.build_id)
		inode_of(t, map.name, 0, true)->number = map.ino;
	/* Memory that is not of a file is named after the list of symbols that a JIT writes. The
	 * column shows the offsets of the record, not those that pt gives it. */
	fmt_str(name, sizeof(name), "/tmp/perf-%d.map", map.pid);
	if (*map.name != '/' || map.name[1] == '/')
		inode_of(t, !strcmp(map.name, "//anon") ? name : map.name, map.start,
			 true)->number = map.pgoff;
}

static struct task *find_task(struct tasks *t, i32 tid)
{
	u32 i;

	for (i = 0; i < t->n; i++)
		if (t->by_nr[i].thread->tid == tid)
			return &t->by_nr[i];
	return NULL;
}

/* Put a task below its parent, the parent below its own, and so on. Returns the last one, which has
 * no parent, or NULL if one of them was already in the list. */
static struct task *list_task(struct tasks *t, struct task *task)
{
	struct task *parent;

	for (; !task->listed; task = parent) {
		task->listed = true;
		parent = task->ppid == -1 ? NULL : find_task(t, task->ppid);
		if (!parent)
			return task;
		*parent->last = task;
		parent->last = &task->next;
	}
	return NULL;
}

static void put_maps(struct tasks *t, const struct thread *thread, u32 level)
{
	enum { LEFT = 32, SHARED = 1 };
	const struct map *m = thread->space ? space_next(thread->space, 0) : NULL;
	struct out *out = t->report->out;
	const struct inode *inode, *off;

	for (; m; m = space_next(thread->space, m->end)) {
		inode = inode_of(t, m->dso->name, 0, false);
		off = inode_of(t, m->dso->name, m->start, false);
		out_fill(out, ' ', LEFT + level);
		out_fmt(out, "%llx-%llx %c%c%c%c %08llx %llu ", m->start, m->end,
			m->prot & 1 ? 'r' : '-', m->prot & 2 ? 'w' : '-', m->prot & 4 ? 'x' : '-',
			m->flags & SHARED ? 's' : 'p', off ? off->number : m->pgoff,
			inode ? inode->number : 0);
		out_name(out, m->dso->name);
		out_newline(out);
		if (m->end == ~0ULL)
			break;
	}
}

static void put_task(struct tasks *t, const struct task *task, u32 level)
{
	const struct thread *thread = task->thread;
	struct out *out = t->report->out;

	out_fmt(out, "%10d %8d %8d |", thread->pid, thread->tid, task->ppid);
	out_fill(out, ' ', level);
	out_name(out, thread->tid ? thread->comm : "swapper");
	out_newline(out);
	if (t->report->mmaps)
		put_maps(t, thread, level);
	for (task = task->first; task; task = task->next)
		put_task(t, task, level + 1);
}

static void print_tasks(struct tasks *t, struct hash_table *parents)
{
	struct processes *p = &t->report->list.session.processes;
	struct arena *arena = &t->report->list.session.arena;
	struct task *roots = NULL, **last = &roots, *root;
	struct sort_item *items;
	struct parent *parent;
	u32 i;

	process_thread(p, 0, 0);
	t->by_nr = NEW(arena, struct task, p->n_threads);
	for (i = 1; i <= p->n_threads; i++) {
		struct thread *thread = p->threads[i];
		struct task *task = &t->by_nr[t->n];

		parent = parent_of(parents, NULL, thread->tid);
		/* It only occurs in records of context switches. */
		if (thread->tid && !thread->comm_known && !parent)
			continue;
		*task = (struct task){ .thread = thread, .last = &task->first,
				       .ppid = parent ? parent->ppid : -1 };
		t->n++;
	}
	out_fmt(t->report->out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	/* perf's order. */
	items = NEW(arena, struct sort_item, 2 * t->n);
	for (i = 0; i < t->n; i++) {
		u32 tid = t->by_nr[i].thread->tid;

		items[i] = (struct sort_item){ (u64)(tid % BUCKETS) << 32 | tid, i };
	}
	sort_items(items, t->n, items + t->n);
	for (i = 0; i < t->n; i++) {
		root = list_task(t, &t->by_nr[items[i].index]);
		if (root) {
			*last = root;
			last = &root->next;
		}
	}
	for (root = roots; root; root = root->next)
		put_task(t, root, 0);
}

static int run_tasks(struct report *r)
{
	struct listing *l = &r->list;
	struct hash_table parents = { 0 };
	struct tasks t = { .report = r };
	struct entry e;
	int err, status;

	l->options.no_decode = true;
	l->itrace = (struct itrace){ .off = true };
	l->show = 1ull << PERF_FORK | 1ull << PERF_MMAP2;
	if ((status = ask_open(&r->ask)) || (status = ask_start(&r->ask)))
		return status;
	while ((err = listing_next(l, &e)) > 0)
		if (e.kind == ENTRY_RECORD)
			take_record(&t, &parents, e.item->record);
	status = ask_read(&r->ask, err);
	if (!status)
		print_tasks(&t, &parents);
	return status;
}

int report_stats(struct report *r)
{
	if (r->stats && (r->tasks || r->mmaps))
		return fail(0, "--tasks and --mmaps exclude --stats");
	return r->stats ? print_stats(r) : run_tasks(r);
}
