/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The agent's code as bytes: what src/agent is linked to, compressed where there is zlib.
 */
#define _GNU_SOURCE
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

struct bytes trans_blob(struct arena *a)
{
	struct bytes blob = { trans_agent, trans_agent_end - trans_agent };

	return CONFIG_ZLIB ? zip_inflate(blob, 0, a) : blob;
}
