/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt info FILE: read all records once, then print a summary.
 */
#include <errno.h>
#include <unistd.h>

#include <pt/bundle.h>
#include <pt/config/BUNDLE.h>
#include <pt/config/CAPTURE.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/file.h>
#include <pt/perf.h>
#include <pt/print_record.h>
#include <pt/rbtree.h>
#include <pt/sandbox.h>
#include <pt/term.h>

#include "capture.h"
#include "info.h"
#include "input.h"

/* Header features that are read here, by bit number. */
enum {
	BUILD_ID = 2, HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, CMDLINE = 11,
	BUNDLE = 240,
};

enum { CPUMODE = 7, CPUMODE_KERNEL = 1, MAX_TYPES = 128 };

/* The trace of one CPU or thread. */
struct buffer {
	struct buffer *next;
	u32 idx;
	i32 cpu, tid;
	u64 bytes, pieces;
};

/* A file that was mapped as code. */
struct mapped {
	struct mapped *next;
	const char *name;
	u8 build_id[20];
	u8 id_size;
	bool bundled;		/* the recording contains the file */
};

/* The items found so far, in a tree, since there may be very many. Item n is node n. */
struct met {
	struct rb_tree tree;
	void **at;
	u32 n, room;
	u32 up;			/* where add_met() inserts a new item: */
	bool left;
};

struct file_info {
	struct out *out;
	struct perf_file f;
	struct arena arena;
	const char *symfs;
	u64 records, of_type[MAX_TYPES];
	u64 first, last;		/* ns */
	struct buffer *buffers, **last_buffer;
	struct mapped *files, **last_file;
	struct met met_buffers, met_files;
	u64 samples, sampled_bytes;	/* trace in samples */
	u64 lost, lost_samples, full, overwritten, partial, collided;
	u64 announced;		/* bytes of trace according to AUX records */
	bool has_trace;		/* the file has AUXTRACE_INFO */
	const char *foreign;	/* the kind of a trace that is not Intel PT, or NULL */
	bool kernel;			/* kernel text is mapped */
	u32 n_files, n_missing, n_other;
};

/* The item for which compare(key, item) is 0, or NULL; then add_met() may add it. */
static void *find_met(struct met *met, int (*compare)(const void *key, const void *item),
		      const void *key)
{
	u32 at = met->tree.root;
	int order;

	met->up = 0;
	while (at) {
		order = compare(key, met->at[at]);
		if (!order)
			return met->at[at];
		met->up = at;
		met->left = order < 0;
		at = met->left ? met->tree.node[at].left : met->tree.node[at].right;
	}
	return NULL;
}

static void add_met(struct met *met, struct arena *arena, void *item)
{
	u32 room = MAX(2 * met->room, 16u), n = ++met->n;

	if (n >= met->room) {
		met->at = arena_grow(arena, met->at, sizeof(*met->at), met->room, room);
		met->tree.node = arena_grow(arena, met->tree.node, sizeof(*met->tree.node),
					    met->room, room);
		met->room = room;
	}
	met->at[n] = item;
	rb_link(&met->tree, n, met->up, met->left);
}

static int compare_buffer(const void *key, const void *item)
{
	const struct perf_auxtrace *a = key;
	const struct buffer *b = item;

	if (a->idx != b->idx)
		return a->idx < b->idx ? -1 : 1;
	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

static struct buffer *buffer_of(struct file_info *i, const struct perf_auxtrace *a)
{
	struct buffer *b = find_met(&i->met_buffers, compare_buffer, a);

	if (b)
		return b;
	b = NEW(&i->arena, struct buffer, 1);
	*b = (struct buffer){ .idx = a->idx, .cpu = a->cpu, .tid = a->tid };
	*i->last_buffer = b;
	i->last_buffer = &b->next;
	add_met(&i->met_buffers, &i->arena, b);
	return b;
}

static int compare_file(const void *key, const void *item)
{
	return strcmp(key, ((const struct mapped *)item)->name);
}

/* The file with this name, or NULL. */
static struct mapped *find_file(struct file_info *i, const char *name)
{
	return find_met(&i->met_files, compare_file, name);
}

static struct mapped *file_of(struct file_info *i, const char *name)
{
	struct mapped *m = find_file(i, name);

	if (m)
		return m;
	m = NEW(&i->arena, struct mapped, 1);
	m->name = arena_str(&i->arena, name);
	*i->last_file = m;
	i->last_file = &m->next;
	i->n_files++;
	add_met(&i->met_files, &i->arena, m);
	return m;
}

static void take_id(struct mapped *m, const u8 *id, unsigned int size)
{
	m->id_size = MIN(size, sizeof(m->build_id));
	memcpy(m->build_id, id, m->id_size);
}

/* Take a mapped file; mappings without a file, such as the vDSO, are ignored. */
static void take_mmap(struct file_info *i, const struct perf_record *rec)
{
	struct perf_mmap m;
	struct mapped *file;

	if (!perf_get_mmap(rec, &m))
		return;
	if ((rec->misc & CPUMODE) == CPUMODE_KERNEL) {
		i->kernel = true;
		return;
	}
	if (*m.name != '/' || m.name[1] == '/' || (rec->type == PERF_MMAP2 && !(m.prot & 4)))
		return;
	file = file_of(i, m.name);
	if (m.build_id)
		take_id(file, m.build_id, m.build_id_size);
}

static void take_aux(struct file_info *i, const struct perf_record *rec)
{
	enum { TRUNCATED = 1, OVERWRITE = 2, PARTIAL = 4, COLLISION = 8 };
	struct perf_aux a;

	if (!perf_get_aux(rec, &a))
		return;
	i->announced += a.size;
	i->full += (a.flags & TRUNCATED) != 0;
	i->overwritten += (a.flags & OVERWRITE) != 0;
	i->partial += (a.flags & PARTIAL) != 0;
	i->collided += (a.flags & COLLISION) != 0;
}

static void take_trace(struct file_info *i, const struct perf_record *rec)
{
	struct perf_auxtrace a;
	struct buffer *b;

	if (!perf_get_auxtrace(rec, &a))
		return;
	b = buffer_of(i, &a);
	b->bytes += a.size;
	b->pieces++;
}

static void take_sample(struct file_info *i, const struct perf_record *rec)
{
	struct perf_sample s;

	i->samples++;
	if (perf_sample(&i->f, rec, &s))
		i->sampled_bytes += s.aux.len;
}

static void take(struct file_info *i, const struct perf_record *rec)
{
	u64 time;

	i->records++;
	if (rec->type < MAX_TYPES)
		i->of_type[rec->type]++;
	if (rec->type < PERF_HEADER_ATTR && perf_record_time(&i->f, rec, &time) && time) {
		i->first = i->first ? MIN(i->first, time) : time;
		i->last = MAX(i->last, time);
	}
	switch (rec->type) {
	case PERF_MMAP:
	case PERF_MMAP2: take_mmap(i, rec); break;
	case PERF_AUX: take_aux(i, rec); break;
	case PERF_AUXTRACE: take_trace(i, rec); break;
	case PERF_AUXTRACE_INFO:
		i->has_trace = true;
		i->foreign = perf_foreign_trace(rec);
		break;
	case PERF_SAMPLE: take_sample(i, rec); break;
	case PERF_LOST: i->lost += rec->raw.len >= 24 ? get64(rec->raw.at + 16) : 0; break;
	case PERF_LOST_SAMPLES:
		i->lost_samples += rec->raw.len >= 16 ? get64(rec->raw.at + 8) : 0;
		break;
	}
}

/* Read the build-ids that the recorder wrote at the end of the recording. */
static void take_build_ids(struct file_info *i)
{
	enum { ID = 12, ID_SIZE = 32, NAME = 36 };
	struct bytes b = perf_feature(&i->f, BUILD_ID);
	struct mapped *m;

	while (b.len > NAME) {
		size_t size = get16(b.at + 6), known;
		const char *name = (const char *)b.at + NAME;

		if (size <= NAME || size > b.len || !memchr(name, 0, size - NAME))
			return;
		known = get16(b.at + 4) & 0x8000 ? b.at[ID_SIZE] : 20;
		m = find_file(i, name);
		if (m && !m->id_size)
			take_id(m, b.at + ID, known);
		b = bytes_skip(b, size);
	}
}

static long read_bundle(void *who, u64 off, void *to, size_t n)
{
	struct file_info *i = who;

	return perf_read_at(&i->f, perf_feature_at(&i->f, BUNDLE).off + off, to, n);
}

/* Mark the files that the recording contains. */
static void take_bundle(struct file_info *i)
{
	struct bundle b = { .read = read_bundle, .who = i, .arena = &i->arena };
	u64 size = perf_feature_at(&i->f, BUNDLE).size;
	struct mapped *m;
	u32 k;

	if (!CONFIG_BUNDLE || i->f.pipe || !size)
		return;
	bundle_open(&b, size);
	for (k = 0; k < b.n; k++) {
		m = find_file(i, b.parts[k].name);
		if (m)
			m->bundled = true;
		if (!strcmp(b.parts[k].name, "/proc/kcore"))
			i->kernel = false;
	}
}

/* Lines. */

static void put_label(struct file_info *i, const char *label)
{
	out_fmt(i->out, "%-12s ", label);
}

/* A feature that is a string: a u32 length, then the bytes. */
static const char *text_of(struct file_info *i, unsigned int bit)
{
	struct bytes b = perf_feature(&i->f, bit);
	u32 len;

	if (b.len < 4)
		return "";
	len = MIN(get32(b.at), b.len - 4);
	return arena_strn(&i->arena, b.at + 4, strnlen((const char *)b.at + 4, len));
}

static void put_size(struct out *o, u64 n)
{
	if (n < 10240)
		out_fmt(o, "%llu bytes", n);
	else if (n < 10240 << 10)
		out_fmt(o, "%llu KiB", n >> 10);
	else
		out_fmt(o, "%llu MiB", n >> 20);
}

static void put_head(struct file_info *i)
{
	put_label(i, "file");
	out_name(i->out, i->f.path);
	out_str(i->out, ": perf.data");
	out_str(i->out, i->f.dir ? " (a directory)" : i->f.pipe ? " (pipe form)" : "");
	if (i->f.size) {
		out_str(i->out, ", ");
		put_size(i->out, i->f.size);
	}
	if (i->f.cut)
		out_str(i->out, "; not closed: its recorder died");
	out_newline(i->out);
}

static void put_command(struct file_info *i)
{
	struct bytes b = perf_feature(&i->f, CMDLINE);
	u32 n, len;

	if (b.len < 8)
		return;
	put_label(i, "command");
	n = get32(b.at);
	for (b = bytes_skip(b, 4); n-- && b.len > 4; b = bytes_skip(b, 4 + len)) {
		len = MIN(get32(b.at), b.len - 4);
		out_name(i->out, arena_strn(&i->arena, b.at + 4, strnlen((char *)b.at + 4, len)));
		if (n)
			out_char(i->out, ' ');
	}
	out_newline(i->out);
}

static void put_machine(struct file_info *i)
{
	struct bytes cpus = perf_feature(&i->f, NRCPUS);
	static const struct { const char *before; int bit; } parts[] = {
		{ "", HOSTNAME }, { ", Linux ", OSRELEASE }, { ", ", ARCH }, { ", ", CPUDESC },
		{ " ", CPUID }, { ", recorded by ", VERSION },
	};
	size_t k;

	if (!*text_of(i, HOSTNAME) && !*text_of(i, ARCH) && !*text_of(i, OSRELEASE))
		return;
	put_label(i, "machine");
	for (k = 0; k < N_ELEM(parts); k++) {
		const char *text = text_of(i, parts[k].bit);

		if (*text) {
			out_str(i->out, parts[k].before);
			if (parts[k].bit == VERSION && *text <= '9')
				out_str(i->out, "perf ");
			out_name(i->out, text);
		}
	}
	if (cpus.len >= 8)
		out_fmt(i->out, ", %u of %u CPUs", get32(cpus.at + 4), get32(cpus.at));
	out_newline(i->out);
}

static void put_events(struct file_info *i)
{
	u32 k;

	for (k = 0; k < i->f.n_events; k++) {
		const struct perf_event *e = i->f.events[k];

		put_label(i, k ? "" : "events");
		out_name(i->out, e->name);
		out_fmt(i->out, "  (type %u, config %#llx, %u ids)\n", e->attr.type, e->attr.config,
			e->n_ids);
	}
}

static void put_time(struct file_info *i)
{
	u64 ms = (i->last - i->first) / 1000000;

	if (!i->last)
		return;
	put_label(i, "time");
	out_fmt(i->out, "%llu.%06llu - %llu.%06llu (%llu.%03llu s)\n",
		i->first / 1000000000, i->first / 1000 % 1000000,
		i->last / 1000000000, i->last / 1000 % 1000000, ms / 1000, ms % 1000);
}

static void put_records(struct file_info *i)
{
	u32 type;
	int column;

	put_label(i, "records");
	out_fmt(i->out, "%llu", i->records);
	column = 30;
	for (type = 0; type < MAX_TYPES; type++) {
		if (!i->of_type[type])
			continue;
		if (column > 64) {
			out_fmt(i->out, "\n%12s", "");
			column = 12;
		}
		out_fmt(i->out, " %s %llu", record_name(type), i->of_type[type]);
		column += strlen(record_name(type)) + 6;
	}
	out_newline(i->out);
}

static void put_trace(struct file_info *i)
{
	const struct buffer *b;
	const char *label = "trace";

	for (b = i->buffers; b; b = b->next) {
		put_label(i, label);
		label = "";
		if (b->cpu >= 0)
			out_fmt(i->out, "CPU %d: ", b->cpu);
		else
			out_fmt(i->out, "thread %d: ", b->tid);
		put_size(i->out, b->bytes);
		out_fmt(i->out, " in %llu piece%s\n", b->pieces, b->pieces == 1 ? "" : "s");
	}
	if (i->sampled_bytes) {
		put_label(i, label);
		put_size(i->out, i->sampled_bytes);
		out_fmt(i->out, " in %llu sample%s\n", i->samples, i->samples == 1 ? "" : "s");
	}
	if (i->foreign) {
		put_label(i, label);
		out_fmt(i->out, "of %s\n", i->foreign);
	}
	if (!i->buffers && !i->sampled_bytes) {
		put_label(i, label);
		out_str(i->out, i->f.n_compressed ? "not known: COMPRESSED records (zstd)\n" :
			"none: nothing to decode\n");
	}
}

static u64 trace_bytes(const struct file_info *i)
{
	const struct buffer *b;
	u64 n = i->sampled_bytes;

	for (b = i->buffers; b; b = b->next)
		n += b->bytes;
	return n;
}

/* The number of trace bytes that the kernel delivered and that are not in the file, because the
 * disk was full or the recorder died; ~0: all. Not for snapshots, which leave most bytes out. */
static u64 unwritten(const struct file_info *i)
{
	u64 there = trace_bytes(i);

	if (i->has_trace && !there)
		return ~0ull;
	if (i->overwritten || i->sampled_bytes || there >= i->announced)
		return 0;
	return i->announced - there;
}

static void put_losses(struct file_info *i)
{
	const struct { u64 n; const char *what, *more; } losses[] = {
		{ i->full, "time", " the trace buffer was full" },
		{ i->partial, "gap", " in the trace" },
		{ i->collided, "collision", " of traces" },
		{ i->lost, "record", " that did not fit the ring" },
		{ i->lost_samples, "sample", "" },
		{ unwritten(i), "byte", " of trace not written (disk full?)" },
	};
	bool any = false;
	size_t k;

	put_label(i, "lost");
	for (k = 0; k < N_ELEM(losses); k++) {
		if (!losses[k].n)
			continue;
		out_str(i->out, any ? ", " : "");
		if (losses[k].n == ~0ull)
			out_str(i->out, "the whole trace: none was written (disk full?)");
		else
			out_fmt(i->out, "%llu %s%s%s", losses[k].n, losses[k].what,
				losses[k].n == 1 ? "" : "s", losses[k].more);
		any = true;
	}
	if (i->f.n_compressed)
		out_fmt(i->out, any ? "\n" : "not known: %llu COMPRESSED records were not read\n",
			i->f.n_compressed);
	else
		out_str(i->out, any ? "\n" : i->f.cut ? "not known: the recorder died\n" :
			"nothing that the kernel or the recorder knows of\n");
	if (i->overwritten) {
		put_label(i, "");
		out_fmt(i->out, "%llu snapshot%s: what came before is gone\n", i->overwritten,
			i->overwritten == 1 ? "" : "s");
	}
}

static bool same_id(struct bytes id, const struct mapped *m)
{
	return id.len >= m->id_size && !memcmp(id.at, m->build_id, m->id_size);
}

/* The state of the file that a decode would read: "here", "missing", "another build". */
static const char *state_of(struct file_info *i, const struct mapped *m)
{
	const char *state = "here";
	struct bytes elf, id;
	int fd;

	if (m->bundled)
		return "in the bundle";
	fd = file_open_below(i->symfs, m->name);
	if (fd < 0) {
		i->n_missing++;
		return "missing";
	}
	if (!file_map(&elf, fd)) {
		id = note_build_id(elf);
		if (m->id_size && id.len && !same_id(id, m)) {
			state = "another build";
			i->n_other++;
		}
		file_unmap(&elf);
	}
	close(fd);
	return state;
}

/* Print which files a decode needs and does not find. */
static void put_to_decode(struct file_info *i)
{
	put_label(i, "to decode");
	if (i->foreign)
		out_fmt(i->out, "not by pt: the trace is %s\n", i->foreign);
	else if (i->f.n_compressed)
		out_str(i->out, "not by pt: COMPRESSED records; record without -z\n");
	else if (!i->n_files && trace_bytes(i))
		out_str(i->out, "no file is named: was /proc mounted when this was recorded?\n");
	else if (i->n_missing || i->n_other)
		out_fmt(i->out, "%u of %u files missing here, %u of another build; give "
			"--symfs DIR\n", i->n_missing, i->n_files, i->n_other);
	else
		out_fmt(i->out, "nothing is missing%s\n",
			i->kernel ? "; for the kernel: --kcore, --vmlinux" : "");
}

static void put_files(struct file_info *i)
{
	const struct mapped *m;
	u32 k;

	for (m = i->files; m; m = m->next) {
		put_label(i, m == i->files ? "files" : "");
		out_name(i->out, m->name);
		out_fmt(i->out, ": %s", state_of(i, m));
		if (m->id_size)
			out_str(i->out, ", build-id ");
		for (k = 0; k < m->id_size; k++)
			out_fmt(i->out, "%02x", m->build_id[k]);
		out_newline(i->out);
	}
	put_to_decode(i);
}

static int read_all(struct file_info *i, const char *path)
{
	const char *why = NULL;
	struct perf_record rec;
	int err;

	while ((err = perf_next(&i->f, &rec, &why)) > 0)
		take(i, &rec);
	if (err < 0)
		warn(why ? 0 : err, why ? "%s: %s; printing what was read before" : "%s", path,
		     why);
	return err;
}

static void put_all(struct file_info *i)
{
	put_head(i);
	put_command(i);
	put_machine(i);
	put_events(i);
	put_time(i);
	put_records(i);
	put_trace(i);
	put_losses(i);
	put_files(i);
}

int info_file(struct out *out, const char *path, const char *symfs, bool header)
{
	struct file_info i = { .out = out, .symfs = symfs };
	const char *real = CONFIG_CAPTURE ? capture_path(path) : path, *why = NULL;
	char buf[2 * OUT_ROOM];
	struct out lines;
	int err;

	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	i.last_buffer = &i.buffers;
	i.last_file = &i.files;
	err = perf_open(&i.f, real, &i.arena, &why);
	i.f.path = path;
	if (err)
		return input_fail(err, path, why);
	if (header)
		print_header(out, &i.f);
	err = read_all(&i, path);
	take_build_ids(&i);
	take_bundle(&i);
	if (CONFIG_CONSOLE)
		term_fit(out);
	if (CONFIG_CONSOLE && term_fits(out)) {
		term_wrap(&lines, out, buf, sizeof(buf));
		i.out = &lines;
	}
	put_all(&i);
	out_flush(i.out);
	perf_close(&i.f);
	arena_free(&i.arena);
	return err < 0 ? STATUS_FAILED : STATUS_DONE;
}
