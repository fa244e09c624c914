/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script --per-event-dump: the samples of each event in a file of its own.
 *
 * The sandbox forbids creating files, so a second process creates them. It gets pieces through a
 * pipe, each after a struct piece; the first one of a file is its event. It only makes files beside
 * the one that is read, whatever comes through the pipe.
 *
 *	pt --- pieces -----------> second process ---> perf.data.EVENT.dump
 *	   <-- the first error ---
 */
#define _GNU_SOURCE	/* pipe2() */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <pt/fail.h>
#include <pt/made.h>
#include <pt/num.h>
#include <pt/whole.h>
#include "script.h"

enum { FILES_MAX = 512, BUFFER = OUT_ROOM + 8192, PATH_ROOM = 2048 };

struct piece { u32 file, len; };

struct dump_file {
	struct out out;
	struct script_dumps *all;
	const char *event;
	const char *path;
	u32 nr;
	u64 n_samples, size;
};

struct script_dumps {
	int pieces, end;
	u32 n;
	struct dump_file *files[FILES_MAX];
};

/* The file of an event, which may have slashes in its name. */
static void set_path(char path[PATH_ROOM], const char *of, const char *event)
{
	char *p = path + fmt_str(path, PATH_ROOM, "%.1000s.", of);

	fmt_str(p, path + PATH_ROOM - p, "%.1000s.dump", event);
	for (; *p; p++)
		if (*p == '/')
			*p = '_';
}

/* The second process */

static _Noreturn void make_files(const char *of, int pieces, int end)
{
	static char buf[BUFFER + 1];
	char path[PATH_ROOM];
	int fds[FILES_MAX], err = 0;
	struct piece piece, last = { 0 };
	u32 n = 0;

	while (!err && whole_read(pieces, &piece, sizeof(piece)) && piece.len <= BUFFER &&
	       whole_read(pieces, buf, piece.len)) {
		last.file = piece.file;
		if (piece.file < n) {
			err = whole_write(fds[piece.file], buf, piece.len);
			continue;
		}
		if (n == FILES_MAX)
			break;
		buf[piece.len] = 0;
		set_path(path, of, buf);
		fds[n] = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fds[n++] < 0)
			err = -errno;
	}
	last.len = -err;
	_exit(whole_write(end, &last, sizeof(last)) != 0);
}

const char *script_dumps_open(struct script *s)
{
	int pieces[2], end[2];
	pid_t pid = -1;

	if (pipe2(pieces, O_CLOEXEC) || pipe2(end, O_CLOEXEC) || (pid = _Fork()) < 0)
		return "--per-event-dump: cannot start a process that writes files";
	if (!pid) {
		close(pieces[1]);
		close(end[0]);
		/* Ctrl-C ends pt, which closes the pipe. */
		signal(SIGINT, SIG_IGN);
		make_files(s->list.path, pieces[0], end[1]);
	}
	close(pieces[0]);
	close(end[1]);
	signal(SIGPIPE, SIG_IGN);
	s->dumps = NEW(&s->list.session.arena, struct script_dumps, 1);
	s->dumps->pieces = pieces[1];
	s->dumps->end = end[0];
	return NULL;
}

/* Files */

static void send_piece(struct dump_file *f, const char *at, size_t len)
{
	struct piece piece = { f->nr, len };
	int fd = f->all->pieces;

	if (f->out.err || !len)
		return;
	f->out.err = whole_write(fd, &piece, sizeof(piece));
	if (!f->out.err)
		f->out.err = whole_write(fd, at, len);
}

static void keep(struct out *o)
{
	struct dump_file *f = o->who;

	send_piece(f, o->buf, o->at - o->buf);
	f->size += o->at - o->buf;
	o->at = o->buf;
}

/* The file of an event; NULL: there are too many. */
static struct dump_file *file_of(struct script *s, const char *event)
{
	struct arena *arena = &s->list.session.arena;
	struct script_dumps *d = s->dumps;
	struct dump_file *f;
	char path[PATH_ROOM];
	u32 i;

	if (!*event)
		event = "unknown";
	for (i = 0; i < d->n; i++)
		if (!strcmp(d->files[i]->event, event))
			return d->files[i];
	if (d->n == FILES_MAX)
		return NULL;
	set_path(path, s->list.path, event);
	f = d->files[d->n] = NEW(arena, struct dump_file, 1);
	f->nr = d->n++;
	f->all = d;
	f->event = arena_str(arena, event);
	f->path = arena_str(arena, path);
	out_open(&f->out, -1, NEW(arena, char, BUFFER), BUFFER);
	f->out.lines = false;
	f->out.keep = keep;
	f->out.who = f;
	send_piece(f, f->event, MIN(strlen(f->event), (size_t)BUFFER));
	return f;
}

/* As in perf, an event without samples has a file, too, unless it is the trace. */
static void make_all(struct script *s)
{
	const struct perf_file *file = &s->list.session.file;
	u32 i;

	for (i = 0; i < file->n_events; i++)
		if (file->events[i] != s->list.session.pt_event)
			file_of(s, file->events[i]->name);
}

static void choose_file(struct script *s, const struct entry *e)
{
	struct dump_file *f = NULL;

	s->printer.out = s->out;
	if (e->kind == ENTRY_EVENTS)
		make_all(s);
	else if (e->kind == ENTRY_SAMPLE)
		f = file_of(s, made_name(&s->list.session, e->sample->kind));
	else if (e->kind == ENTRY_RECORDED)
		f = file_of(s, e->recorded->event->name);
	if (!f)
		return;
	f->n_samples++;
	s->printer.out = &f->out;
}

static void print_file(struct out *out, const struct dump_file *f)
{
	u64 kib = (f->size * 1000 + (1 << 19)) >> 20;

	out_fmt(out, "[ pt script: Wrote %llu.%03llu MB %s (%llu samples) ]\n", kib / 1000,
		kib % 1000, f->path, f->n_samples);
}

static int end_files(struct script *s, int status)
{
	struct script_dumps *d = s->dumps;
	struct piece last = { 0, EPIPE };
	u32 i;

	s->printer.out = s->out;
	for (i = 0; i < d->n; i++)
		out_flush(&d->files[i]->out);
	close(d->pieces);
	whole_read(d->end, &last, sizeof(last));
	if (last.len && last.file < d->n)
		return fail(-(int)last.len, "%s", d->files[last.file]->path);
	for (i = 0; i < d->n; i++)
		print_file(s->out, d->files[i]);
	return status;
}

/* All options */

/* Count the samples whose time is before that of the sample before them. */
static bool check_order(struct script *s, const struct entry *e)
{
	u64 time;

	if (e->kind != ENTRY_SAMPLE && e->kind != ENTRY_RECORDED)
		return false;
	time = e->sample ? e->sample->time : e->recorded->time;
	s->n_unordered += time < s->last_time;
	s->last_time = time;
	return true;
}

bool script_more_entry(struct script *s, const struct entry *e)
{
	if (s->debug && check_order(s, e))
		return true;
	if (s->dumps)
		choose_file(s, e);
	return false;
}

int script_more_end(struct script *s, int status)
{
	if (s->debug)
		warn(0, "misordered timestamps: %llu", s->n_unordered);
	return s->dumps ? end_files(s, status) : status;
}

bool script_more(struct script *s, struct opt *o, const char *name, const char **wrong)
{
	static const struct opt_member members[] = {
		{ "graph-function", offsetof(struct script, list.choice.functions), true },
		{ "stop-bt", offsetof(struct script, printer.stops), true },
		{ "show-kernel-path", offsetof(struct script, printer.kernel_path) },
		{ "Latency", offsetof(struct script, printer.short_comm) },
		{ "per-event-dump", offsetof(struct script, dump_events) },
		{ "debug-mode", offsetof(struct script, debug) },
		{ 0 },
	};
	u64 n;

	*wrong = NULL;
	if (opt_set(o, name, members, s))
		return true;
	if (strcmp(name, "max-blocks"))
		return false;
	if (opt_refuse(o, name))
		*wrong = o->error;
	else if (!num_parse(o->arg, &n) || n >> 31)
		*wrong = "--max-blocks takes a number";
	else
		s->printer.max_blocks = n;
	return true;
}
