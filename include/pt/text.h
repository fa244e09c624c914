/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Words in text.
 */
#ifndef PT_TEXT_H
#define PT_TEXT_H

#include <pt/base.h>

/* The text after the first 'word' in 's', or NULL if 's' does not contain it. For short texts;
 * libc's strstr() is fast in long ones, but takes 1.3 kB of code. */
const char *text_after(const char *s, const char *word);

/* 'words' are NUL-terminated strings, one after the other, with an empty one at the end. Word n,
 * or NULL; and the index of the word 's' of 'len' bytes, ignoring case, or -1. */
const char *text_nth(const char *words, u64 n);
int text_find(const char *words, const char *word, size_t len);

/* The bits of "a,b,c": each word is in 'words'. False at one that is not. */
bool text_bits(const char *words, const char *list, u64 *bits);

static inline char text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* Do the 'len' bytes at 's' begin with 'word', ignoring case? */
bool text_begins(const char *s, size_t len, const char *word);

/* The length of the UTF-8 character at 's'; 0 if it is not valid, or at the end. */
u32 text_utf8(const char *s);

#endif
