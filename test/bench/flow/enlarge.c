/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Make a recording longer: repeat its trace with later times.
 *
 * usage: enlarge PERF.DATA SIZE OUT.DATA OUT.PT [all]. The trace of the first
 * buffer's CPU or thread is repeated until SIZE bytes are full. Times move by multiples of 2^16
 * crystal ticks, so that TMA and MTC packets stay correct. Only records of maps are kept, with
 * their times.
 *
 * With "all" the trace of each CPU or thread is repeated, together with all records.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/packet.h>

enum {
	MMAP = 1, COMM = 3, EXIT = 4, MMAP2 = 10, AUX = 11, ITRACE_START = 12, SWITCH = 14,
	SWITCH_CPU_WIDE = 15, ROUND = 68, AUXTRACE_INFO = 70, AUXTRACE = 71,
	MISC_OUT = 1 << 13, QUEUES = 64,
};

/* Words of AUXTRACE_INFO, behind 16 bytes. */
enum { INFO_SHIFT = 1, INFO_MULT = 2, INFO_NUM = 12, INFO_DEN = 13 };

/* perf.data's head, as far as it is looked at, and a feature. */
enum { HEAD = 104, ATTRS = 24, DATA = 40, FEATURES = 72, AUXTRACE_INDEX = 18 };

/* The trace that is repeated, of a CPU or thread. */
struct unit {
	u8 *at, head[48];	/* of its AUXTRACE record */
	size_t len;
	u32 idx;
};

struct maker {
	const u8 *file;
	size_t size;
	FILE *out, *raw;
	struct unit units[QUEUES];
	u32 n, n_most;
	u64 period;		/* TSC ticks from one to the next */
	u64 shift, mult;	/* TSC ticks to ns */
	u8 *records;		/* that are repeated, too */
	size_t n_records;
	u64 first_time;
	u64 sample_type;
	bool switched;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* How far from the end of a kernel record its time is: 0 if it has none. */
static size_t time_back(u64 sample_type)
{
	size_t back = 8;

	if (!(sample_type & 4))
		return 0;
	if (sample_type & 1 << 6)
		back += 8;
	if (sample_type & 1 << 9)
		back += 8;
	if (sample_type & 1 << 7)
		back += 8;
	if (sample_type & 1 << 16)
		back += 8;
	return back;
}

static void take_trace(struct maker *m, const u8 *rec, u64 payload)
{
	struct unit *u = m->units;

	while (u < m->units + m->n && u->idx != get32(rec + 32))
		u++;
	if (u == m->units + m->n_most)
		return;
	if (u == m->units + m->n) {
		memcpy(u->head, rec, sizeof(u->head));
		u->idx = get32(rec + 32);
		m->n++;
	}
	u->at = realloc(u->at, u->len + payload);
	memcpy(u->at + u->len, rec + 48, payload);
	u->len += payload;
}

static void copy_record(struct maker *m, const u8 *rec, u16 size)
{
	size_t back = time_back(m->sample_type);
	u8 copy[1 << 16];

	memcpy(copy, rec, size);
	if (back && get32(rec) < 64) {
		if (!m->first_time)
			m->first_time = get64(rec + size - back);
		set64(copy + size - back, m->first_time);
	}
	fwrite(copy, 1, size, m->out);
}

static void take_record(struct maker *m, const u8 *rec, u16 size)
{
	u32 type = get32(rec);

	if (m->n_most > 1 && (type < 64 || type == ROUND)) {
		m->records = realloc(m->records, m->n_records + size);
		memcpy(m->records + m->n_records, rec, size);
		m->n_records += size;
		return;
	}
	switch (type) {
	case AUXTRACE_INFO:
		m->shift = get64(rec + 16 + 8 * INFO_SHIFT);
		m->mult = get64(rec + 16 + 8 * INFO_MULT);
		if (size > 16 + 8 * INFO_DEN + 8 && get64(rec + 16 + 8 * INFO_DEN))
			m->period = (1ull << 16) * get64(rec + 16 + 8 * INFO_NUM) /
				    get64(rec + 16 + 8 * INFO_DEN);
		break;
	case SWITCH:
	case SWITCH_CPU_WIDE:
		if (m->switched || get16(rec + 4) & MISC_OUT)
			return;
		m->switched = true;
		break;
	case EXIT:
	case AUX:
		return;
	}
	copy_record(m, rec, size);
}

static void take_records(struct maker *m)
{
	u64 at = get64(m->file + DATA), end = at + get64(m->file + DATA + 8);
	u64 attr = get64(m->file + ATTRS), payload;
	u16 size;

	m->sample_type = get64(m->file + attr + 24);
	for (; at + 8 <= end; at += size) {
		size = get16(m->file + at + 6);
		if (size < 8 || at + size > end)
			break;
		if (get32(m->file + at) != AUXTRACE) {
			take_record(m, m->file + at, size);
			continue;
		}
		payload = get64(m->file + at + 8);
		take_trace(m, m->file + at, payload);
		at += payload;
	}
}

/* How long the unit takes: from its first TSC packet to its last, and more. */
static void set_period(struct maker *m)
{
	u64 first = ~0ULL, last = 0, step;
	struct packets p;
	struct packet pkt;
	u32 i;

	for (i = 0; i < m->n; i++) {
		p = (struct packets){ .rest = { m->units[i].at, m->units[i].len } };
		while (packet_next(&p, &pkt)) {
			if (pkt.kind != PACKET_TSC)
				continue;
			first = pkt.payload < first ? pkt.payload : first;
			last = pkt.payload > last ? pkt.payload : last;
		}
	}
	step = m->period ? m->period : 1 << 16;
	m->period = ((last - first) * 5 / 4 / step + 1) * step;
}

static void move(struct maker *m, struct unit *u)
{
	struct packets p = { .rest = { u->at, u->len } };
	struct packet pkt;

	while (packet_next(&p, &pkt))
		if (pkt.kind == PACKET_TSC) {
			u64 tsc = pkt.payload + m->period;

			memcpy((u8 *)p.rest.at - 7, &tsc, 7);
		}
}

static void write_unit(struct maker *m, struct unit *u, u64 n)
{
	set64(u->head + 8, n * u->len);
	set64(u->head + 16, 0);
	fwrite(u->head, 1, sizeof(u->head), m->out);
	while (n--) {
		fwrite(u->at, 1, u->len, m->out);
		fwrite(u->at, 1, u->len, m->raw);
		move(m, u);
	}
}

/* All records, and on to their next time. */
static void write_records(struct maker *m)
{
	u64 ns = (unsigned __int128)m->period * m->mult >> m->shift;
	size_t back = time_back(m->sample_type);
	u8 *rec = m->records, *end = rec + m->n_records;

	fwrite(rec, 1, m->n_records, m->out);
	for (; rec < end; rec += get16(rec + 6)) {
		u8 *time = rec + get16(rec + 6) - back;

		if (back && get32(rec) < 64 && get64(time))
			set64(time, get64(time) + ns);
	}
}

static void write_trace(struct maker *m, u64 size)
{
	u64 n, i, len = 0;

	for (i = 0; i < m->n; i++)
		len += m->units[i].len;
	n = size / len;
	n += !n;
	for (i = 0; i < n && m->n_records; i++)
		write_records(m);
	for (i = 0; i < m->n; i++)
		write_unit(m, &m->units[i], n);
}

/* What is known of the machine, such as whose the vDSO is; not where the trace was. */
static void copy_features(struct maker *m, u8 *head)
{
	const u8 *from = m->file + get64(head + DATA) + get64(head + DATA + 8);
	long at = ftell(m->out), to = at + 16 * 8 * (HEAD - FEATURES);
	u8 entry[16];
	u32 i;

	for (i = 0; i < 8 * (HEAD - FEATURES); i++) {
		if (!(head[FEATURES + i / 8] >> i % 8 & 1))
			continue;
		if (i == AUXTRACE_INDEX) {
			head[FEATURES + i / 8] &= ~(1 << i % 8);
		} else {
			fseek(m->out, to, SEEK_SET);
			fwrite(m->file + get64(from), 1, get64(from + 8), m->out);
			memcpy(entry, from, 16);
			set64(entry, to);
			to = ftell(m->out);
			fseek(m->out, at, SEEK_SET);
			at += fwrite(entry, 1, 16, m->out);
		}
		from += 16;
	}
}

int main(int argc, char **argv)
{
	struct maker m = { .n_most = argc == 6 ? QUEUES : 1 };
	struct stat st;
	u8 head[HEAD];
	int fd;
	long end;

	if (argc != 5 && argc != 6)
		return 2;
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		die(argv[1]);
	m.size = st.st_size;
	m.file = mmap(NULL, m.size, PROT_READ, MAP_PRIVATE, fd, 0);
	m.out = fopen(argv[3], "w");
	m.raw = fopen(argv[4], "w");
	if (m.file == MAP_FAILED || !m.out || !m.raw)
		die(argv[3]);
	/* Head, attributes and ids stay where they are. */
	fwrite(m.file, 1, get64(m.file + DATA), m.out);
	take_records(&m);
	set_period(&m);
	write_trace(&m, strtoull(argv[2], NULL, 0));
	end = ftell(m.out);
	memcpy(head, m.file, HEAD);
	copy_features(&m, head);
	set64(head + DATA + 8, end - get64(head + DATA));
	fseek(m.out, 0, SEEK_SET);
	fwrite(head, 1, HEAD, m.out);
	if (fclose(m.out) || fclose(m.raw))
		die(argv[3]);
	return 0;
}
