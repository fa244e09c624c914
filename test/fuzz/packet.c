/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any bytes are packets or damage: reading always continues, packets that were read can be written
 * again, and the lines of a dump do not depend on how its bytes are divided into pieces.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <pt/encode.h>
#include <pt/out.h>
#include <pt/print.h>

int LLVMFuzzerTestOneInput(const u8 *at, size_t len);

static void check(bool is)
{
	if (!is)
		abort();
}

/* TNT-64s of few results, reserved bits and long CYCs of small numbers are the
 * packets that have another form. */
static void check_encode(const struct packet *pkt)
{
	struct packet again;
	u8 to[PACKET_MAX];
	int n = packet_encode(to, pkt);

	if (!n)
		return;
	check(n <= PACKET_MAX);
	check(packet_decode(&again, (struct bytes){ to, n },
			    pkt->kind == PACKET_BIP ? pkt->count : 0) == n);
	check(again.kind == pkt->kind && again.payload == pkt->payload &&
	      again.extra == pkt->extra && again.ip == pkt->ip && again.count == pkt->count);
}

static void check_walk(const u8 *at, size_t len, unsigned int errata)
{
	struct packets p = { .rest = { at, len }, .errata = errata };
	struct packet pkt;
	u64 off = 0;

	while (packet_next(&p, &pkt)) {
		off += pkt.size;
		check(pkt.size && p.off == off && p.rest.len == len - off);
		check(pkt.kind < N_PACKET_KINDS && (p.item == 0 || p.item == 4 || p.item == 8));
		if (pkt.kind != PACKET_BAD)
			check_encode(&pkt);
	}
	check(p.rest.len <= PACKET_MAX);
}

/* Each piece is copied, so that a byte read too far is seen. */
static void print(struct out *out, const u8 *at, size_t len, size_t step)
{
	struct packet_lines lines = { 0 };
	size_t n;

	for (; len; at += n, len -= n) {
		u8 *piece = malloc(n = MIN(step, len));

		memcpy(piece, at, n);
		print_packets(out, &lines, (struct bytes){ piece, n });
		free(piece);
	}
	print_packets_end(out, &lines);
}

static void check_lines(const u8 *at, size_t len)
{
	static char whole[1 << 20], pieces[1 << 20];
	struct out a, b;

	len = MIN(len, 8000);
	out_open(&a, -1, whole, sizeof(whole));
	out_open(&b, -1, pieces, sizeof(pieces));
	print(&a, at, len, len + 1);
	print(&b, at, len, len ? 1 + at[0] % 40 : 1);
	check(a.at - a.buf == b.at - b.buf && !memcmp(whole, pieces, a.at - a.buf));
}

static void check_sync(const u8 *at, size_t len)
{
	size_t first = sync_find((struct bytes){ at, len });
	size_t last = sync_find_last((struct bytes){ at, len });
	size_t i, want = len, want_last = len;

	for (i = 0; i + 16 <= len; i++)
		if (get64(at + i) == 0x8202820282028202 && get64(at + i + 8) == 0x8202820282028202) {
			want = want == len ? i : want;
			want_last = i;
		}
	check(first == want && last == want_last);
}

int LLVMFuzzerTestOneInput(const u8 *at, size_t len)
{
	check_walk(at, len, 0);
	check_walk(at, len, PACKET_CUT_CYC | PACKET_LONG_TMA);
	check_lines(at, len);
	check_sync(at, len);
	return 0;
}
