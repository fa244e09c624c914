/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The events of a perf.data: attributes, ids, and the names that perf shows.
 */
#include <errno.h>

#include <pt/out.h>
#include <pt/text.h>
#include "perf_input.h"

enum { MAX_EVENTS = 1 << 16, MAX_IDS = 1 << 22, ATTR_MIN = 64 };

enum { HARDWARE, SOFTWARE, TRACEPOINT, HW_CACHE, RAW, BREAKPOINT };	/* attr.type */

/* Names of one family, separated by '\0'. */
static const char hardware[] =
	"cycles\0instructions\0cache-references\0cache-misses\0branches\0branch-misses\0"
	"bus-cycles\0stalled-cycles-frontend\0stalled-cycles-backend\0ref-cycles\0";
static const char software[] =
	"cpu-clock\0task-clock\0page-faults\0context-switches\0cpu-migrations\0minor-faults\0"
	"major-faults\0alignment-faults\0emulation-faults\0dummy\0";
static const char caches[] = "L1-dcache\0L1-icache\0LLC\0dTLB\0iTLB\0branch\0node\0";
static const char cache_ops[] = "load\0store\0prefetch\0";
static const char cache_all[] = "loads\0stores\0prefetches\0";
static const char cache_results[] = "refs\0misses\0";

static void cache_name(char *to, size_t size, u64 config)
{
	static const u8 can[] = { 7, 5, 7, 7, 1, 1, 7 };	/* load, store, prefetch */
	u8 type = config, op = config >> 8, result = config >> 16;
	const char *wrong = NULL;

	if (!text_nth(caches, type))
		wrong = "unknown-ext-hardware-cache-type";
	else if (!text_nth(cache_ops, op))
		wrong = "unknown-ext-hardware-cache-op";
	else if (!text_nth(cache_results, result))
		wrong = "unknown-ext-hardware-cache-result";
	else if (!(can[type] >> op & 1))
		wrong = "invalid-cache";
	if (wrong)
		fmt_str(to, size, "%s", wrong);
	else if (result)
		fmt_str(to, size, "%s-%s-%s", text_nth(caches, type), text_nth(cache_ops, op),
			text_nth(cache_results, result));
	else
		fmt_str(to, size, "%s-%s", text_nth(caches, type), text_nth(cache_all, op));
}

/* ":ukhpppHG", as far as the event differs from the usual. */
static void put_modifiers(char *to, const struct perf_attr *attr)
{
	unsigned int excluded = attr->flags >> PERF_F_EXCLUDE_USER & 7;
	unsigned int precise = attr->flags >> PERF_F_PRECISE & 3;
	bool host = !perf_attr_flag(attr, PERF_F_EXCLUDE_HOST);
	bool guest = !perf_attr_flag(attr, PERF_F_EXCLUDE_GUEST);
	char *at = to + 1;

	if (excluded) {
		if (!(excluded & 2))
			*at++ = 'k';
		if (!(excluded & 1))
			*at++ = 'u';
		if (!(excluded & 4))
			*at++ = 'h';
	}
	at = put_fill(at, 'p', precise);
	if (!host || guest == !(excluded || precise)) {
		if (host)
			*at++ = 'H';
		if (guest)
			*at++ = 'G';
	}
	*to = at > to + 1 ? ':' : 0;
	*at = 0;
}

const char *perf_event_name(struct arena *arena, const struct perf_attr *attr)
{
	const char *known;
	char name[80];

	switch (attr->type) {
	case HARDWARE:
		known = text_nth(hardware, attr->config);
		fmt_str(name, sizeof(name), "%s", known ? known : "unknown-hardware");
		break;
	case SOFTWARE:
		known = text_nth(software, attr->config);
		fmt_str(name, sizeof(name), "%s", known ? known : "unknown-software");
		break;
	case TRACEPOINT:
		return "unknown tracepoint";
	case HW_CACHE:
		cache_name(name, sizeof(name), attr->config);
		break;
	case RAW:
		fmt_str(name, sizeof(name), "raw 0x%llx", attr->config);
		break;
	case BREAKPOINT:
		fmt_str(name, sizeof(name), "mem:0x%llx:%s%s%s", attr->config1,
			attr->bp_type & 1 ? "r" : "", attr->bp_type & 2 ? "w" : "",
			attr->bp_type & 4 ? "x" : "");
		break;
	default:
		fmt_str(name, sizeof(name), "unknown attr type: %d", attr->type);
		return arena_str(arena, name);
	}
	put_modifiers(name + strlen(name), attr);
	return arena_str(arena, name);
}

int event_add(struct perf_file *f, struct perf_event **event, struct bytes attr, const char **why)
{
	u32 n = f->n_events, size;
	struct perf_event *e;

	if (attr.len < ATTR_MIN || n >= MAX_EVENTS) {
		*why = n >= MAX_EVENTS ? "it has too many events" :
			"an event's attributes are cut off";
		return -EBADMSG;
	}
	size = get32(attr.at + 4);
	if (!size)
		size = ATTR_MIN;
	if (size < ATTR_MIN || size > attr.len) {
		*why = "an event's attributes have an impossible size";
		return -EBADMSG;
	}
	if (!(n & (n - 1)))
		f->events = arena_grow(f->arena, f->events, sizeof(e), n, MAX(n * 2, 1));
	e = NEW(f->arena, struct perf_event, 1);
	memcpy(&e->attr, attr.at, MIN(size, sizeof(e->attr)));
	e->index = n;
	e->name = EVENTS_HAVE_NAMES ? perf_event_name(f->arena, &e->attr) : "unknown";
	f->events[f->n_events++] = e;
	f->sample_types |= e->attr.sample_type;
	*event = e;
	return 0;
}

/* The entry of the id in the table. The multiplier depends on where the kernel put the stack, so
 * no file can choose ids that all have the same hash. */
static struct id_slot *find_slot(const struct perf_input *in, u64 id)
{
	u64 i = id * in->multiplier >> 32;

	while (in->ids[i & (in->id_slots - 1)].event && in->ids[i & (in->id_slots - 1)].id != id)
		i++;
	return &in->ids[i & (in->id_slots - 1)];
}

static void grow_table(struct perf_file *f, size_t more)
{
	struct perf_input *in = f->in;
	struct id_slot *old = in->ids;
	u32 slots = MAX(in->id_slots, 16u), had = in->id_slots, i;

	while (slots < 2 * (in->n_ids + more))
		slots *= 2;
	if (slots == had)
		return;
	if (!in->multiplier)
		in->multiplier = (uintptr_t)&had / 16 * 0x9e3779b97f4a7c15ull | 1;
	in->ids = NEW(f->arena, struct id_slot, slots);
	in->id_slots = slots;
	for (i = 0; i < had; i++)
		if (old[i].event)
			*find_slot(in, old[i].id) = old[i];
}

int event_expect_ids(struct perf_file *f, struct perf_event *event, u64 n, const char **why)
{
	if (n > MAX_IDS || f->in->n_ids + n > MAX_IDS) {
		*why = "it has too many event ids";
		return -EBADMSG;
	}
	grow_table(f, n);
	event->ids = NEW(f->arena, u64, n);
	return 0;
}

void event_add_id(struct perf_file *f, struct perf_event *event, u64 id)
{
	*find_slot(f->in, id) = (struct id_slot){ .id = id, .event = event };
	event->ids[event->n_ids++] = id;
	f->in->n_ids++;
}

static struct perf_event *by_id(const struct perf_file *f, u64 id)
{
	const struct perf_input *in = f->in;

	if (f->n_events && (f->n_events == 1 || !id))
		return f->events[0];
	return in->id_slots ? find_slot(in, id)->event : NULL;
}

const struct perf_event *perf_event_by_id(const struct perf_file *f, u64 id)
{
	return by_id(f, id);
}

const struct perf_event *event_count(const struct perf_file *f, u64 id, u64 **count)
{
	const struct perf_input *in = f->in;
	struct id_slot *slot = in->id_slots ? find_slot(in, id) : NULL;

	if (!slot || !slot->event)
		return NULL;
	*count = &slot->count;
	return slot->event;
}

/* A name reuses the memory of the previous one if it fits: a pipe may contain any number of
 * them. */
static void set_name(struct perf_file *f, struct perf_event *event, struct bytes name)
{
	enum { LONGEST = 4096 };
	size_t len = strnlen((const char *)name.at, MIN(name.len, (size_t)LONGEST));

	if (event->named && strlen(event->name) >= len)
		memcpy((char *)event->name, name.at, len);
	else
		event->name = arena_strn(f->arena, name.at, len);
	((char *)event->name)[len] = 0;
	event->named = true;
}

void event_names(struct perf_file *f, struct bytes b)
{
	u32 n = bytes_take32(&b), attr_size = bytes_take32(&b), i, n_ids, len;

	for (i = 0; i < n && b.len; i++) {
		b = bytes_skip(b, attr_size);
		n_ids = bytes_take32(&b);
		len = bytes_take32(&b);
		if (!b.len || len > b.len)
			return;
		if (i < f->n_events && !f->events[i]->named)
			set_name(f, f->events[i], bytes_first(b, len));
		b = bytes_skip(b, len + 8ull * n_ids);
	}
}

void event_update(struct perf_file *f, struct bytes record)
{
	enum { UPDATE_NAME = 2 };
	struct perf_event *event;

	if (record.len <= 24 || get64(record.at + 8) != UPDATE_NAME)
		return;
	event = by_id(f, get64(record.at + 16));
	if (event)
		set_name(f, event, bytes_skip(record, 24));
}
