/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script: which samples the command line asks for; and what is said, instead of nothing, where
 * there are none.
 */
#include <pt/fail.h>
#include "script.h"

/* The options that choose samples, in the order in which they are tried. */
enum { BY_TIME, BY_CPU, BY_COMM, BY_PID, BY_TID, BY_DSO, BY_SYMBOL, N_BY };

static bool in_list(const char *list, const char *name)
{
	size_t len = strlen(name), n;

	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == len && !strncmp(list, name, n))
			return true;
	}
	return false;
}

static bool number_in_list(const char *list, i32 v)
{
	char text[16];

	fmt_str(text, sizeof(text), "%d", v);
	return in_list(list, text);
}

/* Note that a sample got through the option. */
static bool passes(struct script *s, u32 by, bool does)
{
	if (does)
		s->passed |= 1u << by;
	return does;
}

static bool wants_dso(const struct script *s, const struct map *map)
{
	return !s->dsos || (map && (in_list(s->dsos, map->dso->name) ||
				    in_list(s->dsos, map->dso->short_name)));
}

static bool wants_symbol(struct script *s, const struct map *map, u64 ip)
{
	const struct symbol *sym = s->symbols ? session_symbol_at(&s->session, map, ip) : NULL;

	return !s->symbols || (sym && in_list(s->symbols, sym->name));
}

static bool wants_place(struct script *s, struct thread *t, u64 ip)
{
	const struct map *map;
	bool dso;

	if (!s->dsos && !s->symbols)
		return true;
	map = session_map_at(&s->session, t, ip);
	dso = passes(s, BY_DSO, wants_dso(s, map));
	return passes(s, BY_SYMBOL, wants_symbol(s, map, ip)) && dso;
}

bool script_wants_cpu(struct script *s, i32 cpu)
{
	return !s->options.cpus ||
	       passes(s, BY_CPU, cpu < 0 || ((u32)cpu < s->options.n_cpus &&
					     s->options.cpus[cpu / 64] >> cpu % 64 & 1));
}

bool script_wants_time(struct script *s, i32 cpu, u64 time)
{
	return (!s->time || passes(s, BY_TIME, ranges_have(&s->ranges, time))) &&
	       script_wants_cpu(s, cpu);
}

/* All options are tried also after one refused, until each let something through: what is said of
 * them at the end depends on no order. */
bool script_wants(struct script *s, struct thread *t, i32 pid, i32 tid, u64 ip)
{
	const u32 places = 1u << BY_DSO | 1u << BY_SYMBOL;
	bool fits = true;

	if (s->comms)
		fits &= passes(s, BY_COMM, t && in_list(s->comms, t->comm));
	if (s->pids)
		fits &= passes(s, BY_PID, number_in_list(s->pids, pid));
	if (s->tids)
		fits &= passes(s, BY_TID, number_in_list(s->tids, tid));
	if (fits || (s->passed & places) != places)
		fits &= wants_place(s, t, ip);
	return fits;
}

/* What pt cannot read of the file, which may be all of it. */
static bool say_unreadable(const struct script *s)
{
	bool foreign = s->foreign && !s->itrace.off, packed = s->session.file.n_compressed;

	if (packed)
		warn(0, "%s: its COMPRESSED records (zstd) cannot be read: record without -z",
		     s->path);
	if (foreign)
		warn(0, "%s: its trace is %s, but pt decodes Intel PT only; pt -D shows its bytes",
		     s->path, s->foreign);
	return packed || foreign;
}

/* The first option that no sample got through. */
static bool say_option(const struct script *s)
{
	const struct { const char *name, *arg, *column; } options[N_BY] = {
		[BY_TIME] = { "--time", s->time, NULL }, [BY_CPU] = { "-C", s->cpu_list, "cpu" },
		[BY_COMM] = { "--comms", s->comms, "comm" }, [BY_PID] = { "--pid", s->pids, "pid" },
		[BY_TID] = { "--tid", s->tids, NULL }, [BY_DSO] = { "--dsos", s->dsos, "dso" },
		[BY_SYMBOL] = { "--symbols", s->symbols, "sym" },
	};
	const char *column;
	bool any = false;
	u32 i;

	for (i = 0; i < N_BY; i++) {
		any |= options[i].arg != NULL;
		if (!options[i].arg || s->passed >> i & 1)
			continue;
		column = options[i].column;
		warn(0, "%s %s: nothing of that in %s%s%s%s", options[i].name, options[i].arg,
		     s->path, column ? "; 'pt report -s " : "", column ? column : "",
		     column ? "' lists what there is" : "");
		return true;
	}
	if (any)
		warn(0, "%s: no sample fits all of the options that choose some", s->path);
	return any;
}

/* Files whose code the trace goes through and that are not here. That each cannot be read, with
 * its build-id, was said when it was met; this is what came of it. */
static void say_missing_code(const struct script *s)
{
	char text[600] = "";
	const struct dso *dso;
	size_t len = 0;
	u32 n = 0;

	for (dso = s->session.images.dsos; dso; dso = dso->next) {
		if (!dso->holes || !dso->missing)
			continue;
		n++;
		if (len + strlen(dso->name) + 64 < sizeof(text))
			len += fmt_str(text + len, sizeof(text) - len, "%s%s (%llu time%s)",
				       len ? ", " : "", dso->name, dso->holes,
				       dso->holes == 1 ? "" : "s");
	}
	if (n)
		warn(0, "the trace was lost where it goes into missing code, of %u file%s: %s; "
		     "--symfs DIR says where files are, pt record --bundle takes them along", n,
		     n == 1 ? "" : "s", text);
}

/* Not one instruction was decoded. */
static bool say_no_code(const struct script *s)
{
	u32 i;

	for (i = 0; i < s->session.n_queues; i++)
		if (s->session.queues[i]->flow && session_insns(s->session.queues[i]))
			return false;
	return s->gaps;
}

/* There is no trace, although the file says that there is. */
static bool say_no_trace(const struct script *s)
{
	if (!s->session.have_pt || s->session.n_buffers || s->options.cpus || s->itrace.off)
		return false;
	warn(0, "%s: the trace is empty: nothing was written (was the disk full?)", s->path);
	return true;
}

int script_say_nothing(const struct script *s)
{
	bool nothing = !(s->n_samples || s->printer.n_lines || s->count_branches || s->n_shown);
	bool said = say_unreadable(s);

	if (!s->parallel)
		say_missing_code(s);
	/* What other processes printed is not known. */
	if (!nothing || s->parallel || s->n_shards)
		return 0;
	return said || say_option(s) || say_no_trace(s) || say_no_code(s) ? STATUS_FAILED : 0;
}
