/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The common start and end of both recorders: the file, its head, and what is known only at the
 * end (build-ids, the bundle).
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pt/config/BPF_PROGRAMS.h>
#include <pt/config/BUNDLE.h>
#include <pt/config/CMD_CRASH.h>
#include <pt/config/KCORE_MODULES.h>
#include <pt/config/RECORD_HW.h>
#include <pt/config/RECORD_MORE.h>
#include <pt/config/RECORD_SAMPLES.h>
#include <pt/config/ZSTD.h>
#include <pt/out.h>
#include <pt/text.h>

#include "record.h"

static void remove_unborn(struct record *r)
{
	if (unlink(r->unborn) && errno == EISDIR)
		perf_dir_remove(r->unborn, r->arena);
}

/* Room for a path of 'more' bytes beyond that of the output. */
static char *path_like(struct record *r, const char *more)
{
	size_t size = strlen(r->output) + strlen(more) + 1;
	char *path = NEW(r->arena, char, size);

	fmt_str(path, size, "%s%s", r->output, more);
	return path;
}

/* A file or folder of a recording gets its name when the recording begins. Other outputs (a FIFO, a
 * device, a link) are written to as they are. */
static int choose_path(struct record *r, const char **path)
{
	struct stat st;

	*path = r->output;
	if (r->fd >= 0 || !strcmp(r->output, "-"))
		return 0;
	if (!lstat(r->output, &st) && !S_ISREG(st.st_mode)) {
		if (!S_ISDIR(st.st_mode))
			return 0;
		if (access(path_like(r, "/data"), F_OK))
			return -EISDIR;
	}
	*path = r->unborn = path_like(r, ".new");
	remove_unborn(r);
	return 0;
}

/* With --kcore the output is a folder, and the file is DIR/data. */
static int make_folder(struct record *r, const char **path)
{
	if (mkdir(*path, 0700))
		return -errno;
	*path = path_like(r, ".new/data");
	return 0;
}

int record_born(struct record *r)
{
	int err;

	if (!r->unborn)
		return 0;
	err = perf_move_away(r->output, r->arena);
	if (!err && rename(r->unborn, r->output))
		err = -errno;
	if (err)
		record_say(r, 0, "cannot write %s: %s", r->output, strerror(-err));
	else
		r->unborn = NULL;
	return err;
}

bool record_traces(const struct record *r)
{
	const char *const *event = r->events;

	if (!CONFIG_RECORD_SAMPLES || !event)
		return true;
	while (*event && !text_after(*event, "intel_pt"))
		event++;
	return *event;
}

/* The time of day at one moment of the clock of the samples. */
static void write_clock(struct record *r)
{
	const i32 id = r->samples.clockid;
	struct timespec unit = { 0 }, day = { 0 }, now = { 0 };

	clock_getres(id, &unit);
	perf_write_feature_start(&r->w, PERF_FEAT_CLOCKID);
	perf_write_u64(&r->w, unit.tv_nsec);
	perf_write_feature_end(&r->w);
	clock_gettime(CLOCK_REALTIME, &day);
	clock_gettime(id, &now);
	perf_write_feature_start(&r->w, PERF_FEAT_CLOCK_DATA);
	perf_write_u32(&r->w, 1);
	perf_write_u32(&r->w, id);
	perf_write_u64(&r->w, day.tv_sec * 1000000000ull + day.tv_nsec);
	perf_write_u64(&r->w, now.tv_sec * 1000000000ull + now.tv_nsec);
	perf_write_feature_end(&r->w);
}

int record_open(struct record *r, const struct perf_event *events, u32 n_events,
		const struct perf_pt_info *info)
{
	static const u8 none[8];
	const char *path;
	int err = choose_path(r, &path);

	if (!err && r->kcore)
		err = make_folder(r, &path);
	if (!err)
		err = perf_write_open(&r->w, path, r->fd, r->arena, events, n_events);
	if (err) {
		record_say(r, 0, "cannot write %s: %s", r->output, strerror(-err));
		return err;
	}
	r->dsos = NEW(r->arena, struct record_dsos, 1);
	r->dsos->arena = r->arena;
	r->dsos->last = &r->dsos->first;
	r->w.seen_mmap = dsos_see;
	r->w.who = r->dsos;
	/* Events are open by now: this changed code. What changes later is recorded. */
	if (r->kcore && (err = kcore_copy(r, r->unborn)))
		return err;
	r->result.output = r->output;
	r->w.of_samples = !record_traces(r);
	perf_write_machine(&r->w, r->cmdline);
	if (r->tracefs)
		perf_write_tracing(&r->w, r->tracefs);
	if (record_traces(r))	/* empty as yet, but perf sees that there is trace */
		perf_write_feature(&r->w, PERF_FEAT_AUXTRACE, (struct bytes){ none, sizeof(none) });
	else if (CONFIG_RECORD_MORE)
		perf_write_topology(&r->w);
	if (r->samples.branches)
		perf_write_feature(&r->w, PERF_FEAT_BRANCH_STACK, (struct bytes){ 0 });
	if (r->samples.flags & 1ull << PERF_F_USE_CLOCKID)
		write_clock(r);
	perf_write_time_conv(&r->w, info);
	return perf_write_round(&r->w);
}

void record_death(struct record *r, const struct perf_death *death)
{
	if (!r->deaths)
		r->deaths = NEW(r->arena, struct perf_death, DEATHS_MOST);
	if (r->n_deaths == DEATHS_MOST)
		memmove(r->deaths, r->deaths + 1, --r->n_deaths * sizeof(*death));
	r->deaths[r->n_deaths++] = *death;
}

/* A trace by the processor has no signals; that of the command is in its exit status. */
static void write_deaths(struct record *r)
{
	const struct record_result *res = &r->result;

	if (!r->n_deaths && res->waited && WIFSIGNALED(res->wait_status))
		record_death(r, &(struct perf_death){ .signo = WTERMSIG(res->wait_status) });
	if (r->n_deaths)
		perf_write_deaths(&r->w, r->deaths, r->n_deaths);
}

int record_close(struct record *r)
{
	int err;

	if (r->unborn) {
		perf_write_close(&r->w);
		remove_unborn(r);
		return 0;
	}
	perf_write_end(&r->w);
	if (CONFIG_ZSTD && r->w.zstd)
		perf_write_compress_end(&r->w);
	if (!r->no_build_ids)
		dsos_write_build_ids(r->dsos, &r->w);
	if (CONFIG_BPF_PROGRAMS && CONFIG_RECORD_HW && r->sees_kernel)
		bpf_programs_write(r);
	if (CONFIG_BUNDLE && r->bundle)
		bundle_write(r);
	if (CONFIG_CMD_CRASH)
		write_deaths(r);
	err = perf_write_close(&r->w);
	r->result.bytes = r->w.at;
	r->result.lost = r->w.lost;
	if (CONFIG_RECORD_MORE)
		r->result.samples = r->w.n_samples;
	if (err == -ENOSPC)
		record_say(r, 0, "%s: the disk is full: the recording ends early",
			   r->output);
	else if (err && !(err == -EPIPE && r->fd >= 0))	/* pt trace has printed enough */
		record_say(r, 0, "cannot write %s: %s", r->output, strerror(-err));
	if (CONFIG_KCORE_MODULES && !err && r->kcore)
		err = kcore_add_modules(r);
	return err;
}
