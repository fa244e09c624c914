/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt inject --guest-data: the records of a guest, recorded inside of it, in the file of its host.
 *
 * Each event of the guest gets new ids. An ID_INDEX record says that they belong to a virtual
 * CPU, and which thread of the host runs it. Times of the guest are converted by the TSC: the
 * guest's is the host's, times a scale, plus an offset.
 */
#include <pt/clock.h>
#include <pt/fail.h>
#include <pt/num.h>
#include <pt/text.h>

#include "inject.h"
#include "input.h"

enum { VCPUS_MAX = 1024 };

/* An id in the guest's file, and the same event's id in the copy. */
struct guest_id { u64 old, new; u32 vcpu; };

struct inject_guest {
	const char *path;
	i32 pid;		/* of the process that runs the guest */
	u64 offset, scale_n, scale_d;
	struct perf_file file;
	struct perf_order *order;
	struct timescale time, host_time;
	bool has_time, has_host_time;
	i32 tids[VCPUS_MAX];	/* the host's thread of each virtual CPU, or 0 */
	struct guest_id *ids;
	u32 n_ids;
	struct perf_event *events;	/* with the new ids */
	struct perf_record record;	/* the next one, ... */
	struct perf_sample sample;
	u64 due;		/* ... at this time of the host */
	bool any, indexed;
	u64 n;			/* records so far */
	u8 copy[PERF_RECORD_BYTES + 1];
};

/* The number up to a comma or the end. */
static const char *take_number(const char *p, u64 *v)
{
	const char *end = num_read_any(p, v);

	return end && (!*end || *end == ',') ? end : NULL;
}

/* A number with a fraction, as n / d. */
static bool read_ratio(const char *p, u64 *n, u64 *d)
{
	const char *end = num_read(p, 10, n);
	u64 fraction;

	*d = 1;
	if (end && *end == '.') {
		p = end + 1;
		end = num_read(p, 10, &fraction);
		for (; end && p < end; p++) {
			*n = *n * 10 + (*p - '0');
			*d *= 10;
		}
	}
	return end && !*end && *n && *d <= 1000000000;
}

const char *inject_guest_take(struct inject *x, const char *arg)
{
	static const char wrong[] = "--guest-data takes FILE,PID[,TSC-OFFSET[,TSC-SCALE]]";
	struct inject_guest *g = NEW(&x->list.session.arena, struct inject_guest, 1);
	const char *p = strchr(arg, ',');
	u64 pid = 0;

	x->guest = g;
	g->scale_n = g->scale_d = 1;
	if (!p || p == arg)
		return wrong;
	g->path = arena_strn(&x->list.session.arena, arg, p - arg);
	p = take_number(p + 1, &pid);
	g->pid = pid;
	if (p && *p)
		p = take_number(p + 1, &g->offset);
	if (p && *p && !read_ratio(p + 1, &g->scale_n, &g->scale_d))
		p = NULL;
	return p && pid && pid <= INT32_MAX ? NULL : wrong;
}

static void learn_time(const struct perf_record *rec, struct arena *arena, struct timescale *t,
		       bool *has)
{
	struct perf_pt_info info = { 0 };

	if ((rec->type != PERF_TIME_CONV && rec->type != PERF_AUXTRACE_INFO) || *has ||
	    !perf_get_pt_info(rec, &info, arena) || !info.time_mult)
		return;
	*has = true;
	*t = (struct timescale){ info.time_shift & 63, info.time_mult, info.time_zero,
				 info.time_cycles, info.time_mask, info.cap_user_time_short };
}

/* The threads of the host that run virtual CPUs are called "CPU 0/KVM". */
static void learn_vcpu(struct inject_guest *g, const struct perf_record *rec)
{
	struct perf_comm c;
	const char *end;
	u64 n;

	if (rec->type != PERF_COMM || !perf_get_comm(rec, &c) || c.pid != g->pid ||
	    strncmp(c.name, "CPU ", 4))
		return;
	end = num_read(c.name + 4, 10, &n);
	if (end && !strcmp(end, "/KVM") && n < VCPUS_MAX)
		g->tids[n] = c.tid;
}

/* The virtual CPU to which an id of the guest belongs, from its ID_INDEX. */
static void learn_ids(struct inject_guest *g, const struct perf_record *rec)
{
	enum { ENTRY = 32 };
	struct bytes b = bytes_skip(rec->raw, 8);
	u64 n = bytes_take64(&b);
	u32 i;

	for (; n && b.len >= ENTRY; n--, b = bytes_skip(b, ENTRY))
		for (i = 0; i < g->n_ids; i++)
			if (g->ids[i].old == get64(b.at))
				g->ids[i].vcpu = get64(b.at + 16);
}

static int scan_host(struct inject *x, u64 *id_max)
{
	struct inject_guest *g = x->guest;
	struct perf_file f = { 0 };
	struct perf_record rec;
	const char *why = NULL;
	int err = perf_open(&f, x->list.path, &x->list.session.arena, &why);
	u32 i, k;

	if (err || f.pipe)
		return fail(0, "--guest-data: %s must be a perf.data file", x->list.path);
	for (i = 0; i < f.n_events; i++)
		for (k = 0; k < f.events[i]->n_ids; k++)
			*id_max = MAX(*id_max, f.events[i]->ids[k]);
	while (perf_next(&f, &rec, &why) > 0) {
		learn_time(&rec, &x->list.session.arena, &g->host_time, &g->has_host_time);
		learn_vcpu(g, &rec);
	}
	if (f.n_events && !(f.events[0]->attr.sample_type >> PERF_S_IDENTIFIER & 1))
		err = fail(0, "--guest-data: %s: its events have no ids; record with "
			   "--sample-identifier", x->list.path);
	perf_close(&f);
	return err;
}

/* New ids, above those of the host. */
static void number_events(struct inject *x, u64 id)
{
	struct inject_guest *g = x->guest;
	struct arena *arena = &x->list.session.arena;
	u32 i, k, n = 0;

	for (i = 0; i < g->file.n_events; i++)
		n += g->file.events[i]->n_ids;
	g->ids = NEW(arena, struct guest_id, n);
	g->events = NEW(arena, struct perf_event, g->file.n_events);
	for (i = 0; i < g->file.n_events; i++) {
		struct perf_event *e = &g->events[i];

		*e = *g->file.events[i];
		e->ids = NEW(arena, u64, e->n_ids);
		for (k = 0; k < e->n_ids; k++) {
			e->ids[k] = ++id;
			g->ids[g->n_ids++] = (struct guest_id){ g->file.events[i]->ids[k], id, 0 };
		}
	}
}

static int check_vcpus(const struct inject_guest *g)
{
	u32 i;

	for (i = 0; i < g->n_ids; i++)
		if (g->ids[i].vcpu >= VCPUS_MAX || !g->tids[g->ids[i].vcpu])
			return fail(0, "--guest-data: process %d of the host has no thread "
				    "'CPU %u/KVM'", g->pid, g->ids[i].vcpu);
	return 0;
}

/* The fields that samples of each event of the guest must have. */
static int check_events(const struct inject_guest *g)
{
	const u64 needs = 1 << PERF_S_IDENTIFIER | 1 << PERF_S_TIME | 1 << PERF_S_CPU;
	u32 i;

	for (i = 0; i < g->file.n_events; i++) {
		const struct perf_attr *attr = &g->file.events[i]->attr;

		if ((attr->sample_type & needs) != needs ||
		    !perf_attr_flag(attr, PERF_F_SAMPLE_ID_ALL))
			return fail(0, "%s: its records have no time, CPU or id; record the guest "
				    "with -a --sample-identifier", g->path);
	}
	return 0;
}

static u64 to_host(const struct inject_guest *g, u64 time)
{
	u64 tsc;

	if (!time)
		return 0;
	tsc = g->has_time ? clock_to_tsc(&g->time, time) : time;
	tsc = num_scale(tsc - g->offset, g->scale_d, g->scale_n);
	return g->has_host_time ? clock_from_tsc(&g->host_time, tsc) : tsc;
}

/* Read the next record of the guest's kernel. */
static void advance(struct inject_guest *g)
{
	const char *why = NULL;

	do {
		g->any = perf_order_next(g->order, &g->record, &g->sample, &why) > 0;
	} while (g->any && (g->record.type >= PERF_HEADER_ATTR || g->sample.bad));
	g->due = g->any ? to_host(g, g->sample.time) : 0;
}

int inject_guest_open(struct inject *x)
{
	struct inject_guest *g = x->guest;
	struct perf_record rec;
	const char *why = NULL;
	u64 id = 0;
	int err;

	if (!g)
		return 0;
	err = perf_open(&g->file, g->path, &x->list.session.arena, &why);
	if (err)
		return input_fail(err, g->path, why);
	if (g->file.pipe)
		return fail(0, "--guest-data: %s must be a perf.data file", g->path);
	if (check_events(g) || scan_host(x, &id))
		return STATUS_FAILED;
	number_events(x, id);
	while (perf_next(&g->file, &rec, &why) > 0) {
		learn_time(&rec, &x->list.session.arena, &g->time, &g->has_time);
		if (rec.type == PERF_ID_INDEX)
			learn_ids(g, &rec);
	}
	if (check_vcpus(g))
		return STATUS_FAILED;
	perf_rewind(&g->file);
	g->order = perf_order_start(&g->file);
	advance(g);
	return 0;
}

u32 inject_guest_n_events(const struct inject *x)
{
	return x->guest ? x->guest->file.n_events : 0;
}

u32 inject_guest_events(struct inject *x, u32 n)
{
	u32 i;

	for (i = 0; x->guest && i < x->guest->file.n_events; i++, n++) {
		x->events[n] = x->guest->events[i];
		x->events[n].index = n;
	}
	return n;
}

/* Write which id belongs to which virtual CPU, in records of limited length. */
static void write_index(struct inject *x)
{
	enum { MOST = 1024 };
	struct inject_guest *g = x->guest;
	u32 done = 0, n, i;

	for (; done < g->n_ids; done += n) {
		n = MIN(g->n_ids - done, (u32)MOST);
		perf_write_head(&x->w, PERF_ID_INDEX, 0, 8 + n * 48);
		perf_write_u64(&x->w, n);
		for (i = done; i < done + n; i++) {
			perf_write_u64(&x->w, g->ids[i].new);
			perf_write_u64(&x->w, i);
			perf_write_u64(&x->w, g->ids[i].vcpu);
			perf_write_u64(&x->w, g->tids[g->ids[i].vcpu]);
		}
		for (i = done; i < done + n; i++) {
			perf_write_u64(&x->w, g->pid);
			perf_write_u64(&x->w, g->ids[i].vcpu);
		}
		perf_write_whole(&x->w);
	}
}

/* The place of a field of the record: in a sample from the front, else from the end. */
static u8 *field(struct inject_guest *g, u32 bit)
{
	static const u8 front[] = { PERF_S_IDENTIFIER, PERF_S_IP, PERF_S_TID, PERF_S_TIME,
				    PERF_S_ADDR, PERF_S_ID, PERF_S_STREAM_ID, PERF_S_CPU };
	static const u8 back[] = { PERF_S_IDENTIFIER, PERF_S_CPU, PERF_S_STREAM_ID, PERF_S_ID,
				   PERF_S_TIME, PERF_S_TID };
	bool sample = g->record.type == PERF_SAMPLE;
	u64 type = g->sample.event->attr.sample_type;
	u32 i, words = 0;

	for (i = 0; i < (sample ? N_ELEM(front) : N_ELEM(back)); i++) {
		u32 at = sample ? front[i] : back[i];

		if (at == bit && type >> bit & 1)
			return sample ? g->copy + 8 + 8 * words :
				g->copy + g->record.raw.len - 8 - 8 * words;
		words += type >> at & 1;
	}
	return NULL;
}

static void set_id(struct inject_guest *g, u32 bit, u64 id)
{
	u8 *at = field(g, bit);

	if (at)
		set64(at, id);
}

static const struct guest_id *find_id(const struct inject_guest *g, u64 id)
{
	u32 i;

	for (i = 0; i < g->n_ids; i++)
		if (g->ids[i].old == id)
			return &g->ids[i];
	return NULL;
}

/* Write the current record of the guest as one of the host's file. */
static void write_record(struct inject *x)
{
	enum { CPUMODE = 7, KERNEL = 1, GUEST_KERNEL = 4, GUEST_USER };
	struct inject_guest *g = x->guest;
	const struct guest_id *id = find_id(g, g->sample.id);
	u32 mode = g->record.misc & CPUMODE;
	const struct thread *t;

	if (!id || g->record.raw.len > sizeof(g->copy))
		return;
	memcpy(g->copy, g->record.raw.at, g->record.raw.len);
	/* This includes records without a mode, such as those of switches. */
	set16(g->copy + 4, (g->record.misc & ~CPUMODE) |
			   (mode == KERNEL ? GUEST_KERNEL : GUEST_USER));
	set_id(g, PERF_S_IDENTIFIER, id->new);
	set_id(g, PERF_S_ID, id->new);
	set_id(g, PERF_S_STREAM_ID, id->new);
	set_id(g, PERF_S_TIME, g->due);
	t = process_find(&x->list.session.processes, g->tids[id->vcpu]);
	set_id(g, PERF_S_CPU, t && t->cpu >= 0 ? (u32)t->cpu : id->vcpu);
	perf_write_records(&x->w, (struct bytes){ g->copy, g->record.raw.len });
	g->n++;
}

u64 inject_guest_time(const struct inject *x, const struct entry *e)
{
	u64 time = 0;

	if (!x->guest)
		return 0;
	if (e->kind == ENTRY_RECORDED)
		time = e->recorded->time;
	else if (e->kind == ENTRY_RECORD && e->item->record->type < PERF_HEADER_ATTR)
		time = e->item->sample->time;
	return time == ~0ULL ? 0 : time;
}

void inject_guest_write(struct inject *x, u64 time)
{
	struct inject_guest *g = x->guest;

	if (!g)
		return;
	if (!g->indexed)
		write_index(x);
	g->indexed = true;
	for (; g->any && g->due <= time; advance(g))
		write_record(x);
}
