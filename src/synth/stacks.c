/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hand all call stacks from one process of -j to another that has read the same records.
 */
#include <pt/stacks.h>

struct entry { u64 back; u32 trace_nr; i32 tid, cpu; bool ended; };

/* Copy the stacks of a thread to 'at', up to 'end', or clear them if 'at' is NULL. Returns the
 * place after the copy; NULL: cleared, or not enough room. */
static struct entry *put_stacks(const struct thread *t, struct entry *at, const struct entry *end)
{
	struct calls *c;
	i32 cpu = 0;
	u32 i;

	do {
		c = calls_if_any(t, cpu);
		for (i = 0; c && at && i < c->n; i++) {
			if (at == end)
				return NULL;
			*at++ = (struct entry){ c->back[i], c->trace_nr, t->tid, cpu, c->ended[i] };
		}
		if (c && !at) {
			calls_cut(c, 0);
			c->trace_nr = 0;
		}
	} while (!t->pid && ++cpu < (i32)calls_cpus(t));
	return at;
}

u32 stacks_put(struct session *s, void *to, size_t size)
{
	struct processes *p = &s->processes;
	struct entry *at = to, *end = at + size / sizeof(*at);
	const struct thread *t;
	u32 i;

	for (i = 1; i <= p->n_threads; i++)
		for (t = p->threads[i]; t && (at || !to); t = t->older)
			if (!t->gone || !to)
				at = put_stacks(t, at, end);
	for (i = 0; i < s->n_queues && at; i++) {
		t = s->queues[i]->thread;
		if (t && process_find(p, t->tid) != t)
			return ~0U;
	}
	return at ? at - (struct entry *)to : ~0U;
}

void stacks_take(struct session *s, const void *from, u32 n, u32 forks)
{
	const struct entry *e = from;
	struct arena *arena = &s->arena;
	struct thread *t;

	stacks_put(s, NULL, 0);
	for (; n--; e++) {
		t = process_newest(&s->processes, e->tid);
		while (t && t->born > forks)
			t = t->older;
		if (t)
			calls_do(arena, &(struct calls_later){
				.what = CALLS_PUSH, .ended = e->ended, .trace_nr = e->trace_nr,
				.at = e->back, .calls = calls_of(arena, t, e->cpu) });
	}
}
