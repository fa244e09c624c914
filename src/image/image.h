/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of src/image have from each other.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <pt/config.h>
#include <pt/file.h>
#include <pt/image.h>

/* dso.c: the whole file, or empty. */
struct bytes dso_file_bytes(struct images *im, struct dso *dso);

/* symbol.c: map files of JITs, "hex-start hex-size name" a line. */
struct symbols *symbols_of_jit(struct images *im, struct bytes text);
/* symbol_elf.c: those of a file and its separate debug files. */
struct symbols *symbols_of_elf(struct images *im, struct dso *dso);

/* Say what 'fmt' makes. */
void images_say(struct images *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* image.c: whether a map of that name is the kernel itself. */
bool image_is_kernel_name(const char *name);

/* space.c */
void space_unmap(struct images *im, struct space *s, u64 addr);	/* the map at 'addr' */
void space_changed(struct images *im, struct space *s);		/* its code was written to */

#endif
