/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt inject -b: a record with the build-id of each file, before its first sample.
 */
#include <fcntl.h>
#include <unistd.h>

#include <pt/file.h>
#include "inject.h"

/* True the first time. */
static bool is_new(struct inject *x, const struct dso *dso)
{
	u32 room = MAX(dso->index + 1, 2 * x->n_has_id);

	if (dso->index >= x->n_has_id) {
		x->has_id = arena_grow(&x->list.session.arena, x->has_id, 1, x->n_has_id, room);
		x->n_has_id = room;
	}
	if (x->has_id[dso->index])
		return false;
	x->has_id[dso->index] = true;
	return true;
}

/* That of the running kernel, in 'to'. */
static struct bytes running_kernel(u8 *to, size_t size)
{
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, to, size);

	if (fd >= 0)
		close(fd);
	return note_find_build_id((struct bytes){ to, MAX(n, 0) });
}

void inject_write_id(struct inject *x, u16 cpumode, const char *name, struct bytes id)
{
	enum { HAS_SIZE = 1 << 15, FIXED = 28, ID = 4, ID_SIZE = 24, NAME = 4096, ALIGN = 64 };
	size_t len = strnlen(name, NAME - 1);
	u8 body[FIXED + NAME] = { 0 };

	set32(body, -1);
	memcpy(body + ID, id.at, id.len);
	body[ID_SIZE] = id.len;
	memcpy(body + FIXED, name, len);
	perf_write_record(&x->w, PERF_BUILD_ID, cpumode | HAS_SIZE,
			  (struct bytes){ body, FIXED + round_up(len + 1, ALIGN) }, NULL);
}

static void write_id(struct inject *x, struct dso *dso)
{
	enum { KERNEL = 1, USER, ID_MAX = 20 };
	bool kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
	struct bytes id = { dso->build_id, dso->build_id_size };
	struct images *im = &x->list.session.images;
	u8 notes[4096];

	if (!is_new(x, dso))
		return;
	if (!id.len && dso->kind == DSO_KERNEL && im->this_machine)
		id = running_kernel(notes, sizeof(notes));
	else if (!id.len && (dso->kind == DSO_FILE || dso->kind == DSO_VDSO))
		id = note_build_id(dso_bytes(im, dso, 0));
	if (!id.len || id.len > ID_MAX)
		return;
	inject_write_id(x, kernel ? KERNEL : USER, dso->name, id);
}

void inject_sample_ids(struct inject *x, const struct entry *e)
{
	u64 ip = e->kind == ENTRY_SAMPLE ? e->sample->ip : e->recorded->ip;
	const struct map *map;

	if (!x->ids || x->all_ids)
		return;
	map = session_map_at(&x->list.session, e->thread, ip);
	if (map)
		write_id(x, map->dso);
}

void inject_record_ids(struct inject *x, const struct perf_record *rec)
{
	struct perf_mmap m;
	const char *end;

	if (!x->all_ids || (rec->type != PERF_MMAP && rec->type != PERF_MMAP2) ||
	    !perf_get_mmap(rec, &m))
		return;
	/* The kernel's is "[kernel.kallsyms]_text". */
	end = *m.name == '[' ? strchr(m.name, ']') : NULL;
	if (end)
		m.name = arena_strn(&x->list.session.arena, m.name, end + 1 - m.name);
	write_id(x, dso_get(&x->list.session.images, m.name, m.build_id, m.build_id_size));
}
