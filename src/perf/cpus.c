/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * CPU lists in the kernel's format, and the topology of CPUs from sysfs.
 */
#include <errno.h>

#include <pt/cpus.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/textfile.h>

enum { LIST_MAX = 16 << 10 };	/* bytes of a list's text */

/* Read "3" or "0-7" at 's' into the bits; returns what follows, or NULL. */
static const char *read_range(const char *s, u64 *bits)
{
	u64 from, to;

	s = num_read(s, 10, &from);
	if (!s)
		return NULL;
	to = from;
	if (*s == '-')
		s = num_read(s + 1, 10, &to);
	if (!s || to < from || to >= CPUS_MAX)
		return NULL;
	for (; from <= to; from++)
		bits[from / 64] |= 1ull << from % 64;
	return s;
}

static void from_bits(struct cpus *set, const u64 *bits, struct arena *arena)
{
	u32 i, n = 0;

	for (i = 0; i < CPUS_MAX / 64; i++)
		n += num_ones(bits[i]);
	*set = (struct cpus){ .cpu = NEW(arena, i32, n) };
	for (i = 0; i < CPUS_MAX; i++)
		if (bits[i / 64] >> i % 64 & 1)
			set->cpu[set->n++] = i;
}

bool cpus_parse(struct cpus *set, const char *text, struct arena *arena)
{
	u64 bits[CPUS_MAX / 64] = { 0 };
	const char *s = text + strspn(text, " \n");

	while (*s) {
		s = read_range(s, bits);
		if (!s)
			return false;
		s += strspn(s, " \n");
		if (!*s)
			break;
		if (*s++ != ',' || !*s)
			return false;
		s += strspn(s, " ");
	}
	from_bits(set, bits, arena);
	return true;
}

int cpus_read(struct cpus *set, const char *path, struct arena *arena)
{
	char text[LIST_MAX];
	int len = textfile_read(path, text, sizeof(text));

	if (len < 0)
		return len;
	return cpus_parse(set, text, arena) ? 0 : -EBADMSG;
}

void cpus_online(struct cpus *set, const char *sysfs, struct arena *arena)
{
	char path[512];

	fmt_str(path, sizeof(path), "%s/devices/system/cpu/online", sysfs);
	if (cpus_read(set, path, arena) || !set->n)
		*set = (struct cpus){ 1, NEW(arena, i32, 1) };
}

int cpus_find(const struct cpus *set, i32 cpu)
{
	u32 from = 0, to = set->n, mid;

	while (from < to) {
		mid = (from + to) / 2;
		if (set->cpu[mid] == cpu)
			return mid;
		if (set->cpu[mid] < cpu)
			from = mid + 1;
		else
			to = mid;
	}
	return -1;
}

struct cpus cpus_common(const struct cpus *a, const struct cpus *b, struct arena *arena)
{
	struct cpus both = { .cpu = NEW(arena, i32, a->n) };
	u32 i;

	for (i = 0; i < a->n; i++)
		if (cpus_find(b, a->cpu[i]) >= 0)
			both.cpu[both.n++] = a->cpu[i];
	return both;
}

bool cpus_equal(const struct cpus *a, const struct cpus *b)
{
	return a->n == b->n && !memcmp(a->cpu, b->cpu, a->n * sizeof(*a->cpu));
}

int cpus_str(char *to, size_t size, const struct cpus *set)
{
	char *room = to;
	int len = 0;
	u32 i, last;

	if (size)
		*to = 0;
	for (i = 0; i < set->n; i = last + 1) {
		for (last = i; last + 1 < set->n && set->cpu[last + 1] == set->cpu[last] + 1; )
			last++;
		len += fmt_str(room, to + size - room, last > i ? "%s%d-%d" : "%s%d", i ? "," : "",
			       set->cpu[i], set->cpu[last]);
		room = to + MIN((size_t)len, size ? size - 1 : 0);
	}
	return len;
}

static i32 read_place(const char *sysfs, i32 cpu, const char *what)
{
	char path[512];
	u64 v;

	fmt_str(path, sizeof(path), "%s/devices/system/cpu/cpu%d/topology/%s", sysfs, cpu, what);
	return textfile_value(path, 10, &v) ? 0 : (i32)v;
}

/* The folder of a CPU has a link node<N> to its node. */
static i32 find_node(const char *sysfs, i32 cpu)
{
	struct textfile_dir dir;
	const char *name;
	char path[512];
	u64 node = 0;

	fmt_str(path, sizeof(path), "%s/devices/system/cpu/cpu%d", sysfs, cpu);
	if (textfile_dir_open(&dir, path))
		return 0;
	while ((name = textfile_dir_next(&dir)))
		if (!strncmp(name, "node", 4) && num_parse(name + 4, &node))
			break;
	textfile_dir_close(&dir);
	return node;
}

struct cpu_place cpus_place(i32 cpu, const char *sysfs)
{
	return (struct cpu_place){
		.socket = read_place(sysfs, cpu, "physical_package_id"),
		.die = read_place(sysfs, cpu, "die_id"),
		.core = read_place(sysfs, cpu, "core_id"),
		.node = find_node(sysfs, cpu),
	};
}

struct cpu_place *cpus_places(const struct cpus *set, const char *sysfs, struct arena *arena)
{
	struct cpu_place *places = NEW(arena, struct cpu_place,
				       set->n ? set->cpu[set->n - 1] + 1 : 1);
	u32 i;

	for (i = 0; i < set->n; i++)
		if (set->cpu[i] >= 0)
			places[set->cpu[i]] = cpus_place(set->cpu[i], sysfs);
	return places;
}
