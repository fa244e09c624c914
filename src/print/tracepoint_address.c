/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Network addresses and UUIDs, in the formats %pI4, %pI6c, %pISpc, %pM and %pU of the kernel.
 */
#include "tracepoint_address.h"

static u32 get_big16(const u8 *p)
{
	return p[0] << 8 | p[1];
}

static void put_ip4(struct out *out, const u8 *a)
{
	out_fmt(out, "%u.%u.%u.%u", a[0], a[1], a[2], a[3]);
}

/* The length of the longest row of zero words, if at least two; '*first' is its start. */
static u32 longest_zeros(const u8 *a, u32 words, u32 *first)
{
	u32 best = 1, n = 0, i;

	for (i = 0; i < words; i++) {
		n = get_big16(a + 2 * i) ? 0 : n + 1;
		if (n > best) {
			best = n;
			*first = i + 1 - n;
		}
	}
	return best > 1 ? best : 0;
}

static void put_ip6(struct out *out, const u8 *a)
{
	static const u8 mapped[12] = { [10] = 0xff, 0xff };
	bool has_ip4 = !memcmp(a, mapped, 12);
	u32 words = has_ip4 ? 6 : 8, first = 0, zeros = longest_zeros(a, words, &first), i;
	bool colon = false;

	for (i = 0; i < words; i++) {
		if (zeros && i == first) {
			out_str(out, colon ? ":" : "::");
			i += zeros - 1;
			colon = false;
			if (first)
				out_char(out, ':');
			continue;
		}
		out_fmt(out, colon ? ":%x" : "%x", get_big16(a + 2 * i));
		colon = true;
	}
	if (!has_ip4)
		return;
	if (colon)
		out_char(out, ':');
	put_ip4(out, a + 12);
}

/* Print a socket address (%pIS), with its port if 'port' is set. */
static void put_socket(struct out *out, struct bytes b, bool port)
{
	enum { INET = 2, INET6 = 10 };
	u32 family = b.len >= 2 ? get16(b.at) : 0;

	if (family == INET && b.len >= 8) {
		put_ip4(out, b.at + 4);
	} else if (family == INET6 && b.len >= 24) {
		out_str(out, port ? "[" : "");
		put_ip6(out, b.at + 8);
		out_str(out, port ? "]" : "");
	} else {
		return;
	}
	if (port)
		out_fmt(out, ":%u", get_big16(b.at + 2));
}

static void put_uuid(struct out *out, const char *letters, const u8 *id)
{
	static const u8 little[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	bool swap = (letters[1] | 32) == 'l', upper = letters[1] == 'B' || letters[1] == 'L';
	u32 i;

	for (i = 0; i < 16; i++) {
		u32 v = id[swap ? little[i] : i], high = v >> 4, low = v & 15;
		const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

		if (i == 4 || i == 6 || i == 8 || i == 10)
			out_char(out, '-');
		out_char(out, digits[high]);
		out_char(out, digits[low]);
	}
}

static void put_mac(struct out *out, const char *letters, const u8 *a)
{
	u32 i;

	for (i = 0; i < 6; i++) {
		if (i && *letters == 'M')
			out_char(out, letters[1] == 'F' ? '-' : ':');
		out_fmt(out, "%02x", a[i]);
	}
}

bool tracepoint_put_address(struct out *out, const char *letters, struct bytes b)
{
	if ((letters[0] | 32) == 'i' && letters[1] == '4' && b.len >= 4)
		put_ip4(out, b.at);
	else if ((letters[0] | 32) == 'i' && letters[1] == '6' && b.len >= 16)
		put_ip6(out, b.at);
	else if ((letters[0] | 32) == 'i' && letters[1] == 'S')
		put_socket(out, b, letters[2] == 'p');
	else if ((letters[0] | 32) == 'm' && b.len >= 6)
		put_mac(out, letters, b.at);
	else if (letters[0] == 'U' && b.len >= 16)
		put_uuid(out, letters, b.at);
	else
		return false;
	return true;
}
