/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The agent's code as bytes: what src/agent is linked to, compressed where there is zlib. Before
 * that, kconfig/absolute.c made the targets of calls, jumps and LEA absolute.
 */
#define _GNU_SOURCE
#include <pt/config/SOFT_TRANSLATE_32.h>
#include <pt/config/ZLIB.h>
#include <pt/zip.h>

#include "trans.h"

asm(".pushsection .rodata.agent, \"a\"\n"
    "	.globl	trans_agent, trans_agent_end\n"
    "trans_agent:	# " AGENT_SUM "\n"
    "	.incbin	\"" AGENT_BLOB "\"\n"
    "trans_agent_end:\n"
    "	.popsection\n");

extern const u8 trans_agent[], trans_agent_end[];

/* Make them relative again. */
static void make_relative(u8 *code, u32 n)
{
	u32 i, v;

	for (i = 1; i + 5 <= n; i++) {
		if ((code[i] & 0xfe) != 0xe8 && ((code[i] & 0xf0) != 0x80 || code[i - 1] != 0x0f) &&
		    ((code[i] & 0xc7) != 0x05 || code[i - 1] != 0x8d))
			continue;
		v = get32(code + i + 1);
		set32(code + i + 1, v < n ? v - i : -v <= i ? v + n : v);
		i += 4;
	}
}

struct bytes trans_blob(struct arena *a, bool narrow)
{
	struct bytes blob = { trans_agent, trans_agent_end - trans_agent };

	struct agent_head *head;

	if (CONFIG_ZLIB) {
		blob = zip_inflate(blob, 0, a);
		make_relative((u8 *)blob.at, blob.len);
	}
	if (CONFIG_SOFT_TRANSLATE_32 && narrow) {
		if (!CONFIG_ZLIB)
			blob.at = memcpy(arena_alloc(a, blob.len), blob.at, blob.len);
		head = (void *)blob.at;
		head->call = head->call_32;
		head->narrow = 1;
	}
	return blob;
}
