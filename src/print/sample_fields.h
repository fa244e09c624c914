/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Columns of a sample's line that only some builds have.
 */
#ifndef SAMPLE_FIELDS_H
#define SAMPLE_FIELDS_H

#include <pt/config/SAMPLE_COLUMNS.h>
#include <pt/config/SRCLINE.h>

#include "sample_line.h"

/* The DSO, with -F dsoff with the offset in it. */
static inline char *sample_put_dso_at(char *p, const struct sample_printer *pr,
				      const struct map *map, u64 ip, u64 fields)
{
	return CONFIG_SAMPLE_COLUMNS && fields & FIELD_DSOFF ?
		sample_put_dso_off(p, pr, map, ip) : sample_put_dso(p, pr, map);
}

/* With -F srcline; the rest of the sample's line follows it. */
static inline char *sample_put_line_of(char *p, struct sample_printer *pr, const struct thread *t,
				       u64 ip, u32 fields)
{
	if (CONFIG_SRCLINE && fields & FIELD_SRCLINE)
		return sample_put_line(p, pr, t, ip);
	return p;
}

#endif
