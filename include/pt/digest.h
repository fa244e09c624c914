/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A 64-bit hash of a state: processes with equal digests are taken to have equal states. It is not
 * secure against deliberate collisions.
 */
#ifndef PT_DIGEST_H
#define PT_DIGEST_H

#include <pt/base.h>

/* The place of a member of a struct. */
struct field { u16 at, size; };

#define FIELD(type, name) { offsetof(struct type, name), sizeof(((struct type *)0)->name) }

/* Add to the digest 'h': 'v'; 'n' bytes; 'n' members of the struct at 'p'. */
u64 digest(u64 h, u64 v);
u64 digest_bytes(u64 h, const void *p, size_t n);
u64 digest_fields(u64 h, const void *p, const struct field *fields, size_t n);

#endif
