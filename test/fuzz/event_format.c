/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A tracepoint's format, then raw data of a sample, from bytes.
 */
#include <pt/print_tracepoint.h>
#include "src/perf/perf_input.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const char *find(void *who, u64 addr, u64 *start)
{
	*start = 0;
	return addr & 1 ? "name" : NULL;
}

/* TRACING_DATA that has one event of one system. */
static size_t wrap(u8 *to, const u8 *data, size_t n)
{
	static const u8 head[] = "\x17\x08\x44tracing0.5\0\0\x08\0\x10\0\0header_page\0\0\0\0\0\0\0\0\0"
				 "header_event\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0sys\0\1\0\0";
	static const char id[] = "name: x\nID: 1\nformat:\n";
	size_t at = sizeof(head);

	memcpy(to, head, at);
	set64(to + at, n + sizeof(id) - 1);
	memcpy(to + at + 8, id, sizeof(id) - 1);
	at += 8 + sizeof(id) - 1;
	memcpy(to + at, data, n);
	memset(to + at + n, 0, 8);
	return at + n + 8;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static u8 made[(64 << 10) + 256];
	static char buf[OUT_BUFFER];
	struct arena arena = { 0 };
	struct perf_file f = { .arena = &arena };
	struct perf_event event = { .attr = { .type = 2, .config = 1 } };
	struct event_format *format;
	size_t half = size / 4 * 3;
	struct out out;

	if (size > 64 << 10)
		return 0;
	out_open(&out, -1, buf, sizeof(buf));
	out.drop = true;
	event_formats_learn(&f, (struct bytes){ made, wrap(made, data, half) });
	format = event_format(&f, &event);
	if (!format)
		__builtin_trap();
	print_tracepoint(&out, format, (struct bytes){ data + half, size - half },
			 &(struct kernel_names){ find, NULL });
	print_tracepoint(&out, format, (struct bytes){ data, size },
			 &(struct kernel_names){ find, NULL });
	arena_free(&arena);
	return 0;
}
