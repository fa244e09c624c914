/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Digests: each value is mixed in by a multiplication.
 */
#include <pt/digest.h>

u64 digest(u64 h, u64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15;
	return h ^ h >> 32;
}

u64 digest_bytes(u64 h, const void *p, size_t n)
{
	const u8 *at = p;

	for (; n >= 8; n -= 8, at += 8)
		h = digest(h, get64(at));
	while (n--)
		h = digest(h, *at++);
	return h;
}

u64 digest_fields(u64 h, const void *p, const struct field *fields, size_t n)
{
	for (; n--; fields++)
		h = digest_bytes(h, (const u8 *)p + fields->at, fields->size);
	return h;
}
