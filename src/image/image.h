/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Declarations shared by the files of src/image.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <pt/file.h>
#include <pt/image.h>

/* dso.c: a descriptor of a file that is in the recording, or -ENOENT. */
int images_open_bundled(const struct images *im, const char *name, const u8 *id,
			unsigned int id_size);

/* dso.c: the whole file, or empty. */
struct bytes dso_file_bytes(struct images *im, struct dso *dso);

/* symbol.c: map files of JITs, with lines "hex-start hex-size name". */
struct symbols *symbols_of_jit(struct images *im, struct bytes text);
/* One symbol. */
struct symbols *symbols_of_one(struct images *im, u64 start, u64 size, const char *name);
/* symbol_elf.c: lines of the source, sorted, by map_addr()'s addresses; empty where there are
 * none. */
struct line_rows *lines_of_elf(struct images *im, struct dso *dso);

/* symbol_elf.c: the files of the source that the symbol table names, by map_addr()'s addresses. */
struct symbol_file {
	u64 start, end;		/* of the function; of the section that it is in */
	const char *file;	/* "??": it is not known */
};
struct symbol_files { struct symbol_file *at; u32 n; };
struct symbol_files *symbol_files_of_elf(struct images *im, struct dso *dso);

/* symbol_elf.c: the contents of a section of a file, or of its separate debug file; empty if there
 * is none. */
struct bytes symbols_section(struct images *im, struct dso *dso, const char *name);

/* symbol_elf.c: the symbols of a file and its separate debug files. */
struct symbols *symbols_of_elf(struct images *im, struct dso *dso);

/* Report the message made by 'fmt'. */
void images_say(struct images *im, const char *fmt, ...) PRINTF(2, 3);

/* ... of this file alone. */
struct symbols *symbols_of_file(struct images *im, struct bytes file);
/* ... of a kernel, each 'delta' lower than in its table; and the address of one of them in the
 * table, or 0. */
struct symbols *symbols_of_vmlinux(struct images *im, struct bytes file, u64 delta);
u64 symbols_address(struct bytes file, const char *name);
/* ... of a module loaded to dso->start. */
struct symbols *symbols_of_module(struct images *im, struct dso *dso);

/* kernel.c: the symbol 'symbol' was at 'addr'. */
void kernel_reference(struct images *im, const char *symbol, u64 addr);
/* The table of the kernel and its modules, or NULL. */
struct symbols *kernel_symbols(struct images *im);
/* Code of the kernel, or of its module 'dso'. */
struct bytes kernel_bytes(struct images *im, struct dso *dso, u64 addr);
/* Code was overwritten. 'generated': there was none before. */
void kernel_poke(struct images *im, u64 addr, struct bytes now, bool generated);
void kernel_close(struct images *im);

/* cache.c: perf's copy of a DSO, by its build-id: "elf", "debug", "vdso". A descriptor or
 * -errno. */
int cache_open(const struct images *im, const struct dso *dso, const char *what);
int cache_open_kallsyms(const struct images *im, const struct dso *dso);

/* Add a DSO with a name that others may have, too. */
struct dso *dso_add(struct images *im, const char *name);

/* The name of the DSO of the kernel; unmap the files of all DSOs. */
const char *dso_kernel_name(const struct images *im);
void dso_close_all(struct images *im);

/* image.c: is a map of that name the kernel itself? */
bool image_is_kernel_name(const char *name);

/* space.c */
void space_unmap(struct images *im, struct space *s, u64 addr);	/* the map at 'addr' */
void space_changed(struct images *im, struct space *s);		/* its code was written to */

#endif
