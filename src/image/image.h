/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of src/image have from each other.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <pt/config.h>
#include <pt/image.h>

/* file.c: both return a descriptor or -errno; only regular files are opened.
 * The first takes what the user named, the second what a recording names: it
 * has to begin with '/' and is looked up as if 'root' (NULL: none) was "/". */
int file_open(const char *path);
int file_open_below(const char *root, const char *path);

/* Map all of a file, privately. 0 or -errno (-ENODATA: empty). */
int file_map(struct bytes *b, int fd);
void file_unmap(struct bytes *b);

/* note.c: the build-id in an ELF file of either class, found by its program
 * headers, or by its section headers where it has none (kernel modules). Empty
 * if there is none. */
struct bytes note_build_id(struct bytes elf);
/* ... and in a list of notes (/sys/kernel/notes). */
struct bytes note_find_build_id(struct bytes notes);

/* dso.c: the whole file, or empty. */
struct bytes dso_file_bytes(struct images *im, struct dso *dso);

/* Say what 'fmt' makes. */
void images_say(struct images *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* image.c: whether a map of that name is the kernel itself. */
bool image_is_kernel_name(const char *name);

/* space.c */
void space_unmap(struct images *im, struct space *s, u64 addr);	/* the map at 'addr' */
void space_changed(struct images *im, struct space *s);		/* its code was written to */

#endif
