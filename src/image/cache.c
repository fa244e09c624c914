/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf's cache: copies of what was recorded, by build-id.
 *
 * perf record leaves them in ~/.debug, and perf looks there before it looks at
 * the file itself, which may have changed since. Not so where files are said to
 * be elsewhere.
 */
#include <errno.h>
#include <limits.h>

#include <pt/file.h>
#include <pt/out.h>

#include "image.h"

int cache_open(const struct images *im, const struct dso *dso, const char *what)
{
	char id[DSO_ID_TEXT], path[PATH_MAX];

	if (!im->cache || im->symfs || !dso->build_id_size)
		return -ENOENT;
	dso_id_text(dso, id);
	fmt_str(path, sizeof(path), "%s/.build-id/%.2s/%s/%s", im->cache, id, id + 2, what);
	return file_open(path);
}

int cache_open_kallsyms(const struct images *im, const struct dso *dso)
{
	char id[DSO_ID_TEXT], path[PATH_MAX];

	if (!im->cache || im->symfs || !dso->build_id_size)
		return -ENOENT;
	dso_id_text(dso, id);
	fmt_str(path, sizeof(path), "%s/[kernel.kallsyms]/%s/kallsyms", im->cache, id);
	return file_open(path);
}
