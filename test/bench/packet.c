/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The speed of reading packets and of finding PSBs, compared with libipt if it is installed.
 *
 * usage: packet NAME [FILE...]: the packets of these traces, repeated to fill
 * some MiB; without a FILE generated ones, with the frequencies of a busy program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <pt/encode.h>
#if HAVE_LIBIPT
#include <intel-pt.h>
#endif

enum { SIZE = 32 << 20, ROUNDS = 7 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static u32 next_random(u32 *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static int put_psb_plus(u8 *to)
{
	static const struct packet plus[] = {
		{ PACKET_PSB },
		{ PACKET_TSC, .payload = 0x123456789 },
		{ PACKET_CBR, .payload = 20 },
		{ PACKET_MODE_EXEC, .payload = 1 },
		{ PACKET_FUP, .count = 3, .payload = 0x401000 },
		{ PACKET_PSBEND },
	};
	int n = 0;
	size_t i;

	for (i = 0; i < N_ELEM(plus); i++)
		n += packet_encode(to + n, &plus[i]);
	return n;
}

/* Mostly TNTs, then short IPs, some time. */
static int put_any(u8 *to, u32 *state)
{
	u32 what = next_random(state) % 100, v = next_random(state);
	struct packet pkt = { PACKET_TNT, .count = 6, .payload = v };

	if (what >= 60 && what < 85)
		pkt = (struct packet){ PACKET_TIP, .count = what < 80 ? 1 : 2, .payload = v };
	else if (what < 92 && what >= 85)
		pkt = (struct packet){ PACKET_CYC, .payload = v % 200 };
	else if (what < 96 && what >= 92)
		pkt = (struct packet){ PACKET_MTC, .payload = v & 0xff };
	else if (what >= 96)
		pkt = (struct packet){ what < 98 ? PACKET_TIP_PGE : PACKET_TIP_PGD,
				       .count = what < 98 ? 3 : 0, .payload = v };
	return packet_encode(to, &pkt);
}

/* A program goes round in loops: 60 packets are repeated 50 times, one in fifty
 * being another each time, then come others. */
static size_t make_up(u8 *to)
{
	size_t n = 0, psb = 0, i;
	u32 state = 1, start = 1, loop;

	for (i = 0; n < SIZE - 128; i++) {
		if (n >= psb) {
			n += put_psb_plus(to + n);
			psb = n + 4096;
		}
		if (i % 3000 == 0)
			start = next_random(&state);
		if (i % 60 == 0)
			loop = start;
		if (next_random(&state) % 50)
			n += put_any(to + n, &loop);
		else
			n += put_any(to + n, &state);
	}
	return n;
}

static size_t load(u8 *to, char **files)
{
	size_t n = 0, got;

	for (; *files; files++) {
		FILE *f = fopen(*files, "rb");

		if (!f)
			exit(1);
		while ((got = fread(to + n, 1, SIZE - n, f)) > 0)
			n += got;
		fclose(f);
	}
	if (!n)
		exit(1);
	for (got = n; n + got <= SIZE; n += got)
		memcpy(to + n, to, got);
	return n;
}

static u64 read_ours(const u8 *at, size_t n, u64 *sum)
{
	struct packets p = { .rest = { at, n } };
	struct packet pkt;
	u64 count = 0;

	while (packet_next(&p, &pkt)) {
		count++;
		*sum += pkt.payload ^ pkt.kind;
	}
	return count;
}

#if HAVE_LIBIPT
static u64 read_theirs(const u8 *at, size_t n, u64 *sum)
{
	struct pt_packet_decoder *d;
	struct pt_config config;
	struct pt_packet pkt;
	u64 count = 0;
	int err;

	pt_config_init(&config);
	config.begin = (u8 *)at;
	config.end = (u8 *)at + n;
	d = pt_pkt_alloc_decoder(&config);
	pt_pkt_sync_set(d, 0);
	while ((err = pt_pkt_next(d, &pkt, sizeof(pkt))) > 0) {
		count++;
		*sum += pkt.payload.ip.ip ^ pkt.type;
	}
	pt_pkt_free_decoder(d);
	return count;
}

static u64 find_none_theirs(const u8 *at, size_t n, u64 *sum)
{
	struct pt_packet_decoder *d;
	struct pt_config config;

	pt_config_init(&config);
	config.begin = (u8 *)at;
	config.end = (u8 *)at + n;
	d = pt_pkt_alloc_decoder(&config);
	*sum += pt_pkt_sync_forward(d);
	pt_pkt_free_decoder(d);
	return 1;
}
#else
static u64 (*const read_theirs)(const u8 *, size_t, u64 *);
static u64 (*const find_none_theirs)(const u8 *, size_t, u64 *);
#endif

/* A way over a trace: seconds that it took, at best, and what it counted. */
struct way {
	u64 (*walk)(const u8 *at, size_t n, u64 *sum);
	double took;
	u64 count;
};

static void go(struct way *way, const u8 *at, size_t n)
{
	volatile u64 keep;
	double start = now(), took;
	u64 sum = 0;

	way->count = way->walk(at, n, &sum);
	took = now() - start;
	way->took = way->took && way->took < took ? way->took : took;
	keep = sum;
	(void)keep;
}

/* In turns, as the machine may be faster at one time than at another; 'theirs' may have
 * no way. */
static void measure(struct way *ours, struct way *theirs, const u8 *at, size_t n)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		go(ours, at, n);
		if (theirs->walk)
			go(theirs, at, n);
	}
}

static u64 find_none(const u8 *at, size_t n, u64 *sum)
{
	*sum += sync_find((struct bytes){ at, n });
	return 1;
}

static u64 find_last_none(const u8 *at, size_t n, u64 *sum)
{
	*sum += sync_find_last((struct bytes){ at, n });
	return 1;
}

/* Bytes as in a trace, without a PSB. */
static void measure_sync(u8 *at, size_t n)
{
	struct way first = { find_none }, theirs = { find_none_theirs };
	struct way last = { find_last_none }, none = { 0 };
	size_t psb;

	while ((psb = sync_find((struct bytes){ at, n })) < n)
		at[psb] = 0;
	measure(&first, &theirs, at, n);
	measure(&last, &none, at, n);
	printf("PSB search\t%.0f\t-\t4000\tMB/s\n", n / 1e6 / first.took);
	if (theirs.walk)
		printf("PSB search\t%.0f\t%.0f\t1x\tMB/s\n", n / 1e6 / first.took,
		       n / 1e6 / theirs.took);
	printf("PSB search, backwards\t%.0f\t-\t4000\tMB/s\n", n / 1e6 / last.took);
}

int main(int argc, char **argv)
{
	struct way ours = { read_ours }, theirs = { read_theirs };
	u8 *at = malloc(SIZE);
	size_t n;

	if (argc < 2)
		return 1;
	n = argc > 2 ? load(at, argv + 2) : make_up(at);
	measure(&ours, &theirs, at, n);
	if (theirs.walk && ours.count != theirs.count)
		printf("SKIP libipt reads %llu packets, not %llu\n", theirs.count, ours.count);
	printf("packets, %s\t%.1f\t", argv[1], ours.count / 1e6 / ours.took);
	if (theirs.walk)
		printf("%.1f\t3x\tM/s\n", theirs.count / 1e6 / theirs.took);
	else
		printf("-\t100\tM/s\n");
	printf("packets, %s\t%.0f\t-\t300\tMB/s\n", argv[1], n / 1e6 / ours.took);
	if (argc == 2)
		measure_sync(at, n);
	return 0;
}
