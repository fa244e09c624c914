/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of src/record have from each other.
 */
#ifndef RECORD_H
#define RECORD_H

#include <pt/record.h>

/* A file that code was mapped from. */
struct record_dso {
	struct record_dso *next, *same_hash;
	const char *name;
	u16 cpumode;		/* 1 kernel, 2 user */
	u8 build_id[20];
	u8 build_id_size;	/* 0: none was found, or none was looked for yet */
	i32 pid;		/* of a process that had it mapped */
	struct record_range *ranges;	/* what of it was mapped executable */
};

/* 'len' bytes from 'off' on of a file, or of memory that has none. */
struct record_range {
	struct record_range *next;
	u64 off, len;
};

enum { RECORD_DSO_HASH = 256 };
struct record_dsos {
	struct arena *arena;
	struct record_dso *first, **last;
	struct record_dso *by_name[RECORD_DSO_HASH];
	u32 n;
};

/* dsos.c: told of every map that goes into the file ('who' is the record_dsos). */
void dsos_see(void *who, const struct perf_mmap *m, u16 misc);
/* Find the build-ids of all, and write the feature. */
void dsos_write_build_ids(struct record_dsos *d, struct perf_writer *w);
/* The vDSO of this program, which is that of all 64-bit ones. */
struct bytes dsos_vdso(void);

/* kcore.c: copy what belongs to the kernel's text to DIR/kcore_dir. -errno. */
int kcore_copy(struct record *r, const char *dir);

/* bundle_write.c: write the feature. */
void bundle_write(struct record *r);

#endif
