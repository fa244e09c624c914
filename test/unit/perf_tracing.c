/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/stat.h>
#include <unistd.h>

#include <pt/out.h>
#include <pt/perf_write.h>

#include "test.h"

static const char folder[] = "/tmp/pt-test-tracefs";
static u64 ids[] = { 7 };

/* The file 'name' of a made-up tracefs. */
static void add_file(const char *root, const char *name, const char *text)
{
	char path[200], *slash;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (slash = path + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = 0;
		mkdir(path, 0755);
	}
	file = fopen(path, "w");
	OK(file);
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

TEST(formats_of_tracepoints_are_copied_by_system)
{
	static const char head[] = "\x17\x08\x44tracing0.5\0\0\x08", texts[] =
		"header_page\0" "\4\0\0\0\0\0\0\0" "page"
		"header_event\0" "\5\0\0\0\0\0\0\0" "event"
		"\0\0\0\0" "\2\0\0\0"
		"sched\0" "\1\0\0\0" "\7\0\0\0\0\0\0\0" "ID: 300"
		"longer\0" "\1\0\0\0" "\0\0\0\0\0\0\0\0"
		"\0\0\0\0" "\0\0\0";
	struct perf_event events[] = {
		{ .attr = { .type = 2, .size = 128 }, .name = "sched:s_1:u", .ids = ids, .n_ids = 1 },
		{ .attr = { .type = 0, .size = 128 }, .name = "cycles:u", .ids = ids, .n_ids = 1 },
		{ .attr = { .type = 2, .size = 128 }, .name = "longer:x", .ids = ids, .n_ids = 1 },
	};
	struct perf_writer w = { 0 };
	struct perf_file f = { 0 };
	char root[64], path[80], command[96];
	const char *why;
	struct bytes got;

	snprintf(root, sizeof(root), "%s-%d", folder, (int)getpid());
	add_file(root, "events/header_page", "page");
	add_file(root, "events/header_event", "event");
	add_file(root, "events/sched/s_1/format", "ID: 300");
	snprintf(path, sizeof(path), "%s/data", root);
	EQ(perf_write_open(&w, path, -1, &test_arena, events, 3), 0);
	perf_write_tracing(&w, root);
	perf_write_comm(&w, &(struct perf_comm){ 3, 4, true, "a" }, NULL);
	EQ(perf_write_close(&w), 0);
	EQ(perf_open(&f, path, &test_arena, &why), 0);
	got = perf_feature(&f, PERF_FEAT_TRACING_DATA);
	OK(got.len == sizeof(head) - 1 + 4 + sizeof(texts));
	OK(got.len > sizeof(head) && !memcmp(got.at, head, sizeof(head) - 1));
	EQ(get32(got.at + sizeof(head) - 1), getpagesize());
	EQ(memcmp(got.at + sizeof(head) + 3, texts, sizeof(texts)), 0);
	perf_close(&f);
	snprintf(command, sizeof(command), "rm -r %s", root);
	OK(!system(command));
}
