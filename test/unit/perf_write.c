/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

#include <pt/out.h>
#include <pt/perf_write.h>

#include "test.h"

static u64 ids[] = { 7, 8 };
static struct perf_event event = {
	.attr = {
		.type = 9, .size = 128, .flags = 1ull << PERF_F_SAMPLE_ID_ALL,
		.sample_type = 1 << PERF_S_IDENTIFIER | 1 << PERF_S_TID | 1 << PERF_S_TIME |
			       1 << PERF_S_CPU,
	},
	.name = "intel_pt//u", .ids = ids, .n_ids = 2,
};

static struct perf_writer w;
static char path[64];

static void start(const char *name)
{
	fmt_str(path, sizeof(path), "/tmp/pt-test-%d-%s", (int)getpid(), name);
	unlink(path);
	w = (struct perf_writer){ 0 };
	EQ(perf_write_open(&w, path, -1, &test_arena, &event, 1), 0);
}

static void write_comm(const char *name)
{
	perf_write_comm(&w, &(struct perf_comm){ 3, 4, true, name },
			&(struct perf_stamp){ 3, 4, 1000, 7, 1 });
}

static struct perf_file f;
static struct perf_record rec;
static const char *why;

static void reopen(void)
{
	f = (struct perf_file){ 0 };
	EQ(perf_open(&f, path, &test_arena, &why), 0);
}

/* How many records of 'type' there are, and none is damaged. */
static int count(u32 type)
{
	int n = 0, got;

	while ((got = perf_next(&f, &rec, &why)) > 0)
		n += rec.type == type;
	EQ(got, 0);
	return n;
}

static void done(void)
{
	perf_close(&f);
	unlink(path);
}

TEST(what_is_written_is_read)
{
	struct perf_sample s;
	struct perf_comm c;

	start("read");
	write_comm("ls");
	EQ(perf_write_close(&w), 0);
	reopen();
	EQ(f.n_events, 1);
	EQ(f.events[0]->n_ids, 2);
	EQ(f.events[0]->ids[1], 8);
	EQ(f.events[0]->attr.type, 9);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(perf_get_comm(&rec, &c), true);
	STR_EQ(c.name, "ls");
	OK(perf_sample(&f, &rec, &s));
	EQ(s.time, 1000);
	EQ(s.cpu, 1);
	EQ(s.tid, 4);
	EQ(s.id, 7);
	done();
}

TEST(trace_is_padded_and_indexed)
{
	struct perf_auxtrace a = { .size = 13, .off = 0x40, .idx = 2, .tid = 5, .cpu = 1 }, got;
	struct bytes index;
	u8 payload[16] = { 0 };

	start("aux");
	write_comm("a");
	perf_write_aux(&w, &a, (struct bytes){ (const u8 *)"thirteen byte", 13 });
	write_comm("b");
	EQ(perf_write_close(&w), 0);
	reopen();
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(perf_next(&f, &rec, &why), 1);
	OK(perf_get_auxtrace(&rec, &got));
	EQ(got.size, 16);
	EQ(got.off, 0x40);
	EQ(got.idx, 2);
	OK(got.reference);	/* perf 6.1 crashes on 0 */
	EQ(perf_aux_read(&f, &rec, 0, payload, 16), 16);
	EQ(memcmp(payload, "thirteen byte\0\0", 16), 0);
	index = perf_feature(&f, PERF_FEAT_AUXTRACE);
	EQ(index.len, 24);
	EQ(get64(index.at), 1);
	EQ(get64(index.at + 8), rec.off);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.type, PERF_COMM);
	done();
}

/* While it grows, the file system may have found room for more. */
TEST(a_large_file_takes_no_room_after_its_end)
{
	enum { PIECE = 300008, PIECES = 20 };
	static u8 bytes[PIECE];
	struct stat st;
	u32 i;

	start("large");
	for (i = 0; i < PIECES; i++) {
		memset(bytes, i, PIECE);
		perf_write_aux(&w, &(struct perf_auxtrace){ .size = PIECE, .off = (u64)i * PIECE },
			       (struct bytes){ bytes, PIECE });
	}
	EQ(perf_write_close(&w), 0);
	EQ(stat(path, &st), 0);
	OK(st.st_size > PIECE * PIECES);
	OK(st.st_blocks * 512 < st.st_size + (1 << 20));
	reopen();
	for (i = 0; i < PIECES; i++) {
		EQ(perf_next(&f, &rec, &why), 1);
		EQ(perf_aux_read(&f, &rec, 0, bytes, PIECE), PIECE);
		OK(bytes[0] == i && bytes[PIECE / 2] == i && bytes[PIECE - 1] == i);
	}
	done();
}

TEST(features_lie_before_and_behind)
{
	start("features");
	perf_write_feature(&w, PERF_FEAT_HOSTNAME, BYTES(1, 2, 3));
	write_comm("a");
	perf_write_end(&w);
	perf_write_feature(&w, PERF_FEAT_BUNDLE, BYTES(4, 5));
	EQ(perf_write_close(&w), 0);
	reopen();
	EQ(perf_feature(&f, PERF_FEAT_HOSTNAME).len, 3);
	EQ(perf_feature(&f, PERF_FEAT_BUNDLE).at[1], 5);
	EQ(f.feature[PERF_FEAT_HOSTNAME].off < f.data_off, true);
	EQ(count(PERF_COMM), 1);
	done();
}

TEST(a_file_is_whole_after_each_round)
{
	int i;

	start("rounds");
	perf_write_feature(&w, PERF_FEAT_HOSTNAME, BYTES(1, 2, 3));
	for (i = 1; i < 50; i++) {
		write_comm("a");
		EQ(perf_write_round(&w), 0);
		reopen();
		EQ(perf_feature(&f, PERF_FEAT_HOSTNAME).len, 3);
		EQ(count(PERF_COMM), i);
		perf_close(&f);
	}
	EQ(perf_write_close(&w), 0);
	reopen();
	EQ(count(PERF_COMM), 49);
	done();
}

TEST(a_file_is_whole_after_each_piece)
{
	u8 *trace = NEW(&test_arena, u8, 50000);
	struct perf_auxtrace a = { .size = 50000 };
	int i, n = 0;

	start("pieces");
	perf_write_feature(&w, PERF_FEAT_HOSTNAME, BYTES(1, 2, 3));
	for (i = 0; i < 3 * PERF_WRITE_BUFFER / 50000; i++) {
		perf_write_aux(&w, &a, (struct bytes){ trace, 50000 });
		write_comm("a");
		if (!w.covered)		/* the first piece is not written yet */
			continue;
		reopen();
		EQ(perf_feature(&f, PERF_FEAT_HOSTNAME).len, 3);
		n = count(PERF_AUXTRACE);
		OK(n > i - PERF_WRITE_BUFFER / 50000 - 1);
		perf_close(&f);
	}
	OK(n > PERF_WRITE_BUFFER / 50000);
	EQ(perf_write_close(&w), 0);
	done();
}

TEST(a_full_disk_costs_the_last_records_only)
{
	struct rlimit old, small = { 300000, RLIM_INFINITY };
	u8 *trace = NEW(&test_arena, u8, 50000);
	struct perf_auxtrace a = { .size = 50000 };
	int i;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small.rlim_max = old.rlim_max;
	start("full");
	perf_write_feature(&w, PERF_FEAT_HOSTNAME, BYTES(1, 2, 3));
	setrlimit(RLIMIT_FSIZE, &small);
	for (i = 0; i < 20 && !w.err; i++) {
		perf_write_aux(&w, &a, (struct bytes){ trace, 50000 });
		perf_write_round(&w);
	}
	EQ(i, 6);
	EQ(perf_write_close(&w), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	reopen();
	EQ(perf_feature(&f, PERF_FEAT_HOSTNAME).len, 3);
	EQ(count(PERF_AUXTRACE), i);
	done();
}

TEST(one_write_that_is_larger_than_the_disk_keeps_what_fits)
{
	struct rlimit old, small = { 65536, RLIM_INFINITY };
	u8 *trace = NEW(&test_arena, u8, 500000);
	struct perf_auxtrace a = { .size = 500000 };
	struct perf_comm comm = { .pid = 1, .tid = 1, .name = "x" };
	struct stat st;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small.rlim_max = old.rlim_max;
	start("large");
	setrlimit(RLIMIT_FSIZE, &small);
	perf_write_comm(&w, &comm, NULL);
	perf_write_aux(&w, &a, (struct bytes){ trace, 500000 });
	perf_write_comm(&w, &comm, NULL);
	EQ(perf_write_close(&w), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	reopen();
	EQ(count(PERF_COMM), 1);
	perf_close(&f);
	reopen();
	EQ(count(PERF_AUXTRACE), 1);
	OK(!stat(path, &st) && st.st_size > 50000);
	done();
}

TEST(a_record_that_does_not_fit_is_left_out)
{
	struct rlimit old, small = { 150000, RLIM_INFINITY };
	u8 *body = NEW(&test_arena, u8, 60000);
	struct stat st;
	int i;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small.rlim_max = old.rlim_max;
	start("records");
	setrlimit(RLIMIT_FSIZE, &small);
	for (i = 0; i < 40; i++)
		perf_write_record(&w, PERF_THROTTLE, 0, (struct bytes){ body, 60000 }, NULL);
	EQ(perf_write_close(&w), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	reopen();
	EQ(count(PERF_THROTTLE), 2);
	OK(!stat(path, &st) && st.st_size < 130000);
	done();
}

TEST(a_ring_s_records_are_counted_by_what_they_say)
{
	u64 records[] = {
		PERF_LOST | 24ull << 48, 7, 5,
		PERF_AUX | 32ull << 48, 0, 64, 1 | 8,
		PERF_SAMPLE | 32ull << 48, 7, 3ull | 4ull << 32, 1234,
		PERF_COMM | 3ull << 48, 0,	/* damage ends it */
	};

	start("lost");
	perf_write_records(&w, (struct bytes){ (const u8 *)records, sizeof(records) });
	EQ(w.lost.records, 5);
	EQ(w.lost.truncated, 1);
	EQ(w.lost.collisions, 1);
	EQ(w.lost.partial, 0);
	EQ(w.n_samples, 1);
	EQ(w.n_records, 3);
	EQ(perf_write_close(&w), 0);
	done();
}

TEST(a_pipe_has_everything_as_records)
{
	int fd = memfd_create("pipe", 0);

	w = (struct perf_writer){ 0 };
	EQ(perf_write_open(&w, "-", fd, &test_arena, &event, 1), 0);
	perf_write_feature(&w, PERF_FEAT_HOSTNAME, BYTES(1, 2, 3));
	perf_write_feature(&w, PERF_FEAT_AUXTRACE, BYTES(1, 2, 3));
	write_comm("a");
	perf_write_aux(&w, &(struct perf_auxtrace){ .size = 3 }, BYTES(1, 2, 3));
	write_comm("b");
	EQ(perf_write_close(&w), 0);
	fmt_str(path, sizeof(path), "/proc/self/fd/%d", fd);
	f = (struct perf_file){ 0 };
	if (perf_open(&f, path, &test_arena, &why))
		SKIP("no /proc");
	OK(f.pipe);
	EQ(count(PERF_COMM), 2);
	EQ(f.n_events, 1);
	STR_EQ(f.events[0]->name, "intel_pt//u");
	EQ(perf_feature(&f, PERF_FEAT_HOSTNAME).len, 8);
	perf_close(&f);
	close(fd);
}

TEST(what_is_in_the_way_becomes_old_and_is_private)
{
	char old[80];
	struct stat st;

	start("old");
	EQ(perf_write_close(&w), 0);
	w = (struct perf_writer){ 0 };
	EQ(perf_write_open(&w, path, -1, &test_arena, &event, 1), 0);
	write_comm("a");
	EQ(perf_write_close(&w), 0);
	fmt_str(old, sizeof(old), "%s.old", path);
	EQ(stat(old, &st), 0);
	EQ(unlink(old), 0);
	EQ(stat(path, &st), 0);
	EQ(st.st_mode & 0777, 0600);
	EQ(unlink(path), 0);
}

TEST(maps_are_seen_when_they_go_out)
{
	struct perf_mmap m = { .pid = 1, .start = 0x1000, .len = 0x2000, .prot = 5, .name = "/x" }, got;

	start("maps");
	perf_write_mmap(&w, 2, &m, &(struct perf_stamp){ 0 });
	perf_write_mmap(&w, 1, &m, &(struct perf_stamp){ 0 });
	EQ(perf_write_close(&w), 0);
	reopen();
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.type, PERF_MMAP2);
	OK(perf_get_mmap(&rec, &got));
	EQ(got.len, 0x2000);
	EQ(got.prot, 5);
	STR_EQ(got.name, "/x");
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.type, PERF_MMAP);
	done();
}

/* Make a folder as a recording with kcore has it; its path in 'folder'. */
static void make_folder(char *folder)
{
	static const char *const files[] = {
		"data", "kcore_dir/kcore", "kcore_dir/kallsyms", "kcore_dir/modules",
	};
	char name[80];
	size_t i;

	OK(mkdtemp(folder));
	snprintf(name, sizeof(name), "%s/kcore_dir", folder);
	OK(!mkdir(name, 0755));
	for (i = 0; i < N_ELEM(files); i++) {
		snprintf(name, sizeof(name), "%s/%s", folder, files[i]);
		fclose(fopen(name, "w"));
	}
}

TEST(a_folder_is_removed_unless_something_else_is_in_it)
{
	char folder[] = "/tmp/pt-folder-XXXXXX", other[] = "/tmp/pt-folder-XXXXXX", name[80];

	make_folder(folder);
	perf_dir_remove(folder, &test_arena);
	OK(access(folder, F_OK));
	make_folder(other);
	snprintf(name, sizeof(name), "%s/mine", other);
	fclose(fopen(name, "w"));
	perf_dir_remove(other, &test_arena);
	OK(!access(name, F_OK));
	unlink(name);
	snprintf(name, sizeof(name), "%s/data", other);
	OK(access(name, F_OK));
	rmdir(other);
}
