/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of the kernel, compressed: record -z. All COMPRESSED records of a file are one stream of
 * zstd, which is flushed after each buffer, so that a file that ends early can be read up to there.
 */
#include <errno.h>
#include <zstd.h>

#include <pt/perf_write.h>

enum {
	PIECE = 65504,		/* bytes of a COMPRESSED record: its size has 16 bits */
	VERSION = 1, ZSTD = 1,	/* of the feature */
};

int perf_write_compress(struct perf_writer *w, int level, u32 buffer)
{
	w->zstd = ZSTD_createCStream();
	if (!w->zstd || ZSTD_isError(ZSTD_initCStream(w->zstd, level)))
		return -ENOMEM;
	w->zstd_level = level;
	w->zstd_buffer = buffer;
	return 0;
}

void perf_write_compressed(struct perf_writer *w, struct bytes records)
{
	ZSTD_inBuffer in = { records.at, records.len, 0 };
	size_t left;
	u8 piece[PIECE];

	w->zstd_in += records.len;
	do {
		ZSTD_outBuffer out = { piece, sizeof(piece), 0 };

		left = ZSTD_compressStream2(w->zstd, &out, &in, ZSTD_e_flush);
		if (ZSTD_isError(left)) {
			w->err = w->err ? w->err : -EIO;
			return;
		}
		if (!out.pos)
			continue;
		w->zstd_out += out.pos;
		/* Not padded to words: all of it is the stream's. */
		perf_write_head(w, PERF_COMPRESSED, 0, out.pos);
		perf_write_bytes(w, piece, out.pos);
		perf_write_whole(w);
	} while (left || in.pos < in.size);
}

/* What a reader needs: the largest number of bytes that one record stands for. */
void perf_write_compress_end(struct perf_writer *w)
{
	perf_write_feature_start(w, PERF_FEAT_COMPRESSED);
	perf_write_u32(w, VERSION);
	perf_write_u32(w, ZSTD);
	perf_write_u32(w, w->zstd_level);
	perf_write_u32(w, w->zstd_out ? (w->zstd_in + w->zstd_out / 2) / w->zstd_out : 1);
	perf_write_u32(w, w->zstd_buffer);
	perf_write_feature_end(w);
	ZSTD_freeCStream(w->zstd);
	w->zstd = NULL;
}
