/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code of the running kernel.
 */
#ifndef OWN_KERNEL_H
#define OWN_KERNEL_H

#include <pt/base.h>

/* The kernel's text, from _stext (or _text) to its end; 'name' is perf's name for that map. False
 * if addresses are hidden. */
struct kernel_text { u64 start, end; const char *name; };
bool own_kernel_text(struct kernel_text *k);

struct kernel_module {
	const char *name;	/* "[ext4]", or the path of its file */
	u64 start, len;
};

/* List the loaded modules, into 'arena'; and set the paths of their files, if they can be found. */
u32 own_kernel_modules(struct kernel_module **list, struct arena *arena);
void own_kernel_files(struct kernel_module *list, u32 n, struct arena *arena);

/* All ranges of code, in whole pages, sorted, without overlaps. */
struct own_kernel_range { u64 start, end; };
struct own_kernel_code { struct own_kernel_range *at; u32 n, room; };
bool own_kernel_code(struct own_kernel_code *c, struct arena *arena);

/* /proc/kcore. Unmapped addresses read as zeros. */
struct own_kernel { int fd; u64 phoff; u32 phnum; };
int own_kernel_open(struct own_kernel *k);
void own_kernel_read(const struct own_kernel *k, u64 addr, u8 *to, size_t len);
void own_kernel_close(struct own_kernel *k);

/* Pass an ELF core file of the code to 'put', piece by piece; false if 'put' failed. And the
 * length of that file. */
struct own_kernel_sink { bool (*put)(void *who, const void *bytes, size_t len); void *who; };
bool own_kernel_core(const struct own_kernel *k, const struct own_kernel_code *c,
		     const struct own_kernel_sink *to);
u64 own_kernel_core_size(const struct own_kernel_code *c);

#endif
