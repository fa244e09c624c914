/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * insn_decode() stays within its bytes, finds the same instruction whatever bytes follow it, and
 * none in an incomplete one. insn_pass() passes the same instructions and reads the same branch.
 * The first byte of the input is the mode.
 */
#include <stdlib.h>
#include <pt/arch.h>

#define HOLDS(is) do { if (!(is)) __builtin_trap(); } while (0)

int LLVMFuzzerTestOneInput(const u8 *at, size_t size);

/* In memory of its own, so that the sanitizer sees its end. */
static int decode(struct insn *insn, enum insn_mode mode, const u8 *at, size_t len)
{
	u8 *copy = malloc(len);
	int got;

	memcpy(copy, at, len);
	got = insn_decode(insn, mode, (struct bytes){ copy, len });
	free(copy);
	return got;
}

static bool same(const struct insn *a, const struct insn *b)
{
	return a->len == b->len && a->kind == b->kind && a->wraps == b->wraps && a->rel == b->rel;
}

static void pass(enum insn_mode mode, const u8 *at, size_t len)
{
	u8 *copy = malloc(len);
	struct bytes code = { copy, len };
	struct insn branch, insn = { 0 };
	u8 last = 0;
	u32 n;

	memcpy(copy, at, len);
	n = insn_pass(&branch, mode, &code, len / 2, &last);
	HOLDS(n <= len / 2 && code.len <= len && code.at == copy + len - code.len);
	HOLDS(n || code.len == len);
	len -= code.len;
	for (at = copy; n--; len -= insn.len, at += insn.len) {
		HOLDS(insn_decode(&insn, mode, (struct bytes){ at, len + code.len }) > 0);
		HOLDS(insn.kind < INSN_JUMP && insn.len <= len);
	}
	HOLDS(!len && last == insn.len);
	if (branch.len)
		HOLDS(insn_decode(&insn, mode, code) > 0 && same(&insn, &branch));
	free(copy);
}

int LLVMFuzzerTestOneInput(const u8 *at, size_t size)
{
	struct insn whole = { 0 };
	enum insn_mode mode;
	size_t len, n;
	int want;

	if (!size)
		return 0;
	mode = *at++ % 3;
	len = MIN(size - 1, 40);
	pass(mode, at, len);
	want = decode(&whole, mode, at, len);
	HOLDS(want >= -1 && want <= INSN_MAX);
	HOLDS(want <= 0 || (whole.len == want && whole.kind < N_INSN_KINDS));
	HOLDS(want || len < INSN_MAX);
	for (n = 0; n < len; n++) {
		struct insn insn = { 0 };
		int got = decode(&insn, mode, at, n);

		HOLDS(got == 0 || got == want);
		HOLDS(want <= 0 || got == ((size_t)want <= n ? want : 0));
		HOLDS(got > 0 ? same(&insn, &whole) : same(&insn, &(struct insn){ 0 }));
	}
	return 0;
}
