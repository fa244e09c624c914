/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --header -I: the parts of the header that are long: topology, memory and caches.
 */
#include <pt/out.h>
#include <pt/print_record.h>

enum { NRCPUS = 7, CPU_TOPOLOGY = 13, NUMA_TOPOLOGY, CACHE = 20, MEM_TOPOLOGY = 22, HYBRID = 30 };

/* A text with its length before it. */
static const char *take(struct bytes *b, struct arena *a)
{
	u32 wanted = bytes_take32(b), len = MIN(wanted, b->len);
	const char *text = len ? arena_strn(a, b->at, strnlen((const char *)b->at, len)) : "";

	*b = bytes_skip(*b, len);
	return text;
}

static void print_texts(struct out *out, struct bytes *b, struct arena *a, const char *head)
{
	u32 n = bytes_take32(b);

	while (n-- && b->len) {
		out_str(out, head);
		out_name(out, take(b, a));
		out_newline(out);
	}
}

static void print_cpus(struct out *out, struct perf_file *f, struct bytes b)
{
	struct bytes cpus = perf_feature(f, NRCPUS), dies, die_ids, ids, threads;
	u32 n = bytes_take32(&cpus), i, skipped;

	print_texts(out, &b, f->arena, "# sibling sockets : ");
	threads = b;
	for (skipped = bytes_take32(&b); skipped && b.len; skipped--)
		take(&b, f->arena);
	ids = bytes_first(b, 8 * (size_t)n);
	die_ids = dies = bytes_skip(b, 8 * (size_t)n);
	if (dies.len) {
		print_texts(out, &dies, f->arena, "# sibling dies    : ");
		die_ids = dies;
	}
	print_texts(out, &threads, f->arena, "# sibling threads : ");
	for (i = 0; i < n && ids.len >= 8; i++) {
		out_fmt(out, "# CPU %u: Core ID %d", i, bytes_take32(&ids));
		if (die_ids.len >= 4)
			out_fmt(out, ", Die ID %d", bytes_take32(&die_ids));
		out_fmt(out, ", Socket ID %d\n", bytes_take32(&ids));
	}
}

static void print_nodes(struct out *out, struct bytes b, struct arena *a)
{
	u32 n = bytes_take32(&b), node;

	for (; n && b.len; n--) {
		u64 total, left;

		node = bytes_take32(&b);
		total = bytes_take64(&b);
		left = bytes_take64(&b);
		out_fmt(out, "# node%u meminfo  : total = %llu kB, free = %llu kB\n", node, total,
			left);
		out_fmt(out, "# node%u cpu list : ", node);
		out_name(out, take(&b, a));
		out_newline(out);
	}
}

/* Print 'text' in 'width' columns, to the left or to the right. */
static void put_padded(struct out *out, const char *text, int width, bool right)
{
	int blanks = MAX(width - (int)strlen(text), 0);

	out_fill(out, ' ', right ? blanks : 0);
	out_name(out, text);
	out_fill(out, ' ', right ? 0 : blanks);
}

static void print_caches(struct out *out, struct bytes b, struct arena *a)
{
	u32 n, level;

	bytes_take32(&b);	/* version */
	out_str(out, "# CPU cache info:\n");
	for (n = bytes_take32(&b); n && b.len; n--) {
		level = bytes_take32(&b);
		b = bytes_skip(b, 12);	/* line size, sets, ways */
		out_fmt(out, "#  L%d ", level);
		put_padded(out, take(&b, a), 15, false);
		out_char(out, ' ');
		put_padded(out, take(&b, a), 8, true);
		out_str(out, " [");
		out_name(out, take(&b, a));
		out_str(out, "]\n");
	}
}

/* The set bits as ranges: "0-23,32". Returns their number. */
static u64 print_bits(struct out *out, struct bytes words, u64 n_bits)
{
	const char *between = "";
	u64 i, first, count = 0;

	for (i = 0; i < n_bits; i++) {
		if (!(get64(words.at + i / 64 * 8) >> i % 64 & 1))
			continue;
		for (first = i; i + 1 < n_bits &&
		     get64(words.at + (i + 1) / 64 * 8) >> (i + 1) % 64 & 1; i++)
			;
		count += i - first + 1;
		if (!out)
			continue;
		out_fmt(out, "%s%llu", between, first);
		if (i > first)
			out_fmt(out, "-%llu", i);
		between = ",";
	}
	return count;
}

static void print_memory(struct out *out, struct bytes b)
{
	static const char units[] = "BKMG";
	u64 block, n, node, bits, size;
	struct bytes words;
	u32 unit;

	bytes_take64(&b);	/* version */
	block = bytes_take64(&b);
	n = bytes_take64(&b);
	out_fmt(out, "# memory nodes (nr %llu, block size 0x%llx):\n", n, block);
	for (; n && b.len; n--) {
		node = bytes_take64(&b);
		bytes_take64(&b);	/* the length of the bitmap */
		bits = bytes_take64(&b);
		bits = MIN(bits, b.len * 8);
		words = bytes_first(b, (bits + 63) / 64 * 8);
		bits = MIN(bits, words.len / 8 * 64);
		b = bytes_skip(b, words.len);
		size = block * print_bits(NULL, words, bits);
		for (unit = 0; size / 1024 > 1 && unit < 3; unit++)
			size /= 1024;
		out_fmt(out, "#  %3llu [%llu%c]: ", node, size, units[unit]);
		print_bits(out, words, bits);
		out_newline(out);
	}
}

static void print_hybrid(struct out *out, struct bytes b, struct arena *a)
{
	u32 n = bytes_take32(&b);

	out_str(out, "# hybrid cpu system:\n");
	for (; n && b.len; n--) {
		out_str(out, "# ");
		out_name(out, take(&b, a));
		out_str(out, " cpu list : ");
		out_name(out, take(&b, a));
		out_newline(out);
	}
}

void print_machine(struct out *out, struct perf_file *f, unsigned int bit)
{
	struct bytes b = perf_feature(f, bit);

	switch (bit) {
	case CPU_TOPOLOGY: print_cpus(out, f, b); break;
	case NUMA_TOPOLOGY: print_nodes(out, b, f->arena); break;
	case CACHE: print_caches(out, b, f->arena); break;
	case MEM_TOPOLOGY: print_memory(out, b); break;
	case HYBRID: print_hybrid(out, b, f->arena); break;
	}
}
