/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A number that stands for all that went into it, so that two who have the same may be
 * taken to have put in the same. Not for those who want to deceive.
 */
#ifndef PT_DIGEST_H
#define PT_DIGEST_H

#include <pt/base.h>

/* Where a member of a struct is. */
struct field { u16 at, size; };

#define FIELD(type, name) { offsetof(struct type, name), sizeof(((struct type *)0)->name) }

/* 'h' with 'v'; with 'n' bytes; with 'n' members of the struct at 'p'. */
u64 digest(u64 h, u64 v);
u64 digest_bytes(u64 h, const void *p, size_t n);
u64 digest_fields(u64 h, const void *p, const struct field *fields, size_t n);

#endif
