/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Texts that the build packed.
 */
#include <pt/base.h>
#include <pt/packed.h>

void packed_read(char text[PACKED_MAX], const char *packed)
{
	u64 word[256];
	u8 len[256], c;
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
	do {
		c = *packed++;
		set64(text, word[c]);
		text += len[c];
	} while (c);
}
