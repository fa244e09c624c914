/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The contents of a file, record by record and packet by packet.
 *
 * perf.data is recognized by its magic number, a bare trace by a PSB packet. If the first piece of
 * a file has no PSB, the whole file is searched before anything is printed. A pipe is read up to
 * its first PSB.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/CAPTURE.h>
#include <pt/config/PERF_DATA.h>
#include <pt/config/SEVERAL.h>
#include <pt/fail.h>
#include <pt/packet.h>
#include <pt/perf.h>
#include <pt/print.h>
#include "capture.h"
#include "dump.h"
#include "input.h"
#include "several.h"

enum {
	PIECE = 64 << 10,
	PSB_PERIOD = 128 << 20,		/* twice the largest period that can be set */
};

struct input {
	const char *path;
	int fd;
	bool seekable, is_dir;
	size_t n;		/* bytes of 'piece' */
	u8 piece[PIECE];	/* the current piece of the file */
};

static int open_input(struct input *in, const char *path)
{
	in->path = path;
	in->n = 0;
	if (CONFIG_CAPTURE)
		path = capture_path(path);
	in->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : 0;
	if (in->fd < 0)
		return -errno;
	in->seekable = !lseek(in->fd, 0, SEEK_SET);
	in->is_dir = false;
	return 0;
}

/* Keep the first 'keep' bytes of the piece and read more after them. Returns the number of bytes
 * read, 0 at the end, or -errno. */
static long read_on(struct input *in, size_t keep)
{
	ssize_t n;

	in->n = keep;
	do
		n = read(in->fd, in->piece + keep, PIECE - keep);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	in->n += n;
	return n;
}

/* Read enough to recognize the format. */
static int read_first(struct input *in)
{
	long n = 1;

	while (n > 0 && in->n < PACKET_MAX)
		n = read_on(in, in->n);
	return n < 0 ? n : 0;
}

/* Read up to the piece that contains the first PSB. Returns the offset of the piece in the file,
 * and in '*psb' the offset of the PSB in the piece. Returns -ENODATA if there is none, or if the
 * first one comes too late: other files may contain the bytes of a PSB by chance, as pt itself
 * does. */
static i64 find_psb(struct input *in, size_t *psb)
{
	i64 off = 0;
	long n;

	if (!memcmp(in->piece, "\177ELF", 4))
		return -ENODATA;
	for (;;) {
		size_t keep = in->n < PIECE ? in->n : PACKET_MAX - 1;

		*psb = sync_find((struct bytes){ in->piece, in->n });
		if (*psb < in->n)
			return off;
		off += in->n - keep;
		if (off > PSB_PERIOD)
			return -ENODATA;
		memmove(in->piece, in->piece + in->n - keep, keep);
		n = read_on(in, keep);
		if (n <= 0)
			return n ? n : -ENODATA;
	}
}

static int no_trace(const struct input *in)
{
	if (!in->n)
		return fail(0, "%s: the file is empty", in->path);
	return input_not_trace(in->path);
}

static int dump_raw(struct out *out, struct input *in)
{
	struct packet_lines lines = { 0 };
	size_t psb;
	i64 off = find_psb(in, &psb);
	long n;

	if (off == -ENODATA)
		return no_trace(in);
	if (off < 0)
		return fail(off, "cannot read %s", in->path);
	if (off && in->seekable) {
		lseek(in->fd, 0, SEEK_SET);
		in->n = 0;
	} else if (off) {
		lines.off = off + psb;
		warn(0, "%s: the first %llu bytes contain no PSB packet and are skipped", in->path,
		     lines.off);
		in->n -= psb;
		memmove(in->piece, in->piece + psb, in->n);
	}
	do {
		print_packets(out, &lines, (struct bytes){ in->piece, in->n });
		n = read_on(in, 0);
	} while (n > 0 && !out->err);
	print_packets_end(out, &lines);
	return n < 0 ? fail(n, "cannot read %s", in->path) : STATUS_DONE;
}

/* Dump a perf.data file, with the messages about it as a whole. */
int dump_perf(struct dumper *d, struct out *out, const char *path, int fd, struct bytes seen)
{
	struct arena arena = { 0 };
	const char *why = NULL;
	struct perf_file f = { 0 };
	int err;

	/* This is never called then; the test removes perf_open() from the program. */
	if (!CONFIG_PERF_DATA)
		return STATUS_FAILED;
	if (seen.len)
		err = perf_open_pipe(&f, fd, seen, &arena, &why);
	else
		err = perf_open(&f, CONFIG_CAPTURE ? capture_path(path) : path, &arena, &why);
	f.path = path;
	if (CONFIG_SEVERAL)
		f.elsewhere = several_holes();
	if (!err && f.cut)
		warn(0, "%s: the recorder died before it wrote the size of the data", path);
	if (!err)
		err = print_perf(out, &f, &why);
	if (f.n_compressed)
		warn(0, "%s: %llu COMPRESSED records are skipped (record without -z)",
		     path, f.n_compressed);
	perf_close(&f);
	if (err)
		err = input_fail(err, path, why);
	arena_free(&arena);
	return err;
}

int dump_file(struct dumper *d, struct out *out, const char *path)
{
	struct input in;
	struct bytes seen;
	int err = open_input(&in, path);

	if (err)
		return input_fail(err, path, NULL);
	err = read_first(&in);
	in.is_dir = err == -EISDIR;
	if (err && !in.is_dir)
		return input_fail(err, path, NULL);
	seen = (struct bytes){ in.piece, in.n };
	if (!CONFIG_PERF_DATA || !(in.is_dir || perf_magic(seen)))
		return dump_raw(out, &in);
	if (in.seekable || in.is_dir)
		seen.len = 0;
	return d->perf(d, out, path, in.fd, seen);
}
