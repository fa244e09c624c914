/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Words in text.
 */
#include <pt/text.h>

const char *text_after(const char *s, const char *word)
{
	size_t len = strlen(word);

	for (; *s; s++)
		if (!strncmp(s, word, len))
			return s + len;
	return NULL;
}

bool text_begins(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word), i;

	for (i = 0; i < n; i++)
		if (i >= len || text_lower(s[i]) != text_lower(word[i]))
			return false;
	return true;
}

const char *text_nth(const char *words, u64 n)
{
	for (; *words; words += strlen(words) + 1)
		if (!n--)
			return words;
	return NULL;
}

int text_find(const char *words, const char *word, size_t len)
{
	int i;

	for (i = 0; *words; i++, words += strlen(words) + 1)
		if (strlen(words) == len && text_begins(word, len, words))
			return i;
	return -1;
}

bool text_bits(const char *words, const char *list, u64 *bits)
{
	size_t len;
	int bit;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		bit = text_find(words, list, len);
		if (bit < 0)
			return false;
		*bits |= 1ull << bit;
		if (!list[len])
			return true;
	}
}

u32 text_utf8(const char *s)
{
	const u8 *at = (const u8 *)s;
	u32 n = *at >= 0xf0 && *at < 0xf5 ? 4 : *at >= 0xe0 && *at < 0xf0 ? 3 :
		*at >= 0xc2 && *at < 0xe0 ? 2 : *at && *at < 0x80, i;

	for (i = 1; i < n; i++)
		if (at[i] >> 6 != 2)
			return 0;
	/* Longer than it has to be, a half of a pair, or beyond the last one. */
	if ((*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) ||
	    (*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] > 0x8f))
		return 0;
	return n;
}
