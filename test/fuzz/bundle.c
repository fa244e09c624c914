/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bundles: the part of perf.data that contains files.
 */
#include <unistd.h>

#include <pt/bundle.h>

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);

static long read_bytes(void *who, u64 off, void *to, size_t n)
{
	struct bytes rest = *(struct bytes *)who;

	if (off > rest.len)
		return 0;
	rest = bytes_first(bytes_skip(rest, off), n);
	memcpy(to, rest.at, rest.len);
	return rest.len;
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n)
{
	struct arena arena = { 0 };
	struct bytes all = { bytes, n };
	struct bundle b = { .read = read_bytes, .who = &all, .arena = &arena };
	u32 i;

	bundle_open(&b, n);
	for (i = 0; i < b.n && i < 8; i++) {
		const struct bundle_part *p = &b.parts[i];
		int fd = bundle_file(&b, p->name, p->build_id, p->build_id_size);

		if (fd >= 0)
			close(fd);
	}
	arena_free(&arena);
	return 0;
}
