/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From bytes to lines: the letters of --itrace, the columns of -F, and perf.data or a bare trace.
 * With any input, the session, the listing, call stacks and printing reach the end, as in pt
 * script.
 *
 * An input is "LETTERS\0COLUMNS\0" and the bytes of the file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/listing.h>
#include <pt/print_record.h>
#include <pt/print_run.h>

#define HOLDS(is) do { if (!(is)) __builtin_trap(); } while (0)

enum { MANY = 20000 };		/* entries: a few bytes can make endless loops of code */

int LLVMFuzzerTestOneInput(const u8 *at, size_t size);

struct pipeline {
	struct listing list;
	struct sample_printer printer;
	struct out out;
};

/* The first string of 'in', cut off from it. "" if it does not end. */
static const char *take_string(struct bytes *in)
{
	const u8 *end = in->len ? memchr(in->at, 0, in->len) : NULL;
	const char *text = (const char *)in->at;

	if (!end)
		return "";
	*in = bytes_skip(*in, end + 1 - in->at);
	return text;
}

static int open_it(struct listing *l, const char *path)
{
	int err;

	listing_setup(l);
	err = session_open(&l->session, path, &l->options);
	if (err == -EBADMSG && !l->session.file.known)
		err = session_open_raw(&l->session, path, &l->raw, &l->options);
	return err;
}

static void show(struct pipeline *p, const struct entry *e)
{
	switch (e->kind) {
	case ENTRY_RUNS:
		listing_took(&p->list, print_runs(&p->printer, e->item, e->runs, e->n_runs));
		break;
	case ENTRY_SAMPLE:
		print_sample(&p->printer, e->sample);
		break;
	case ENTRY_RECORDED:
		print_recorded(&p->printer, e->recorded, e->thread);
		break;
	case ENTRY_RECORD:
		print_side_band(&p->out, e->item->record);
		break;
	case ENTRY_GAP:
		print_gap(&p->printer, e->item, e->gap);
	}
}

static void play(struct pipeline *p, const char *path)
{
	struct entry e;
	int n;

	print_run_start(&p->printer, &p->list.itrace);
	p->list.takes_runs = p->printer.by_run;
	p->list.use_calls = true;
	p->list.options.mem = 4 << 20;
	if (open_it(&p->list, path))
		return;
	listing_start(&p->list);
	for (n = 0; n < MANY && listing_next(&p->list, &e) > 0; n++)
		show(p, &e);
}

int LLVMFuzzerTestOneInput(const u8 *at, size_t size)
{
	static char buf[OUT_BUFFER];
	static struct pipeline p;
	struct bytes in = { at, size };
	const char *letters = take_string(&in), *columns = take_string(&in);
	int fd = memfd_create("trace", MFD_CLOEXEC), null = open("/dev/null", O_WRONLY), i;
	char path[32];

	memset(&p, 0, sizeof(p));
	HOLDS(fd >= 0 && null >= 0 && pwrite(fd, in.at, in.len, 0) == (ssize_t)in.len);
	fmt_str(path, sizeof(path), "/proc/self/fd/%d", fd);
	out_open(&p.out, null, buf, sizeof(buf));
	p.printer.out = &p.out;
	p.printer.session = &p.list.session;
	p.list.session.images.symfs = "test/golden/hello/root";	/* the code of the corpus */
	for (i = 0; i < N_SAMPLE_KINDS; i++)
		p.printer.names[i] = "event";
	fields_default(&p.printer.fields);
	if (itrace_parse(&p.list.itrace, letters) && !fields_parse(&p.printer.fields, columns))
		play(&p, path);
	perf_close(&p.list.session.file);
	arena_free(&p.list.session.runs.arena);
	arena_free(&p.list.session.arena);
	close(null);
	close(fd);
	return 0;
}
