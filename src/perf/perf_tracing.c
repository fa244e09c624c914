/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The TRACING_DATA feature: the formats of tracepoints, copied from
 * tracefs. Without it perf refuses a file that has a tracepoint.
 *
 *	17 08 44 "tracing" "0.5\0" endian long-size u32 page-size
 *	"header_page\0" u64 size, text   "header_event\0" u64 size, text
 *	u32 0 (ftrace's own)   u32 systems, each: name\0 u32 events, each: u64 size, text
 *	u32 0 (symbols)   u32 0 (formats of printk)
 */
#include <fcntl.h>
#include <unistd.h>

#include <pt/out.h>
#include <pt/perf_write.h>

enum { TRACEPOINT = 2, TEXT = 64 << 10 };

static bool is_tracepoint(const struct perf_event *e)
{
	return e->attr.type == TRACEPOINT && strchr(e->name, ':');
}

/* Write a whole text after its length; a text that cannot be read is empty. */
static void write_text(struct perf_writer *w, const char *path)
{
	struct arena scratch = { 0 };
	u8 *text = arena_alloc(&scratch, TEXT);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = 1;

	while (fd >= 0 && n > 0 && len < TEXT) {
		n = read(fd, text + len, TEXT - len);
		len += MAX(n, 0);
	}
	if (fd >= 0)
		close(fd);
	perf_write_u64(w, len);
	perf_write_bytes(w, text, len);
	arena_free(&scratch);
}

static void write_head(struct perf_writer *w, const char *tracefs)
{
	static const char head[] = "\x17\x08\x44tracing0.5", *const texts[] = {
		"header_page", "header_event",
	};
	u8 sizes[] = { 0, sizeof(long) };
	char path[256];
	size_t i;

	perf_write_bytes(w, head, sizeof(head));
	perf_write_bytes(w, sizes, sizeof(sizes));
	perf_write_u32(w, getpagesize());
	for (i = 0; i < N_ELEM(texts); i++) {
		perf_write_bytes(w, texts[i], strlen(texts[i]) + 1);
		fmt_str(path, sizeof(path), "%s/events/%s", tracefs, texts[i]);
		write_text(w, path);
	}
	perf_write_u32(w, 0);
}

/* "sched:sched_switch", possibly followed by ":u"; each event is a system of its own. */
static void write_event(struct perf_writer *w, const char *tracefs, const char *name)
{
	int system = strcspn(name, ":"), event = strcspn(name + system + 1, ":");
	char path[512];

	perf_write_bytes(w, name, system);
	perf_write_bytes(w, "", 1);
	perf_write_u32(w, 1);
	fmt_str(path, sizeof(path), "%s/events/%.*s/%.*s/format", tracefs, system, name, event,
		name + system + 1);
	write_text(w, path);
}

void perf_write_tracing(struct perf_writer *w, const char *tracefs)
{
	u32 i, n = 0;

	for (i = 0; i < w->n_events; i++)
		n += is_tracepoint(&w->events[i]);
	if (!n)
		return;
	perf_write_feature_start(w, PERF_FEAT_TRACING_DATA);
	write_head(w, tracefs);
	perf_write_u32(w, n);
	for (i = 0; i < w->n_events; i++)
		if (is_tracepoint(&w->events[i]))
			write_event(w, tracefs, w->events[i].name);
	perf_write_u32(w, 0);
	perf_write_u32(w, 0);
	perf_write_feature_end(w);
}
