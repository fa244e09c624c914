/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Plain bytes to fewer.
 */
#ifndef PT_DEFLATE_H
#define PT_DEFLATE_H

#include <pt/base.h>

/* 'in', less than 4 GiB, as a zlib stream; empty if it would not be shorter. */
struct bytes deflate_bytes(struct bytes in, struct arena *a);

#endif
