/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text with the fields of a record: '%', a letter for the field's type and format, and its offset
 * as two hexadecimal digits. One string, such as "pid %d00 name %s08", then replaces the code that
 * prints such a record.
 */
#include <pt/out.h>
#include <pt/print_record.h>

enum { ROOM = 1024 };	/* the longest text without its names */

static unsigned int digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Print a NUL-terminated name. */
static void print_name(struct out *out, struct bytes b)
{
	if (b.len && memchr(b.at, 0, b.len))
		out_name(out, (const char *)b.at);
}

char *put_hex_alt(char *p, u64 v)
{
	return put_hex(v ? put_str(p, "0x") : p, v);
}

static char *put_field(char *p, struct bytes b, char how)
{
	u32 word = bytes_take32(&(struct bytes){ b.at, b.len });
	u64 v = bytes_take64(&(struct bytes){ b.at, b.len });

	switch (how) {
	case 'c':
		return put_dec(p, b.len ? *b.at : 0);
	case 'h':
		return put_dec(p, (u16)word);
	case 'k':
		return put_hex(p, (u16)word);
	case 'd':
		return put_int(p, (i32)word);
	case 'u':
		return put_dec(p, word);
	case 'b':
		return put_hex_0(p, word, 2);
	case 'D':
		return put_int(p, v);
	case 'U':
		return put_dec(p, v);
	case 'x':
		return put_hex(p, v);
	case 'q':
		return put_hex_0(p, v, 16);
	case 'n':
		return put_dec_w(p, v, 2);
	default:
		return put_hex_alt(p, v);
	}
}

void print_fields(struct out *out, struct bytes b, const char *text)
{
	char *p = out_room(out, ROOM);
	struct bytes field;

	for (; *text; text++) {
		if (*text != '%') {
			p = put_char(p, *text);
			continue;
		}
		field = bytes_skip(b, digit(text[2]) << 4 | digit(text[3]));
		if (text[1] == 's') {
			out_done(out, p);
			print_name(out, field);
			p = out_room(out, ROOM);
		} else {
			p = put_field(p, field, text[1]);
		}
		text += 3;
	}
	out_done(out, p);
	if (out->lines && p[-1] == '\n')
		out_flush(out);
}
