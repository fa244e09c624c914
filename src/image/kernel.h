/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Declarations shared by the files about the kernel.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include "symtab.h"

/* kallsyms.c: a list of symbols, possibly of another boot. */
struct kallsyms {
	const char *reference;	/* a symbol whose address is known, or NULL */
	u64 reference_addr;
	struct symtab table;
	bool has_reference;	/* it is in the list: */
	u64 delta;		/* its address there, minus its recorded address */
	u64 end;		/* where the symbols end that belong to no module */
};

/* Read the list. 0 or -errno; -EPERM if all addresses are hidden. */
int kallsyms_load(struct kallsyms *k, int fd);

/* The address of one symbol in a list, or 0. */
u64 kallsyms_address(int fd, const char *name);

/* The symbol table, with recorded addresses; NULL if it is empty. Must be called in any case. */
struct symbols *kallsyms_finish(struct kallsyms *k, struct arena *a);

/* kcore.c: memory of a kernel, in a file with program headers: /proc/kcore, a copy of it, or
 * vmlinux. */
struct kcore {
	int fd;
	struct bytes map;	/* the file, if it can be mapped */
	struct kcore_part { u64 start, end, off; } *parts;
	u32 n_parts;
	struct kcore_chunk **chunks;	/* chunks that were read, by address */
	u64 n_read;
	u64 delta;		/* addresses in the file, minus the requested addresses */
};

/* 0 or -errno. Takes ownership of 'fd'. */
int kcore_open(struct kcore *c, int fd, struct arena *a);
void kcore_close(struct kcore *c);
struct bytes kcore_bytes(struct kcore *c, u64 addr, struct arena *a);

/* kernel_maps.c: whether the list of modules in 'fd' (/proc/modules) has the recorded modules at
 * their recorded addresses. */
bool kernel_modules_same(struct images *im, int fd);

/* Map all parts of 'c' as 'kernel', in place of the kernel and its modules. */
void kernel_adopt(struct images *im, const struct kcore *c, struct dso *kernel);

#endif
