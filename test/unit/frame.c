/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/frame.h>
#include "test.h"

static struct bytes line_of(const struct frame *f, char *text)
{
	return (struct bytes){ (u8 *)text, frame_put(text, f) - text };
}

TEST(the_crc_is_the_usual_one)
{
	EQ(frame_crc(0, "123456789", 9), 0xcbf43926);
}

TEST(a_line_comes_back_whatever_is_around_it)
{
	struct frame f = { .kind = FRAME_XOR, .id = 0x3f2a, .seq = 0x123456, .len = 0 }, got;
	char text[2 * FRAME_TEXT];
	bool damaged;
	struct bytes line;

	for (f.len = 1; f.len <= FRAME_PARITY; f.len++) {
		f.bytes[f.len - 1] = f.len * 37;
		memcpy(text, "[ 1.2] ", 7);
		line = line_of(&f, text + 7);
		OK(line.len < 80);
		memcpy((u8 *)line.at + line.len, " usb", 4);
		line = (struct bytes){ (u8 *)text, line.len + 11 };
		OK(frame_read(&got, &line, &damaged));
		EQ(got.seq, f.seq);
		EQ(got.id, f.id);
		EQ(got.len, f.len);
		OK(!memcmp(got.bytes, f.bytes, f.len));
	}
}

TEST(a_wrong_byte_is_noticed)
{
	struct frame f = { .kind = FRAME_MORE, .id = 1, .seq = 2, .len = 30 }, got;
	char text[FRAME_TEXT];
	struct bytes line = line_of(&f, text), rest;
	bool damaged;
	size_t i;

	for (i = 3; i < line.len; i++) {
		char was = text[i];

		text[i] = was == 'A' ? 'B' : 'A';
		rest = line;
		OK(!frame_read(&got, &rest, &damaged));
		text[i] = was;
	}
	OK(frame_read(&got, &line, &damaged));
}

TEST(a_line_without_its_end_does_not_take_the_next_one_with_it)
{
	struct frame f = { .kind = FRAME_MORE, .id = 1, .len = FRAME_BYTES }, got;
	char text[4 * FRAME_TEXT], *p = text;
	struct bytes rest = { (u8 *)text, 0 };
	bool damaged;

	for (f.seq = 0; f.seq < 3; f.seq++) {
		p = frame_put(p, &f);
		p[-1] ^= f.seq == 1;
		if (!f.seq)
			p = (char *)memcpy(p, "login", 5) + 5;
	}
	rest.len = p - text;
	OK(frame_read(&got, &rest, &damaged));
	EQ(got.seq, 0);
	OK(!frame_read(&got, &rest, &damaged));
	OK(damaged);
	OK(frame_read(&got, &rest, &damaged));
	EQ(got.seq, 2);
	OK(!frame_read(&got, &rest, &damaged));
	OK(!damaged);
}

TEST(the_head_of_a_block_is_checked)
{
	struct frame_block b = { .off = 4096, .size = 5000, .len = 904, .deflated = true, .crc = 7 };
	struct frame_block got;
	u8 head[FRAME_HEAD];

	frame_put_head(head, &b);
	OK(frame_read_head(&got, (struct bytes){ head, sizeof(head) }));
	EQ(got.len, 904);
	OK(got.deflated);
	b.off = 4097;
	frame_put_head(head, &b);
	OK(!frame_read_head(&got, (struct bytes){ head, sizeof(head) }));
	OK(!frame_read_head(&got, (struct bytes){ head, sizeof(head) - 1 }));
}
