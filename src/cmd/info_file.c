/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt info FILE: one pass over the records, then what they amount to.
 */
#include <errno.h>
#include <unistd.h>

#include <pt/config/BUNDLE.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/file.h>
#include <pt/perf.h>
#include <pt/print_record.h>
#include <pt/sandbox.h>

#include "info.h"

/* Features that are read here, by bit. */
enum {
	BUILD_ID = 2, HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, CMDLINE = 11,
	BUNDLE = 240,
};

enum { CPUMODE = 7, CPUMODE_KERNEL = 1, MAX_TYPES = 128 };

/* Trace of one CPU or thread. */
struct buffer {
	struct buffer *next;
	u32 idx;
	i32 cpu, tid;
	u64 bytes, pieces;
};

/* A file whose code ran, or may have. */
struct mapped {
	struct mapped *next;
	const char *name;
	u8 build_id[20];
	u8 id_size;
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
	u64 samples, sampled_bytes;	/* trace in samples */
	u64 lost, lost_samples, full, overwritten, partial, collided;
	bool kernel;			/* kernel text is mapped */
	u32 n_files, n_missing, n_other;
};

static struct buffer *buffer_of(struct file_info *i, const struct perf_auxtrace *a)
{
	struct buffer *b;

	for (b = i->buffers; b; b = b->next)
		if (b->idx == a->idx && b->cpu == a->cpu)
			return b;
	b = NEW(&i->arena, struct buffer, 1);
	*b = (struct buffer){ .idx = a->idx, .cpu = a->cpu, .tid = a->tid };
	*i->last_buffer = b;
	i->last_buffer = &b->next;
	return b;
}

static struct mapped *file_of(struct file_info *i, const char *name)
{
	struct mapped *m;

	for (m = i->files; m; m = m->next)
		if (!strcmp(m->name, name))
			return m;
	m = NEW(&i->arena, struct mapped, 1);
	m->name = arena_str(&i->arena, name);
	*i->last_file = m;
	i->last_file = &m->next;
	i->n_files++;
	return m;
}

static void take_id(struct mapped *m, const u8 *id, unsigned int size)
{
	m->id_size = MIN(size, sizeof(m->build_id));
	memcpy(m->build_id, id, m->id_size);
}

/* Files only: not what has no file, as the vDSO. */
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
	case PERF_SAMPLE: take_sample(i, rec); break;
	case PERF_LOST: i->lost += rec->raw.len >= 24 ? get64(rec->raw.at + 16) : 0; break;
	case PERF_LOST_SAMPLES:
		i->lost_samples += rec->raw.len >= 16 ? get64(rec->raw.at + 8) : 0;
		break;
	}
}

/* Build-ids that were found when the recording ended. */
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
		for (m = i->files; m; m = m->next)
			if (!strcmp(m->name, name) && !m->id_size)
				take_id(m, b.at + ID, known);
		b = bytes_skip(b, size);
	}
}

/* Lines. */

static void put_label(struct file_info *i, const char *label)
{
	out_fmt(i->out, "%-12s ", label);
}

/* A feature that is a text: u32 length, then it. */
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
		out_fmt(i->out, " in %llu pieces\n", b->pieces);
	}
	if (i->sampled_bytes) {
		put_label(i, label);
		put_size(i->out, i->sampled_bytes);
		out_fmt(i->out, " in %llu samples\n", i->samples);
	}
	if (!i->buffers && !i->sampled_bytes) {
		put_label(i, "trace");
		out_str(i->out, "none: nothing to decode\n");
	}
}

static void put_losses(struct file_info *i)
{
	const struct { u64 n; const char *what; } losses[] = {
		{ i->full, "times the trace buffer was full" },
		{ i->partial, "times a trace has gaps" },
		{ i->collided, "trace records collided" },
		{ i->lost, "records that did not fit the ring" },
		{ i->lost_samples, "samples" },
	};
	bool any = false;
	size_t k;

	put_label(i, "lost");
	for (k = 0; k < N_ELEM(losses); k++) {
		if (!losses[k].n)
			continue;
		out_fmt(i->out, any ? ", %llu %s" : "%llu %s", losses[k].n, losses[k].what);
		any = true;
	}
	out_str(i->out, any ? "\n" : "nothing that the kernel knows of\n");
	if (i->overwritten) {
		put_label(i, "");
		out_fmt(i->out, "%llu snapshots: what came before them is gone\n", i->overwritten);
	}
}

static bool same_id(struct bytes id, const struct mapped *m)
{
	return id.len >= m->id_size && !memcmp(id.at, m->build_id, m->id_size);
}

/* "here", "missing", "another build": the file that a decode would read. */
static const char *state_of(struct file_info *i, const struct mapped *m)
{
	int fd = file_open_below(i->symfs, m->name);
	const char *state = "here";
	struct bytes elf, id;

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

static void put_files(struct file_info *i)
{
	bool bundle = perf_feature_at(&i->f, BUNDLE).size;
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
	put_label(i, "to decode");
	if (bundle)
		out_str(i->out, "all is in the file: it is a bundle\n");
	else if (i->n_missing || i->n_other)
		out_fmt(i->out, "%u of %u files are missing here, %u are another build: "
			"--symfs DIR\n", i->n_missing, i->n_files, i->n_other);
	else
		out_fmt(i->out, "all %u files are here%s\n", i->n_files,
			i->kernel ? "; for the kernel: --kcore, --vmlinux" : "");
}

static int read_all(struct file_info *i, const char *path)
{
	const char *why = NULL;
	struct perf_record rec;
	int err;

	while ((err = perf_next(&i->f, &rec, &why)) > 0)
		take(i, &rec);
	if (err < 0)
		warn(why ? 0 : err, why ? "%s: %s; what follows is what came before" : "%s", path,
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
	const char *why = NULL;
	int err;

	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	i.last_buffer = &i.buffers;
	i.last_file = &i.files;
	err = perf_open(&i.f, path, &i.arena, &why);
	if (err)
		return fail(why ? 0 : err, why ? "%s: %s" : "%s", path, why);
	if (header)
		print_header(out, &i.f);
	err = read_all(&i, path);
	take_build_ids(&i);
	put_all(&i);
	perf_close(&i.f);
	arena_free(&i.arena);
	return err < 0 ? STATUS_FAILED : STATUS_DONE;
}
