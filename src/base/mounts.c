/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which of the kernel's file systems are mounted: each has a file that is always there.
 */
#include <unistd.h>

#include <pt/mounts.h>

static const struct { const char *root, *probe, *words; } mounts[] = {
	{ "/proc", "/proc/self/status", "/proc is not mounted; mount -t proc proc /proc" },
	{ "/sys", "/sys/kernel", "/sys is not mounted; mount -t sysfs sysfs /sys" },
	{ "/sys/kernel/tracing", "/sys/kernel/tracing/events",
	  "tracefs is not mounted; mount -t tracefs tracefs /sys/kernel/tracing" },
};

const char *mounts_missing(const char *path)
{
	size_t i, len;

	for (i = 0; i < N_ELEM(mounts); i++) {
		len = strlen(mounts[i].root);
		if (!strncmp(path, mounts[i].root, len) && (!path[len] || path[len] == '/') &&
		    access(mounts[i].probe, F_OK))
			return mounts[i].words;
	}
	return NULL;
}
