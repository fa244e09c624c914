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
