/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Words in text.
 */
#include <pt/text.h>

const char *text_behind(const char *s, const char *word)
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
