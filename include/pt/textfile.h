/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Small files and folders of /sys and /proc.
 */
#ifndef PT_TEXTFILE_H
#define PT_TEXTFILE_H

#include <pt/base.h>

/* Read a small file, cut to 'size', NUL-terminated, without the '\n' at its end. Returns its
 * length, or -errno. */
int textfile_read(const char *path, char *to, size_t size);

/* The same; the path is made from a format: see out_fmt(). */
int textfile_readf(char *to, size_t size, const char *path, ...) PRINTF(3, 4);

/* The number at the start of a small file, in 'base' 10 or 16 (with or without 0x). 0, -errno, or
 * -EBADMSG. */
int textfile_value(const char *path, unsigned int base, u64 *v);

/* The names in a folder, one by one, without "." and "..". */
struct textfile_dir {
	int fd;
	u32 at, len;
	u64 buf[256];
};
int textfile_dir_open(struct textfile_dir *d, const char *path);
/* The next name; NULL at the end, and then the folder is closed. */
const char *textfile_dir_next(struct textfile_dir *d);
/* The next name that is a number. False at the end. */
bool textfile_dir_number(struct textfile_dir *d, u64 *number);
void textfile_dir_close(struct textfile_dir *d);		/* before the end */

#endif
