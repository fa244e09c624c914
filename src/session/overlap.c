/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Snapshots: a buffer may repeat the end of the buffer before it.
 *
 * PSBs identify the common part: the TSC after the last PSB of the older buffer is searched for in
 * the newer one. If it is there, the newer buffer continues after the common part. If all times of
 * the newer buffer are later, it is a separate trace. Without times the common part is found by
 * its bytes.
 */
#include "session.h"

/* The TSC of the PSB+ at the front of 'at', and how many bytes follow it up to the end. False if
 * it has none. */
static bool first_tsc(struct bytes at, u64 *tsc, size_t *rest)
{
	struct packets p = { .rest = at };
	struct packet pkt;

	while (packet_next(&p, &pkt)) {
		if (pkt.kind == PACKET_BAD || pkt.kind == PACKET_PSBEND)
			return false;
		if (pkt.kind != PACKET_TSC)
			continue;
		*tsc = pkt.payload;
		*rest = p.rest.len + pkt.size;
		return true;
	}
	return false;
}

/* Is 'a' before 'b'? Both have 56 bits. */
static bool is_before(u64 a, u64 b)
{
	return a != b && (a < b) == ((a < b ? b - a : a - b) < 1ULL << 55);
}

/* The file pads buffers with zeros to a multiple of 8 bytes; these are not part of the trace. */
static size_t without_padding(struct bytes older, struct bytes newer, size_t at)
{
	enum { PADDING = 7 };
	size_t n;

	if (at < PADDING || older.len < PADDING)
		return at;
	for (n = 0; n < PADDING; n++)
		if (newer.at[at - PADDING + n] != older.at[older.len - PADDING + n])
			break;
	return at - PADDING + n;
}

/* The last PSB of 'b' that is followed by a TSC. */
static bool last_tsc(struct bytes b, u64 *tsc, size_t *rest)
{
	size_t at, len = b.len;
	int tries;

	for (tries = 0; tries < 2; tries++) {
		at = sync_find_last(bytes_first(b, len));
		if (at == len)
			return false;
		if (first_tsc(bytes_skip(b, at), tsc, rest))
			return true;
		/* The end of the buffer cuts it off: go back to the one before. */
		len = at;
	}
	return false;
}

/* The newer buffer, from its first PSB at 'at' on, may begin with the end of the older one. */
static size_t skip_same(struct bytes older, struct bytes newer, size_t at, bool *joined)
{
	struct bytes rest = bytes_skip(newer, at);

	for (older = bytes_skip(older, sync_find(older)); older.len;
	     older = bytes_skip(older, 1 + sync_find(bytes_skip(older, 1)))) {
		if (older.len > rest.len || memcmp(older.at, rest.at, older.len))
			continue;
		*joined = true;
		return without_padding(older, newer, at + older.len);
	}
	return at;
}

size_t overlap_skip(struct bytes older, struct bytes newer, bool *joined)
{
	u64 tsc_older, tsc;
	size_t at = sync_find(newer), rest_older, rest, next;

	*joined = false;
	if (at == newer.len)
		return at;
	if (!last_tsc(older, &tsc_older, &rest_older))
		return skip_same(older, newer, at, joined);
	for (;;) {
		if (first_tsc(bytes_skip(newer, at), &tsc, &rest)) {
			if (tsc == tsc_older && rest >= rest_older) {
				*joined = true;
				return without_padding(older, newer,
						       newer.len - (rest - rest_older));
			}
			if (is_before(tsc_older, tsc))
				return at;
		}
		next = sync_find(bytes_skip(newer, at + 1));
		if (next == newer.len - at - 1)
			return newer.len;
		at += 1 + next;
	}
}
