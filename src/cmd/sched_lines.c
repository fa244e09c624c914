/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The lines of pt sched timehist, one for each event.
 */
#include "sched.h"

static const char dashes[] = "--------------------------------------------------";

void sched_put_time(char *to, size_t size, u64 ns)
{
	fmt_str(to, size, "%llu.%06llu", ns / 1000000000, ns / 1000 % 1000000);
}

void sched_put_ms(struct out *out, u64 ns, int width)
{
	out_fmt(out, "%*llu.%03llu ", width, ns / 1000000, ns / 1000 % 1000);
}

static void blanks(struct out *out, u32 n)
{
	while (n--)
		out_char(out, ' ');
}

/* The heading of -V: the last digits of the CPUs, in hex. */
static void put_cpu_numbers(struct sched *s)
{
	u32 i;

	out_char(s->out, ' ');
	for (i = 0; i <= s->last_cpu; i++)
		out_fmt(s->out, "%x", i % 16);
	out_char(s->out, ' ');
}

void sched_put_heading(struct sched *s)
{
	const char *state = s->state ? "  state" : "";
	u32 i;

	out_fmt(s->out, "%15s %6s ", "time", "cpu");
	if (s->cpu_visual)
		put_cpu_numbers(s);
	out_fmt(s->out, " %-*s  %9s  %9s  %9s%s\n", (int)s->width, "task name", "wait time",
		"sch delay", "run time", state);
	out_fmt(s->out, "%15s %6s ", "", "");
	if (s->cpu_visual)
		blanks(s->out, s->last_cpu + 3);
	out_fmt(s->out, " %-*s  %9s  %9s  %9s%s\n", (int)s->width, "[tid/pid]", "(msec)", "(msec)",
		"(msec)", s->state ? "       " : "");
	out_fmt(s->out, "%.15s %.6s ", dashes, dashes);
	if (s->cpu_visual) {
		out_char(s->out, ' ');
		for (i = 0; i <= s->last_cpu; i++)
			out_char(s->out, '-');
		out_char(s->out, ' ');
	}
	out_fmt(s->out, " %.*s  %.9s  %.9s  %.9s%s\n", (int)s->width, dashes, dashes, dashes,
		dashes, s->state ? "  -----" : "");
}

/* "name[tid/pid]". The column grows with the names. */
const char *sched_name(struct sched *s, char to[SCHED_NAME], const struct thread *t)
{
	if (!t->pid || (t->pid == -1 && t->tid != -1))	/* only its number is known */
		fmt_str(to, SCHED_NAME, "%s", t->tid ? t->comm : "<idle>");
	else if (t->pid == t->tid)
		fmt_str(to, SCHED_NAME, "%s[%d]", t->comm, t->tid);
	else
		fmt_str(to, SCHED_NAME, "%s[%d/%d]", t->comm, t->tid, t->pid);
	s->width = MAX(s->width, (u32)strlen(to));
	return to;
}

static void put_text(struct sched *s, const char *name)
{
	out_char(s->out, ' ');
	out_name(s->out, name);
	blanks(s->out, s->width - strlen(name) + 1);
}

static void put_name(struct sched *s, const struct thread *t)
{
	char name[SCHED_NAME];

	put_text(s, sched_name(s, name, t));
}

/* The thread that woke or moved another one. As in perf, the idle thread has its own name here. */
static void put_actor(struct sched *s, const struct thread *t)
{
	static const char idle[] = "swapper";

	if (t->tid) {
		put_name(s, t);
		return;
	}
	s->width = MAX(s->width, (u32)sizeof(idle) - 1);
	put_text(s, idle);
}

/* The time and the CPU; with -V a column for each CPU, 'mark' in that of 'at'. As in perf, the
 * columns of migrations have a blank more on each side. */
static void put_front(struct sched *s, i32 cpu, u64 time, char mark, i32 at)
{
	char when[32];
	u32 i;

	sched_put_time(when, sizeof(when), time);
	out_fmt(s->out, "%15s [%04d] ", when, cpu);
	if (!s->cpu_visual)
		return;
	blanks(s->out, mark == 'm' ? 2 : 1);
	for (i = 0; i <= s->last_cpu; i++)
		out_char(s->out, (i32)i == at ? mark : ' ');
	blanks(s->out, mark == 'm' ? 2 : 1);
}

static char letter_of(const struct sched_leaving *l)
{
	static const char letters[] = "RSDTtZXxKWP";
	u32 bit = __builtin_ffs(l->state);

	if (!l->thread->tid)
		return 'I';
	return bit < sizeof(letters) - 1 ? letters[bit] : '?';
}

static void put_next(struct sched *s, const struct sched_leaving *l)
{
	char text[64];

	fmt_str(text, sizeof(text), "next: %s[%d]", l->next_comm ? l->next_comm : "?",
		l->next_comm ? l->next_pid : -1);
	out_char(s->out, ' ');
	out_name(s->out, text);
	blanks(s->out, MAX((int)s->width - (int)strlen(text), 0));
}

void sched_put_switch(struct sched *s, const struct task *task, const struct sched_leaving *l,
		      u64 time)
{
	const struct thread *t = l->thread;

	put_front(s, l->cpu, time, t->tid ? 's' : 'i', l->cpu);
	put_name(s, t);
	sched_put_ms(s->out, task->waits[WAIT_SLEEP] + task->waits[WAIT_IO] +
		     task->waits[WAIT_PREEMPTED], 6);
	sched_put_ms(s->out, task->delay, 6);
	sched_put_ms(s->out, task->ran, 6);
	if (s->state)
		out_fmt(s->out, " %5c ", letter_of(l));
	if (s->next)
		put_next(s, l);
	if (s->wakeups && !s->next)
		blanks(s->out, s->width + 2);
	if (t->tid && s->has_chains)
		sched_put_chain(s, &l->chain);
	out_newline(s->out);
}

/* Of a line that has no times. */
static void put_spacer(struct sched *s)
{
	out_fmt(s->out, "  %9s  %9s  %9s ", "", "", "");
}

void sched_put_wakeup(struct sched *s, const struct thread *by, i32 cpu, u64 time,
		      const struct thread *woken)
{
	char name[SCHED_NAME];

	put_front(s, cpu, time, ' ', -1);
	put_actor(s, by);
	put_spacer(s);
	out_str(s->out, "awakened: ");
	out_name(s->out, sched_name(s, name, woken));
	out_newline(s->out);
}

void sched_put_migration(struct sched *s, const struct thread *by, i32 cpu, u64 time,
			 const struct thread *moved, i32 from, i32 to)
{
	char name[SCHED_NAME];

	put_front(s, cpu, time, 'm', cpu);
	put_actor(s, by);
	put_spacer(s);
	out_str(s->out, "migrated: ");
	out_name(s->out, sched_name(s, name, moved));
	out_fmt(s->out, " cpu %d => %d", from, to);
	out_newline(s->out);
}
