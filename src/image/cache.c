/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf's cache: copies of recorded files, by build-id.
 *
 * perf record stores them in ~/.debug, and perf looks there before it reads the file itself, which
 * may have changed since. The cache is not used if --symfs says that the files are elsewhere.
 */
#include <errno.h>
#include <limits.h>

#include <pt/file.h>
#include <pt/out.h>

#include "image.h"

int cache_open(const struct images *im, const struct dso *dso, const char *what)
{
	char id[NOTE_ID_TEXT], path[PATH_MAX];

	if (!im->cache || im->symfs || !dso->build_id_size)
		return -ENOENT;
	dso_id_text(dso, id);
	fmt_str(path, sizeof(path), "%s/.build-id/%.2s/%s/%s", im->cache, id, id + 2, what);
	return file_open(path);
}

int cache_open_kallsyms(const struct images *im, const struct dso *dso)
{
	char id[NOTE_ID_TEXT], path[PATH_MAX];

	if (!im->cache || im->symfs || !dso->build_id_size)
		return -ENOENT;
	dso_id_text(dso, id);
	fmt_str(path, sizeof(path), "%s/[kernel.kallsyms]/%s/kallsyms", im->cache, id);
	return file_open(path);
}
