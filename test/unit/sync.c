/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/packet.h>

static const u8 psb[16] = {
	2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82
};

TEST(a_psb_is_found_at_any_offset)
{
	static u8 room[400];
	size_t start, len, at;

	for (start = 0; start < 4; start++)
		for (len = 16; len < 300; len += 7)
			for (at = 0; at + 16 <= len; at++) {
				struct bytes in = { room + start, len };

				memset(room, 0x02, sizeof(room));
				memcpy(room + start + at, psb, 16);
				if (sync_find(in) != at || sync_find_last(in) != at) {
					EQ(sync_find(in), at);
					EQ(sync_find_last(in), at);
					return;
				}
			}
}

TEST(the_first_and_the_last_of_several_are_found)
{
	u8 in[300] = { 0 };

	memcpy(in + 33, psb, 16);
	memcpy(in + 130, psb, 16);
	memcpy(in + 243, psb, 16);
	EQ(sync_find((struct bytes){ in, 300 }), 33);
	EQ(sync_find_last((struct bytes){ in, 300 }), 243);
	memcpy(in + 259, psb, 16);
	EQ(sync_find_last((struct bytes){ in, 300 }), 259);
	memcpy(in + 265, psb, 16);
	EQ(sync_find_last((struct bytes){ in, 300 }), 265);
}

TEST(a_psb_cut_off_is_none)
{
	u8 in[200] = { 0 };

	memcpy(in + 185, psb, 15);
	EQ(sync_find((struct bytes){ in, 200 }), 200);
	EQ(sync_find_last((struct bytes){ in, 200 }), 200);
	EQ(sync_find((struct bytes){ psb, 15 }), 15);
	EQ(sync_find((struct bytes){ psb + 1, 15 }), 15);
	EQ(sync_find((struct bytes){ NULL, 0 }), 0);
	EQ(sync_find_last((struct bytes){ NULL, 0 }), 0);
}

TEST(what_is_nearly_a_psb_is_none)
{
	u8 in[128];

	memset(in, 0x82, sizeof(in));
	EQ(sync_find((struct bytes){ in, 128 }), 128);
	EQ(sync_find_last((struct bytes){ in, 128 }), 128);
	memset(in, 0x02, sizeof(in));
	EQ(sync_find((struct bytes){ in, 128 }), 128);
	EQ(sync_find_last((struct bytes){ in, 128 }), 128);
}
