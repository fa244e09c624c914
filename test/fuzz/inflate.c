/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A deflated stream: what zlib makes something of has to become the same, and nothing else
 * may be read or written.
 */
#include <zlib.h>

#include "src/image/inflate.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);

enum { HEAD = 2, ROOM = 1 << 18 };

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n)
{
	struct bytes in = { bytes, n }, out;
	struct arena arena = { 0 };
	u8 *to = NEW(&arena, u8, ROOM);
	z_stream z = { .next_out = to, .avail_out = ROOM };
	bool good;

	if (n < HEAD || inflate_is_gzip(in))
		return 0;
	z.next_in = (u8 *)bytes + HEAD;
	z.avail_in = n - HEAD;
	inflateInit2(&z, -15);
	good = inflate(&z, Z_FINISH) == Z_STREAM_END;
	inflateEnd(&z);
	out = inflate_bytes(in, z.total_out, &arena);
	if (good && (out.len != z.total_out || memcmp(out.at, to, out.len)))
		__builtin_trap();
	inflate_bytes(in, z.total_out + 1, &arena);
	arena_free(&arena);
	return 0;
}
