/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Write Protocol Buffers. A message inside another one begins with its length; therefore the
 * function that writes it is called twice, first to count.
 *
 *	struct proto count = { 0 };
 *
 *	put_inner(&count, ...);
 *	proto_begin(p, INNER, count.n);
 *	put_inner(p, ...);
 */
#ifndef PT_PROTO_H
#define PT_PROTO_H

#include <pt/out.h>

struct proto {
	struct out *out;	/* NULL: only count */
	u64 n;			/* bytes */
};

void proto_varint(struct proto *p, u64 v);
void proto_u64(struct proto *p, u32 field, u64 v);

/* Begin a field of 'len' bytes, which follow. */
void proto_begin(struct proto *p, u32 field, u64 len);

/* Write a string; bytes that are not UTF-8 become U+FFFD. */
void proto_text(struct proto *p, u32 field, const char *s);

#endif
