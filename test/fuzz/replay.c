/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * main() for a fuzzer without libFuzzer: runs every file of CORPUS, then again up to MUTATIONS
 * times with a few changed bytes, which are the same in every run.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MUTATIONS = 200, BYTES_PER_FILE = 1 << 20 };	/* whichever is reached first */

static uint64_t seed = 88172645463325252ull;

static uint64_t any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Each run gets bytes of its own size, so that reading past them is seen. */
static void run(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (size)
		memcpy(copy, bytes, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void change(uint8_t *bytes, size_t size)
{
	static const uint8_t ends[] = { 0, 1, 0x7f, 0x80, 0xff };
	int n = 1 + any() % 4;

	while (n--) {
		size_t at = any() % size;

		switch (any() % 3) {
		case 0: bytes[at] ^= 1 << any() % 8; break;
		case 1: bytes[at] = any(); break;
		default: bytes[at] = ends[any() % sizeof(ends)];
		}
	}
}

static void play(const uint8_t *bytes, size_t size)
{
	size_t i, n = size ? BYTES_PER_FILE / size : 0;

	run(bytes, size);
	for (i = 0; i < n && i < MUTATIONS; i++) {
		uint8_t *copy = malloc(size);
		size_t len = any() % 4 ? size : any() % (size + 1);

		memcpy(copy, bytes, size);
		change(copy, size);
		run(copy, len);
		free(copy);
	}
}

static int play_file(const char *path)
{
	uint8_t *bytes;
	size_t size;
	FILE *f = fopen(path, "rb");

	if (!f)
		return 0;
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	bytes = malloc(size ? size : 1);
	size = fread(bytes, 1, size, f);
	fclose(f);
	play(bytes, size);
	free(bytes);
	return 1;
}

int main(void)
{
	DIR *dir = opendir(CORPUS);
	struct dirent *entry;
	int n = 0;

	play(NULL, 0);
	while (dir && (entry = readdir(dir))) {
		char path[512];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", CORPUS, entry->d_name);
		n += play_file(path);
	}
	if (dir)
		closedir(dir);
	printf("%d passed, 0 failed, 0 skipped\n", n + 1);
	return 0;
}
