/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * JSON output. Numbers and punctuation are out_fmt()'s; names from outside need this.
 */
#ifndef PT_JSON_H
#define PT_JSON_H

#include <pt/out.h>

/* 's' as a JSON string, in quotes. Bytes that are not UTF-8 become U+FFFD. The result can also be
 * inside an HTML script element, which "</" or "<!" would end or change. */
void json_text(struct out *out, const char *s);

#endif
