/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/file.h>
#include "test.h"

static u8 notes[128];
static size_t len;

static void add(u32 type, const char *name, const char *desc, u32 n)
{
	set32(notes + len, strlen(name) + 1);
	set32(notes + len + 4, n);
	set32(notes + len + 8, type);
	memcpy(notes + len + 12, name, strlen(name) + 1);
	len += 12 + round_up(strlen(name) + 1, 4);
	memcpy(notes + len, desc, n);
	len += round_up(n, 4);
}

/* The build-id as text, among the first 'n' bytes. */
static const char *id(size_t n)
{
	static char text[NOTE_ID_TEXT];
	struct bytes b = note_find_build_id((struct bytes){ notes, n });

	note_id_text(text, b.at, b.len);
	return text;
}

TEST(a_build_id_is_found_after_other_notes)
{
	enum { GNU_BUILD_ID = 3 };

	len = 0;
	add(GNU_BUILD_ID, "stapsdt", "probe", 5);	/* padded, as its name is */
	add(1, "GNU", "abi", 3);
	add(GNU_BUILD_ID, "GNU", "\x12\xab\x00\x01\x02", 5);
	add(GNU_BUILD_ID, "GNU", "\xff", 1);
	STR_EQ(id(len), "12ab000102");
}

TEST(notes_that_are_cut_have_no_build_id)
{
	len = 0;
	STR_EQ(id(0), "");
	add(3, "GNU", "\x12\xab\x00\x01", 4);
	STR_EQ(id(len), "12ab0001");
	STR_EQ(id(len - 1), "");
	STR_EQ(id(11), "");
	set32(notes + 4, ~0u);
	STR_EQ(id(len), "");
}
