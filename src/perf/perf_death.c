/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Deaths of processes, to a feature and back: <pt/perf_death.h>.
 */
#include <pt/perf_death.h>

enum { HEAD = 8, REGS = 48, SIZE = REGS + 16 * 8 };

static void read_death(struct perf_death *d, const u8 *at)
{
	u32 i;

	d->pid = get32(at);
	d->tid = get32(at + 4);
	d->time = get64(at + 8);
	d->signo = get32(at + 16);
	d->code = get32(at + 20);
	d->what = get64(at + 24);
	d->ip = get64(at + 32);
	d->addr = get64(at + 40);
	for (i = 0; i < 16; i++)
		d->regs[i] = get64(at + REGS + 8 * i);
}

u32 perf_deaths(struct perf_file *f, struct perf_death *to)
{
	struct bytes b = perf_feature(f, PERF_FEAT_DEATHS);
	u32 n = b.len >= HEAD ? get32(b.at) : 0, size = b.len >= HEAD ? get32(b.at + 4) : 0, i;

	if (size < SIZE)
		return 0;
	n = MIN(n, (b.len - HEAD) / size);
	n = MIN(n, DEATHS_MOST);
	for (i = 0; i < n; i++)
		read_death(&to[i], b.at + HEAD + (u64)size * i);
	return n;
}

static void write_death(struct perf_writer *w, const struct perf_death *d)
{
	u32 i;

	perf_write_u32(w, d->pid);
	perf_write_u32(w, d->tid);
	perf_write_u64(w, d->time);
	perf_write_u32(w, d->signo);
	perf_write_u32(w, d->code);
	perf_write_u64(w, d->what);
	perf_write_u64(w, d->ip);
	perf_write_u64(w, d->addr);
	for (i = 0; i < 16; i++)
		perf_write_u64(w, d->regs[i]);
}

void perf_write_deaths(struct perf_writer *w, const struct perf_death *deaths, u32 n)
{
	u32 i;

	perf_write_feature_start(w, PERF_FEAT_DEATHS);
	perf_write_u32(w, n);
	perf_write_u32(w, SIZE);
	for (i = 0; i < n; i++)
		write_death(w, &deaths[i]);
	perf_write_feature_end(w);
}
