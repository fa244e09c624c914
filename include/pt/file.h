/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files whose names come from outside: open them safely, map them, and read their build-ids.
 */
#ifndef PT_FILE_H
#define PT_FILE_H

#include <pt/base.h>

/* Both return a descriptor or -errno, and open only regular files. The first is for names from the
 * user. The second is for names from a recording: they must begin with '/', and are looked up with
 * 'root' as the root directory (NULL: "/"). */
int file_open(const char *path);
int file_open_below(const char *root, const char *path);

/* Like getcwd(), into PATH_MAX bytes at 'to'. 0 or -errno. */
int file_cwd(char *to);

/* Like realpath(), into PATH_MAX bytes at 'to'. 0 or -errno. */
int file_real_path(const char *path, char *to);

/* Map all of a file, privately. 0 or -errno (-ENODATA: empty). */
int file_map(struct bytes *b, int fd);
void file_unmap(struct bytes *b);

/* The build-id in an ELF file of either class, from its section headers, or from its program
 * headers if it has no sections. Empty if there is none. */
struct bytes note_build_id(struct bytes elf);
/* ... and in a list of notes (/sys/kernel/notes). */
struct bytes note_find_build_id(struct bytes notes);

/* Write a build-id in hexadecimal to NOTE_ID_TEXT bytes; "" if it has no bytes. */
enum { NOTE_ID = 20, NOTE_ID_TEXT = 2 * NOTE_ID + 1 };
void note_id_text(char *to, const u8 *id, size_t size);

#endif
