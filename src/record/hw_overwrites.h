/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which end of a full buffer is kept.
 */
#ifndef HW_OVERWRITES_H
#define HW_OVERWRITES_H

#include <pt/config/RECORD_MORE.h>

#include "hw.h"

/* --overwrite: buffers keep the newest records, which are read at the end. */
static inline bool hw_overwrites(const struct hw *h)
{
	return CONFIG_RECORD_MORE && h->r->samples.flags >> PERF_F_WRITE_BACKWARD & 1;
}

#endif
