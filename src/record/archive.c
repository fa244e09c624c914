/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt archive: a copy of a recording that also contains the code of the files that it names.
 *
 * The copy has the bytes of the original, and the bundle as one more feature at its end. The table
 * of features comes after the records; its new entry moves all that follows it.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <pt/file.h>

#include "record.h"

enum {
	HEAD = 104, DATA_OFF = 40, DATA_SIZE = 48, BITS = 72, BUNDLE_BIT = PERF_FEAT_BUNDLE,
	FEATURES = 256, ENTRY = 16, CPUMODE = 7, KERNEL = 1,
};

/* What the header names, before it is written again. */
struct original {
	struct bytes file;
	u8 head[HEAD];
	u64 table;		/* of features, and where it ends */
	u64 table_end;
};

/* Take the build-ids that the header has for the files that were seen. */
static void take_ids(struct record_dsos *d, struct perf_file *f)
{
	enum { ID = 12, ID_SIZE = 32, NAME = 36 };
	struct bytes b = perf_feature(f, PERF_FEAT_BUILD_ID);
	struct record_dso *dso;

	while (b.len > NAME) {
		size_t size = get16(b.at + 6), n;
		const char *name = (const char *)b.at + NAME;

		if (size <= NAME || size > b.len || !memchr(name, 0, size - NAME))
			return;
		n = get16(b.at + 4) & 0x8000 ? b.at[ID_SIZE] : sizeof(dso->build_id);
		for (dso = d->first; dso; dso = dso->next)
			if (!strcmp(dso->name, name) && n <= sizeof(dso->build_id)) {
				memcpy(dso->build_id, b.at + ID, n);
				dso->build_id_size = n;
			}
		b = bytes_skip(b, size);
	}
}

/* Is the file that is here now the recorded one? Without a build-id this is not known. */
static bool is_same(const struct record_dso *dso)
{
	struct bytes file = { 0 }, id;
	int fd = -1;
	bool same;

	if (!strcmp(dso->name, "[vdso]")) {
		id = note_build_id(dsos_vdso());
		return id.len && id.len == dso->build_id_size &&
		       !memcmp(id.at, dso->build_id, id.len);
	}
	if (*dso->name == '/')
		fd = file_open(dso->name);
	if (fd < 0)
		return false;
	if (file_map(&file, fd))
		file = (struct bytes){ 0 };
	close(fd);
	id = note_build_id(file);
	same = id.len && id.len == dso->build_id_size && !memcmp(id.at, dso->build_id, id.len);
	if (file.len)
		file_unmap(&file);
	return same;
}

/* Leave only the files whose code is here. Returns their number. */
static u32 select_files(struct record *r)
{
	struct record_dso **to = &r->dsos->first, *dso;
	u32 n = 0;

	for (dso = *to; dso; dso = dso->next) {
		if (dso->cpumode == KERNEL)
			continue;
		if (*dso->name == '/' && dso->name[1] == '/')
			continue;
		if (is_same(dso)) {
			*to = dso;
			to = &dso->next;
			n++;
		} else if (*dso->name == '/') {
			record_say(r, 0, "%s: %s", dso->name, dso->build_id_size ?
				   "not here, or of another build: it is not in the copy" :
				   "its build-id is not known: it is not in the copy");
		}
	}
	*to = NULL;
	return n;
}

/* Check what perf_open() did not need. */
static bool read_head(struct original *o)
{
	u32 bit, n = 0;

	if (o->file.len < HEAD)
		return false;
	memcpy(o->head, o->file.at, HEAD);
	for (bit = 0; bit < FEATURES; bit++)
		n += o->head[BITS + bit / 8] >> bit % 8 & 1;
	o->table = get64(o->head + DATA_OFF) + get64(o->head + DATA_SIZE);
	o->table_end = o->table + n * ENTRY;
	return o->table >= HEAD && o->table < o->file.len && o->table_end <= o->file.len;
}

static bool has_bundle(const struct original *o)
{
	return o->head[BITS + BUNDLE_BIT / 8] >> BUNDLE_BIT % 8 & 1;
}

static void write_table(struct perf_writer *w, const struct original *o, struct perf_spot bundle)
{
	u64 at = o->table;
	u32 bit;

	for (bit = 0; bit < FEATURES; bit++) {
		u64 off;

		if (bit == BUNDLE_BIT) {
			perf_write_u64(w, bundle.off);
			perf_write_u64(w, bundle.size);
		}
		if (!(o->head[BITS + bit / 8] >> bit % 8 & 1))
			continue;
		off = get64(o->file.at + at);
		perf_write_u64(w, off >= o->table_end ? off + ENTRY : off);
		perf_write_u64(w, get64(o->file.at + at + 8));
		at += ENTRY;
	}
}

static int write_copy(struct record *r, const struct original *o, int fd)
{
	struct perf_writer *w = &r->w;
	u8 head[HEAD];

	*w = (struct perf_writer){ .fd = fd, .arena = r->arena };
	w->buf = arena_alloc(r->arena, PERF_WRITE_BUFFER);
	memcpy(head, o->head, HEAD);
	head[BITS + BUNDLE_BIT / 8] |= 1 << BUNDLE_BIT % 8;
	perf_write_bytes(w, head, HEAD);
	perf_write_bytes(w, o->file.at + HEAD, o->table - HEAD);
	write_table(w, o, (struct perf_spot){ 0 });
	perf_write_bytes(w, o->file.at + o->table_end, o->file.len - o->table_end);
	bundle_write(r);
	/* Now the place of the bundle is known. */
	if (perf_write_round(w) || lseek(fd, o->table, SEEK_SET) < 0)
		return w->err ? w->err : -errno;
	r->result.bytes = w->at;
	write_table(w, o, w->feature[BUNDLE_BIT]);
	return perf_write_round(w);
}

static int see_maps(struct record *r, struct perf_file *f, const char **why)
{
	struct perf_record rec;
	struct perf_mmap map;
	int err;

	while ((err = perf_next(f, &rec, why)) > 0)
		if ((rec.type == PERF_MMAP || rec.type == PERF_MMAP2) && perf_get_mmap(&rec, &map))
			dsos_see(r->dsos, &map, rec.misc & CPUMODE);
	return err;
}

int record_archive(struct record *r, const char *from, const char **why)
{
	struct original o = { .file = { 0 } };
	struct perf_file f = { 0 };
	int fd, err;

	err = perf_open(&f, from, r->arena, why);
	if (err)
		return err;
	if (f.pipe || f.dir) {
		*why = f.dir ? "it is a folder: its kcore is in it already" :
			       "it is in pipe form: pt record --bundle -o FILE makes a bundle";
		return -EINVAL;
	}
	r->dsos = NEW(r->arena, struct record_dsos, 1);
	r->dsos->arena = r->arena;
	r->dsos->last = &r->dsos->first;
	r->samples.sample_type = f.sample_types;
	err = see_maps(r, &f, why);
	if (err)
		return err;
	take_ids(r->dsos, &f);
	fd = file_open(from);
	if (fd < 0) {		/* although perf_open() has read it */
		*why = "it is a pipe; store it in a file first";
		return fd;
	}
	err = file_map(&o.file, fd);
	close(fd);
	if (err)
		return err;
	if (!read_head(&o))
		*why = "it ends before its header's table: the recording was cut";
	else if (has_bundle(&o))
		*why = "it contains its code already";
	else if (!select_files(r))
		*why = "no file that it names is here";
	if (*why)
		return -EINVAL;
	fd = open(r->output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	err = write_copy(r, &o, fd);
	if (close(fd) && !err)
		err = -errno;
	if (err)
		unlink(r->output);
	return err;
}
