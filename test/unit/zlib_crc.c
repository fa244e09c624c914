/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <zlib.h>

TEST(the_checksum_is_zlibs)
{
	static const u8 check[] = "123456789";
	u8 bytes[300];
	size_t i;

	EQ(crc32(0, NULL, 0), 0);
	EQ(crc32(0, check, 9), 0xcbf43926);
	EQ(crc32(crc32(0, check, 4), check + 4, 5), 0xcbf43926);
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i * 7;
	EQ(crc32(0, bytes, sizeof(bytes)), crc32(crc32(0, bytes, 17), bytes + 17, sizeof(bytes) - 17));
}
