/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bundles: a perf.data file that also contains the code that was executed. The code is the payload
 * of a feature (PERF_FEAT_BUNDLE) that perf does not know and skips.
 *
 * A bundle is a set of files. Each file is stored in parts; bytes that are in no part read as
 * zeros. All numbers are little-endian. The payload begins with
 *
 *	 0  "PTBUNDLE"
 *	 8  u32 version, 1
 *	12  u32 0
 *
 * and then has parts up to its end, each beginning at a multiple of 8:
 *
 *	 0  u32 flags		bit 0: deflated (a zlib stream)
 *	 4  u32 name_len	with its NUL
 *	 8  u64 off		where in the file it belongs
 *	16  u64 size		how many bytes that is, at most BUNDLE_PART
 *	24  u64 stored		how many it takes here, at most BUNDLE_PART
 *	32  u64 whole		how long the file is
 *	40  u8 build_id[20]	of the file
 *	60  u8 build_id_size	0 if it has none
 *	61  u8 0, 0, 0
 *	64  the name, padded to 8; then 'stored' bytes, padded to 8
 *
 * Names are those of the recording's maps, "[vdso]" among them. Where the kernel
 * was traced there are also "/proc/kcore", an ELF core file of the kernel's code
 * and nothing else, "/proc/kallsyms" and "/proc/modules".
 */
#ifndef PT_BUNDLE_H
#define PT_BUNDLE_H

#include <pt/base.h>

#define BUNDLE_MAGIC "PTBUNDLE"

enum {
	BUNDLE_VERSION = 1,
	BUNDLE_HEAD = 16,
	BUNDLE_PART_HEAD = 64,
	BUNDLE_PART = 256 << 10,
	BUNDLE_DEFLATED = 1,
};

/* One part, as its head says. */
struct bundle_part {
	u32 flags;
	u64 off, size, stored, whole;
	u8 build_id[20];
	u8 build_id_size;
	const char *name;
	u64 at;			/* of its bytes in the payload */
};

/* A payload that is read. */
struct bundle {
	/* 'n' bytes at 'off' of the payload: how many could be read, or -errno. */
	long (*read)(void *who, u64 off, void *to, size_t n);
	void *who;
	struct arena *arena;
	struct bundle_part *parts;
	u32 n, room;
};

/* Learn what is in a payload of 'size' bytes; read, who and arena have to be set.
 * Returns false if it is damaged: what lies before the damage is there. */
bool bundle_open(struct bundle *b, u64 size);

/* The file of that name (and build-id, where both sides know one), as a
 * descriptor of memory; -ENOENT if it is not there, or another -errno. */
int bundle_file(const struct bundle *b, const char *name, const u8 *id, unsigned int id_size);

#endif
