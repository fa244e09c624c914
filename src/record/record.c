/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What both recorders begin and end with: the file, its head, and what became
 * known only on the way (build-ids, the bundle).
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <pt/config/BUNDLE.h>
#include <pt/out.h>

#include "record.h"

void record_say(struct record *r, int level, const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	if (r->verbose < level || !r->say)
		return;
	va_start(ap, fmt);
	fmt_vstr(line, sizeof(line), fmt, ap);
	va_end(ap);
	r->say(r->who, level, line);
}

/* With --kcore the output is a folder, and the file is DIR/data. */
static int make_folder(struct record *r, const char **path)
{
	size_t len = strlen(r->output);
	char *data = NEW(r->arena, char, len + 6);
	int err = perf_move_away(r->output, r->arena);

	if (err)
		return err;
	if (mkdir(r->output, 0700))
		return -errno;
	fmt_str(data, len + 6, "%s/data", r->output);
	*path = data;
	return 0;
}

int record_open(struct record *r, const struct perf_event *events, u32 n_events,
		const struct perf_pt_info *info)
{
	static const u8 none[8];
	const char *path = r->output;
	int err = r->kcore ? make_folder(r, &path) : 0;

	if (!err)
		err = perf_write_open(&r->w, path, r->fd, r->arena, events, n_events);
	if (err) {
		record_say(r, 0, "cannot write %s: %s", path, strerror(-err));
		return err;
	}
	r->dsos = NEW(r->arena, struct record_dsos, 1);
	r->dsos->arena = r->arena;
	r->dsos->last = &r->dsos->first;
	r->w.seen_mmap = dsos_see;
	r->w.who = r->dsos;
	r->result.output = r->output;
	perf_write_machine(&r->w, r->cmdline);
	if (r->tracefs)
		perf_write_tracing(&r->w, r->tracefs);
	/* Empty as yet, but perf sees that there is trace. */
	perf_write_feature(&r->w, PERF_FEAT_AUXTRACE, (struct bytes){ none, sizeof(none) });
	perf_write_time_conv(&r->w, info);
	return perf_write_round(&r->w);
}

int record_close(struct record *r)
{
	int err;

	perf_write_end(&r->w);
	dsos_write_build_ids(r->dsos, &r->w);
	if (CONFIG_BUNDLE && r->bundle)
		bundle_write(r);
	err = perf_write_close(&r->w);
	r->result.bytes = r->w.at;
	r->result.lost = r->w.lost;
	if (err == -ENOSPC)
		record_say(r, 0, "%s: the disk is full: the recording ends where it filled up",
			   r->output);
	else if (err && !(err == -EPIPE && r->fd >= 0))	/* pt trace has printed enough */
		record_say(r, 0, "cannot write %s: %s", r->output, strerror(-err));
	if (!err && r->kcore)
		err = kcore_copy(r, r->output);
	return err;
}
