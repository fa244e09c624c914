/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Strings in JSON (RFC 8259, "Strings").
 */
#include <pt/json.h>
#include <pt/text.h>

void json_text(struct out *out, const char *s)
{
	u32 n;

	out_char(out, '"');
	for (; *s; s += n) {
		u8 c = *s;

		n = MAX(text_utf8(s), 1u);
		if (c == '"' || c == '\\')
			out_fmt(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f || (c == '<' && (s[1] == '/' || s[1] == '!')))
			out_fmt(out, "\\u%04x", c);
		else if (c >= 0x80 && n == 1)
			out_str(out, "\\ufffd");
		else
			out_bytes(out, s, n);
	}
	out_char(out, '"');
}
