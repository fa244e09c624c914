/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The values of further sort keys.
 */
#include <pt/out.h>
#include <pt/hist_keys.h>

enum { FEAT_NRCPUS = 7, FEAT_TOPOLOGY = 13 };

/* Sockets */

static void skip_texts(struct bytes *b)
{
	u32 n = bytes_take32(b);

	while (n-- && b->len)
		*b = bytes_skip(*b, bytes_take32(b));
}

static void read_sockets(struct hist_keys *k)
{
	struct perf_file *f = &k->session->file;
	struct bytes cpus = perf_feature(f, FEAT_NRCPUS), b = perf_feature(f, FEAT_TOPOLOGY);
	u32 n = bytes_take32(&cpus), i;

	k->have_sockets = true;
	skip_texts(&b);
	skip_texts(&b);
	if (n > b.len / 8)
		return;
	k->sockets = NEW(&k->session->arena, i32, n);
	for (i = 0; i < n; i++) {
		bytes_take32(&b);
		k->sockets[i] = bytes_take32(&b);
	}
	k->n_sockets = n;
}

i32 hist_keys_socket(struct hist_keys *k, i32 cpu)
{
	if (!k->have_sockets)
		read_sockets(k);
	return cpu >= 0 && (u32)cpu < k->n_sockets ? k->sockets[cpu] : -1;
}

/* Control groups and namespaces */

void hist_keys_record(struct hist_keys *k, const struct perf_record *record)
{
	enum { CGROUP_NAMESPACE = 6 };
	struct bytes b = bytes_skip(record->raw, 8);
	struct arena *arena = &k->session->arena;
	struct key_namespace *space;
	struct key_cgroup *group;
	u64 n;

	if (record->type == PERF_CGROUP) {
		group = NEW(arena, struct key_cgroup, 1);
		group->id = bytes_take64(&b);
		group->path = memchr(b.at, 0, b.len) ? arena_str(arena, (const char *)b.at) : "";
		group->next = k->cgroups;
		k->cgroups = group;
	} else if (record->type == PERF_NAMESPACES) {
		space = NEW(arena, struct key_namespace, 1);
		bytes_take32(&b);
		space->tid = bytes_take32(&b);
		n = bytes_take64(&b);
		if (n <= CGROUP_NAMESPACE)
			return;
		b = bytes_skip(b, CGROUP_NAMESPACE * 16);
		space->dev = bytes_take64(&b);
		space->ino = bytes_take64(&b);
		space->next = k->namespaces;
		k->namespaces = space;
	}
}

static const char *cgroup_of(const struct hist_keys *k)
{
	const struct key_cgroup *g = k->cgroups;

	if (!k->recorded || !(k->recorded->fields >> PERF_S_CGROUP & 1))
		return "N/A";
	while (g && g->id != k->recorded->cgroup)
		g = g->next;
	return g ? g->path : "unknown";
}

static const char *namespace_of(struct hist_keys *k, i32 tid)
{
	const struct key_namespace *s = k->namespaces;
	char *text = k->text[KEY_CGROUP_ID];

	while (s && s->tid != tid)
		s = s->next;
	fmt_str(text, KEY_TEXT, "%llu/%#llx", s ? s->dev : 0, s ? s->ino : 0);
	if (!s || !s->ino)
		fmt_str(text, KEY_TEXT, "%llu/0x0", s ? s->dev : 0);
	return text;
}

/* Lines of the source */

static bool find_line(struct images *im, struct dso *dso, u64 addr, struct source_line *to)
{
	return dso_source_line(im, dso, addr, to) || dso_source_file(im, dso, addr, to);
}

static const char *line_at(struct hist_keys *k, enum hist_key key, const struct frame *at, u64 addr)
{
	bool only_file = key == KEY_SRCFILE;
	char *text = k->text[key];
	struct source_line line;
	const char *file;

	if (find_line(&k->session->images, at->map->dso, addr, &line)) {
		file = k->full_path ? line.path : line.file;
		if (only_file && !line.line && !strcmp(file, "??"))
			return "";
		if (only_file)
			fmt_str(text, KEY_TEXT, "%s", file);
		else
			fmt_str(text, KEY_TEXT, "%s:%u", file, line.line);
		return text;
	}
	if (only_file)
		return "";
	if (at->sym)
		fmt_str(text, KEY_TEXT, "%s+%llu", at->sym->name, addr - at->sym->start);
	else
		fmt_str(text, KEY_TEXT, "%s[%llx]", at->map->dso->short_name, addr);
	return text;
}

static const char *line_of(struct hist_keys *k, enum hist_key key, const struct frame *at, u64 ip)
{
	if (!at->map)
		return key == KEY_SRCFILE ? "" : "??:0";
	return line_at(k, key, at, map_addr(&k->session->images, at->map, ip));
}

const char *hist_keys_line_at(struct hist_keys *k, const struct frame *at, u64 addr)
{
	return line_at(k, KEY_SRCLINE, at, addr);
}

const char *hist_keys_line(struct hist_keys *k, const struct frame *at, bool address)
{
	struct images *im = &k->session->images;
	char *text = k->text[KEY_SRCLINE];
	struct source_line line;
	u64 addr;

	if (!at->map)
		return NULL;
	addr = map_addr(im, at->map, at->ip);
	if (find_line(im, at->map->dso, addr, &line))
		fmt_str(text, KEY_TEXT, "%s:%u", k->full_path ? line.path : line.file, line.line);
	else if (address && at->sym)
		fmt_str(text, KEY_TEXT, "+%llu", addr - at->sym->start);
	else
		return NULL;
	return text;
}

/* As in perf, the kernel ends with its last symbol. */
static i64 dso_size(struct hist_keys *k, const struct map *map)
{
	const struct map *whole = map;

	if (!map)
		return -1;
	if (map->dso->kind == DSO_KERNEL && !map->dso->guest)
		whole = session_map_at(k->session, NULL, map->end);
	if (!whole || whole->dso != map->dso)
		whole = map;
	return whole->end - whole->start;
}

/* Parents */

void hist_keys_parent(struct hist_keys *k, const struct hist_sample *s, bool outermost)
{
	u32 i;

	k->parent = NULL;
	for (i = 0; i < s->n && (outermost || !k->parent); i++)
		if (s->chain[i].sym && k->is_parent(k->who, s->chain[i].sym->name))
			k->parent = s->chain[i].sym;
}

/* Branches */

static const char *dso_of(const struct frame *at)
{
	return at->map ? at->map->dso->short_name : "[unknown]";
}

/* The DSO as a key: the unknown one is the first of a descending order. */
static const char *dso_order(const struct frame *at)
{
	return at->map ? at->map->dso->short_name : "\xff";
}

/* "[.] main+0x12", or "[.] main" without an offset. Unknown addresses come last. */
static struct hist_value symbol_of(struct hist_keys *k, enum hist_key key, const struct frame *at,
				   bool offset)
{
	const char *level = !at->map && !offset ? "[H] " : at->ip >> 63 ? "[k] " : "[.] ";
	struct hist_value v = { HIST_UNKNOWN + (i64)(at->ip << 16 >> 16), k->text[key],
				offset ? dso_order(at) : NULL };
	u64 addr = at->map ? map_addr(&k->session->images, at->map, at->ip) : at->ip;

	if (!at->sym) {
		fmt_str(k->text[key], KEY_TEXT, addr ? "%s0x%016llx" : "%s%016llx", level, addr);
		v.number = offset ? (i64)at->ip : v.number;
		return v;
	}
	v.number = offset ? at->ip : at->sym->start;
	if (offset && addr != at->sym->start)
		fmt_str(k->text[key], KEY_TEXT, "%s%s+%#llx", level, at->sym->name,
			addr - at->sym->start);
	else
		fmt_str(k->text[key], KEY_TEXT, "%s%s", level, at->sym->name);
	return v;
}

static struct hist_value branch_value(struct hist_keys *k, enum hist_key key)
{
	const struct frame *from = &k->branch.from, *to = &k->branch.to;
	u64 flags = k->branch.flags;
	struct hist_value v = { 0 };

	switch (key) {
	case KEY_DSO_FROM: return (struct hist_value){ 0, dso_of(from), dso_order(from) };
	case KEY_DSO_TO: return (struct hist_value){ 0, dso_of(to), dso_order(to) };
	case KEY_SYMBOL_FROM: return symbol_of(k, key, from, false);
	case KEY_SYMBOL_TO: return symbol_of(k, key, to, false);
	case KEY_ADDR_FROM: return symbol_of(k, key, from, true);
	case KEY_ADDR_TO: return symbol_of(k, key, to, true);
	case KEY_MISPREDICT: v.text = flags & 2 ? "N" : flags & 1 ? "Y" : "N/A"; break;
	case KEY_IN_TX: v.text = flags & 4 ? "T" : "."; break;
	case KEY_ABORT: v.text = flags & 8 ? "A" : "."; break;
	case KEY_CYCLES: v.number = -(i64)(flags >> 4 & 0xffff); break;
	case KEY_SRCLINE_FROM: v.text = line_of(k, key, from, from->ip); break;
	case KEY_SRCLINE_TO: v.text = line_of(k, key, to, to->ip); break;
	default: break;
	}
	return v;
}

/* Weights: the greatest first. */

static i64 weight_of(const struct hist_keys *k, bool latency)
{
	const struct perf_sample *s = k->recorded;
	bool parts = s && s->fields >> PERF_S_WEIGHT_STRUCT & 1;

	if (!s || !(parts || s->fields >> PERF_S_WEIGHT & 1))
		return 0;
	if (latency)
		return parts ? (u16)(s->weight >> 32) : 0;
	return parts ? (u32)s->weight : s->weight;
}

static struct hist_value value_of(struct hist_keys *k, enum hist_key key,
				  const struct hist_sample *s, const struct frame *at)
{
	const struct perf_sample *recorded = k->recorded;
	u64 ip = at == &s->at ? k->ip : at->ip, time;
	struct hist_value v = { 0 };

	switch (key) {
	case KEY_TID: v.number = s->thread->tid; break;
	case KEY_PARENT:
		v.text = k->parent ? k->parent->name : "[other]";
		v.number = !k->parent;	/* after those that have one */
		break;
	case KEY_SOCKET: v.number = hist_keys_socket(k, s->cpu); break;
	case KEY_SRCLINE: v.text = line_of(k, key, at, ip); break;
	case KEY_SRCFILE: v.text = line_of(k, key, at, ip); break;
	case KEY_LOCAL_WEIGHT:
	case KEY_WEIGHT: v.number = -weight_of(k, false); break;
	case KEY_LOCAL_INS_LAT:
	case KEY_INS_LAT: v.number = -weight_of(k, true); break;
	case KEY_TRANSACTION: v.number = recorded ? -(i64)recorded->transaction : 0; break;
	case KEY_SYMBOL_SIZE: v.number = at->sym ? (i64)(at->sym->end - at->sym->start) : -1; break;
	case KEY_DSO_SIZE: v.number = dso_size(k, at->map); break;
	case KEY_CGROUP: v.text = cgroup_of(k); break;
	case KEY_CGROUP_ID: v.text = namespace_of(k, s->thread->tid); break;
	case KEY_TIME:
		time = recorded ? recorded->time : k->made->time;
		v.number = time - time % k->quantum;
		break;
	case KEY_CODE_PAGE_SIZE: v.number = recorded ? recorded->code_page_size : 0; break;
	case KEY_ADDR: v.number = ip; break;
	default: return branch_value(k, key);
	}
	return v;
}

void hist_keys_values(void *who, const struct hist_style *style, const struct hist_sample *s,
		      const struct frame *at, struct hist_value *to)
{
	u32 i;

	for (i = 0; i < style->n_keys; i++)
		to[i] = value_of(who, style->keys[i] - HIST_KEY, s, at);
}
