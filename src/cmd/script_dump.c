/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt -D of a file with samples: after each SAMPLE its thread, its file and its line follow. This
 * needs threads, maps and symbols, as in a script. Files that cannot have samples are dumped
 * without them.
 */
#include <pt/config/CAPTURE.h>
#include <pt/fail.h>
#include <pt/print_record.h>
#include "capture.h"
#include "script.h"

/* The Intel PT event and the dummy event for side-band never sample. */
static bool never_samples(const struct perf_event *e)
{
	enum { SOFTWARE = 1, DUMMY = 9 };

	return (e->attr.type == SOFTWARE && e->attr.config == DUMMY) ||
		!strncmp(e->name, "intel_pt/", 9);
}

bool dump_may_have_samples(const char *path)
{
	struct arena arena = { 0 };
	struct perf_file f = { 0 };
	const char *why;
	bool may = false;
	u32 i;

	if (!perf_open(&f, CONFIG_CAPTURE ? capture_path(path) : path, &arena, &why)) {
		may = f.pipe;
		for (i = 0; i < f.n_events; i++)
			may |= !never_samples(f.events[i]);
	}
	perf_close(&f);
	arena_free(&arena);
	return may;
}

/* Print the thread, the file and the line of a sample. */
static void dump_line(struct script *s, struct out *out, const struct perf_record *rec,
		      const struct perf_sample *sample)
{
	enum { MISC_CPUMODE = 7, KERNEL = 1, USER = 2 };
	u32 mode = rec->misc & MISC_CPUMODE;
	struct session *session = &s->list.session;
	struct thread *t = process_thread(&session->processes, sample->pid, sample->tid);
	const struct map *map = session_map_at(session, t, sample->ip);
	struct entry e;

	if (!s->named)
		script_settle(s);
	out_str(out, " ... thread: ");
	out_name(out, t->comm);
	out_fmt(out, ":%d\n ...... dso: ", t->tid);
	if (mode != KERNEL && mode != USER)
		out_str(out, "[hypervisor]");
	else if (!map)
		out_str(out, "<not found>");
	else
		out_name(out, map->dso->path ? map->dso->path : map->dso->name);
	out_newline(out);
	if (listing_recorded(&s->list, sample, &e))
		script_recorded(s, &e);
}

/* Print the part of a raw dump after the fields of a SAMPLE. */
static void dump_sample(struct dump *d, struct out *out, const struct perf_record *rec,
			const struct perf_sample *sample)
{
	struct perf_members m = perf_members_start(sample);
	struct script *s = d->arg;

	while (perf_members_next(&s->list.session.file, &m))
		dump_line(s, out, rec, &m.sample);
}

int script_dump_all(struct script *s)
{
	struct dump d = { .file = &s->list.session.file, .sample = dump_sample, .arg = s,
			  .no_trace = s->list.itrace.off };
	struct listing *l = &s->list;
	struct entry e;
	struct item item = { 0 };
	int err;

	if (l->session.file.cut)
		warn(0, "%s: the recorder died before it wrote the size of the data", l->path);
	while ((err = session_next(&l->session, &item)) > 0 && !s->out->err) {
		if (item.kind != ITEM_RECORD)
			continue;
		err = print_dump(s->out, &d, item.record, item.sample);
		if (err < 0)
			break;
		if (item.record->type < PERF_HEADER_ATTR && !s->named)
			script_settle(s);
		listing_record(l, &item, &e);
		if (e.wanted)
			script_side_band(s, &e);
	}
	print_dump_end(s->out);
	if (l->session.file.n_compressed)
		warn(0, "%s: %llu COMPRESSED records are skipped (record without -z)",
		     l->path, l->session.file.n_compressed);
	return ask_read(&s->ask, err);
}
