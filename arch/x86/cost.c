/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * About how long an instruction keeps later ones waiting, in quarters of a cycle.
 *
 * Four ordinary instructions begin in a cycle. Slow ones have the latency of processors of the last
 * ten years. Additions and multiplications have less, since other instructions run meanwhile, and
 * masks of vectors have more, since the branch after them cannot be predicted.
 */
#include <pt/arch.h>

enum { ANY = 0xff, LOCKED = 72, DIVIDE = 56, FLOAT_DIVIDE = 52, ROOT = 60, CONVERT = 20,
       SERIAL = 120, STRING = 80, SHORT = 2, MASK = 40, FLOAT = 8 };

/* Opcodes 'first' to 'last' of a map: 0 one byte, 1 0F, 2 0F38. 'regs' has a bit for each value of
 * ModRM.reg. */
static const struct {
	u8 map, first, last, regs, quarters;
} slow[] = {
	{ 0, 0x69, 0x69, ANY, SHORT }, { 0, 0x6b, 0x6b, ANY, SHORT },		/* IMUL */
	{ 0, 0x86, 0x87, ANY, LOCKED },						/* XCHG */
	{ 0, 0xd8, 0xd8, 0xc0, FLOAT_DIVIDE }, { 0, 0xdc, 0xdc, 0xc0, FLOAT_DIVIDE },
	{ 0, 0xde, 0xde, 0xc0, FLOAT_DIVIDE }, { 0, 0xd8, 0xdf, ANY, FLOAT },	/* x87 */
	{ 0, 0xf6, 0xf7, 0xc0, DIVIDE }, { 0, 0xf6, 0xf7, 0x30, SHORT },	/* DIV, MUL */
	{ 1, 0x2a, 0x2a, ANY, CONVERT }, { 1, 0x2c, 0x2d, ANY, CONVERT },
	{ 1, 0x31, 0x31, ANY, SERIAL },						/* RDTSC */
	{ 1, 0x51, 0x51, ANY, ROOT }, { 1, 0x58, 0x59, ANY, FLOAT },
	{ 1, 0x5a, 0x5b, ANY, CONVERT }, { 1, 0x5c, 0x5c, ANY, FLOAT },
	{ 1, 0x50, 0x50, ANY, MASK }, { 1, 0xd7, 0xd7, ANY, MASK },	/* MOVMSKPS, PMOVMSKB */
	{ 2, 0x17, 0x17, ANY, MASK },					/* PTEST */
	{ 1, 0x5e, 0x5e, ANY, FLOAT_DIVIDE }, { 1, 0xa2, 0xa2, ANY, 2 * SERIAL },
	{ 1, 0xaf, 0xaf, ANY, SHORT }, { 1, 0xe6, 0xe6, ANY, CONVERT },
	{ 2, 0x96, 0x9f, ANY, FLOAT }, { 2, 0xa6, 0xaf, ANY, FLOAT },		/* FMA */
	{ 2, 0xb6, 0xbf, ANY, FLOAT }, { 2, 0xf0, 0xf1, ANY, SHORT },		/* CRC32 */
};

u32 insn_cost(enum insn_mode mode, struct bytes code)
{
	static const u8 prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2,
				       0xf3 };
	const u8 *at = code.at, *end = at + code.len;
	bool locked = false, repeats = false;
	u32 map = 0, i;

	for (; at < end && memchr(prefixes, *at, sizeof(prefixes)); at++) {
		locked |= *at == 0xf0;
		repeats |= *at >= 0xf2;
	}
	if (locked)
		return LOCKED;
	if (mode == INSN_64 && at < end && *at >> 4 == 4)
		at++;
	if (end - at >= 2 && *at == 0x0f) {
		map = *++at == 0x38 ? 2 : 1;
		at += map == 2;
	} else if (end - at >= 3 && *at == 0xc5) {
		map = 1;
		at += 2;
	} else if (end - at >= 5 && (*at == 0xc4 || *at == 0x62)) {
		map = at[1] & 7;
		at += *at == 0x62 ? 4 : 3;
	}
	if (at >= end)
		return 1;
	if (!map && repeats && ((*at >= 0xa4 && *at <= 0xa7) || (*at >= 0xaa && *at <= 0xaf)))
		return STRING;
	for (i = 0; i < N_ELEM(slow); i++)
		if (slow[i].map == map && *at >= slow[i].first && *at <= slow[i].last &&
		    slow[i].regs >> (at + 1 < end ? at[1] >> 3 & 7 : 0) & 1)
			return slow[i].quarters;
	return 1;
}
