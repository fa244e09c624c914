/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt buildid-list: the files in a recording, and their build-ids.
 */
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/file.h>
#include <pt/sandbox.h>
#include "ask.h"

PACKED(help) =
	"usage: pt buildid-list [OPTIONS] [-i FILE]\n"
	"\n"
	"List the build-ids of the files that FILE (perf.data) names, in their order there;\n"
	"or that of FILE, if it is a program.\n"
	"\n"
	"  -i, --input FILE      read FILE\n"
	"  -H, --with-hits       only files with samples; if there is a trace, all\n"
	"  -k, --kernel          the build-id of the running kernel\n"
	"\n"
	"Examples:\n"
	"  pt buildid-list -i perf.data\n"
	"  pt buildid-list --with-hits\n"
	"  pt buildid-list -i /bin/ls\n"
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf buildid-list without effect\n"
	"\n"
	"  -f, --force\n"
	"  -v, --verbose\n");

struct list {
	struct listing list;
	struct ask ask;
	struct out *out;
	bool with_hits, kernel;
	u8 *state;		/* of each DSO, by index: HIT, PRINTED */
	u32 n_state;
};

enum { HIT = 1, PRINTED = 2, BUILD_ID = 2 };

static u8 *state_of(struct list *l, const struct dso *dso)
{
	u32 room = MAX(dso->index + 1, 2 * l->n_state);

	if (dso->index >= l->n_state) {
		l->state = arena_grow(&l->list.session.arena, l->state, 1, l->n_state, room);
		l->n_state = room;
	}
	return &l->state[dso->index];
}

static void put_id(struct list *l, const u8 *id, u32 size, const char *name)
{
	u32 i;

	for (i = 0; i < size; i++)
		out_fmt(l->out, "%02x", id[i]);
	if (name) {
		out_fill(l->out, ' ', 1 + (size ? 0 : 40));
		out_name(l->out, name);
	}
	out_newline(l->out);
}

static void put_dso(struct list *l, const struct dso *dso)
{
	u8 *state = state_of(l, dso);

	if (*state & PRINTED || (l->with_hits && !(*state & HIT)))
		return;
	*state |= PRINTED;
	put_id(l, dso->build_id, dso->build_id_size, dso->name);
}

/* Print those of the header, in its order. */
static void put_header(struct list *l)
{
	enum { ID = 12, ID_SIZE = 32, NAME = 36 };
	struct bytes b = perf_feature(&l->list.session.file, BUILD_ID);

	while (b.len > NAME) {
		size_t size = get16(b.at + 6);
		const char *name = (const char *)b.at + NAME;
		struct dso *dso;

		if (size <= NAME || size > b.len || !memchr(name, 0, size - NAME))
			return;
		dso = dso_get(&l->list.session.images, name, b.at + ID,
			      get16(b.at + 4) & 0x8000 ? b.at[ID_SIZE] : 20);
		put_dso(l, dso);
		b = bytes_skip(b, size);
	}
}

static int read_all(struct list *l)
{
	struct session *s = &l->list.session;
	const struct map *map;
	struct entry e;
	int err;

	while ((err = listing_next(&l->list, &e)) > 0) {
		if (e.kind != ENTRY_RECORDED || !e.wanted)
			continue;
		map = session_map_at(s, e.thread, e.recorded->ip);
		if (map)
			*state_of(l, map->dso) |= HIT;
	}
	return ask_read(&l->ask, err);
}

/* FILE is a program: -1 if it is not. */
static int put_program(struct list *l)
{
	struct bytes file, id = { 0 };
	int fd = file_open(l->list.path), err;

	if (fd < 0)
		return -1;
	err = file_map(&file, fd);
	close(fd);
	if (err || file.len < SELFMAG || memcmp(file.at, ELFMAG, SELFMAG))
		return -1;
	id = note_build_id(file);
	if (!id.len)
		return fail(0, "%s: it has no build-id", l->list.path);
	put_id(l, id.at, id.len, NULL);
	return 0;
}

static int put_kernel(struct list *l)
{
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	u8 notes[4096];
	ssize_t n = fd < 0 ? 0 : read(fd, notes, sizeof(notes));
	struct bytes id = note_find_build_id((struct bytes){ notes, MAX(n, 0) });

	if (!id.len)
		return fail(0, "/sys/kernel/notes has no build-id");
	put_id(l, id.at, id.len, NULL);
	return 0;
}

static int run(struct list *l)
{
	const struct dso *dso;
	bool listed;
	int status;

	l->list.itrace = (struct itrace){ 0 };
	l->list.options.no_decode = true;
	l->ask.itrace_set = true;
	if (strcmp(l->list.path, "-")) {
		status = put_program(l);
		if (status >= 0)
			return status;
	}
	if ((status = ask_open(&l->ask)) || (status = ask_start(&l->ask)))
		return status;
	listed = perf_feature(&l->list.session.file, BUILD_ID).len;
	if (session_may_trace(&l->list.session))
		l->with_hits = false;
	if (l->with_hits || !listed) {
		status = ask_end(&l->ask, read_all(l), true);
		if (status)
			return status;
	}
	/* Without a list the records have them: perf then prints what has samples. */
	l->with_hits |= !listed && !session_may_trace(&l->list.session);
	put_header(l);
	for (dso = l->list.session.images.dsos; dso && (!listed || l->with_hits); dso = dso->next)
		put_dso(l, dso);
	return 0;
}

static struct list the;

static const char *take(struct list *l, struct opt *o, const char *name)
{
	static const struct opt_member members[] = {
		{ "with-hits", offsetof(struct list, with_hits) },
		{ "kernel", offsetof(struct list, kernel) },
		{ 0 },
	};

	return opt_set(o, name, members, l) ? NULL : ask_take(&l->ask, o, name);
}

static int buildid_list(struct opt *o, struct out *out)
{
	const char *name;

	ask_begin(&the.ask, &the.list, out);
	the.out = out;
	while ((name = opt_next(o)) && !o->error)
		o->error = take(&the, o, name);
	if (!ask_done(&the.ask, o))
		return STATUS_FAILED;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return the.kernel ? put_kernel(&the) : run(&the);
}

const struct command cmd_buildid_list = {
	"buildid-list", "list the build-ids in a file", help, buildid_list, true
};
