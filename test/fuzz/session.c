/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From bytes to lines: the letters of --itrace, the columns of -F, and a perf.data or a bare
 * trace. Whatever they are, the session, the samples, the call stacks and the printing go on
 * to an end, as in pt script.
 *
 * An input is "LETTERS\0COLUMNS\0" and the bytes of the file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/print_record.h>
#include <pt/print_run.h>
#include <pt/session.h>

#define HOLDS(is) do { if (!(is)) __builtin_trap(); } while (0)

enum { MANY = 20000 };		/* items: a few bytes can make endless loops of code */

int LLVMFuzzerTestOneInput(const u8 *at, size_t size);

struct pipeline {
	struct session session;
	struct samples samples;
	struct sample_printer printer;
	struct itrace itrace;
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

static int open_it(struct pipeline *p, const char *path)
{
	static const struct session_raw raw;
	struct session_options options = {
		.timeless = p->itrace.timeless, .quick = p->itrace.quick,
		.insns = p->itrace.instructions, .approximate = p->itrace.approximate_ipc,
		.heed = samples_heed(&p->itrace, true), .note = p->printer.by_run, .mem = 4 << 20,
	};
	int err = session_open(&p->session, path, &options);

	if (err == -EBADMSG && !p->session.file.known)
		err = session_open_raw(&p->session, path, &raw, &options);
	return err;
}

static void print_step(struct pipeline *p, const struct item *item)
{
	struct sample sample;

	if (!samples_owe(&p->samples, item->queue) && samples_simple(item->step) &&
	    print_run(&p->printer, item))
		return;
	if (samples_omit(&p->samples, item))
		return;
	samples_item(&p->samples, item);
	while (samples_next(&p->samples, &sample))
		print_sample(&p->printer, &sample);
	if (item->halves & STEP_EVENT && item->step->what & STEP_GAP)
		print_gap(&p->printer, item, item->step->gap);
}

static void print_steps(struct pipeline *p, const struct item *passed)
{
	struct step step;
	struct item item;
	u32 i;

	session_passed_begin(passed, &step, &item);
	for (i = 0; session_passed(passed, i, &step, &item); i++)
		print_step(p, &item);
}

static void print_recorded_sample(struct pipeline *p, const struct perf_sample *s)
{
	struct thread *t = NULL;

	if (!s->event || s->bad)
		return;
	if (s->tid != -1)
		t = process_thread(&p->session.processes, s->pid, s->tid);
	print_recorded(&p->printer, s, t);
}

static void play(struct pipeline *p, const char *path)
{
	struct item item;
	int n;

	print_run_start(&p->printer, &p->itrace);
	if (open_it(p, path))
		return;
	samples_start(&p->samples, &p->session, &p->itrace, true);
	for (n = 0; n < MANY && session_next(&p->session, &item) > 0; n++) {
		if (item.kind == ITEM_STEP)
			print_step(p, &item);
		else if (item.kind == ITEM_PASSED)
			print_steps(p, &item);
		else if (item.kind == ITEM_LOST)
			print_gap(&p->printer, &item, GAP_LOST);
		else if (item.record->type == PERF_SAMPLE)
			print_recorded_sample(p, item.sample);
		else
			print_side_band(&p->out, item.record);
	}
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
	p.printer.session = &p.session;
	p.session.images.symfs = "test/golden/hello/root";	/* the code of the corpus */
	for (i = 0; i < N_SAMPLE_KINDS; i++)
		p.printer.names[i] = "event";
	fields_default(&p.printer.fields);
	if (itrace_parse(&p.itrace, letters) && !fields_parse(&p.printer.fields, columns))
		play(&p, path);
	perf_close(&p.session.file);
	arena_free(&p.session.runs.arena);
	arena_free(&p.session.arena);
	close(null);
	close(fd);
	return 0;
}
