/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The values of the options of pt record: sizes, times, numbers and words.
 */
#include <pt/command.h>
#include <pt/config/RECORD_FILES.h>
#include <pt/config/RECORD_MORE.h>
#include <pt/config/SOFT_SNAPSHOT.h>
#include <pt/config/SOFT_TRANSLATE.h>
#include <pt/config/ZSTD.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/text.h>

#include "record_ask.h"

enum { MOST_DELAY = 1000000000 };

static const char no_size[] = "not a size (use 64K, 4M, 1G):";

bool record_wrong(struct opt *o, const char *what)
{
	fmt_str(o->wrong, sizeof(o->wrong), "%s '%s'", what, o->arg ? o->arg : "");
	o->error = o->wrong;
	return false;
}

/* Read "[e][SIZE]". */
static void read_snapshot(struct opt *o, struct record *r, struct asked *a)
{
	const char *s = o->arg ? o->arg : "";

	r->mode = RECORD_SNAPSHOT;
	a->snapshot = true;
	if (*s == 'e') {
		r->snapshot_at_exit = true;
		s++;
	}
	if (*s && !num_parse_size(s, &r->snapshot_size))
		record_wrong(o, no_size);
}

static void read_sample(struct opt *o, struct record *r)
{
	r->mode = RECORD_SAMPLE;
	r->sample_size = 4096;
	if (o->arg && !num_parse_size(o->arg, &r->sample_size))
		record_wrong(o, no_size);
}

static void read_sizes(const char *arg, struct record *r)
{
	const char *comma = strchr(arg, ',');

	r->data_size = comma ? arena_strn(r->arena, arg, comma - arg) : arg;
	if (!*r->data_size)
		r->data_size = NULL;
	r->aux_size = comma && comma[1] ? comma + 1 : NULL;
}

static void read_freq(struct opt *o, struct record *r, struct asked *a)
{
	a->freq_given = true;
	if (!strcmp(o->arg, "max"))
		r->freq = RECORD_FREQ_MAX;
	else if (!num_parse(o->arg, &r->freq))
		record_wrong(o, "-F: not a number of samples a second:");
}

static void read_count(struct opt *o, struct record *r)
{
	if (!num_parse(o->arg, &r->count))
		record_wrong(o, "-c: not a number of events:");
}

static void read_max_size(struct opt *o, struct record *r, struct asked *a)
{
	a->size_given = true;
	if (!num_parse_size(o->arg, &r->max_size))
		record_wrong(o, no_size);
}

static void read_time(struct opt *o, u64 *ns)
{
	if (!num_parse_time(o->arg, ns))
		record_wrong(o, "--for: not a time (use 5s, 100ms, 20us):");
}

/* "10-20,30-40": times when events are enabled. The times are in order, and no two are equal. */
static bool read_ranges(const char *s, struct record *r)
{
	u32 most = strlen(s), n = 0, *delays = NEW(r->arena, u32, most);
	u64 last = 0, ms;

	for (;; s++) {
		s = num_read(s, 10, &ms);
		if (!s || ms <= last || ms > MOST_DELAY || *s != (n & 1 ? *s ? ',' : 0 : '-'))
			return false;
		delays[n++] = ms - last;
		last = ms;
		if (!*s)
			break;
	}
	r->delay_ms = delays[0];
	r->delays = delays + 1;
	r->n_delays = n - 1;
	return true;
}

static void read_delay(struct opt *o, struct record *r)
{
	u64 ms;

	if (!strcmp(o->arg, "-1")) {
		r->delay_ms = -1;
	} else if (CONFIG_RECORD_MORE && strchr(o->arg, '-')) {
		if (!read_ranges(o->arg, r))
			record_wrong(o, "-D: ranges of milliseconds in order, as in 10-20,30-40, "
				     "not");
	} else if (!num_parse(o->arg, &ms) || ms > MOST_DELAY) {
		record_wrong(o, "--delay: not a number of milliseconds:");
	} else {
		r->delay_ms = ms;
	}
}

static void read_soft(struct opt *o, struct record *r, struct asked *a)
{
	a->soft = true;
	r->step = o->arg && !strcmp(o->arg, "step");
	if (o->arg && !r->step && !(CONFIG_SOFT_TRANSLATE && !strcmp(o->arg, "translate")))
		record_wrong(o, "--soft is alone, " HELP_IF(CONFIG_SOFT_TRANSLATE, "=translate, ")
			     "=step, not");
}

/* "signal", a time with the unit s, m, h or d, or a size. */
static void read_files(struct opt *o, struct record_files *f)
{
	static const struct { char name; u32 s; } units[] = {
		{ 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 },
	};
	const char *end;
	u64 n;
	size_t i;

	f->asked = !o->no;
	f->by_signal = !o->arg || !strcmp(o->arg, "signal");
	f->size = f->ns = 0;
	if (f->by_signal)
		return;
	end = num_read(o->arg, 10, &n);
	for (i = 0; end && n && n < 1000000 && i < N_ELEM(units); i++)
		if (*end == units[i].name && !end[1]) {
			f->ns = n * units[i].s * 1000000000;
			return;
		}
	if (!num_parse_size(o->arg, &f->size) || !f->size)
		record_wrong(o, "--switch-output: signal, a size (10M) or a time (30s, 5m, 1h), "
			     "not");
}

static void read_level(struct opt *o, struct record *r)
{
	u64 n = !o->no;

	if (!CONFIG_ZSTD)
		o->error = "-z: this pt was built without zstd";
	else if (o->arg && (!num_parse(o->arg, &n) || n > 22))
		record_wrong(o, "-z: not a level from 0 to 22:");
	r->level = n;
}

static void read_priority(struct opt *o, struct record *r)
{
	u64 n;

	if (!num_parse(o->arg, &n) || !n || n > 99)
		record_wrong(o, "-r: not a priority from 1 to 99:");
	r->priority = n;
}

/* Maps are written with the tasks that have them. */
static void read_synth(struct opt *o, struct record *r)
{
	static const char words[] = "all\0mmap\0task\0cgroup\0no\0";
	static const u8 leave_out[] = { 0, RECORD_CGROUPS, RECORD_MAPS | RECORD_CGROUPS,
					RECORD_TASKS | RECORD_MAPS, RECORD_ANY };
	u64 given = 0;
	size_t i;

	if (!text_bits(words, o->arg, &given))
		record_wrong(o, "--synth: all, task, mmap, cgroup or no, not");
	r->leave_out = RECORD_ANY;
	for (i = 0; i < N_ELEM(leave_out); i++)
		if (given >> i & 1)
			r->leave_out &= leave_out[i];
}

static void read_most(struct opt *o, struct record_files *f)
{
	u64 n;

	if (!num_parse(o->arg, &n) || !n || n > 100000)
		record_wrong(o, "--switch-max-files: not a number of files:");
	f->most = n;
}

bool record_value(struct opt *o, const char *name, struct record *r, struct asked *a)
{
	if (!strcmp(name, "mmap-pages"))
		read_sizes(o->arg, r);
	else if (!strcmp(name, "soft"))
		read_soft(o, r, a);
	else if (!strcmp(name, "snapshot"))
		read_snapshot(o, r, a);
	else if (!strcmp(name, "aux-sample"))
		read_sample(o, r);
	else if (!strcmp(name, "freq"))
		read_freq(o, r, a);
	else if (!strcmp(name, "delay"))
		read_delay(o, r);
	else if (!strcmp(name, "count"))
		read_count(o, r);
	else if (!strcmp(name, "max-size"))
		read_max_size(o, r, a);
	else if (CONFIG_RECORD_FILES && !strcmp(name, "switch-output"))
		read_files(o, &r->files);
	else if (CONFIG_RECORD_FILES && !strcmp(name, "switch-max-files"))
		read_most(o, &r->files);
	else if (CONFIG_RECORD_MORE && !strcmp(name, "realtime"))
		read_priority(o, r);
	else if (CONFIG_RECORD_MORE && !strcmp(name, "synth"))
		read_synth(o, r);
	else if (!strcmp(name, "compression-level"))
		read_level(o, r);
	else if (CONFIG_SOFT_SNAPSHOT && !strcmp(name, "last"))
		read_time(o, &r->last_ns);
	else if (!strcmp(name, "for"))
		read_time(o, &r->for_ns);
	else
		return false;
	return true;
}
