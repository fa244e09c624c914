/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt stat record: counts in a perf.data; pt stat report: its table.
 *
 * The file has the threads and CPUs that were counted (THREAD_MAP, CPU_MAP), how (STAT_CONFIG), and
 * for each round a STAT of each counter, which has all that it counted so far, and a STAT_ROUND.
 */
#include <errno.h>

#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/opt.h>
#include <pt/sandbox.h>

#include "input.h"
#include "stat.h"

/* Tags of STAT_CONFIG, types of EVENT_UPDATE and of STAT_ROUND. */
enum { TAG_AGGR_MODE, TAG_INTERVAL, TAG_SCALE };
enum { UPDATE_UNIT, UPDATE_SCALE };
enum { ROUND_INTERVAL, ROUND_FINAL };

/* A file with more counters is damaged. */
enum { ID_FIRST = 1000, COMM = 16, NO_CPU = 0xffff, COUNTERS_MAX = 1 << 24 };

/* perf's numbers for what is added up, by enum count_by. */
static const u8 modes[] = { [BY_NOTHING] = 1, [BY_CPU] = 0, [BY_CORE] = 4, [BY_DIE] = 3,
			    [BY_SOCKET] = 2, [BY_NODE] = 7, [BY_THREAD] = 5 };

/* Recording */

static void put_record(struct stat *s, u32 type, const u64 *words, size_t n)
{
	perf_write_record(&s->file->writer, type, 0, (struct bytes){ (const u8 *)words, n * 8 },
			  NULL);
}

static void put_maps(struct stat *s)
{
	const struct counting *c = &s->counting;
	u32 n = s->threads.n ? s->threads.n : 1, n_cpus = c->on_cpus ? c->cpus->n : 1, i;
	u64 *threads = NEW(&s->arena, u64, 1 + 3 * n);
	u16 *cpus = NEW(&s->arena, u16, 2 + n_cpus + 4);

	threads[0] = n;
	for (i = 0; i < n; i++) {
		threads[1 + 3 * i] = s->threads.n ? (u64)s->threads.tid[i] : ~0ull;
		if (s->threads.n && s->threads.comm)
			memcpy(&threads[2 + 3 * i], s->threads.comm[i], COMM - 1);
	}
	put_record(s, PERF_THREAD_MAP, threads, 1 + 3 * n);
	cpus[1] = n_cpus;
	for (i = 0; i < n_cpus; i++)
		cpus[2 + i] = c->on_cpus ? c->cpus->cpu[i] : NO_CPU;
	put_record(s, PERF_CPU_MAP, (const u64 *)cpus, (2 + n_cpus + 3) / 4);
}

static void put_config(struct stat *s)
{
	const u64 config[] = { 3, TAG_AGGR_MODE, modes[s->wants.by], TAG_INTERVAL,
			       s->wants.interval, TAG_SCALE, !s->wants.no_scale };

	put_record(s, PERF_STAT_CONFIG, config, N_ELEM(config));
}

static void put_units(struct stat *s)
{
	u32 i;

	for (i = 0; i < s->events.n; i++) {
		const struct event_spec *spec = &s->events.at[i];
		u64 unit[] = { UPDATE_UNIT, ID_FIRST + i, 0, 0 }, scale[] = { UPDATE_SCALE,
			ID_FIRST + i, 0 };

		if (!*spec->unit)
			continue;
		memcpy(&unit[2], spec->unit, MIN(strlen(spec->unit), (size_t)15));
		memcpy(&scale[2], &spec->scale, 8);
		put_record(s, PERF_EVENT_UPDATE, unit, N_ELEM(unit));
		put_record(s, PERF_EVENT_UPDATE, scale, N_ELEM(scale));
	}
}

/* In pt stat report, -i and --input name the file; in pt stat, -i is another option. Remove them,
 * so that the name of the file is a word. */
static void take_input(char **argv)
{
	static const char *const names[] = { "--input=", "-i" };
	char **to = argv;
	u32 i;

	for (; *argv; argv++) {
		if (!strcmp(*argv, "-i") || !strcmp(*argv, "--input"))
			continue;
		*to = *argv;
		for (i = 0; i < N_ELEM(names); i++)
			if (!strncmp(*argv, names[i], strlen(names[i])))
				*to = *argv + strlen(names[i]);
		to++;
	}
	*to = NULL;
}

void stat_file_words(struct stat *s, struct opt *o)
{
	if (!o->argv[0])
		return;
	s->records = !strcmp(o->argv[0], "record");
	s->reports = !strcmp(o->argv[0], "report");
	s->words = opt_command_line(o, "stat", &s->arena);
	s->data = "perf.data";
	o->argv += s->records || s->reports;
	if (s->reports)
		take_input(o->argv);
}

int stat_record_open(struct stat *s)
{
	struct perf_event *events = NEW(&s->arena, struct perf_event, s->events.n + 1);
	struct stat_file *f = NEW(&s->arena, struct stat_file, 1);
	u64 *ids = NEW(&s->arena, u64, s->events.n + 1);
	u32 i;
	int err;

	if (s->wants.runs != 1 || s->wants.diff)
		return fail(0, "pt stat record keeps the counts of one run; leave out %s",
			    s->wants.diff ? "--diff" : "-r");
	for (i = 0; i < s->events.n; i++) {
		ids[i] = ID_FIRST + i;
		events[i] = (struct perf_event){ .attr = s->events.at[i].attr, .ids = &ids[i],
						 .name = s->events.at[i].name, .n_ids = 1,
						 .index = i };
		events[i].attr.size = 128;
		events[i].attr.sample_type = 1 << PERF_S_IDENTIFIER;
		events[i].attr.read_format = 3;	/* time enabled, running */
	}
	s->file = f;
	err = perf_write_open(&f->writer, s->data, -1, &s->arena, events, s->events.n);
	if (err)
		return fail(err, "cannot write %s", s->data);
	perf_write_machine(&f->writer, s->words);
	perf_write_feature(&f->writer, PERF_FEAT_STAT, (struct bytes){ 0 });
	put_units(s);
	put_maps(s);
	put_config(s);
	return 0;
}

void stat_record_round(struct stat *s, u64 ns)
{
	const struct counting *c = &s->counting;
	const u64 round[] = { s->wants.interval ? ROUND_INTERVAL : ROUND_FINAL, ns };
	u32 i, cpu, t;

	for (i = 0; i < s->events.n; i++) {
		const struct count_event *e = &c->at[i];

		for (cpu = 0; cpu < e->cpus.n; cpu++)
			for (t = 0; t < e->n_threads; t++) {
				const struct count *n = &e->was[cpu * e->n_threads + t];
				u64 words[] = { ID_FIRST + i, (u32)(c->on_cpus ?
					e->cpus.cpu[cpu] : -1) | (u64)t << 32,
					n->value, n->enabled, n->running };

				put_record(s, PERF_STAT, words, N_ELEM(words));
			}
	}
	put_record(s, PERF_STAT_ROUND, round, N_ELEM(round));
}

int stat_record_close(struct stat *s)
{
	int err = perf_write_close(&s->file->writer);

	return err ? fail(err, "cannot write %s", s->data) : 0;
}

/* Reading */

/* How it was recorded. Options that name other rows come first. */
static void take_config(struct stat *s, struct bytes b)
{
	enum count_by asked = s->wants.by;
	u64 n = bytes_take64(&b), tag, v;
	u32 by;

	for (; n && b.len >= 16; n--) {
		tag = bytes_take64(&b);
		v = bytes_take64(&b);
		if (tag == TAG_INTERVAL)
			s->wants.interval = v;
		if (tag == TAG_SCALE)
			s->wants.no_scale = !v;
		for (by = 0; tag == TAG_AGGR_MODE && by < N_ELEM(modes); by++)
			if (modes[by] == v && asked == BY_NOTHING)
				s->wants.by = by;
	}
}

static void take_threads(struct stat *s, struct bytes b)
{
	u64 n = bytes_take64(&b);
	u32 i;

	n = MIN(n, b.len / 24);
	s->threads.n = n;
	s->threads.tid = NEW(&s->arena, i32, n + 1);
	s->threads.comm = arena_alloc(&s->arena, (n + 1) * COMM);
	memset(s->threads.comm, 0, (n + 1) * COMM);
	for (i = 0; i < n; i++) {
		s->threads.tid[i] = get64(b.at + 24 * i);
		memcpy(s->threads.comm[i], b.at + 24 * i + 8, COMM - 1);
	}
}

/* The list is ascending; tasks are counted on one CPU, -1. */
static void add_cpu(struct stat *s, u32 number)
{
	i32 cpu = number == NO_CPU ? -1 : (i32)number, *list = s->cpus.cpu;
	u32 i;

	if (cpu >= 0 && s->cpus.n && list[0] < 0)
		s->cpus.n = 0;
	for (i = s->cpus.n; i && list[i - 1] > cpu; i--)
		;
	if (s->cpus.n >= CPUS_MAX || (cpu < 0 && s->cpus.n) || (i && list[i - 1] == cpu))
		return;
	memmove(list + i + 1, list + i, (s->cpus.n++ - i) * sizeof(*list));
	list[i] = cpu;
}

/* CPU_MAP as a list, as a mask of words of 4 or 8 bytes, or as a range. */
static void take_cpus(struct stat *s, struct bytes b)
{
	enum { LIST, MASK, RANGE };
	u16 type = bytes_take16(&b), n = bytes_take16(&b), size, first, last;
	u32 i;

	if (!s->cpus.cpu)
		s->cpus.cpu = NEW(&s->arena, i32, CPUS_MAX);
	s->cpus.n = 0;
	if (type == LIST) {
		for (i = 0; i < n && b.len >= 2; i++)
			add_cpu(s, bytes_take16(&b));
	} else if (type == MASK) {
		size = bytes_take16(&b);
		b = bytes_skip(b, size == 8 ? 4 : 0);
		for (i = 0; i < b.len * 8 && i < n * size * 8u; i++)
			if (b.at[i / 8] >> i % 8 & 1)
				add_cpu(s, i);
	} else if (type == RANGE) {
		first = bytes_take16(&b);
		last = bytes_take16(&b);
		for (i = first; i <= last; i++)
			add_cpu(s, i);
	}
}

static void take_unit(struct stat *s, struct bytes b)
{
	u64 type = bytes_take64(&b), id = bytes_take64(&b);
	const struct perf_event *event = perf_event_by_id(&s->file->in, id);

	if (!event || event->index >= s->events.n)
		return;
	if (type == UPDATE_UNIT)
		s->events.at[event->index].unit =
			arena_strn(&s->arena, (const char *)b.at,
				   strnlen((const char *)b.at, b.len));
	if (type == UPDATE_SCALE && b.len >= 8)
		memcpy(&s->events.at[event->index].scale, b.at, 8);
}

static void take_events(struct stat *s)
{
	const struct perf_file *in = &s->file->in;
	u32 i;

	s->events.at = NEW(&s->arena, struct event_spec, in->n_events + 1);
	s->events.n = s->events.room = in->n_events;
	for (i = 0; i < in->n_events; i++) {
		const struct perf_event *event = in->events[i];
		bool clock = event->attr.type == EVENT_SOFTWARE && event->attr.config <= 1;

		s->events.at[i] = (struct event_spec){
			.attr = event->attr, .name = event->name, .leader = i, .members = 1,
			.unit = clock ? "msec" : "", .scale = clock ? 1e-6 : 1 };
	}
}

/* The row of a counter; n if there is none. */
static u32 row_of(const struct stat *s, i32 cpu, u32 thread)
{
	if (s->wants.by == BY_NOTHING)
		return 0;
	if (s->wants.by == BY_THREAD)
		return thread;
	return cpu >= 0 && cpus_find(&s->cpus, cpu) >= 0 ? s->rows.of_cpu[cpu] : s->rows.n;
}

/* What the counter counted since the last round. */
static void take_count(struct stat *s, struct bytes b)
{
	const struct perf_event *event = perf_event_by_id(&s->file->in, bytes_take64(&b));
	u32 cpu = bytes_take32(&b), thread = bytes_take32(&b), row = row_of(s, cpu, thread);
	struct count now, *was;
	struct cell *cell;

	now.value = bytes_take64(&b);
	now.enabled = bytes_take64(&b);
	now.running = bytes_take64(&b);
	if (!event || event->index >= s->events.n || row >= s->rows.n)
		return;
	cell = &s->cells[event->index * s->rows.n + row];
	if (s->wants.interval) {
		int at = cpus_find(&s->cpus, cpu);
		u64 i = (u64)at * MAX(s->threads.n, 1u) + thread;

		if (at < 0 || i >= s->file->n_was)
			return;
		was = &s->file->was[event->index * s->file->n_was + i];
		now = (struct count){ now.value - was->value, now.enabled - was->enabled,
				      now.running - was->running };
		was->value += now.value;
		was->enabled += now.enabled;
		was->running += now.running;
	}
	cell->raw += now.value;
	cell->enabled += now.enabled;
	cell->running += now.running;
	cell->n++;
	if (now.running)
		cell->value += s->wants.no_scale || now.running >= now.enabled ? now.value :
			       (double)now.value * now.enabled / now.running;
	if (now.running || cell->state == CELL_EMPTY)
		cell->state = now.running ? CELL_COUNTED : CELL_NOT_COUNTED;
}

static int make_rows(struct stat *s)
{
	struct count_threads threads = { s->threads.n, s->threads.tid, s->threads.comm };
	u64 counters = (u64)s->cpus.n * MAX(s->threads.n, 1u);
	i32 last;

	if (s->rows.n || !s->cpus.n)
		return s->rows.n ? 0 : -1;
	last = s->cpus.cpu[s->cpus.n - 1];
	s->counting.on_cpus = last != -1;
	if (!s->counting.on_cpus && s->wants.by != BY_THREAD) {
		if (s->wants.by != BY_NOTHING)
			warn(0, "%s has counts of tasks, which have no rows of CPUs", s->data);
		s->wants.by = BY_NOTHING;
	}
	if (counters * s->events.n > COUNTERS_MAX)
		return -1;
	count_rows_make(&s->rows, s->wants.by, &s->cpus, &threads,
			s->counting.on_cpus ? perf_cpu_places(&s->file->in, last + 1) : NULL,
			&s->arena);
	s->cells = NEW(&s->arena, struct cell, s->events.n * s->rows.n);
	s->order = NEW(&s->arena, u32, s->rows.n);
	s->file->n_was = counters;
	s->file->was = NEW(&s->arena, struct count, s->events.n * counters);
	return 0;
}

/* Events without counts could not be opened. */
static void mark_missing(struct stat *s)
{
	struct cell *cells = s->cells;
	u32 i, k;

	for (i = 0; i < s->events.n; i++, cells += s->rows.n) {
		for (k = 0; k < s->rows.n && cells[k].state == CELL_EMPTY; k++)
			;
		if (k < s->rows.n)
			continue;
		for (k = 0; k < s->rows.n; k++)
			cells[k] = (struct cell){ .state = CELL_NOT_SUPPORTED, .n = 1 };
	}
}

static int take_record(struct stat *s, const struct perf_record *rec)
{
	struct bytes b = bytes_skip(rec->raw, 8);

	switch (rec->type) {
	case PERF_EVENT_UPDATE:
		take_unit(s, b);
		break;
	case PERF_THREAD_MAP:
		take_threads(s, b);
		break;
	case PERF_CPU_MAP:
		take_cpus(s, b);
		break;
	case PERF_STAT_CONFIG:
		take_config(s, b);
		break;
	case PERF_STAT:
		if (!make_rows(s))
			take_count(s, b);
		break;
	case PERF_STAT_ROUND:
		if (!s->rows.n || b.len < 16)
			break;
		s->file->rounds++;
		mark_missing(s);
		stat_print_round(s, get64(b.at) == ROUND_INTERVAL, get64(b.at + 8));
		memset(s->cells, 0, s->events.n * s->rows.n * sizeof(*s->cells));
		break;
	}
	return 0;
}

/* The command of the recording, from the header. */
static const char *command_of(struct stat *s)
{
	struct bytes b = perf_feature(&s->file->in, PERF_FEAT_CMDLINE);
	u32 n = bytes_take32(&b), len;
	char text[1024] = "";
	size_t at = 0;

	for (; n && b.len > 4 && at < sizeof(text) - 1; n--) {
		len = bytes_take32(&b);
		if (len > b.len)
			break;
		at += fmt_str(text + at, sizeof(text) - at, "%s%.*s", at ? " " : "",
			      (int)strnlen((const char *)b.at, len), (const char *)b.at);
		b = bytes_skip(b, len);
	}
	return arena_str(&s->arena, text);
}

int stat_report(struct stat *s)
{
	struct stat_file *f = s->file = NEW(&s->arena, struct stat_file, 1);
	struct perf_record rec;
	const char *why = NULL;
	int err, status = 0;

	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	err = perf_open(&f->in, s->data, &s->arena, &why);
	if (err)
		return input_fail(err, s->data, why);
	take_events(s);
	s->title = command_of(s);
	while (!status && (err = perf_next(&f->in, &rec, &why)) > 0)
		status = take_record(s, &rec);
	perf_close(&f->in);
	if (!status && err < 0)
		return input_fail(err, s->data, why);
	if (!status && !f->rounds)
		return fail(0, "%s has no counts; record with pt stat record", s->data);
	return status;
}
