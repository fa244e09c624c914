/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What pt -D and pt script -D share.
 */
#ifndef DUMP_H
#define DUMP_H

#include <pt/out.h>

/* How a perf.data is printed: 'path', or, if 'seen' is not empty, the pipe 'fd' of
 * which that was read already. Returns an exit status. */
struct dumper {
	int (*perf)(struct dumper *d, struct out *out, const char *path, int fd,
		    struct bytes seen);
};

/* Print what is in a file of any kind. Returns an exit status. */
int dump_file(struct dumper *d, struct out *out, const char *path);

/* The records alone. */
int dump_perf(struct dumper *d, struct out *out, const char *path, int fd, struct bytes seen);

/* pt -D where there is pt script: its options, and the lines of samples. */
struct opt;
int script_dump(struct opt *o, struct out *out);

#endif
