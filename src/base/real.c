/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Real numbers to text, without libc's arbitrary precision.
 *
 * A double is an integer of 53 bits times a power of two. Multiplied by 10^9 it fits into 128 bits
 * if it is below 2^90, so decimal places can be cut off and rounded exactly, halves to even.
 */
#include <pt/num.h>
#include <pt/real.h>

/* v * 10^decimals, rounded; v >= 0 */
static unsigned __int128 to_integer(double v, int decimals)
{
	u64 bits, one = 1;
	unsigned __int128 n, rest, half;
	int shift;

	memcpy(&bits, &v, sizeof(bits));
	shift = 1075 - (int)(bits >> 52 & 0x7ff);
	n = (bits & ((1ull << 52) - 1)) | (u64)(bits >> 52 & 0x7ff ? 1 : 0) << 52;
	while (decimals--)
		one *= 10;
	n *= one;
	if (shift <= 0)
		return n << -shift;
	if (shift > 100)
		return 0;
	half = (unsigned __int128)1 << (shift - 1);
	rest = n & ((half << 1) - 1);
	n >>= shift;
	return n + (rest > half || (rest == half && (n & 1)));
}

/* Divide 'n' and return the remainder. */
static u64 divide(unsigned __int128 *n, u64 by)
{
	u64 high = *n >> 64, low, rest;

	low = num_divide(high % by, *n, by, &rest);
	*n = (unsigned __int128)(high / by) << 64 | low;
	return rest;
}

/* Write the digits of 'n' before 'end', at least 'least' of them. */
static char *digits(char *end, unsigned __int128 n, int least, char comma)
{
	int i;

	for (i = 0; n || i < least; i++) {
		if (comma && i && i % 3 == 0)
			*--end = comma;
		*--end = '0' + (int)divide(&n, 10);
	}
	return end;
}

char *put_real(char *p, double v, int decimals, char comma)
{
	char text[REAL_MAX], *at = text + sizeof(text);
	bool minus = v < 0;
	u64 one = 1, part;
	unsigned __int128 n;
	int i;

	if (minus)
		v = -v;
	if (!(v < 0x1p90))
		return put_char(p, '-');
	n = to_integer(v, decimals);
	for (i = 0; i < decimals; i++)
		one *= 10;
	part = divide(&n, one);
	if (decimals) {
		at = digits(at, part, decimals, 0);
		*--at = '.';
	}
	at = digits(at, n, 1, comma);
	if (minus)
		*--at = '-';
	return put_bytes(p, at, text + sizeof(text) - at);
}

char *put_real_w(char *p, double v, int width, int decimals, char comma)
{
	char text[REAL_MAX];
	int len = put_real(text, v, decimals, comma) - text;

	p = put_fill(p, ' ', width - len);
	return put_bytes(p, text, len);
}

void out_real(struct out *o, double v, int width, int decimals)
{
	out_done(o, put_real_w(out_room(o, 256), v, width, decimals, 0));
}
