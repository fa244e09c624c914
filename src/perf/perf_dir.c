/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The folder form of perf.data: DIR/data and DIR/kcore_dir/{kcore,kallsyms,modules}.
 *
 * Only files that belong to this form are ever removed; if there are others, they stay, and so
 * does the folder.
 */
#include <stdio.h>
#include <unistd.h>

#include <pt/out.h>
#include <pt/perf_write.h>

void perf_dir_remove(const char *path, struct arena *arena)
{
	static const char *const names[] = {
		"data", "kcore_dir/kcore", "kcore_dir/kallsyms", "kcore_dir/modules", "kcore_dir",
	};
	size_t len = strlen(path), i;
	char *name = memcpy(NEW(arena, char, len + 24), path, len);

	for (i = 0; i < N_ELEM(names); i++) {
		fmt_str(name + len, 24, "/%s", names[i]);
		remove(name);
	}
	remove(path);
}
