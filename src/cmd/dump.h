/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interface between pt -D and pt script -D.
 */
#ifndef DUMP_H
#define DUMP_H

#include <pt/out.h>

/* A callback that dumps perf.data: the file 'path', or, if 'seen' is not empty, the pipe 'fd', from
 * which the bytes 'seen' were already read. Returns an exit status. */
struct dumper {
	int (*perf)(struct dumper *d, struct out *out, const char *path, int fd,
		    struct bytes seen);
};

/* Print the contents of a file of any format. Returns an exit status. */
int dump_file(struct dumper *d, struct out *out, const char *path);

/* Dump the records only. */
int dump_perf(struct dumper *d, struct out *out, const char *path, int fd, struct bytes seen);

/* pt -D in a build with pt script: with its options and with lines of samples. */
struct opt;
int script_dump(struct opt *o, struct out *out);

#endif
