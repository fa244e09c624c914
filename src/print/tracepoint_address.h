/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Arrays of tracepoints that are addresses: see tracepoint_address.c.
 */
#ifndef TRACEPOINT_ADDRESS_H
#define TRACEPOINT_ADDRESS_H

#include <pt/out.h>

/* 'b' as the letters after %p say: I4 I6c ISpc M U. False if they mean something else. */
bool tracepoint_put_address(struct out *out, const char *letters, struct bytes b);

#endif
