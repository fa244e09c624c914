/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes as lines of a dump, 16 on a line. Most of the output of 'pt -D' comes from here.
 */
#include <pt/out.h>
#include <pt/print_record.h>

enum { LINE = 16 };

static const char digits[] = "0123456789abcdef";

/* Print each byte as a blank and two digits, and pad the rest of the line with blanks. */
static char *put_digits(char *p, const u8 *at, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		*p++ = ' ';
		*p++ = digits[at[i] >> 4];
		*p++ = digits[at[i] & 15];
	}
	return put_fill(p, ' ', 3 * (LINE - n));
}

static char *put_printable(char *p, const u8 *at, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		*p++ = (u8)(at[i] - ' ') < 0x7f - ' ' ? at[i] : '.';
	return put_fill(p, ' ', LINE - n);
}

void print_bytes(struct out *out, struct bytes b, u64 off, int width)
{
	while (b.len) {
		size_t n = MIN(b.len, (size_t)LINE);
		char *p = out_room(out, 128);

		p = put_hex_0(put_bytes(p, ".  ", 3), off, width);
		p = put_digits(put_bytes(p, ": ", 2), b.at, n);
		p = put_printable(put_bytes(p, "  ", 2), b.at, n);
		out_line(out, p);
		b = bytes_skip(b, n);
		off += n;
	}
}
