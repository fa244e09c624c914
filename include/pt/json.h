/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * JSON output. This is for names from outside; numbers and punctuation use out_fmt().
 */
#ifndef PT_JSON_H
#define PT_JSON_H

#include <pt/out.h>

/* Write 's' as a JSON string in quotes. Bytes that are not UTF-8 become U+FFFD. "</" and "<!" are
 * escaped, so that the result can be inside an HTML script element. */
void json_text(struct out *out, const char *s);

#endif
