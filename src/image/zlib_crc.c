/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * zlib's crc32(), four bits at a time: its own brings 12 kB of tables along; and
 * adler32(), which is there unrolled (2 kB). Defined here, those in libz.a are
 * not linked.
 */
#include <zlib.h>

unsigned long crc32(unsigned long crc, const unsigned char *bytes, unsigned int n)
{
	static const unsigned int table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
		0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	unsigned int c = ~(unsigned int)crc;

	if (!bytes)
		return 0;
	while (n--) {
		c ^= *bytes++;
		c = c >> 4 ^ table[c & 15];
		c = c >> 4 ^ table[c & 15];
	}
	return (unsigned int)~c;
}

unsigned long adler32(unsigned long adler, const unsigned char *bytes, unsigned int n)
{
	enum { PRIME = 65521, UNREDUCED = 5552 };	/* so many bytes fit 32 bits */
	unsigned int a = adler & 0xffff, b = adler >> 16 & 0xffff, i;

	if (!bytes)
		return 1;
	while (n) {
		for (i = 0; i < UNREDUCED && n; i++, n--) {
			a += *bytes++;
			b += a;
		}
		a %= PRIME;
		b %= PRIME;
	}
	return (unsigned long)b << 16 | a;
}
