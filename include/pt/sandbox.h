/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Take rights away from a process before it reads hostile files.
 */
#ifndef PT_SANDBOX_H
#define PT_SANDBOX_H

#include <pt/base.h>

/* The mechanisms of the kernel. */
enum {
	SANDBOX_LANDLOCK = 1,	/* no file can be created, changed or executed */
	SANDBOX_SIGNALS = 2,	/* no signals to processes outside the sandbox */
	SANDBOX_SECCOMP = 4,	/* only the system calls that reading needs */
};

/* From here on this process, and its children if 'children' is set, can read files, write to open
 * files, and allocate memory. They cannot create, change or execute a file, open a socket or
 * access another process; such system calls fail with EPERM. A child ends when its parent does,
 * because the parent cannot kill it. Each mechanism is used if the kernel has it. There are no
 * core dumps, and execve() gives no rights. Returns the mechanisms in force. PT_SANDBOX=off in the
 * environment disables it, for profilers and debuggers. Kernel: userspace-api/landlock.rst,
 * userspace-api/seccomp_filter.rst. */
u32 sandbox_enter(bool children);

/* The names of these mechanisms, such as "Landlock, seccomp", or "none". */
const char *sandbox_name(u32 means);

/* Is it disabled by the environment? */
bool sandbox_off(void);

#endif
