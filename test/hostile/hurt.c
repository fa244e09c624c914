/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Changes a small perf.data file in one hostile way.
 *
 * usage: hurt WAY [N [M]] < perf.data > hostile.data
 *
 * Most ways insert records before the first AUXTRACE record. The index of AUXTRACE records is
 * emptied, because their offsets change; a reader then walks the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pt/perf.h>

enum { HEAD = 104, FEATURE_AUXTRACE = 18, TAIL_MAX = 64, BODY_MAX = 256 };

static u8 file[1 << 20];
static size_t file_size, data, data_end;
static size_t here;	/* where records are inserted */

/* From the first MMAP2 record: whose it is, and the sample_id words at its end. */
static u32 pid;
static u8 tail[TAIL_MAX];
static size_t tail_size;
static u64 tail_time;

static u8 *made;
static size_t n_made, made_room;

static void die(const char *why)
{
	fprintf(stderr, "hurt: %s\n", why);
	exit(1);
}

static void put(const void *bytes, size_t n)
{
	while (n_made + n > made_room) {
		made_room = made_room ? 2 * made_room : 1 << 20;
		made = realloc(made, made_room);
	}
	if (n)
		memcpy(made + n_made, bytes, n);
	n_made += n;
}

static u32 type_at(size_t at)
{
	return get32(file + at);
}

/* With the trace after an AUXTRACE record. */
static size_t size_at(size_t at)
{
	size_t size = get16(file + at + 6);

	if (size < 8 || at + size > data_end)
		die("a record is damaged");
	return type_at(at) == PERF_AUXTRACE ? size + get64(file + at + 8) : size;
}

static size_t find(u32 type)
{
	size_t at = data;

	while (at < data_end && type_at(at) != type)
		at += size_at(at);
	if (at == data_end)
		die("a record is missing");
	return at;
}

static void read_file(void)
{
	enum { MMAP2_NAME = 72 };
	size_t mmap2, name;

	file_size = fread(file, 1, sizeof(file), stdin);
	if (file_size < HEAD || memcmp(file, "PERFILE2", 8))
		die("standard input is no perf.data");
	data = get64(file + 40);
	data_end = data + get64(file + 48);
	mmap2 = find(PERF_MMAP2);
	pid = get32(file + mmap2 + 8);
	name = strlen((char *)file + mmap2 + MMAP2_NAME) / 8 * 8 + 8;
	tail_size = size_at(mmap2) - MMAP2_NAME - name;
	memcpy(tail, file + mmap2 + MMAP2_NAME + name, tail_size);
	tail_time = get64(tail + 8);
	here = find(PERF_AUXTRACE);
}

/* The features' sections lie after the data, and their table before them. */
static void empty_index(void)
{
	u64 bits = get64(file + 72);
	u8 *section = file + data_end + 16 * __builtin_popcountll(bits & ((1 << FEATURE_AUXTRACE) - 1));

	if (bits >> FEATURE_AUXTRACE & 1)
		set64(file + get64(section), 0);
}

static void shift_features(u64 by)
{
	u64 bits = get64(file + 72);
	u8 *section = file + data_end;
	int n = __builtin_popcountll(bits) + __builtin_popcountll(get64(file + 80)) +
		__builtin_popcountll(get64(file + 88)) + __builtin_popcountll(get64(file + 96));

	for (; n--; section += 16)
		set64(section, get64(section) + by);
}

static void write_all(const void *bytes, size_t n)
{
	if (n && fwrite(bytes, n, 1, stdout) != 1)
		die("cannot write");
}

static void write_file(void)
{
	empty_index();
	shift_features(n_made);
	set64(file + 48, get64(file + 48) + n_made);
	write_all(file, here);
	write_all(made, n_made);
	write_all(file + here, file_size - here);
}

/* A record 'after' ns later than the first MMAP2. */
static void add(u32 type, u16 misc, const void *body, size_t n, u64 after)
{
	u8 head[8];

	set32(head, type);
	set16(head + 4, misc);
	set16(head + 6, 8 + n + tail_size);
	set64(tail + 8, tail_time + after);
	put(head, 8);
	put(body, n);
	put(tail, tail_size);
}

static void add_mmap(u64 start, u64 len, u64 nr)
{
	u8 body[64 + BODY_MAX] = { 0 };
	int n;

	set32(body, pid);
	set32(body + 4, pid);
	set64(body + 8, start);
	set64(body + 16, len);
	set32(body + 56, 5);
	set32(body + 60, 2);
	n = snprintf((char *)body + 64, BODY_MAX, "/lib/x%llu.so", nr);
	add(PERF_MMAP2, 2, body, 64 + n / 8 * 8 + 8, nr);
}

static void add_task(u32 new_pid, u32 tid, u64 nr)
{
	u8 body[24];

	set32(body, new_pid);
	set32(body + 4, pid);
	set32(body + 8, tid);
	set32(body + 12, pid);
	set64(body + 16, tail_time);
	add(PERF_FORK, 0, body, sizeof(body), nr);
}

static void ways_threads(u64 n, u64 step)
{
	u64 i;

	for (i = 0; i < n; i++)
		add_task(pid, 100000 + i * step, i);
}

/* The same number again and again: each fork makes an older thread of that number a past one. */
static void ways_reborn(u64 n, u64 different)
{
	u64 i;

	for (i = 0; i < n; i++)
		add_task(pid, 100000 + i % different, i);
}

static void ways_maps_down(u64 n, u64 unused)
{
	u64 i;

	for (i = 0; i < n; i++)
		add_mmap(0x700000000000 - i * 0x1000, 0x2000, i);
}

static void ways_maps_nested(u64 n, u64 unused)
{
	u64 i;

	for (i = 0; i < n; i++)
		add_mmap(0x10000000 + i * 0x1000, 0x2000 * (n - i), i);
}

static void ways_maps_in_one(u64 n, u64 unused)
{
	u64 i;

	add_mmap(0x10000000, 0x10000 * n, 0);
	for (i = 0; i < n; i++)
		add_mmap(0x10000000 + 0x4000 * (i * 7919 % n), 0x1000, i);
}

/* Each process inherits the maps, and then makes one of its own. */
static void ways_maps_forked(u64 n, u64 forks)
{
	u64 i, parent = pid;

	for (i = 0; i < n; i++)
		add_mmap(0x10000000 + i * 0x2000, 0x1000, i);
	for (i = 0; i < forks; i++) {
		pid = parent;
		add_task(100000 + i, 100000 + i, n + i);
		pid = 100000 + i;
		add_mmap(0x1000, 0x1000, n + i);
	}
}

static void ways_ksymbols(u64 n, u64 unused)
{
	u8 body[40];
	u64 i;

	for (i = 0; i < n; i++) {
		memset(body, 0, sizeof(body));
		set64(body, 0xffffffffc0000000 + i * 7919 % n * 64);
		set32(body + 8, 64);
		set16(body + 12, 1);
		snprintf((char *)body + 16, 24, "bpf_%u", (u32)i);
		add(PERF_KSYMBOL, 0, body, sizeof(body), i);
	}
}

/* AUXTRACE records of as many queues, each with so many bytes of PADs. */
static void ways_queues(u64 n, u64 size)
{
	enum { HEAD_SIZE = 48 };
	u8 rec[HEAD_SIZE + BODY_MAX] = { 0 };
	u64 i;

	set32(rec, PERF_AUXTRACE);
	set16(rec + 6, HEAD_SIZE);
	set64(rec + 8, size = MIN(size, (u64)BODY_MAX));
	set32(rec + 40, -1);
	for (i = 0; i < n; i++) {
		set32(rec + 32, i + 1);
		set32(rec + 36, 300000 + i);
		put(rec, HEAD_SIZE + size);
	}
}

/* Word 'word' of what AUXTRACE_INFO says of the PMU. */
static void ways_info(u64 word, u64 value)
{
	set64(file + find(PERF_AUXTRACE_INFO) + 16 + 8 * word, value);
}

/* AUXTRACE_INFO comes after a record of the kernel. */
static void ways_late_info(u64 unused, u64 unused_too)
{
	size_t at = find(PERF_AUXTRACE_INFO), size = size_at(at);

	put(file + at, size);
	set32(file + at, PERF_FINISHED_INIT);
	here = find(PERF_COMM);
	here += size_at(here);
}

/* A header feature in the last record, too short to say which. */
static void ways_short_feature(u64 unused, u64 unused_too)
{
	static const u8 rec[12] = { [0] = PERF_HEADER_FEATURE, [6] = 12 };

	put(rec, sizeof(rec));
	here = data_end;
}

static const struct {
	const char *name;
	void (*hurt)(u64 n, u64 m);
} ways[] = {
	{ "threads", ways_threads },
	{ "reborn", ways_reborn },
	{ "maps-down", ways_maps_down },
	{ "maps-nested", ways_maps_nested },
	{ "maps-in-one", ways_maps_in_one },
	{ "maps-forked", ways_maps_forked },
	{ "ksymbols", ways_ksymbols },
	{ "queues", ways_queues },
	{ "info", ways_info },
	{ "late-info", ways_late_info },
	{ "short-feature", ways_short_feature },
};

int main(int argc, char **argv)
{
	u64 n = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
	u64 m = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
	size_t i = 0;

	while (i < N_ELEM(ways) && argc > 1 && strcmp(ways[i].name, argv[1]))
		i++;
	if (argc < 2 || i == N_ELEM(ways))
		die("which way?");
	read_file();
	ways[i].hurt(n, m);
	write_file();
	return 0;
}
