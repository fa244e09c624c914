/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files about the kernel have from each other.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include "symtab.h"

/* kallsyms.c: a list of symbols, which may be that of another boot. */
struct kallsyms {
	const char *reference;	/* a symbol whose address is known, or NULL */
	u64 reference_addr;
	struct symtab table;
	bool has_reference;	/* it is in the list: */
	u64 delta;		/* where it is there, less where it was */
};

/* Read the list. 0 or -errno; -EPERM if it hides all addresses. */
int kallsyms_load(struct kallsyms *k, int fd, struct arena *a);

/* The address of one symbol in a list, or 0. */
u64 kallsyms_address(int fd, const char *name);

/* Its table, as addresses were; NULL if it is empty. Call it in any case. */
struct symbols *kallsyms_finish(struct kallsyms *k, struct arena *a);

/* kcore.c: memory of a kernel, in a file with program headers: /proc/kcore, a
 * copy of it, or vmlinux. */
struct kcore {
	int fd;
	struct bytes map;	/* the file, if it can be mapped */
	struct kcore_part { u64 start, end, off; } *parts;
	u32 n_parts;
	struct kcore_chunk **chunks;	/* what was read, by address */
	u64 n_read;
	u64 delta;		/* addresses in the file, less addresses asked for */
};

/* 0 or -errno. Takes 'fd' over. */
int kcore_open(struct kcore *c, int fd, struct arena *a);
void kcore_close(struct kcore *c);
struct bytes kcore_bytes(struct kcore *c, u64 addr, struct arena *a);

/* kernel_maps.c: whether the list of modules behind 'fd' (/proc/modules) has those
 * of the recording where they were. */
bool kernel_modules_same(struct images *im, int fd);

/* Map all that 'c' has as 'kernel', in place of the kernel and its modules. */
void kernel_adopt(struct images *im, const struct kcore *c, struct dso *kernel);

#endif
