/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that others name: opened with care, mapped, and told apart by build-id.
 */
#ifndef PT_FILE_H
#define PT_FILE_H

#include <pt/base.h>

/* Both return a descriptor or -errno; only regular files are opened.
 * The first takes what the user named, the second what a recording names: it
 * has to begin with '/' and is looked up as if 'root' (NULL: none) was "/". */
int file_open(const char *path);
int file_open_below(const char *root, const char *path);

/* What realpath() says, into PATH_MAX bytes at 'to'. 0 or -errno. */
int file_real_path(const char *path, char *to);

/* Map all of a file, privately. 0 or -errno (-ENODATA: empty). */
int file_map(struct bytes *b, int fd);
void file_unmap(struct bytes *b);

/* The build-id in an ELF file of either class, found by its section headers, or
 * by its program headers where it has none. Empty if there is none. */
struct bytes note_build_id(struct bytes elf);
/* ... and in a list of notes (/sys/kernel/notes). */
struct bytes note_find_build_id(struct bytes notes);

#endif
