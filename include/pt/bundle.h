/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bundles: a perf.data that brings along the code it is about, as the payload
 * of a feature that perf does not know and skips.
 *
 * All numbers are little-endian. The payload begins with
 *
 *	 0  "PTBUNDLE"
 *	 8  u32 version, 1
 *	12  u32 0
 *
 * and then has parts up to its end, each beginning at a multiple of 8:
 *
 *	 0  u32 kind		enum bundle_kind
 *	 4  u32 flags		bit 0: deflated (a zlib stream)
 *	 8  u64 off		where it belongs: in the file, or an address
 *	16  u64 size		how many bytes that is
 *	24  u64 stored		how many it takes here
 *	32  u64 whole		how long the file is that it is a part of
 *	40  u8 build_id[20]	of that file
 *	60  u8 build_id_size
 *	61  u8 0
 *	62  u16 name_len	with its NUL
 *	64  the name, padded to 8; then 'stored' bytes, padded to 8
 *
 * A file is there in parts of at most BUNDLE_PART bytes: what was mapped of it
 * to be executed, its headers, symbols and notes. The rest of it reads as zeros.
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

enum bundle_kind {
	BUNDLE_FILE = 1,	/* a piece of the file of that name; "[vdso]" is one */
	BUNDLE_KERNEL,		/* the running kernel's code at address 'off' */
	BUNDLE_KALLSYMS,	/* /proc/kallsyms, a text in pieces */
	BUNDLE_MODULES,		/* /proc/modules, the same */
};

/* One part, as the head says. */
struct bundle_part {
	u32 kind, flags;
	u64 off, size, stored, whole;
	u8 build_id[20];
	u8 build_id_size;
	const char *name;
	u64 at;			/* of its bytes in the payload */
	struct bytes plain;	/* once it was read */
};

/* A payload that was opened. */
struct bundle {
	struct bundle_part *parts;
	u32 n;
	/* 'n' bytes at 'off' of the payload: the count that could be read, or -errno. */
	long (*read)(void *who, u64 off, void *to, size_t n);
	void *who;
	struct arena *arena;
};

/* Read the list of parts of a payload of 'size' bytes; 'read' and 'who' have to be
 * set. False if it is none, or damaged: what comes before the damage is there. */
bool bundle_open(struct bundle *b, u64 size, struct arena *arena);

/* The file of that name (and build-id, where both sides know one), in full
 * length and with zeros where it has holes; empty if it is not there. */
struct bytes bundle_file(struct bundle *b, const char *name, const u8 *id, unsigned int id_size);

/* Kernel code from 'addr' on, as much as there is in one piece. */
struct bytes bundle_kernel(struct bundle *b, u64 addr);

/* A text, KALLSYMS or MODULES. */
struct bytes bundle_text(struct bundle *b, enum bundle_kind kind);

#endif
