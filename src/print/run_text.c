/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Render the texts that print_run.c copies, and cache them with the run.
 */
#include "run_text.h"

enum { PARTS_MAX = 1024, MEMORY = 128 << 20 };

struct rest run_text_never;

/* The texts of a run are allocated with it and freed with it. */
struct writer {
	struct arena *arena;
	struct rest *to;
	u32 n;			/* bytes, without slack */
};

static void keep(struct writer *w, u32 i, const char *text, u32 len)
{
	w->to = arena_grow(w->arena, w->to, 1, w->n + KEPT_SLACK, w->n + len + KEPT_SLACK);
	memcpy((char *)w->to + w->n, text, len);
	w->to[i] = (struct rest){ .at = w->n, .len = len };
	w->n += len;
}

static struct writer new_text(struct sample_printer *pr, u32 n)
{
	struct arena *arena = &pr->session->runs.arena;
	u32 size = n * sizeof(struct rest);

	return (struct writer){ arena, arena_alloc(arena, size + KEPT_SLACK), size };
}

/* Will the map of 'to' be the same as long as the run at 'from' exists? */
static bool stays(struct sample_printer *pr, const struct thread *t, u64 from, u64 to)
{
	return session_map_at(pr->session, t, to) && !runs_border(&pr->session->runs, from, to);
}

/* A branch with one possible target keeps both addresses as text, else only its own. */
static void keep_branch(struct sample_printer *pr, struct writer *w, u32 i,
			const struct thread *t, u64 from, u64 to, u8 kind)
{
	char *p = out_room(pr->out, SAMPLE_LINE), *end;
	bool one_place = kind == INSN_JUMP || kind == INSN_CALL || kind == INSN_COND;

	end = sample_put_call_front(p, pr, t, from, samples_flags[kind]);
	end = sample_put_branch_from(end, pr, t, from);
	if (one_place) {
		if (!stays(pr, t, from, to))
			return;
		end = sample_put_branch_to(end, pr, t, to);
		end = put_char(end, '\n');
	}
	keep(w, i, p, end - p);
}

static struct rest *branch_text(struct sample_printer *pr, const struct thread *t,
				struct run *run)
{
	u32 i, n = run->n_segments;
	struct writer w = new_text(pr, n);

	for (i = 0; i + 1 < n; i++) {
		const struct segment *g = &run->rest->segments[i];

		keep_branch(pr, &w, i, t, g->ip + g->bytes - g->branch_len,
			    run_branch_target(run, i), g->kind);
	}
	keep_branch(pr, &w, n - 1, t, run_end_ip(run), run->rest->target, run->end);
	return w.to;
}

static struct rest *insn_text(struct sample_printer *pr, const struct thread *t,
			      struct run *run)
{
	struct writer w = new_text(pr, run->n);
	struct run_walk walk = run_walk(&pr->session->runs, run, run->n);
	char *p, *end;

	while (run_walk_next(&walk)) {
		p = out_room(pr->out, SAMPLE_LINE);
		end = sample_put_insn(p, pr, t, walk.ip, walk.len);
		end = put_char(end, '\n');
		keep(&w, walk.i - 1, p, end - p);
	}
	return w.to;
}

/* The same for a call or return. */
static void keep_call(struct sample_printer *pr, struct writer *w, u32 i, const struct thread *t,
		      u64 from, u64 to, u8 kind)
{
	char *start = out_room(pr->out, SAMPLE_LINE), *p, *front, *name;
	bool ret = kind == INSN_RET, one_place = kind == INSN_CALL;

	p = front = sample_put_call_front(start, pr, t, from, samples_flags[kind]);
	if (ret || one_place)
		p = sample_put_call_name(p, pr, t, ret ? from : to);
	name = p;
	if (!stays(pr, t, from, one_place ? to : from))
		return;
	p = sample_put_branch_from(p, pr, t, from);
	if (one_place)
		p = sample_put_branch_to(p, pr, t, to);
	keep(w, i, start, put_char(p, '\n') - start);
	w->to[i].front = front - start;
	w->to[i].name = name - front;
}

static struct rest *call_text(struct sample_printer *pr, const struct thread *t,
			      struct run *run)
{
	u32 i, n = run->n_segments;
	struct writer w = new_text(pr, n);

	for (i = 0; i < n; i++) {
		const struct segment *g = &run->rest->segments[i];
		bool last = i + 1 == n;
		u8 kind = last ? run->end : g->kind;

		if (kind == INSN_CALL || kind == INSN_CALL_INDIRECT || kind == INSN_RET)
			keep_call(pr, &w, i, t, g->ip + g->bytes - g->branch_len,
				  last ? 0 : run_branch_target(run, i), kind);
		else
			keep(&w, i, "", 1);
	}
	return w.to;
}

bool run_text_make(struct sample_printer *pr, const struct thread *t, struct run *run)
{
	u32 i, n = pr->by_run == INSNS ? run->n : run->n_segments;
	struct rest *rests;

	if (run->n > PARTS_MAX || pr->session->runs.arena.total > MEMORY)
		return false;
	pr->once = true;
	rests = (pr->by_run == BRANCHES ? branch_text :
		 pr->by_run == CALLS ? call_text : insn_text)(pr, t, run);
	pr->once = false;
	for (i = 0; i < n && rests[i].len; i++)
		;
	run->kept = i == n ? rests : &run_text_never;
	return i == n;
}
