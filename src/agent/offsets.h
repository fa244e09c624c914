/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Offsets for assembly; src/agent/agent.c compares them with the structs.
 */
#ifndef PT_AGENT_OFFSETS_H
#define PT_AGENT_OFFSETS_H

#define T_SELF 0
#define T_RING 8
#define T_R11 32
#define T_SPILL 40
#define T_INSIDE 636
#define T_DEFERRED 648
#define T_MASK 656
#define T_NEXT_R11 664
#define T_PARENT 672
#define T_AWAY 700
#define T_ASKED 744
#define T_FRAME 752
#define T_REGS 768
#define T_FLAGS (T_REGS + 17 * 8)
#define T_GS 1032
#define AGENT_STACK (64 << 10)
#define AGENT_OWN_GS 2
#define EXIT_MADE_CALL 9

#define NR_RT_SIGPROCMASK 14
#define NR_RT_SIGRETURN 15
#define NR_FUTEX 202
#define FUTEX_WAKE 1

#endif
