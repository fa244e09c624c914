/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "test.h"
#include "perf_data.h"

static const u64 one_event[] = { 1 << PERF_S_IDENTIFIER | 1 << PERF_S_TIME };
static const u64 two_events[] = { 1 << PERF_S_IDENTIFIER, 1 << PERF_S_IDENTIFIER };

static struct perf_file f;
static struct perf_record rec;
static const char *why;

static int open_made(void)
{
	return perf_open(&f, made_write(&made), &test_arena, &why);
}

/* How many records there are; 'last' is what perf_next() ends with. */
static int count(int *last)
{
	int n = 0;

	while ((*last = perf_next(&f, &rec, &why)) > 0)
		n++;
	return n;
}

TEST(records_come_in_file_order_with_their_offsets)
{
	made_begin(&made, one_event, 1);
	ADD_RECORD(&made, PERF_COMM, 0x2000, 1, 2, 3);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	made_end(&made);
	EQ(open_made(), 0);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.type, PERF_COMM);
	EQ(rec.misc, 0x2000);
	EQ(rec.off, made.data);
	EQ(rec.raw.len, 32);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.off, made.data + 32);
	EQ(perf_next(&f, &rec, &why), 0);
	EQ(perf_rewind(&f), 0);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.type, PERF_COMM);
	perf_close(&f);
}

TEST(events_have_their_ids)
{
	made_begin(&made, two_events, 2);
	made_end(&made);
	EQ(open_made(), 0);
	EQ(f.n_events, 2);
	EQ(f.events[1]->n_ids, 1);
	EQ(f.events[1]->ids[0], 101);
	OK(perf_event_by_id(&f, 101) == f.events[1]);
	OK(perf_event_by_id(&f, 0) == f.events[0]);
	OK(perf_event_by_id(&f, 7) == NULL);
	STR_EQ(perf_event_name(&test_arena, &f.events[0]->attr), "cycles:HG");
	STR_EQ(perf_event_name(&test_arena, &f.events[1]->attr), "cpu-clock:HG");
	perf_close(&f);
}

TEST(the_payload_of_auxtrace_is_no_record)
{
	u8 piece[16];

	made_begin(&made, one_event, 1);
	ADD_RECORD(&made, PERF_AUXTRACE, 0, 16, 0, 1, 0, 0);
	add(&made, "0123456789abcdef", 16);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	made_end(&made);
	EQ(open_made(), 0);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.aux_size, 16);
	EQ(perf_aux_read(&f, &rec, 6, piece, sizeof(piece)), 10);
	OK(!memcmp(piece, "6789abcdef", 10));
	EQ(perf_read_at(&f, rec.aux_off, piece, 4), 4);
	OK(!memcmp(piece, "0123", 4));
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.type, PERF_FINISHED_ROUND);
	perf_close(&f);
}

TEST(a_pipe_is_read_on_the_spot)
{
	u8 piece[16];
	struct perf_attr attr = { .size = 64, .sample_type = 1 << PERF_S_TIME };
	u8 body[64 + 16];

	memcpy(body, &attr, 64);
	set64(body + 64, 55);
	set64(body + 72, 56);
	memset(&made, 0, sizeof(made));
	add(&made, "PERFILE2", 8);
	add64(&made, 16);
	add_record(&made, PERF_HEADER_ATTR, 0, body, sizeof(body));
	ADD_RECORD(&made, PERF_AUXTRACE, 0, 16, 0, 1, 0, 0);
	add(&made, "0123456789abcdef", 16);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);

	EQ(perf_open(&f, made_pipe(&made), &test_arena, &why), 0);
	OK(f.pipe && !f.seekable);
	EQ(f.n_events, 0);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.off, 0);
	EQ(f.n_events, 1);
	EQ(f.events[0]->n_ids, 2);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(perf_aux_read(&f, &rec, 0, piece, 4), 4);
	OK(!memcmp(piece, "0123", 4));
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.type, PERF_FINISHED_ROUND);
	EQ(rec.off, 88 + 48 + 16);
	EQ(perf_next(&f, &rec, &why), 0);
	perf_close(&f);

	/* The same bytes in a file can be read by offset. */
	EQ(open_made(), 0);
	OK(f.pipe && f.seekable);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(perf_aux_read(&f, &rec, 12, piece, 16), 4);
	OK(!memcmp(piece, "cdef", 4));
	perf_close(&f);
}

TEST(a_directory_has_streams_beside_its_data)
{
	char dir[] = "/tmp/pt-perf-XXXXXX", path[64];
	int last, i, fd;

	if (!mkdtemp(dir))
		SKIP("no /tmp");
	made_begin(&made, one_event, 1);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	made_end(&made);
	for (i = 0; i < 3; i++) {
		fmt_str(path, sizeof(path), i ? "%s/data.%d" : "%s/data", dir, i - 1);
		fd = open(path, O_CREAT | O_WRONLY, 0600);
		OK(write(fd, made.bytes + (i ? made.data : 0), i ? 8 : made.n) > 0);
		close(fd);
	}
	EQ(perf_open(&f, dir, &test_arena, &why), 0);
	STR_EQ(f.dir, dir);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.part, 0);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.part, 1);
	EQ(rec.off, 0);
	fmt_str(path, sizeof(path), "%s/data.0", dir);
	STR_EQ(perf_record_path(&f, &rec), path);
	EQ(count(&last), 1);
	EQ(last, 0);
	perf_close(&f);
	for (i = 0; i < 3; i++) {
		fmt_str(path, sizeof(path), i ? "%s/data.%d" : "%s/data", dir, i - 1);
		unlink(path);
	}
	rmdir(dir);
}

TEST(features_and_names_are_found_behind_the_data)
{
	struct bytes b;

	made_begin(&made, two_events, 2);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	made_end(&made);
	made.bytes[72] = 1 << 3;	/* HOSTNAME */
	made.bytes[73] = 1 << 4;	/* EVENT_DESC */
	add64(&made, made.n + 32);
	add64(&made, 12);
	add64(&made, made.n + 16 + 12);
	add64(&made, 8 + 2 * 24);
	add(&made, "\x08\0\0\0host\0\0\0\0", 12);
	add(&made, "\2\0\0\0\x08\0\0\0", 8);
	add(&made, "........\0\0\0\0\x08\0\0\0first\0\0\0", 24);
	add(&made, "........\0\0\0\0\x08\0\0\0second\0\0", 24);
	EQ(open_made(), 0);
	b = perf_feature(&f, 3);
	EQ(b.len, 12);
	OK(!memcmp(b.at + 4, "host", 5));
	EQ(perf_feature(&f, 4).len, 0);
	STR_EQ(f.events[0]->name, "first");
	STR_EQ(f.events[1]->name, "second");
	perf_close(&f);
}

TEST(a_feature_is_whole_wherever_it_ends)
{
	enum { FIRST = 4090, SECOND = 100 };
	struct bytes b;
	u64 at;
	u32 i;

	made_begin(&made, two_events, 2);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	made_end(&made);
	made.bytes[72] = 1 << 3 | 1 << 4;
	at = made.n + 32;
	add64(&made, at);
	add64(&made, FIRST);
	add64(&made, at + FIRST);
	add64(&made, SECOND);
	for (i = 0; i < FIRST + SECOND; i++)
		add(&made, &i, 1);
	EQ(open_made(), 0);
	EQ(perf_feature(&f, 3).len, FIRST);
	b = perf_feature(&f, 4);
	EQ(b.len, SECOND);
	OK(b.len == SECOND && !memcmp(b.at, made.bytes + at + FIRST, SECOND));
	perf_close(&f);
}

TEST(short_and_long_attributes_are_both_read)
{
	struct perf_attr attr = { .size = 64, .type = 1, .config = 9, .aux_sample_size = 77 };
	u64 entry = 200 + 16;

	made_begin(&made, one_event, 1);
	memcpy(made.bytes + made.data - 144, &attr, 128);
	made_end(&made);
	EQ(open_made(), 0);
	EQ(f.events[0]->attr.config, 9);
	EQ(f.events[0]->attr.aux_sample_size, 0);	/* behind what its size says */
	perf_close(&f);

	made_begin(&made, one_event, 1);
	attr.size = 200;
	memcpy(made.bytes + made.data - 144, &attr, 128);
	made.n = made.data = made.data - 16 + 72 + 16;
	set64(made.bytes + 16, entry);
	set64(made.bytes + 32, entry);
	set64(made.bytes + 40, made.n);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	made_end(&made);
	EQ(open_made(), 0);
	EQ(f.events[0]->attr.aux_sample_size, 77);
	EQ(perf_next(&f, &rec, &why), 1);
	perf_close(&f);
}

TEST(a_file_whose_recorder_died_is_read_to_its_end)
{
	int last;

	made_begin(&made, one_event, 1);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	EQ(open_made(), 0);
	OK(f.cut);
	EQ(count(&last), 2);
	EQ(last, 0);
	perf_close(&f);
}

TEST(a_file_that_changes_its_size_is_read_as_far_as_it_was_and_is)
{
	int last, i;

	made_begin(&made, one_event, 1);
	for (i = 0; i < 1000; i++)
		ADD_RECORD(&made, PERF_FINISHED_ROUND, 0, i);
	EQ(open_made(), 0);
	EQ(pwrite(made.fd, made.bytes + made.data, 160, made.n), 160);
	EQ(count(&last), 1000);
	EQ(last, 0);
	perf_close(&f);

	EQ(open_made(), 0);
	EQ(ftruncate(made.fd, 5000), 0);
	OK(count(&last) < 1000);
	OK(rec.off + rec.raw.len <= 5000);
	perf_close(&f);
}

TEST(damage_ends_the_records_with_a_reason)
{
	int last;

	made_begin(&made, one_event, 1);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	made_end(&made);
	made.bytes[made.n - 2] = 7;
	EQ(open_made(), 0);
	EQ(count(&last), 1);
	EQ(last, -EBADMSG);
	STR_EQ(why, "the record at 0x108 has an impossible size");
	perf_close(&f);

	made.bytes[made.n - 2] = 16;
	EQ(open_made(), 0);
	EQ(count(&last), 1);
	EQ(last, -EBADMSG);
	STR_EQ(why, "truncated: it ends inside the record at 0x108");
	perf_close(&f);
}

TEST(a_trace_that_is_cut_off_is_there_as_far_as_it_goes)
{
	int last;

	made_begin(&made, one_event, 1);
	ADD_RECORD(&made, PERF_AUXTRACE, 0, UINT64_MAX - 100, 0, 1, 0, 0);
	add(&made, "0123456789abcdef", 16);
	made_end(&made);
	EQ(open_made(), 0);
	EQ(perf_next(&f, &rec, &why), 1);
	EQ(rec.aux_size, 16);
	EQ(count(&last), 0);
	EQ(last, -EBADMSG);
	STR_EQ(why, "the trace after the record at 0x100 is cut off");
	perf_close(&f);
}

TEST(what_is_no_perf_data_is_said_in_words)
{
	struct { const char *head, *says; } files[] = {
		{ "\x7f""ELF............", "not a perf.data file" },
		{ "2ELIFREP........", "it comes from a machine of the other byte order" },
		{ "PERFFILE........", "its format is older than Linux 3.3" },
		{ "PERFILE2\x68\0\0\0\0\0\0\0", "its header is damaged" },
	};
	size_t i;

	for (i = 0; i < N_ELEM(files); i++) {
		memset(&made, 0, sizeof(made));
		add(&made, files[i].head, 16);
		EQ(open_made(), -EBADMSG);
		STR_EQ(why, files[i].says);
		perf_close(&f);
	}
	EQ(perf_open(&f, "/nonexistent", &test_arena, &why), -ENOENT);
	perf_close(&f);
}

TEST(absurd_counts_are_refused)
{
	made_begin(&made, one_event, 1);
	made_end(&made);
	set64(made.bytes + made.data - 8, UINT64_MAX);
	EQ(open_made(), -EBADMSG);
	STR_EQ(why, "it has too many event ids");
	perf_close(&f);

	set64(made.bytes + made.data - 8, 8000);
	EQ(open_made(), -EBADMSG);
	STR_EQ(why, "a list of event ids is cut off");
	perf_close(&f);

	set64(made.bytes + 32, UINT64_MAX - 10);
	EQ(open_made(), -EBADMSG);
	STR_EQ(why, "its list of events is cut off");
	perf_close(&f);
}
