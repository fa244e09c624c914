/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Words in text.
 */
#ifndef PT_TEXT_H
#define PT_TEXT_H

#include <pt/base.h>

/* What stands behind the first 'word' in 's', or NULL if it is not there. For
 * short texts: libc's strstr() would be 1.3 kB to be fast in long ones. */
const char *text_behind(const char *s, const char *word);

/* Words joined by NULs, and an empty one at the end: the 'n'th, or NULL; and which is the word of
 * 'len' bytes, in small letters or large ones, or -1. */
const char *text_nth(const char *words, u64 n);
int text_find(const char *words, const char *word, size_t len);

static inline char text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* Do the 'len' bytes at 's' begin with 'word', in small letters or large ones? */
bool text_begins(const char *s, size_t len, const char *word);

/* How many bytes the UTF-8 character at 's' has; 0: it is none, or the end. */
u32 text_utf8(const char *s);

#endif
