/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf.data files of any bytes are read and printed to the end, as a file and as a pipe, in order,
 * and within the bounds of each record.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/out.h>
#include <pt/perf.h>
#include <pt/print_record.h>

#define HOLDS(is) do { if (!(is)) __builtin_trap(); } while (0)

int LLVMFuzzerTestOneInput(const u8 *at, size_t size);

static void read_bodies(const struct perf_record *rec, struct arena *arena)
{
	struct perf_pt_info info = { 0 };
	struct perf_text_poke poke;
	struct perf_auxtrace aux;
	struct perf_ksymbol symbol;
	struct perf_switch sw;
	struct perf_mmap map;
	struct perf_comm comm;
	struct perf_task task;
	struct perf_aux a;

	HOLDS(!perf_get_mmap(rec, &map) || strlen(map.name) < rec->raw.len);
	HOLDS(!perf_get_comm(rec, &comm) || strlen(comm.name) < rec->raw.len);
	HOLDS(!perf_get_ksymbol(rec, &symbol) || strlen(symbol.name) < rec->raw.len);
	HOLDS(!perf_get_text_poke(rec, &poke) || poke.old.len + poke.new.len < rec->raw.len);
	perf_get_task(rec, &task);
	perf_get_aux(rec, &a);
	perf_get_switch(rec, &sw);
	perf_get_auxtrace(rec, &aux);
	perf_get_pt_info(rec, &info, arena);
}

/* One record, in memory of its own, so that the sanitizer sees its end. */
static void play_record(struct perf_file *f, struct dump *d, struct out *out,
			const struct perf_record *rec)
{
	u8 *copy = malloc(rec->raw.len);
	struct perf_record mine = *rec;
	struct perf_sample s;
	u64 time;

	memcpy(copy, rec->raw.at, rec->raw.len);
	mine.raw.at = copy;
	mine.aux_size = MIN(mine.aux_size, 4096);
	HOLDS(perf_sample(f, &mine, &s) == !s.bad);
	perf_record_time(f, &mine, &time);
	read_bodies(&mine, f->arena);
	print_dump(out, d, &mine, &s);
	print_side_band(out, &mine);
	free(copy);
}

static void play(const char *path)
{
	static char buf[OUT_BUFFER];
	struct arena arena = { 0 };
	struct perf_order *order;
	struct perf_record rec;
	struct perf_sample s;
	struct perf_file f = { 0 };
	struct dump d = { .file = &f };
	const char *why;
	struct out out;
	int fd = open("/dev/null", O_WRONLY);

	out_open(&out, fd, buf, sizeof(buf));
	if (!perf_open(&f, path, &arena, &why)) {
		order = perf_order_start(&f);
		while (perf_order_next(order, &rec, &s, &why) > 0)
			play_record(&f, &d, &out, &rec);
		print_header(&out, &f);
	}
	perf_close(&f);
	arena_free(&arena);
	close(fd);
}

static void play_file(const u8 *at, size_t size)
{
	static int fd;
	char path[32];

	if (!fd)
		fd = memfd_create("perf", 0);
	HOLDS(!ftruncate(fd, 0) && pwrite(fd, at, size, 0) == (ssize_t)size);
	fmt_str(path, sizeof(path), "/proc/self/fd/%d", fd);
	play(path);
}

static void play_pipe(const u8 *at, size_t size)
{
	char path[32];
	int fds[2];

	HOLDS(!pipe(fds) && write(fds[1], at, size) == (ssize_t)size);
	close(fds[1]);
	fmt_str(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	play(path);
	close(fds[0]);
}

int LLVMFuzzerTestOneInput(const u8 *at, size_t size)
{
	play_file(at, size);
	if (size <= 60000)
		play_pipe(at, size);
	return 0;
}
