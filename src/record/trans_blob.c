/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The agent's code as bytes: what src/agent is linked to.
 */
#define _GNU_SOURCE
#include "trans.h"

asm(".pushsection .rodata.agent, \"a\"\n"
    "	.globl	trans_agent, trans_agent_end\n"
    "trans_agent:	# " AGENT_SUM "\n"
    "	.incbin	\"" AGENT_BLOB "\"\n"
    "trans_agent_end:\n"
    "	.popsection\n");

extern const u8 trans_agent[], trans_agent_end[];

struct bytes trans_blob(void)
{
	return (struct bytes){ trans_agent, trans_agent_end - trans_agent };
}
