/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a machine says it can do, by a made-up /proc and /sys.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/machine.h>
#include <pt/mounts.h>
#include "test.h"

static char root[] = "/tmp/pt-machine-XXXXXX";

/* A machine whose /proc/kallsyms is 'list'. */
static struct machine look(const char *list)
{
	struct event_env env = { .sysfs = root, .arena = &test_arena };
	struct machine m;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/kallsyms", root);
	f = fopen(path, "w");
	if (f) {
		fputs(list, f);
		fclose(f);
	}
	machine_look(&m, &env, root);
	unlink(path);
	return m;
}

TEST(the_first_kernel_symbols_may_really_be_at_0)
{
	OK(mkdtemp(root) != NULL);
	OK(look("0000000000000000 A fixed_percpu_data\n0000000000000000 A __per_cpu_start\n"
		"0000000000001000 A cpu_debug_store\n").kallsyms);
	OK(look("ffffffff81000000 T _stext\n").kallsyms);
	OK(!look("0000000000000000 A fixed_percpu_data\n0000000000000000 T _stext\n").kallsyms);
	OK(!look("").kallsyms);
	rmdir(root);
}

TEST(what_is_not_mounted_is_told)
{
	struct event_env env = { .sysfs = "/nonexistent", .arena = &test_arena };
	struct machine m;

	machine_look(&m, &env, "/nonexistent");
	OK(m.no_sys && m.no_proc);
	EQ(m.tracefs, -2);
	OK(!mounts_missing("/tmp") && !mounts_missing("/process") && !mounts_missing("/"));
}
