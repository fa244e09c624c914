/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Packs texts: see include/pt/packed.h. It runs during the build.
 * usage: pack FILE... > TABLE.c
 * Each FILE has a text with its NUL. TABLE.c has the packed texts, and the pair of bytes for each
 * packed byte.
 *
 * The most frequent pair of bytes in all texts becomes one byte. This is repeated until no byte is
 * free, or no pair is frequent enough to save more than its two bytes in the table. The expansion
 * of a byte fits into one word.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pt/packed.h>

enum { MOST = 1 << 20, WORTH = 3 };

static unsigned char text[MOST], length[256];	/* of what a byte stands for */
static int len;

static void fail(const char *name, const char *why)
{
	fprintf(stderr, "pack: %s: %s\n", name, why);
	exit(1);
}

static int read_text(const char *name)
{
	FILE *f = fopen(name, "rb");
	int n = f ? fread(text + len, 1, MOST - len, f) : 0;

	if (!n || fclose(f))
		fail(name, "cannot be read");
	if (memchr(text + len, 0, n) != text + len + n - 1)
		fail(name, "not one text that ends with NUL");
	if (n + PACKED_WORD > PACKED_MAX)
		fail(name, "longer than PACKED_MAX");
	len += n;
	return n;
}

static int ends(unsigned char c)
{
	return !c || c == '\f';
}

/* The most frequent pair, or -1. */
static int choose_pair(void)
{
	static int count[1 << 16];
	int i, best = -1, most = WORTH - 1, last = -1;

	memset(count, 0, sizeof(count));
	for (i = 0; i + 1 < len; i++) {
		int pair = text[i] << 8 | text[i + 1];

		/* Of three equal bytes only two make a pair. The end of a page or a text is
		 * not part of a pair. */
		if (ends(text[i]) || ends(text[i + 1]) || pair == last ||
		    length[text[i]] + length[text[i + 1]] > PACKED_WORD) {
			last = -1;
			continue;
		}
		last = text[i] == text[i + 1] ? pair : -1;
		count[pair]++;
	}
	for (i = 0; i < 1 << 16; i++)
		if (count[i] > most)
			most = count[best = i];
	return best;
}

static void replace(int pair, unsigned char by)
{
	int from, to = 0;

	for (from = 0; from < len; from++) {
		if (from + 1 < len && (text[from] << 8 | text[from + 1]) == pair) {
			text[to++] = by;
			from++;
		} else {
			text[to++] = text[from];
		}
	}
	len = to;
}

/* The text of the file A/B.text becomes the array packed_A_B. */
static void write_text(const char *name, const unsigned char *from, int n)
{
	char id[256];
	int i;

	for (i = 0; i < 255 && name[i] && name[i] != '.'; i++)
		id[i] = name[i] == '/' ? '_' : name[i];
	id[i] = 0;
	printf("\nextern const unsigned char packed_%s[];\nconst unsigned char packed_%s[] = {",
	       id, id);
	for (i = 0; i < n; i++)
		printf("%s%d,", i % 16 ? " " : "\n\t", from[i]);
	puts("\n};");
}

int main(int argc, char **argv)
{
	unsigned char pairs[PACKED_PAIRS][2] = { 0 }, used[256] = { 1 };
	int i, n, pair;

	for (i = 1; i < argc; i++)
		read_text(argv[i]);
	for (i = 0; i < len; i++)
		used[text[i]] = length[text[i]] = 1;
	for (n = 0; n < PACKED_PAIRS && (pair = choose_pair()) >= 0; n++) {
		unsigned char by = PACKED_FIRST + n;

		if (used[by])
			continue;
		replace(pair, by);
		pairs[n][0] = pair >> 8;
		pairs[n][1] = pair;
		length[by] = length[pairs[n][0]] + length[pairs[n][1]];
	}
	puts("#include <pt/packed.h>");
	for (i = 1, len = 0; i < argc; i++) {
		int size = strlen((char *)text + len) + 1;

		write_text(argv[i], text + len, size);
		len += size;
	}
	printf("\nconst unsigned char packed_n = %d, packed_pairs[][2] = {\n", n);
	for (i = 0; i < n || !i; i++)
		printf("\t{ %d, %d },\n", pairs[i][0], pairs[i][1]);
	puts("};");
	return 0;
}
