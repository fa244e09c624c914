/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One recording from several files: those that 'pt record --switch-output' made, as a list or as a
 * folder. Their records are copied, in the order of their times, into a file without a name, which
 * is then read like any other. Its traces are holes: they are read where they are, except those of
 * a pipe. Each file has the maps of all processes at its start; so those that --time does not
 * select are left out, and a part of a long recording is read in little time.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/fail.h>
#include <pt/out.h>
#include <pt/perf_write.h>
#include <pt/sort.h>
#include <pt/textfile.h>

#include "input.h"
#include "several.h"

enum { PIECE = 64 << 10 };

struct part {
	struct part *next;
	const char *path;
	struct perf_file file;
	u64 first, last;	/* its time, 0: not known */
	/* The pipe form: its first record after those that describe the recording; false: none. */
	bool begun;
	struct perf_record begin;
};

static struct several {
	struct part *first, **last;
	u32 n;
	struct part **order;	/* as they are joined */
	const char *name;	/* what they are called together */
	char real[40];
	struct perf_elsewhere holes;
} the;

void several_add(struct listing *l, const char *path)
{
	struct part *p = NEW(&l->session.arena, struct part, 1);

	if (!the.last)
		the.last = &the.first;
	p->path = path;
	*the.last = p;
	the.last = &p->next;
	the.n++;
}

const char *several_path(const char *path)
{
	return *the.real && !strcmp(path, the.name) ? the.real : NULL;
}

const struct perf_elsewhere *several_holes(void)
{
	return the.holes.n ? &the.holes : NULL;
}

static char *path_in(struct listing *l, const char *dir, const char *name)
{
	size_t size = strlen(dir) + strlen(name) + 2;
	char *path = NEW(&l->session.arena, char, size);

	fmt_str(path, size, "%s/%s", dir, name);
	return path;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Take the recordings in the folder, all whose names do not begin with a dot. False if it is a
 * recording itself. */
static bool add_folder(struct listing *l, const char *dir)
{
	struct textfile_dir names;
	const char *name;

	if (!is_folder(dir) || !access(path_in(l, dir, "data"), F_OK) ||
	    textfile_dir_open(&names, dir))
		return false;
	the.first = NULL;
	the.last = NULL;
	the.n = 0;
	while ((name = textfile_dir_next(&names)))
		if (*name != '.')
			several_add(l, path_in(l, dir, name));
	return true;
}

/* May 'path' be a recording? The user has not named it. */
static bool may_be_one(struct listing *l, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if (S_ISDIR(st.st_mode))
		return !access(path_in(l, path, "data"), F_OK);
	return S_ISREG(st.st_mode) && st.st_size;
}

/* In the pipe form these are what the head of the file form says. */
static bool is_head(const struct part *p, u32 type)
{
	return p->file.pipe &&
	       (type == PERF_HEADER_ATTR || type == PERF_EVENT_TYPE ||
		type == PERF_HEADER_FEATURE || type == PERF_EVENT_UPDATE);
}

/* The pipe form does not say when it begins: the first record with a time does. */
static void look_for_time(struct part *p)
{
	enum { RECORDS = 10000 };
	struct perf_record rec = p->begin;
	const char *why;
	u32 i;

	for (i = 0; i < RECORDS; i++)
		if ((perf_record_time(&p->file, &rec, &p->first) && p->first) ||
		    perf_record_at(&p->file, 0, rec.off + rec.raw.len + rec.aux_size, &rec,
				   &why) <= 0)
			break;
	perf_record_at(&p->file, 0, p->begin.off, &p->begin, &why);
}

/* Read the head of the pipe form. */
static int read_head(struct part *p, const char **why)
{
	int got;

	while ((got = perf_next(&p->file, &p->begin, why)) > 0 && is_head(p, p->begin.type))
		;
	p->begun = got > 0;
	if (p->begun && p->file.seekable)
		look_for_time(p);
	return MIN(got, 0);
}

static void read_times(struct part *p)
{
	struct bytes b = perf_feature(&p->file, PERF_FEAT_SAMPLE_TIME);

	if (b.len >= 16) {
		p->first = get64(b.at);
		p->last = get64(b.at + 8);
	}
}

/* Open all parts. 'found': they are what is in a folder, where other files may be, too. */
static int open_parts(struct listing *l, bool found)
{
	struct part *p, **at = &the.first;
	const char *why;
	int err;

	while ((p = *at)) {
		why = NULL;
		err = found && !may_be_one(l, p->path) ? -EBADMSG :
			perf_open(&p->file, p->path, &l->session.arena, &why);
		if (err == -EBADMSG && found && !p->file.known) {
			*at = p->next;
			the.n--;
			continue;
		}
		if (!err && p->file.pipe)
			err = read_head(p, &why);
		if (err)
			return input_fail(err, p->path, why);
		read_times(p);
		at = &p->next;
	}
	return 0;
}

static bool same_ids(const struct perf_event *a, const struct perf_event *b)
{
	return a->n_ids == b->n_ids && !memcmp(a->ids, b->ids, a->n_ids * sizeof(*a->ids));
}

/* Parts of one recording have the same events, with the same numbers. */
static bool same_events(const struct perf_file *a, const struct perf_file *b)
{
	u32 i;

	if (a->n_events != b->n_events)
		return false;
	for (i = 0; i < a->n_events; i++)
		if (memcmp(&a->events[i]->attr, &b->events[i]->attr, sizeof(struct perf_attr)) ||
		    !same_ids(a->events[i], b->events[i]))
			return false;
	return true;
}

static void sort_parts(struct arena *arena)
{
	struct arena scratch = { 0 };
	struct sort_item *items = NEW(&scratch, struct sort_item, 2 * (size_t)the.n);
	struct part **parts = NEW(&scratch, struct part *, the.n), *p;
	u32 i = 0;

	for (p = the.first; p; p = p->next) {
		items[i] = (struct sort_item){ p->first, i };
		parts[i++] = p;
	}
	sort_items(items, the.n, items + the.n);
	the.order = NEW(arena, struct part *, the.n);
	for (i = 0; i < the.n; i++)
		the.order[i] = parts[items[i].index];
	arena_free(&scratch);
}

/* Does the time of 'p' meet a range? */
static bool is_in(const struct ranges *r, const struct part *p)
{
	u32 i;

	for (i = 0; i < r->n; i++)
		if (p->last >= r->at[i].start && (!r->at[i].end || p->first <= r->at[i].end))
			return true;
	return !r->n || !p->last;
}

/* Leave out the parts that --time does not select. If it selects none, all parts stay. */
static void select_parts(const struct listing *l, u64 first, u64 last)
{
	struct ranges ranges = { 0 };
	u32 i, n = 0;

	if (!l->time || ranges_parse(&ranges, l->time, first, last))
		return;
	for (i = 0; i < the.n; i++)
		if (is_in(&ranges, the.order[i]))
			the.order[n++] = the.order[i];
	the.n = n ? n : the.n;
}

/* A hole in the file, for bytes of the part. */
static void refer(struct perf_writer *w, struct part *p, u64 at, u64 size)
{
	struct perf_elsewhere *all = &the.holes;

	if (!(all->n & (all->n - 1)))
		all->holes = arena_grow(w->arena, all->holes, sizeof(*all->holes), all->n,
					MAX(2 * all->n, 1));
	all->holes[all->n++] = (struct perf_hole){ w->at, size, &p->file, at };
	perf_write_hole(w, size);
}

/* The payload of a pipe is read only once. */
static int copy_payload(struct perf_writer *w, struct perf_file *f, const struct perf_record *rec)
{
	static u8 piece[PIECE];
	u64 at = 0;
	long n;

	while ((n = perf_aux_read(f, rec, at, piece, MIN(rec->aux_size - at, PIECE))) > 0) {
		perf_write_bytes(w, piece, n);
		at += n;
	}
	return n;
}

static int write_trace(struct perf_writer *w, struct part *p, const struct perf_record *rec)
{
	struct perf_auxtrace aux;
	int err = 0;

	if (!perf_get_auxtrace(rec, &aux))
		return -EBADMSG;
	perf_write_aux_start(w, &aux);
	if (p->file.seekable && !rec->part)
		refer(w, p, rec->aux_off, rec->aux_size);
	else
		err = copy_payload(w, &p->file, rec);
	perf_write_aux_end(w);		/* a file may have been cut: zeros follow */
	return err;
}

/* Records that describe the recording are needed once. */
static bool is_once(u32 type)
{
	return type == PERF_AUXTRACE_INFO || type == PERF_ID_INDEX || type == PERF_TIME_CONV ||
	       type == PERF_TRACING_DATA;
}

static int copy_record(struct perf_writer *w, struct part *p, const struct perf_record *rec,
		       bool first)
{
	if (rec->type == PERF_AUXTRACE)
		return write_trace(w, p, rec);
	if (is_head(p, rec->type) || (!first && is_once(rec->type)))
		return 0;
	perf_write_record(w, rec->type, rec->misc, bytes_skip(rec->raw, 8), NULL);
	return rec->type == PERF_TRACING_DATA ? copy_payload(w, &p->file, rec) : 0;
}

static int copy_records(struct perf_writer *w, struct part *p, bool first)
{
	struct perf_record rec;
	const char *why = NULL;
	int got = p->begun ? copy_record(w, p, &p->begin, first) : 0;

	while (!got && !w->err && (got = perf_next(&p->file, &rec, &why)) > 0)
		got = copy_record(w, p, &rec, first);
	/* A part that is damaged ends early, as it would alone. */
	if (got < 0)
		warn(why ? 0 : got, "%s: %s", p->path, why ? why : "only a part of it can be read");
	return w->err;
}

/* The code of the last part that has some. */
static void copy_bundle(struct perf_writer *w)
{
	struct perf_feature_bytes b = { 0 };
	u32 i = the.n;

	while (i && !b.size)
		b = perf_feature_at(&the.order[--i]->file, PERF_FEAT_BUNDLE);
	if (!b.size || the.order[i]->file.pipe)
		return;
	perf_write_feature_start(w, PERF_FEAT_BUNDLE);
	refer(w, the.order[i], b.off, b.size);
	perf_write_feature_end(w);
}

/* Features before the records: those of the first part, and a bundle. */
static void copy_features(struct perf_writer *w)
{
	static const u8 none[8];
	struct perf_file *f = &the.order[0]->file;
	u32 bit;

	for (bit = 1; bit < PERF_N_FEATURES; bit++) {
		if (!(f->features[bit / 64] >> bit % 64 & 1) || bit == PERF_FEAT_BUILD_ID ||
		    bit == PERF_FEAT_SAMPLE_TIME || bit == PERF_FEAT_DIR_FORMAT ||
		    bit == PERF_FEAT_BUNDLE)
			continue;
		perf_write_feature(w, bit, bit == PERF_FEAT_AUXTRACE ?
				   (struct bytes){ none, sizeof(none) } : perf_feature(f, bit));
	}
	if (f->pipe && !perf_feature_at(f, PERF_FEAT_EVENT_DESC).size)
		perf_write_event_desc(w);
	copy_bundle(w);
}

/* The names of files with their build-ids, of all parts. A name that comes twice does no harm. */
static void copy_build_ids(struct perf_writer *w)
{
	struct bytes b;
	u32 i;

	perf_write_feature_start(w, PERF_FEAT_BUILD_ID);
	for (i = 0; i < the.n; i++) {
		b = perf_feature(&the.order[i]->file, PERF_FEAT_BUILD_ID);
		perf_write_bytes(w, b.at, b.len);
	}
	perf_write_feature_end(w);
}

static int write_all(struct listing *l, int fd, u64 first, u64 last)
{
	struct arena *arena = &l->session.arena;
	struct perf_file *f = &the.order[0]->file;
	struct perf_event *events = NEW(arena, struct perf_event, f->n_events);
	struct perf_writer w = { .fd = fd, .arena = arena };
	u32 i;

	for (i = 0; i < f->n_events; i++)
		events[i] = *f->events[i];
	perf_write_start(&w, events, f->n_events);
	copy_features(&w);
	perf_write_begin(&w);
	for (i = 0; i < the.n && !w.err; i++)
		copy_records(&w, the.order[i], !i);
	perf_write_end(&w);
	w.first_time = first;
	w.last_time = last;
	copy_build_ids(&w);
	return perf_write_close(&w);
}

/* As with one folder, the code and the symbols of its kernel are used. */
static void use_kernel(struct listing *l)
{
	const char *dir = the.order[0]->file.dir, *path;
	struct images *im = &l->session.images;

	if (!dir || im->kallsyms || im->vmlinux || im->kcore)
		return;
	path = path_in(l, dir, "kcore_dir/kallsyms");
	if (!access(path, R_OK))
		im->kallsyms = path;
}

static int check_events(void)
{
	const struct part *p;

	for (p = the.first->next; p; p = p->next)
		if (!same_events(&the.first->file, &p->file))
			return fail(0, "%s and %s are not of one recording: their events differ",
				    the.first->path, p->path);
	return 0;
}

int several_join(struct listing *l)
{
	bool found = add_folder(l, l->path);
	u64 first = 0, last = 0;
	const struct part *p;
	int fd, err;

	if (!found && the.n < 2)
		return 0;
	if ((err = open_parts(l, found)) || !the.n)	/* a folder without any is refused later */
		return err;
	if ((err = check_events()))
		return err;
	sort_parts(&l->session.arena);
	for (p = the.first; p; p = p->next) {
		first = !first || (p->first && p->first < first) ? p->first : first;
		last = MAX(last, p->last);
	}
	select_parts(l, first, last);
	fd = input_nameless(input_dir());
	if (fd < 0)
		return fail(fd, "cannot make a file in %s", input_dir());
	err = write_all(l, fd, first, last);
	if (err)
		return fail(err, "cannot write a file in %s; set TMPDIR to a larger disk",
			    input_dir());
	l->options.elsewhere = several_holes();
	use_kernel(l);
	the.name = l->path;
	fmt_str(the.real, sizeof(the.real), "/proc/self/fd/%d", fd);
	return 0;
}
