/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PMU folders of sysfs to struct event_pmu.
 *
 * Another folder tree can be given instead of /sys; nothing else is asked of the kernel here.
 */
#include <errno.h>
#include <unistd.h>

#include <pt/event_pmu.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/textfile.h>

enum { PATH = 512, TEXT = 1024, MAX_FILES = 1 << 16 };

#define DEVICES "%s/bus/event_source/devices/%s"

/* A sorted list of names, because folders have no order. */
struct names {
	const char **at;
	u32 n, room;
};

static void add_name(struct names *names, const char *name, struct arena *arena)
{
	u32 i;

	if (names->n == names->room) {
		names->room = names->room ? names->room * 2 : 32;
		names->at = arena_grow(arena, names->at, sizeof(*names->at), names->n, names->room);
	}
	for (i = names->n++; i && strcmp(names->at[i - 1], name) > 0; i--)
		names->at[i] = names->at[i - 1];
	names->at[i] = arena_str(arena, name);
}

static int read_names(struct names *names, const char *path, struct arena *arena)
{
	struct textfile_dir dir;
	const char *name;
	int err = textfile_dir_open(&dir, path);

	*names = (struct names){ 0 };
	if (err)
		return err;
	while (names->n < MAX_FILES && (name = textfile_dir_next(&dir)))
		add_name(names, name, arena);
	textfile_dir_close(&dir);
	return 0;
}

/* "config1:0-7,32-35" */
static bool read_format(struct pmu_format *f, const char *s)
{
	u64 from, to;

	if (strncmp(s, "config", 6))
		return false;
	s += 6;
	if (*s >= '0' && *s <= '9')
		f->word = *s++ - '0';
	while (f->word < 4 && (*s == ':' || *s == ',')) {
		s = num_read(s + 1, 10, &from);
		to = from;
		if (s && *s == '-')
			s = num_read(s + 1, 10, &to);
		if (!s || from > to || to > 63)
			return false;
		f->bits |= (~0ull >> (63 - (to - from))) << from;
	}
	return f->word < 4 && f->bits && !*s;
}

static void read_formats(struct event_pmu *pmu, const char *folder, struct arena *arena)
{
	char path[PATH], text[TEXT];
	struct names names;
	u32 i;

	fmt_str(path, sizeof(path), "%s/format", folder);
	if (read_names(&names, path, arena))
		return;
	pmu->formats = NEW(arena, struct pmu_format, names.n);
	for (i = 0; i < names.n; i++) {
		struct pmu_format f = { .name = names.at[i] };

		if (textfile_readf(text, sizeof(text), "%s/format/%s", folder, f.name) >= 0 &&
		    read_format(&f, text))
			pmu->formats[pmu->n_formats++] = f;
	}
}

/* "2.3283064365386962890625e-10" and the like. */
static double read_scale(const char *s)
{
	double v = 0, unit = 1;
	bool minus = *s == '-';
	int digits = 0, exp = 0;
	u64 e = 0;

	for (s += minus; *s >= '0' && *s <= '9'; s++, digits++)
		v = v * 10 + (*s - '0');
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++, digits++)
			v += (*s - '0') * (unit /= 10);
	if (!digits)
		return 1;
	if ((*s | 0x20) == 'e') {
		exp = s[1] == '-' ? -1 : 1;
		num_read(s + 1 + (s[1] == '-' || s[1] == '+'), 10, &e);
	}
	for (e = MIN(e, 300u); e; e--)
		v = exp < 0 ? v / 10 : v * 10;
	return minus ? -v : v;
}

static bool ends_with(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len > n && !strcmp(s + len - n, end);
}

static bool exists(const char *folder, const char *name, const char *end)
{
	char path[PATH];

	fmt_str(path, sizeof(path), "%s/%s%s", folder, name, end);
	return !access(path, F_OK);
}

static bool read_alias(struct pmu_alias *a, const char *events, const char *name,
		       struct arena *arena)
{
	char text[TEXT];

	*a = (struct pmu_alias){ .name = name, .unit = "", .scale = 1 };
	if (textfile_readf(text, sizeof(text), "%s/%s", events, name) < 0)
		return false;
	a->terms = arena_str(arena, text);
	if (textfile_readf(text, sizeof(text), "%s/%s.unit", events, name) > 0)
		a->unit = arena_str(arena, text);
	if (textfile_readf(text, sizeof(text), "%s/%s.scale", events, name) > 0)
		a->scale = read_scale(text);
	a->per_pkg = exists(events, name, ".per-pkg");
	a->snapshot = exists(events, name, ".snapshot");
	return true;
}

static void read_aliases(struct event_pmu *pmu, const char *folder, struct arena *arena)
{
	static const char *const about[] = { ".unit", ".scale", ".per-pkg", ".snapshot" };
	char path[PATH];
	struct names names;
	u32 i, k;

	fmt_str(path, sizeof(path), "%s/events", folder);
	if (read_names(&names, path, arena))
		return;
	pmu->aliases = NEW(arena, struct pmu_alias, names.n);
	for (i = 0; i < names.n; i++) {
		for (k = 0; k < N_ELEM(about) && !ends_with(names.at[i], about[k]); k++)
			;
		if (k == N_ELEM(about) &&
		    read_alias(&pmu->aliases[pmu->n_aliases], path, names.at[i], arena))
			pmu->n_aliases++;
	}
}

static void read_cpus(struct event_pmu *pmu, const char *folder, struct arena *arena)
{
	char path[PATH];

	fmt_str(path, sizeof(path), "%s/cpumask", folder);
	if (!cpus_read(&pmu->cpus, path, arena)) {
		pmu->uncore = true;
		return;
	}
	fmt_str(path, sizeof(path), "%s/cpus", folder);
	cpus_read(&pmu->cpus, path, arena);
	pmu->hybrid = pmu->cpus.n && !strncmp(pmu->name, "cpu_", 4);
}

/* Read the PMU, and insert it by name among those that were read. */
static struct event_pmu *load(struct event_env *env, const char *name)
{
	struct event_pmu *pmu, **place;
	char folder[PATH], path[PATH];
	u64 type;

	if (fmt_str(folder, sizeof(folder), DEVICES, env->sysfs, name) >= PATH - 64)
		return NULL;
	fmt_str(path, sizeof(path), "%s/type", folder);
	if (textfile_value(path, 10, &type))
		return NULL;
	pmu = NEW(env->arena, struct event_pmu, 1);
	pmu->name = arena_str(env->arena, name);
	pmu->type = type;
	read_cpus(pmu, folder, env->arena);
	read_formats(pmu, folder, env->arena);
	read_aliases(pmu, folder, env->arena);
	for (place = &env->pmus; *place && strcmp((*place)->name, name) < 0; )
		place = &(*place)->next;
	pmu->next = *place;
	*place = pmu;
	return pmu;
}

struct event_pmu *event_pmu_find(struct event_env *env, const char *name)
{
	struct event_pmu *pmu;

	for (pmu = env->pmus; pmu; pmu = pmu->next)
		if (!strcmp(pmu->name, name))
			return pmu;
	if (env->all_read || !*name || *name == '.' || strchr(name, '/'))
		return NULL;
	return load(env, name);
}

struct event_pmu *event_pmu_all(struct event_env *env)
{
	struct names names;
	char path[PATH];
	u32 i;

	if (env->all_read)
		return env->pmus;
	fmt_str(path, sizeof(path), DEVICES, env->sysfs, "");
	if (!read_names(&names, path, env->arena))
		for (i = 0; i < names.n; i++)
			event_pmu_find(env, names.at[i]);
	env->all_read = true;
	return env->pmus;
}

/* CPUs of several types have PMUs cpu_core, cpu_atom, ...; CPUs of one type have "cpu". */
static void find_types(struct event_env *env)
{
	struct names names;
	char path[PATH];
	u32 i;

	fmt_str(path, sizeof(path), DEVICES, env->sysfs, "");
	env->hybrid = -1;
	if (exists(path, "cpu", "") || read_names(&names, path, env->arena))
		return;
	for (i = 0; i < names.n; i++) {
		struct event_pmu *pmu = strncmp(names.at[i], "cpu_", 4) ? NULL :
			event_pmu_find(env, names.at[i]);

		if (pmu && pmu->hybrid)
			env->hybrid = 1;
	}
}

struct event_pmu *event_pmu_next_type(struct event_env *env, u32 type)
{
	struct event_pmu *pmu, *next = NULL;

	if (!env->hybrid)
		find_types(env);
	for (pmu = env->hybrid > 0 ? env->pmus : NULL; pmu; pmu = pmu->next)
		if (pmu->hybrid && pmu->type > type && (!next || pmu->type < next->type))
			next = pmu;
	return next;
}

bool event_pmu_has_event(struct event_env *env, const char *pmu, const char *event)
{
	char path[PATH];

	fmt_str(path, sizeof(path), DEVICES "/events/%s", env->sysfs, pmu, event);
	return !access(path, F_OK);
}

const struct pmu_format *event_pmu_format(const struct event_pmu *pmu, const char *name)
{
	u32 i;

	for (i = 0; i < pmu->n_formats; i++)
		if (!strcmp(pmu->formats[i].name, name))
			return &pmu->formats[i];
	return NULL;
}

static bool same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && ((*a ^ *b) != 0x20 || (*a | 0x20) < 'a' || (*a | 0x20) > 'z'))
			return false;
	return *a == *b;
}

const struct pmu_alias *event_pmu_alias(const struct event_pmu *pmu, const char *name)
{
	u32 i;

	for (i = 0; i < pmu->n_aliases; i++)
		if (same_name(pmu->aliases[i].name, name))
			return &pmu->aliases[i];
	return NULL;
}

int event_pmu_value(struct event_env *env, const char *pmu, const char *name,
		    unsigned int base, u64 *v)
{
	char path[PATH];

	fmt_str(path, sizeof(path), DEVICES "/%s", env->sysfs, pmu, name);
	return textfile_value(path, base, v);
}

int event_pmu_text(struct event_env *env, const char *pmu, const char *name, char **text)
{
	char buf[TEXT];
	int len = textfile_readf(buf, sizeof(buf), DEVICES "/%s", env->sysfs, pmu, name);

	if (len < 0)
		return len;
	*text = arena_strn(env->arena, buf, len);
	return 0;
}

u64 event_pmu_pack(u64 bits, u64 value)
{
	u64 word = 0, bit;

	for (; bits; bits &= bits - 1, value >>= 1) {
		bit = bits & -bits;
		if (value & 1)
			word |= bit;
	}
	return word;
}

u64 event_pmu_unpack(u64 bits, u64 word)
{
	u64 value = 0;
	int i = 0;

	for (; bits; bits &= bits - 1, i++)
		if (word & bits & -bits)
			value |= 1ull << i;
	return value;
}
