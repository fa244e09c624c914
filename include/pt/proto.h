/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Protocol Buffers, written by hand. A message that is inside another one begins with its length:
 * so what writes it is called twice, first to count.
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
	struct out *out;	/* NULL: only counted */
	u64 n;			/* bytes */
};

void proto_varint(struct proto *p, u64 v);
void proto_u64(struct proto *p, u32 field, u64 v);

/* 'len' bytes follow. */
void proto_begin(struct proto *p, u32 field, u64 len);

/* A string; bytes of it that are not UTF-8 become U+FFFD. */
void proto_text(struct proto *p, u32 field, const char *s);

#endif
