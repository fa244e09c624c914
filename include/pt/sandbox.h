/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a process that reads hostile files can no longer do.
 */
#ifndef PT_SANDBOX_H
#define PT_SANDBOX_H

#include <pt/base.h>

/* From here on this process, and its children if it may have any, read files, write to
 * what is open already, make memory, and nothing else: no file is made, changed or
 * executed, no socket opened, no other process touched but by signals, and by these only
 * where there may be children, who are waited for. A system call beyond that is refused
 * with EPERM. Each means is used if the kernel has it: no_new_privs, Landlock, seccomp; no
 * core is dumped.
 * PT_SANDBOX=off in the environment leaves it out, for profilers and debuggers.
 * Kernel: userspace-api/landlock.rst, userspace-api/seccomp_filter.rst. */
void sandbox_enter(bool children);

#endif
