/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The running kernel's code.
 */
#ifndef OWN_KERNEL_H
#define OWN_KERNEL_H

#include <pt/base.h>

/* From the symbol that says where it begins to the one that says where it ends;
 * 'name' is what perf calls that map. False if addresses are hidden. */
struct kernel_text { u64 start, end; const char *name; };
bool own_kernel_text(struct kernel_text *k);

struct kernel_module {
	const char *name;	/* "[ext4]", or the path of its file */
	u64 start, len;
};

/* The modules that are loaded; the second gives them their files' paths, where
 * they can be found. */
u32 own_kernel_modules(struct kernel_module **list, struct arena *arena);
void own_kernel_files(struct kernel_module *list, u32 n, struct arena *arena);

/* All code there is, in pages: sorted, without overlaps. */
struct own_kernel_range { u64 start, end; };
struct own_kernel_code { struct own_kernel_range *at; u32 n, room; };
bool own_kernel_code(struct own_kernel_code *c, struct arena *arena);

/* /proc/kcore. Where there is nothing, zeros are read. */
struct own_kernel { int fd; u64 phoff; u32 phnum; };
int own_kernel_open(struct own_kernel *k);
void own_kernel_read(const struct own_kernel *k, u64 addr, u8 *to, size_t len);
void own_kernel_close(struct own_kernel *k);

/* An ELF core file of the code, handed piece by piece to 'put', false if that
 * failed; and how long it will be. */
struct own_kernel_sink { bool (*put)(void *who, const void *bytes, size_t len); void *who; };
bool own_kernel_core(const struct own_kernel *k, const struct own_kernel_code *c,
		     const struct own_kernel_sink *to);
u64 own_kernel_core_size(const struct own_kernel_code *c);

#endif
