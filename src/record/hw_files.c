/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A recording in several files (--switch-output). A file is closed, and gets the time in its name;
 * the next one begins with the maps and names of all processes, so that each file is complete.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#include <pt/date.h>
#include <pt/out.h>

#include "hw.h"

enum { STAMP = 18 };	/* ".YYYYMMDDhhmmsscc", as perf has it */

static char *stamped(const char *path, struct arena *arena)
{
	size_t size = strlen(path) + STAMP;
	char *name = arena_alloc(arena, size);
	struct timeval now;
	struct tm tm;

	gettimeofday(&now, NULL);
	tm = date_local(now.tv_sec);
	fmt_str(name, size, "%s.%04d%02d%02d%02d%02d%02d%02d", path, tm.tm_year + 1900,
		tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
		(int)(now.tv_usec / 10000));
	return name;
}

/* Remove the oldest file if there are more than wanted, and note the newest. */
static void keep(struct record_files *f, char *name, struct arena *arena)
{
	if (!f->most)
		return;
	if (!f->names)
		f->names = NEW(arena, char *, f->most);
	if (f->names[f->n % f->most] && unlink(f->names[f->n % f->most]) && errno == EISDIR)
		perf_dir_remove(f->names[f->n % f->most], arena);	/* --kcore */
	f->names[f->n++ % f->most] = name;
}

int hw_name_file(struct record *r, struct arena *arena)
{
	char *name, line[256];
	int err;

	if (!strcmp(r->output, "-") || r->fd >= 0 || !(r->files.asked || r->files.stamped))
		return 0;
	name = stamped(r->output, arena);
	if (rename(r->output, name)) {
		err = -errno;
		record_say(r, 0, "cannot rename %s: %s", r->output, strerror(-err));
		return err;
	}
	keep(&r->files, name, arena);
	r->result.output = name;
	fmt_str(line, sizeof(line), "[ pt record: Dump %s ]", name);
	if (r->files.asked && r->say)
		r->say(r->who, 1, line);
	return 0;
}

/* What belongs to one file is in an arena of its own, since there may be files for days. */
int hw_next_file(struct hw *h)
{
	struct record *r = h->r;
	struct perf_losses lost;
	int err;

	err = record_close(r);
	if (!err)
		err = hw_name_file(r, h->arena);
	if (err)
		return err;
	r->files.earlier += r->w.at;
	lost = r->w.lost;
	r->w = (struct perf_writer){ .hide = r->w.hide, .lost = lost };
	r->dsos = NULL;
	if (r->arena == &h->of_file)
		arena_free(&h->of_file);
	r->arena = &h->of_file;
	h->late = true;
	err = hw_write_start(h);
	return err ? err : record_born(r);
}
