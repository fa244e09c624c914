/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text to numbers, with a check for every overflow.
 */
#include <pt/num.h>

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

const char *num_read(const char *s, unsigned int base, u64 *v)
{
	const char *start = s;
	u64 n = 0;

	for (; (unsigned int)digit(*s) < base; s++)
		if (__builtin_mul_overflow(n, base, &n) || __builtin_add_overflow(n, digit(*s), &n))
			return NULL;
	if (s == start)
		return NULL;
	*v = n;
	return s;
}

u64 num_scale(u64 a, u64 b, u64 c)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	u64 rest;

	return num_divide((u64)(product >> 64) % c, product, c, &rest);
}

bool num_parse(const char *s, u64 *v)
{
	u64 n;

	s = num_read_any(s, &n);
	if (!s || *s)
		return false;
	*v = n;
	return true;
}

bool num_parse_hex(const char *s, u64 *v)
{
	u64 n;

	if (s[0] == '0' && (s[1] | 0x20) == 'x')
		s += 2;
	s = num_read(s, 16, &n);
	if (!s || *s)
		return false;
	*v = n;
	return true;
}

bool num_parse_size(const char *s, u64 *v)
{
	static const char units[] = "kmgt";
	const char *unit;
	u64 n;

	s = num_read_any(s, &n);
	if (!s)
		return false;
	unit = *s && *s != 'B' && *s != 'b' ? strchr(units, *s | 0x20) : NULL;
	if (unit) {
		unsigned int shift = 10 * (unit - units + 1);

		if (n >> (64 - shift))
			return false;
		n <<= shift;
		s++;
	}
	if (*s == 'B' || *s == 'b')
		s++;
	if (*s)
		return false;
	*v = n;
	return true;
}

bool num_parse_time(const char *s, u64 *ns)
{
	static const struct { const char *name; u64 ns; } units[] = {
		{ "", 1000000000 }, { "s", 1000000000 }, { "ms", 1000000 },
		{ "us", 1000 }, { "ns", 1 }, { "m", 60000000000 },
	};
	u64 n, part = 0, scale = 1;
	size_t i;

	s = num_read(s, 10, &n);
	if (!s)
		return false;
	if (*s == '.') {
		for (s++; digit(*s) < 10; s++)
			if (scale < 1000000000) {
				part = part * 10 + digit(*s);
				scale *= 10;
			}
	}
	for (i = 0; i < N_ELEM(units); i++) {
		if (strcmp(s, units[i].name))
			continue;
		part = num_scale(part, units[i].ns, scale);
		if (__builtin_mul_overflow(n, units[i].ns, &n) ||
		    __builtin_add_overflow(n, part, &n))
			return false;
		*ns = n;
		return true;
	}
	return false;
}

u32 num_ones(u64 n)
{
	u32 ones;

	for (ones = 0; n; ones++)
		n &= n - 1;
	return ones;
}
