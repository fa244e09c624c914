/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Texts that were packed by the build.
 */
#include <pt/base.h>
#include <pt/packed.h>

static void make_words(u64 word[256], u8 len[256])
{
	u8 c;
	int i;

	for (i = 0; i < 256; i++) {
		word[i] = i;
		len[i] = 1;
	}
	for (i = 0; i < packed_n; i++) {
		u8 first = packed_pairs[i][0], second = packed_pairs[i][1];

		if (!first)
			continue;
		c = PACKED_FIRST + i;
		word[c] = word[first] | word[second] << 8 * len[first];
		len[c] = len[first] + len[second];
	}
}

const char *packed_page(struct packed_words *words, char **text, const char *packed)
{
	char *to = *text;
	u8 c;

	if (!*words->len)
		make_words(words->word, words->len);
	do {
		c = *packed++;
		set64(to, words->word[c]);
		to += words->len[c];
	} while (c && c != '\f');
	*text = c ? to : to - 1;
	return c ? packed : NULL;
}

void packed_read(char text[PACKED_MAX], const char *packed)
{
	struct packed_words words = { 0 };

	while (packed)
		packed = packed_page(&words, &text, packed);
}
