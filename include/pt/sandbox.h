/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a process that reads hostile files can no longer do.
 */
#ifndef PT_SANDBOX_H
#define PT_SANDBOX_H

#include <pt/base.h>

/* What the kernel has of it. */
enum {
	SANDBOX_LANDLOCK = 1,	/* no file is made, changed or executed */
	SANDBOX_SIGNALS = 2,	/* no signal goes to a process that is not in the sandbox, too */
	SANDBOX_SECCOMP = 4,	/* no system call but those that reading takes */
};

/* From here on this process, and its children if it may have any, read files, write to
 * what is open already, make memory, and nothing else: no file is made, changed or
 * executed, no socket opened, no other process touched. A child ends when its parent does,
 * since the parent cannot kill it. A system call beyond that is refused with EPERM. Each
 * means is used if the kernel has it; no core is dumped, and no rights are gained.
 * Returns the means that are in force.
 * PT_SANDBOX=off in the environment leaves it out, for profilers and debuggers.
 * Kernel: userspace-api/landlock.rst, userspace-api/seccomp_filter.rst. */
u32 sandbox_enter(bool children);

/* What they are called: "Landlock, signals, seccomp", or "none". */
const char *sandbox_name(u32 means);

/* Does the environment say so? */
bool sandbox_off(void);

#endif
