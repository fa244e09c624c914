/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which bytes of a struct change a digest. A member that is added to the struct and forgotten in
 * the digest then fails a test.
 */
#ifndef MATTERS_H
#define MATTERS_H

#include "test.h"

/* Bytes that do not change it. */
struct range { size_t at, size; };
#define MEMBER(type, name) { offsetof(struct type, name), sizeof(((struct type *)0)->name) }

/* Does a change of one bit change the digest? */
static inline bool matters(void *byte, u64 (*state)(void))
{
	u64 before = state();
	bool differs;

	*(u8 *)byte ^= 1;
	differs = state() != before;
	*(u8 *)byte ^= 1;
	return differs;
}

/* Test all bytes of 'part' except those in 'not'. */
static inline void all_matter(const char *what, void *part, size_t size, u64 (*state)(void),
			      const struct range *not, size_t n_not)
{
	u8 *bytes = part;
	size_t at, i;

	for (at = 0; at < size; at++) {
		for (i = 0; i < n_not && at - not[i].at >= not[i].size; i++)
			;
		if (i == n_not && !matters(bytes + at, state))
			TEST_FAIL("byte %zu of %s does not matter", at, what);
	}
}

#endif
