/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entries to a tree of call stacks.
 *
 * struct calls has the open calls. For each of its entries a struct tree_stack has the node of the
 * caller. The node of the current function is a child of the innermost of these, found by the name
 * of the function. A run is cut once into pieces, at calls and at the start of another function;
 * each piece caches its last node.
 *
 *	calls             main calls f, f calls g, g runs
 *	  back of main -- comm;main        the node of a frame
 *	  back of f ----- comm;main;f
 *	                  comm;main;f;g    the leaf
 */
#include <pt/out.h>
#include <pt/tree.h>

struct frame_node { u64 back; struct tree_node *node; };

/* The open calls of a thread. */
struct tree_stack {
	struct hashed in;
	struct calls *calls;	/* NULL: the thread is not known */
	const char *comm;
	struct tree_node *root, *leaf;
	struct tree_node *gap;	/* a gap without instructions after it yet, or NULL */
	struct tree_node *entered;	/* the leaf up to which calls were counted */
	struct tree_node *shown;	/* the target of the last move */
	struct tree_stack *older;	/* in the order of allocation */
	struct tree_track track;
	u32 queue;		/* the queue where it ran last: an index of 'clocks' */
	bool wanted;		/* the options select what it executed last */
	u32 n, room;
	struct frame_node *frames;
};

/* The time up to which a queue was counted; 0: begin at the next time. */
struct tree_clock {
	u64 tsc, ns;
	struct tree_stack *on;	/* the stack that it ran last */
	struct tree_stack *cpu;	/* by_cpu: the track of the CPU; or NULL */
};

/* Instructions of one function, and the call or return at their end. */
struct piece {
	const char *name;
	struct tree_node *up, *leaf;	/* the last leaf, and the caller's node then */
	u64 from;
	u32 n, flags;		/* FLAG_CALL, FLAG_RETURN, 0: neither */
	u64 to;			/* 0: the target of the branch at the end of the run */
	u8 len;
};

struct pieces {
	u32 n, n_blocks;
	struct block **blocks;
	struct piece at[];
};

struct name { struct hashed in; u32 nr; char text[]; };

/* Names */

static const char *intern(struct tree *t, const char *before, const char *text, const char *after)
{
	struct arena *arena = &t->list->session.arena;
	u64 hash = hash_text(hash_text(hash_text(1, before), text), after);
	size_t a = strlen(before), b = strlen(text), c = strlen(after);
	struct hashed *in;
	struct name *name;

	for (in = hash_first(&t->names, hash); in; in = in->next) {
		name = (struct name *)in;
		if (in->hash == hash && !strncmp(name->text, before, a) &&
		    !strncmp(name->text + a, text, b) && !strcmp(name->text + a + b, after))
			return name->text;
	}
	name = arena_alloc(arena, sizeof(*name) + a + b + c + 1);
	memcpy(name->text, before, a);
	memcpy(name->text + a, text, b);
	memcpy(name->text + a + b, after, c + 1);
	name->in.hash = hash;
	if (t->n_names == t->names_room) {
		u32 room = t->names_room ? t->names_room * 2 : 256;

		t->name_by_nr = arena_grow(arena, t->name_by_nr, sizeof(*t->name_by_nr),
					   t->n_names, room);
		t->names_room = room;
	}
	t->name_by_nr[t->n_names] = name->text;
	name->nr = t->n_names++;
	hash_put(arena, &t->names, &name->in);
	return name->text;
}

void tree_setup(struct tree *t, struct listing *l)
{
	t->list = l;
	l->itrace = (struct itrace){ .instructions = true, .period = 1, .branches = true,
				     .errors = true };
	l->use_calls = l->takes_runs = l->all = true;
	t->away = intern(t, "[not traced]", "", "");
}

u32 tree_name_nr(const char *name)
{
	return ((const struct name *)(name - offsetof(struct name, text)))->nr;
}

/* The name of the function at 'ip', with the usual mark of flame graphs for the kernel. */
static const char *name_at(struct tree *t, const struct thread *thread, u64 ip)
{
	struct session *s = &t->list->session;
	const struct map *map = session_map_at(s, thread, ip);
	const struct symbol *sym = session_symbol_at(s, map, ip);

	if (sym)
		return intern(t, "", sym->name, ip >> 63 ? "_[k]" : "");
	if (!map)
		return intern(t, "[unknown]", "", "");
	return *map->dso->short_name == '[' ? intern(t, "", map->dso->short_name, "") :
					      intern(t, "[", map->dso->short_name, "]");
}

/* Nodes */

static struct tree_node *child(struct tree *t, struct tree_node *up, const char *name)
{
	u64 hash = hash_mix((uintptr_t)up, (uintptr_t)name);
	struct tree_node *node;
	struct hashed *in;

	if (up->depth == TREE_DEPTH)
		up = up->up;
	for (in = hash_first(&t->nodes, hash); in; in = in->next) {
		node = (struct tree_node *)in;
		if (node->up == up && node->name == name)
			return node;
	}
	node = NEW(&t->list->session.arena, struct tree_node, 1);
	node->in.hash = hash;
	node->up = up;
	node->name = name;
	node->depth = up->depth + 1;
	*(t->newest ? &t->newest->next : &t->first) = node;
	t->newest = node;
	hash_put(&t->list->session.arena, &t->nodes, &node->in);
	return node;
}

static void add(struct tree *t, struct tree_node *node, enum tree_weight what, u64 n)
{
	node->weight[what] += n;
	t->total[what] += n;
}

/* Stacks */

static struct tree_stack *stack_of(struct tree *t, struct thread *thread, i32 cpu)
{
	struct arena *arena = &t->list->session.arena;
	struct calls *calls = thread ? calls_of(arena, thread, cpu) : NULL;
	const char *comm = thread ? thread->comm : "[unknown]";
	char own[64];
	u64 hash = hash_mix(1, (uintptr_t)calls);
	struct tree_stack *s = t->stack;
	struct hashed *in;

	if (likely(s && s->calls == calls && s->comm == comm))
		return s;
	for (in = hash_first(&t->stacks, hash); in; in = in->next) {
		s = (struct tree_stack *)in;
		if (s->calls == calls)
			break;
	}
	if (!in) {
		s = NEW(arena, struct tree_stack, 1);
		s->wanted = listing_wants_thread(t->list, thread);
		s->in.hash = hash;
		s->calls = calls;
		s->older = t->newest_stack;
		t->newest_stack = s;
		s->track.pid = thread ? thread->pid : -1;
		/* All idle threads have the tid 0. */
		s->track.tid = thread && thread->pid ? thread->tid : cpu;
		s->shown = s->entered = &t->root;
		hash_put(arena, &t->stacks, &s->in);
	}
	if (s->comm != comm) {
		s->comm = s->track.comm = comm;
		s->track.renamed = true;
		s->root = &t->root;
		*own = 0;
		if (t->by_thread && thread && thread->pid)
			fmt_str(own, sizeof(own), " (%d)", thread->tid);
		/* A bare trace has no names of commands. */
		if (t->list->session.source->threads)
			s->root = child(t, s->root, intern(t, comm, own, ""));
		s->leaf = s->root;
		s->n = 0;
	}
	return t->stack = s;
}

static struct tree_node *top(const struct tree_stack *s)
{
	return s->n ? s->frames[s->n - 1].node : s->root;
}

static void push(struct tree *t, struct tree_stack *s, u64 back, struct tree_node *caller)
{
	if (s->n == s->room) {
		u32 room = s->room ? s->room * 2 : 64;

		s->frames = arena_grow(&t->list->session.arena, s->frames, sizeof(*s->frames),
				       s->n, room);
		s->room = room;
	}
	s->frames[s->n++] = (struct frame_node){ back, caller };
}

/* Apply a call or return of s->leaf. */
static void follow(struct tree *t, struct tree_stack *s)
{
	const struct calls *c = s->calls;

	if (c->n > s->n)
		push(t, s, c->back[s->n], s->leaf);
	s->n = MIN(s->n, c->n);
}

/* Rebuild the nodes of the open calls. They may have changed in any way if the options leave out
 * samples; otherwise only the innermost ones did. */
static void settle(struct tree *t, struct tree_stack *s, const struct thread *thread)
{
	const struct calls *c = s->calls;
	bool any = listing_by_sample(t->list);
	u32 n = 0;

	if (!c)
		return;
	if (any)
		while (n < s->n && n < c->n && s->frames[n].back == c->back[n])
			n++;
	else
		for (n = MIN(s->n, c->n); n && s->frames[n - 1].back != c->back[n - 1]; n--)
			;
	s->n = n;
	if (c->n == n + 1 && !any)
		push(t, s, c->back[n], s->leaf);
	while (s->n < c->n)
		push(t, s, c->back[s->n], child(t, top(s), name_at(t, thread, c->back[s->n] - 1)));
}

/* After a gap execution continues at 'ip'. Open calls end, except those to which it returns. A
 * branch to 'ip' may already have returned. */
static COLD void resume(struct tree *t, struct tree_stack *s, const struct thread *thread, u64 ip)
{
	struct calls *c = s->calls;

	s->gap = NULL;
	if (!c)
		return;
	if (c->n == s->n)
		calls_pop(c, ip);
	if (c->n == s->n)
		calls_cut(c, 0);
	settle(t, s, thread);
}

/* Time */

static struct tree_clock *clock_of(struct tree *t, const struct queue *q)
{
	u32 room = MAX(q->index + 1, t->list->session.n_queues);

	if (q->index >= t->n_clocks) {
		t->clocks = arena_grow(&t->list->session.arena, t->clocks, sizeof(*t->clocks),
				       t->n_clocks, room);
		t->n_clocks = room;
	}
	return &t->clocks[q->index];
}

/* Moves */

/* Record that 's' is at 'to' from 'now' on. */
static void move(struct tree *t, struct tree_stack *s, struct tree_node *to, u64 now)
{
	struct arena *arena = &t->list->session.arena;

	s->shown = to;
	s->track.ns = now;
	if (!t->use_moves)
		return;
	if (t->n_moves == t->moves_room) {
		u32 room = t->moves_room ? t->moves_room * 2 : 1024;

		t->moves = arena_grow(arena, t->moves, sizeof(*t->moves), t->n_moves, room);
		t->moves_room = room;
	}
	t->moves[t->n_moves++] = (struct tree_move){
		.track = &s->track, .to = to, .ns = now, .insns = s->track.insns,
		.all_insns = t->total[TREE_INSNS]
	};
}

static struct tree_stack *new_cpu(struct tree *t, i32 cpu)
{
	struct tree_stack *s = NEW(&t->list->session.arena, struct tree_stack, 1);
	char name[32];

	fmt_str(name, sizeof(name), "CPU %d", cpu);
	s->comm = s->track.comm = intern(t, name, "", "");
	s->root = child(t, &t->root, s->comm);
	s->shown = &t->root;
	s->track.pid = TREE_CPU;
	s->track.tid = cpu;
	s->track.renamed = true;
	s->older = t->newest_stack;
	t->newest_stack = s;
	return s;
}

/* From 'now' on the queue's CPU runs the thread of 's'; NULL: none that is traced. */
static COLD void occupy(struct tree *t, struct tree_clock *c, const struct tree_stack *s, u64 now)
{
	const struct queue *q = t->list->session.queues[c - t->clocks];
	struct tree_node *to = &t->root;
	char tid[16];

	if (q->cpu < 0)
		return;
	if (!c->cpu)
		c->cpu = new_cpu(t, q->cpu);
	c->cpu->queue = c - t->clocks;
	fmt_str(tid, sizeof(tid), "/%d", s ? s->track.tid : 0);
	if (s && s->wanted && s->track.pid)
		to = child(t, c->cpu->root, intern(t, s->comm, tid, ""));
	if (to != c->cpu->shown)
		move(t, c->cpu, to, MAX(now, c->cpu->track.ns));
}

/* Count a call of each function that was entered between two leaves. */
static void enter(struct tree_stack *s)
{
	struct tree_node *to = s->leaf, *from = s->entered;

	for (; to->depth > from->depth; to = to->up)
		to->calls++;
	while (from->depth > to->depth)
		from = from->up;
	for (; to != from; to = to->up, from = from->up)
		to->calls++;
}

/* The thread is not traced from 'now' on. */
static void leave(struct tree *t, struct tree_stack *s, u64 now)
{
	if (s->wanted && s->shown->depth && s->shown->name != t->away && !s->gap)
		move(t, s, child(t, s->shown, t->away), MAX(now, s->track.ns));
}

/* Move 's' to its leaf at 'now', if it was not there. */
static void arrive(struct tree *t, struct tree_stack *s, struct tree_clock *c, u64 now)
{
	struct tree_node *to = s->wanted ? s->leaf : &t->root;

	if (s->wanted)
		enter(s);
	s->entered = s->leaf;
	/* Another thread had the CPU. */
	if (c->on != s && c->on && c->ns && t->clocks + c->on->queue == c)
		leave(t, c->on, c->ns);
	c->on = s;
	if (t->by_cpu)
		occupy(t, c, s, now);
	s->queue = c - t->clocks;
	if (s->shown != to)
		move(t, s, to, MAX(now, s->track.ns));
}

/* The start of the range of --time that contains 'ns'. */
static u64 range_start(const struct ranges *r, u64 ns)
{
	u32 i = 0;

	while (i + 1 < r->n && r->at[i].end && r->at[i].end < ns)
		i++;
	return r->at[i].start;
}

/* 'from', but not before the range of --time that contains 'ns'. */
static u64 since(const struct tree *t, u64 from, u64 ns)
{
	return t->list->ranges.n ? MAX(from, range_start(&t->list->ranges, ns)) : from;
}

/* Advance the time to 'ns' while 's' is at a leaf. */
static void advance(struct tree *t, struct tree_stack *s, struct tree_clock *c, u64 ns)
{
	u64 from = c->ns;

	if (ns <= from)
		return;
	c->ns = ns;
	if (!from || !s->wanted)
		return;
	from = since(t, from, ns);
	add(t, s->gap ? s->gap : s->leaf, TREE_NS, ns - MIN(from, ns));
}

static inline void advance_tsc(struct tree *t, struct tree_stack *s, struct tree_clock *c, u64 tsc)
{
	if (likely(tsc == c->tsc))
		return;
	c->tsc = tsc;
	advance(t, s, c, session_time(&t->list->session, tsc));
}

/* Runs */

/* Cut a run into pieces at 'p'; NULL: only count them. */
static u32 cut(struct tree *t, const struct thread *thread, struct run *run, struct piece *p)
{
	struct run_walk w = run_walk(&t->list->session.runs, run, run->n);
	const char *name, *last = NULL;
	u32 n = 0;

	while (run_walk_next(&w)) {
		bool end = w.i == run->n;
		u32 flags = samples_flags[end ? run->end : w.kind] & (FLAG_CALL | FLAG_RETURN);

		name = name_at(t, thread, w.ip);
		n += name != last;
		if (p && name != last)
			p[n - 1] = (struct piece){ .name = name };
		last = flags ? NULL : name;
		if (!p)
			continue;
		p[n - 1].n++;
		p[n - 1].flags = flags;
		p[n - 1].from = w.ip;
		p[n - 1].len = w.len;
		p[n - 1].to = end ? 0 : run_branch_target(run, w.segment);
	}
	return n;
}

/* Cut a run into blocks at 'to'; NULL: only count them. */
static COLD u32 cut_blocks(struct tree *t, const struct thread *thread, struct run *run,
			   struct block **to)
{
	struct run_walk w = run_walk(&t->list->session.runs, run, run->n);
	struct block_place place = { 0 };
	u32 n = 0, segment = 0;

	while (run_walk_next(&w)) {
		struct block_place last = place;

		/* A branch to the next instruction also ends a block. */
		if (w.segment != segment)
			place.n = 0;
		segment = w.segment;
		if (blocks_extend(t->blocks, &place, thread, name_at(t, thread, w.ip), w.ip, w.len))
			continue;
		if (to && n)
			to[n - 1] = blocks_get(t->blocks, &last);
		n++;
	}
	if (to && n)
		to[n - 1] = blocks_get(t->blocks, &place);
	return n;
}

/* Cut a run into pieces. NULL if there is no more room. */
static COLD struct pieces *cut_run(struct tree *t, const struct thread *thread, struct run *run)
{
	u32 n = cut(t, thread, run, NULL);
	u32 n_blocks = t->blocks ? cut_blocks(t, thread, run, NULL) : 0;
	size_t size = sizeof(struct pieces) + n * sizeof(struct piece);
	struct pieces *pieces = runs_keep(&t->list->session.runs, run,
					  size + n_blocks * sizeof(struct block *));

	if (!pieces)
		return NULL;
	pieces->n = cut(t, thread, run, pieces->at);
	pieces->n_blocks = n_blocks;
	pieces->blocks = (struct block **)((u8 *)pieces + size);
	if (n_blocks)
		cut_blocks(t, thread, run, pieces->blocks);
	return pieces;
}

static void execute(struct tree *t, struct tree_stack *s, struct tree_clock *c, struct piece *p,
		    u64 tsc)
{
	struct tree_node *up = top(s);

	if (unlikely(p->up != up)) {
		p->up = up;
		p->leaf = child(t, up, p->name);
	}
	s->leaf = p->leaf;
	if (unlikely(s->shown != p->leaf || c->on != s))
		arrive(t, s, c, c->ns ? c->ns : session_time(&t->list->session, tsc));
	if (likely(s->wanted)) {
		add(t, p->leaf, TREE_INSNS, p->n);
		s->track.insns += p->n;
	}
}

/* Add plain runs. Returns the number that was added. */
static u32 add_runs(struct tree *t, const struct entry *e)
{
	const struct item *item = e->item;
	const struct queue *q = item->queue;
	struct tree_clock *clock = clock_of(t, q);
	struct tree_stack *s;
	u32 i, k;

	if (!item->thread || item->halves != (STEP_STRETCH | STEP_EVENT))
		return 0;
	s = stack_of(t, item->thread, q->now_cpu);
	s->wanted = e->wanted;
	calls_trace(s->calls, q->trace_nr);
	settle(t, s, item->thread);
	for (i = 0; i < e->n_runs; i++) {
		const struct passed *r = &e->runs[i];
		struct pieces *pieces = r->run->kept;

		if (unlikely(!pieces) && !(pieces = cut_run(t, item->thread, r->run)))
			break;
		if (unlikely(s->gap)) {
			advance_tsc(t, s, clock, r->tsc_in);
			resume(t, s, item->thread, r->run->ip);
		}
		for (k = 0; k < pieces->n_blocks && s->wanted; k++)
			pieces->blocks[k]->count++;
		for (k = 0; k < pieces->n; k++) {
			struct piece *p = &pieces->at[k];

			u64 tsc = k + 1 < pieces->n ? r->tsc_in : r->tsc;

			execute(t, s, clock, p, tsc);
			advance_tsc(t, s, clock, tsc);
			if (!p->flags)
				continue;
			calls_follow(&t->list->session.arena, s->calls, p->flags, p->from,
				     p->to ? p->to : r->to, p->len);
			follow(t, s);
		}
	}
	return i;
}

/* Samples and gaps */

/* Add a block of one instruction. */
static void add_block(struct tree *t, const struct entry *e, const char *name)
{
	struct block_place place = { 0 };

	blocks_extend(t->blocks, &place, e->thread, name, e->sample->ip, e->sample->insn_len);
	blocks_get(t->blocks, &place)->count++;
}

static void add_sample(struct tree *t, const struct entry *e)
{
	const struct sample *sample = e->sample;
	struct tree_stack *s = stack_of(t, e->thread, sample->cpu);
	struct tree_clock *clock = clock_of(t, e->item->queue);
	bool branch = sample->kind == SAMPLE_BRANCH;
	u64 ip = branch ? sample->addr : sample->ip;

	s->wanted = e->wanted;
	if (s->gap && ip) {
		advance(t, s, clock, sample->time);
		resume(t, s, e->thread, ip);
	}
	/* Nothing was executed since the trace ended. */
	if (branch && !sample->ip)
		clock->ns = sample->time;
	if (!branch) {
		s->leaf = child(t, top(s), name_at(t, e->thread, ip));
		arrive(t, s, clock, since(t, clock->ns ? clock->ns : sample->time, sample->time));
		if (s->wanted) {
			add(t, s->leaf, TREE_INSNS, 1);
			if (t->list->cycles)
				add(t, s->leaf, TREE_CYCLES, sample->cyc_cnt);
			s->track.insns++;
			if (t->blocks)
				add_block(t, e, s->leaf->name);
		}
	}
	advance(t, s, clock, sample->time);
	settle(t, s, e->thread);
	if (branch && !ip) {
		leave(t, s, clock->ns);
		clock->ns = 0;
	}
}

static void add_gap(struct tree *t, const struct entry *e)
{
	struct tree_stack *s = stack_of(t, e->thread, e->thread ? e->thread->cpu : -1);
	const char *name = intern(t, "[gap]", "", "");
	u64 now = e->item->queue ? clock_of(t, e->item->queue)->ns : 0;

	s->gap = child(t, s->leaf, name);
	if (!s->wanted)
		return;
	add(t, s->gap, TREE_INSNS, 1);
	t->gaps++;
	move(t, s, child(t, s->root, name), MAX(now, s->track.ns));
}

/* A thread leaves the CPU: what runs next is known when it is traced. */
static COLD void switch_out(struct tree *t, const struct item *item)
{
	const struct perf_sample *sample = item->sample;
	struct perf_switch sw;
	u32 i;

	if (!perf_get_switch(item->record, &sw) || !sw.out)
		return;
	for (i = 0; i < t->n_clocks; i++)
		if (t->clocks[i].cpu && t->clocks[i].cpu->track.tid == sample->cpu)
			occupy(t, &t->clocks[i], NULL, sample->time);
}

/* At exec: the calls of the old program end. */
static void add_record(struct tree *t, const struct item *item)
{
	struct processes *processes = &t->list->session.processes;
	const struct perf_record *rec = item->record;
	struct perf_comm comm;
	struct thread *thread;
	struct calls *calls;

	if (t->by_cpu)
		switch_out(t, item);
	if (rec->type != PERF_COMM || !perf_get_comm(rec, &comm) || !comm.exec)
		return;
	thread = process_thread(processes, comm.pid, comm.tid);
	calls = calls_if_any(thread, thread->cpu);
	if (calls)
		calls_cut(calls, 0);
}

void tree_add(struct tree *t, const struct entry *e)
{
	switch (e->kind) {
	case ENTRY_RUNS:
		listing_took(t->list, add_runs(t, e));
		break;
	case ENTRY_SAMPLE:
		add_sample(t, e);
		break;
	case ENTRY_GAP:
		add_gap(t, e);
		break;
	case ENTRY_RECORD:
		add_record(t, e->item);
	}
}

void tree_finish(struct tree *t)
{
	struct tree_stack *s;

	for (s = t->newest_stack; s; s = s->older) {
		struct tree_clock *c = s->queue < t->n_clocks ? &t->clocks[s->queue] : NULL;

		if (s->shown->depth)
			move(t, s, &t->root, c && (c->on == s || c->cpu == s) ?
			     MAX(c->ns, s->track.ns) : s->track.ns);
	}
}

void tree_layout(struct tree *t, enum tree_weight weight)
{
	struct tree_node *node, *up;

	for (node = t->first; node; node = node->next)
		for (up = node; up; up = up->up)
			up->all += node->weight[weight];
	for (node = t->first; node; node = node->next) {
		node->at = node->up->at + node->up->used;
		node->up->used += node->all;
	}
}
