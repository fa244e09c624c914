/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A perf.data is opened: its code, names and bundle are looked for where it says.
 */
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <pt/config/BUNDLE.h>
#include <pt/config/GUESTS.h>

#include "session.h"

enum { FEATURE_HOSTNAME = 3, FEATURE_OSRELEASE = 4, FEATURE_AUXTRACE = 18, FEATURE_BUNDLE = 240 };

/* The text of a feature that is one string, or NULL. */
static const char *feature_text(struct session *s, unsigned int feature)
{
	struct bytes b = perf_feature(&s->file, feature);

	return b.len > 4 && memchr(b.at + 4, 0, b.len - 4) ? (const char *)b.at + 4 : NULL;
}

static bool says(struct session *s, unsigned int feature, const char *text)
{
	const char *said = feature_text(s, feature);

	return said && !strcmp(said, text);
}

static COLD bool recorded_here(struct session *s)
{
	struct utsname here;

	return feature_text(s, FEATURE_HOSTNAME) && !uname(&here) &&
	       says(s, FEATURE_HOSTNAME, here.nodename) &&
	       says(s, FEATURE_OSRELEASE, here.release);
}

void open_know_machine(struct session *s)
{
	s->images.this_machine = s->options.live || recorded_here(s);
	s->images.release = feature_text(s, FEATURE_OSRELEASE);
}

static long read_file(struct session *s, u64 off, void *to, size_t n)
{
	return perf_read_at(&s->file, off, to, n);
}

/* The path of 'name' in 'dir'; NULL if there is no 'dir', or nothing that can be read. */
static COLD const char *path_in(const char *dir, const char *name, struct arena *a)
{
	size_t len = dir ? strlen(dir) : 0, size = strlen(name) + 1;
	char *path = NEW(a, char, len + size);

	if (!len)
		return NULL;
	memcpy(path, dir, len);
	memcpy(path + len, name, size);
	return access(path, R_OK) ? NULL : path;
}

static long read_bundle(void *who, u64 off, void *to, size_t n)
{
	struct session *s = who;

	return perf_read_at(&s->file, perf_feature_at(&s->file, FEATURE_BUNDLE).off + off, to, n);
}

/* Open the bundle in the file. Damaged parts are left out. */
static void open_bundle(struct session *s)
{
	u64 size = perf_feature_at(&s->file, FEATURE_BUNDLE).size;

	if (!CONFIG_BUNDLE || s->file.pipe || !size)
		return;
	s->bundle.read = read_bundle;
	s->bundle.who = s;
	s->bundle.arena = &s->arena;
	bundle_open(&s->bundle, size);
	s->images.bundle = &s->bundle;
}

static int next_record(struct session *s)
{
	return perf_order_next(s->order, &s->record, &s->sample, &s->why);
}

COLD int session_open(struct session *s, const char *path, const struct session_options *options)
{
	static const struct source file = { .read_at = read_file, .next = next_record,
					    .threads = true };
	int err;

	s->options = *options;
	s->images.arena = &s->arena;
	s->fd = -1;
	s->file.spool = options->spool;
	if (options->seen.len)
		err = perf_open_pipe(&s->file, options->seen_fd, options->seen, &s->arena, &s->why);
	else
		err = perf_open(&s->file, path, &s->arena, &s->why);
	if (err)
		return err;
	s->file.elsewhere = options->elsewhere;
	s->source = &file;
	open_know_machine(s);
	if (!s->images.symfs)
		s->images.cache = path_in(getenv("HOME"), "/.debug", &s->arena);
	if (!s->images.kallsyms && !s->images.vmlinux && !s->images.kcore)
		s->images.kallsyms = path_in(s->file.dir, "/kcore_dir/kallsyms", &s->arena);
	open_bundle(s);
	processes_start(&s->processes, &s->images, &s->arena);
	if (CONFIG_GUESTS)
		guest_start(s);
	s->runs.fetch = code_fetch;
	s->runs.who = s;
	sideband_build_ids(s);
	if (!options->no_decode) {
		err = queue_add_all(s);
		if (err)
			return err;
	}
	s->order = perf_order_start(&s->file);
	return 0;
}

bool session_may_trace(const struct session *s)
{
	return s->have_pt || s->file.features[0] >> FEATURE_AUXTRACE & 1;
}
