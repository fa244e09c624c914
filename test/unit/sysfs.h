/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Unpacks a made-up /sys of test/sysfs below a folder of its own.
 */
#ifndef PT_TEST_SYSFS_H
#define PT_TEST_SYSFS_H

#include <sys/stat.h>
#include <unistd.h>

#include <pt/event_pmu.h>

static void sysfs_folders(char *path)
{
	char *slash = path;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = 0;
		mkdir(path, 0755);
		*slash = '/';
	}
}

/* An environment on test/sysfs/NAME; NULL if it cannot be unpacked. */
static struct event_env *sysfs_env(const char *name)
{
	struct event_env *env = NEW(&test_arena, struct event_env, 1);
	char root[] = "/tmp/pt-sysfs-XXXXXX", line[512], path[600], *colon;
	FILE *from, *to;

	snprintf(path, sizeof(path), "test/sysfs/%s", name);
	from = fopen(path, "r");
	if (!from || !mkdtemp(root))
		return NULL;
	while (fgets(line, sizeof(line), from)) {
		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon = 0;
		snprintf(path, sizeof(path), "%s/%s", root, line);
		sysfs_folders(path);
		to = fopen(path, "w");
		if (to) {
			fputs(colon + 2, to);
			fclose(to);
		}
	}
	fclose(from);
	env->arena = &test_arena;
	env->sysfs = arena_str(&test_arena, root);
	return env;
}

static void sysfs_remove(const struct event_env *env)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", env->sysfs);
	if (system(command))
		puts("cannot remove the made-up sysfs");
}

#endif
