/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interface between the files of src/record.
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
	u8 build_id_size;	/* 0: none found, or not yet searched */
	i32 pid;		/* of a process that mapped it */
	struct record_range *ranges;	/* ranges that were mapped executable */
};

/* 'len' bytes from 'off' on, of a file or of memory without a file. */
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

/* dsos.c: note a map that is written to the recording ('who' is the record_dsos). */
void dsos_see(void *who, const struct perf_mmap *m, u16 misc);
/* Find all build-ids, and write the feature. */
void dsos_write_build_ids(struct record_dsos *d, struct perf_writer *w);
/* Open the file; if it has another root (a container), while its process lives. -errno. */
int dsos_open(const struct record_dso *dso);
/* The vDSO of this process, which is the same in all 64-bit processes. */
struct bytes dsos_vdso(void);

/* Read a line of /proc/PID/maps: "start-end perms offset major:minor inode   name". 'm' refers to
 * its name. False if it has another form. */
bool record_map(const char *line, struct perf_mmap *m);

/* kcore.c: copy the kernel's code and symbols to DIR/kcore_dir. 0 or -errno. */
int kcore_copy(struct record *r, const char *dir);
/* kcore_modules.c: at the end, add modules that were loaded since. */
int kcore_add_modules(struct record *r);

/* bpf_programs.c: records of the BPF programs that are loaded; and at the end the feature that has
 * their code. */
void bpf_programs_start(struct record *r);
void bpf_programs_write(struct record *r);

/* bundle_write.c: write the feature. */
void bundle_write(struct record *r);

#endif
