/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt probe: events at places in programs and in the kernel.
 *
 * The kernel keeps a list of them, one on a line, in uprobe_events (files) and in kprobe_events
 * (functions of the kernel): to write a line adds one, "-:GROUP/EVENT" removes one. A probe in a
 * file is at an offset, which is that of a symbol, or of a line of the source. From then on it is a
 * tracepoint like others.
 *
 * Source: the kernel's Documentation/trace/uprobetracer.rst and kprobetrace.rst.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <pt/command.h>
#include <pt/config/PERF_OPTIONS.h>
#include <pt/config/SRCLINE.h>
#include <pt/event_name.h>
#include <pt/event_pmu.h>
#include <pt/fail.h>
#include <pt/file.h>
#include <pt/image.h>
#include <pt/lines.h>
#include <pt/num.h>
#include <pt/textfile.h>

PACKED(help) =
	"usage: pt probe [OPTIONS] [PROBE]...\n"
	"\n"
	"Add events at places in programs or the kernel, for -e of pt record and pt stat.\n"
	"PROBE is [EVENT=]PLACE [VALUE]..., PLACE is one of\n"
	"  FUNCTION    FUNCTION+OFFSET    FUNCTION%return    0xOFFSET (in the file)\n"
	HELP_IF(CONFIG_SRCLINE,
	"  FILE.c:LINE    FUNCTION[@FILE.c]:LINE (LINE 0: that of its declaration)\n")
	"and VALUE as the kernel takes it: NAME=%ax, %di, $retval, $stack1, +8(%sp):u32\n"
	"\n"
	"  -a, --add PROBE       the same as PROBE\n"
	"  -x, --exec FILE       in this program or library, not in the kernel\n"
	"  -l, --list            print the probes that there are\n"
	"  -d, --del PATTERN     remove probes: GROUP:EVENT, with * and ?\n"
	"  -f, --force           add another probe of the same name: NAME_1, ...\n"
	"  -n, --dry-run         print what would be written, and change nothing\n"
	"\n"
	"  pt probe -x /lib/x86_64-linux-gnu/libc.so.6 malloc size=%di\n"
	"  pt stat -e 'probe_libc:*' ls\n"
	"  pt probe -d 'probe_libc:*'\n"
	HELP_IF(CONFIG_PERF_OPTIONS,
	"\f"
	"perf: options of perf probe without effect, since pt does so anyway\n"
	"\n"
	"  -q, --quiet\n"
	"  -v, --verbose\n"
	"      --no-inlines\n"
	"      --demangle\n");

enum { LINE = 1024, NAME = 64, ADDED_MAX = 128 };

struct probe {
	struct arena arena;
	struct event_env env;
	struct out *out;
	const char *exec;
	char path[PATH_MAX];	/* of 'exec' */
	struct images images;
	struct dso *dso;
	bool force, dry_run;
	u32 n_added;
};

/* The lists */

static void list_path(const struct probe *p, bool user, char *to)
{
	fmt_str(to, PATH_MAX, "%s/%cprobe_events", p->env.tracefs, user ? 'u' : 'k');
}

/* One line of a list: "p:GROUP/EVENT PLACE VALUE...". False if it is none. */
struct listed { char kind; char *group, *event, *place, *values; };

static bool read_listed(struct listed *l, char *line)
{
	char *colon = strchr(line, ':'), *slash = colon ? strchr(colon, '/') : NULL, *blank;

	blank = slash ? strchr(slash, ' ') : NULL;
	if (!blank)
		return false;
	*l = (struct listed){ *line, colon + 1, slash + 1, blank + 1, NULL };
	*slash = *blank = 0;
	blank = strchr(l->place, ' ');
	if (blank) {
		*blank = 0;
		l->values = blank + 1;
	}
	return true;
}

/* Append a line to the list. 0 or -errno. */
static int write_line(struct probe *p, bool user, const char *line)
{
	char path[PATH_MAX];
	int fd, err = 0, n = strlen(line);

	list_path(p, user, path);
	if (p->dry_run) {
		out_fmt(p->out, "%s >> %s\n", line, path);
		return 0;
	}
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, line, n) != n)
		err = errno ? -errno : -EIO;
	close(fd);
	return err;
}

static int say_list(const struct probe *p, int err, bool user)
{
	char path[PATH_MAX];

	list_path(p, user, path);
	if (err == -ENOENT)
		return fail(0, "this kernel has no %s: it was built without %s", path,
			    user ? "UPROBE_EVENTS" : "KPROBE_EVENTS");
	return fail(err, "%s", path);
}

/* Call 'each' for all probes of a list; a missing list is empty. */
static int for_all(struct probe *p, bool user, const char *pattern,
		   void (*each)(struct probe *p, const struct listed *l, bool user, void *to),
		   void *to)
{
	static struct lines lines;
	char path[PATH_MAX], name[2 * NAME], *line;
	struct listed l;
	int err;

	list_path(p, user, path);
	err = lines_open(&lines, path);
	if (err)
		return err == -ENOENT ? 0 : say_list(p, err, user);
	while ((line = lines_next(&lines))) {
		if (!read_listed(&l, line))
			continue;
		fmt_str(name, sizeof(name), "%s:%s", l.group, l.event);
		if (!pattern || event_name_glob(pattern, name))
			each(p, &l, user, to);
	}
	lines_close(&lines);
	return 0;
}

/* Printing */

/* The offset in a file as FUNCTION+OFFSET, if it has symbols. */
static void put_offset(struct probe *p, const char *path, u64 off, bool is_return)
{
	struct dso *dso = dso_get(&p->images, path, NULL, 0);
	const struct symbol *sym = dso_symbol(&p->images, dso, off);

	if (!sym) {
		out_fmt(p->out, "0x%llx", off);
		return;
	}
	out_name(p->out, sym->name);
	if (is_return)
		out_str(p->out, "%return");
	else if (off != sym->start)
		out_fmt(p->out, "+%llu", off - sym->start);
}

/* The names of the values: what is before each '='. */
static void put_values(struct out *out, const char *values)
{
	const char *end;

	out_str(out, " with");
	for (; *values; values = *end ? end + 1 : end) {
		end = values + strcspn(values, " ");
		out_fmt(out, " %.*s", (int)MIN(strcspn(values, "="), (size_t)(end - values)),
			values);
	}
}

static void print_listed(struct probe *p, const struct listed *l, bool user, void *to)
{
	char name[2 * NAME], *colon = user ? strrchr(l->place, ':') : NULL;
	const char *digits;
	u64 off;

	fmt_str(name, sizeof(name), "%s:%s", l->group, l->event);
	out_fmt(p->out, "  %-20s (on ", name);
	if (colon) {
		*colon = 0;
		digits = colon[1] == '0' && colon[2] == 'x' ? colon + 3 : colon + 1;
		if (num_read(digits, 16, &off))
			put_offset(p, l->place, off, l->kind == 'r');
		out_str(p->out, " in ");
	}
	out_name(p->out, l->place);
	if (!colon && l->kind == 'r')
		out_str(p->out, "%return");
	if (l->values)
		put_values(p->out, l->values);
	out_str(p->out, ")\n");
}

static int list_all(struct probe *p)
{
	int status = for_all(p, false, NULL, print_listed, NULL);

	return status ? status : for_all(p, true, NULL, print_listed, NULL);
}

/* Removing: the lists must not change while they are read. */

struct doomed { char name[ADDED_MAX][2 * NAME]; bool user[ADDED_MAX]; u32 n; };

static void doom(struct probe *p, const struct listed *l, bool user, void *to)
{
	struct doomed *d = to;

	if (d->n == ADDED_MAX)
		return;
	fmt_str(d->name[d->n], sizeof(*d->name), "%s/%s", l->group, l->event);
	d->user[d->n++] = user;
}

static int remove_all(struct probe *p, const char *pattern)
{
	static struct doomed d;
	char any[2 * NAME], line[3 * NAME];
	int status, err;
	u32 i;

	d.n = 0;
	fmt_str(any, sizeof(any), strchr(pattern, ':') ? "%s" : "*:%s", pattern);
	status = for_all(p, false, any, doom, &d);
	if (!status)
		status = for_all(p, true, any, doom, &d);
	if (!status && !d.n)
		return fail(0, "-d %s: there is no such probe; see pt probe -l", pattern);
	for (i = 0; i < d.n && !status; i++) {
		fmt_str(line, sizeof(line), "-:%s\n", d.name[i]);
		line[strlen(line) - p->dry_run] = 0;
		err = write_line(p, d.user[i], line);
		*strchr(d.name[i], '/') = ':';
		if (err == -EBUSY)
			status = fail(0, "%s is in use", d.name[i]);
		else if (err)
			status = say_list(p, err, d.user[i]);
		else if (!p->dry_run)
			out_fmt(p->out, "Removed event: %s\n", d.name[i]);
	}
	return status;
}

/* Adding */

struct place {
	char event[NAME], group[NAME];
	char function[4 * NAME];	/* or the name of a source file */
	const char *source;	/* that a function is in: after '@', or NULL */
	u64 off, line;
	bool is_return, has_off, has_line;
	bool relative;		/* the line counts from the function's */
	char values[LINE / 2];
};

/* The group of probes in a program: "probe_libc" of libc.so.6. */
static void group_of(const struct probe *p, char *to)
{
	const char *base = strrchr(p->path, '/');

	base = base ? base + 1 : p->path;
	if (!p->exec)
		fmt_str(to, NAME, "probe");
	else
		fmt_str(to, NAME, "probe_%.*s", (int)MIN(strcspn(base, "-._"), (size_t)NAME - 8),
			base);
}

static bool is_word(char c)
{
	return ((c | ' ') >= 'a' && (c | ' ') <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* The name of an event without one: the function, as far as it is a word. */
static void event_of(struct probe *p, struct place *at)
{
	bool named = !at->has_off && !at->has_line;
	const struct symbol *sym = p->exec && !named ? dso_symbol(&p->images, p->dso, at->off) :
						       NULL;
	const char *from = sym ? sym->name : at->function;
	size_t n = 0;

	if (*at->event)
		return;
	while (is_word(from[n]) && n < NAME - 12)
		n++;
	if (n && at->relative)
		fmt_str(at->event, NAME, "%.*s_L%llu", (int)MIN(n, (size_t)NAME - 24), from,
			at->line);
	else if (n)
		fmt_str(at->event, NAME, "%.*s", (int)n, from);
	else
		fmt_str(at->event, NAME, "at_%llx", at->off);
}

/* Values without a name get arg1, arg2, ... */
static void name_values(struct place *at, const char *from)
{
	size_t n = 0, len;
	u32 i;

	for (i = 1; *from; i++, from += len, from += strspn(from, " ")) {
		len = strcspn(from, " ");
		if (memchr(from, '=', len))
			n += fmt_str(at->values + n, sizeof(at->values) - n, " %.*s", (int)len,
				     from);
		else
			n += fmt_str(at->values + n, sizeof(at->values) - n, " arg%u=%.*s", i,
				     (int)len, from);
		n = MIN(n, sizeof(at->values) - 1);
	}
}

/* Read PROBE. False if it is wrong. */
static bool read_place(struct probe *p, struct place *at, const char *text)
{
	size_t len = strcspn(text, " "), equal = strcspn(text, "="), colon;
	const char *rest = text + len + strspn(text + len, " "), *end;
	char word[4 * NAME];

	*at = (struct place){ .off = 0 };
	group_of(p, at->group);
	if (equal < len) {
		colon = strcspn(text, ":");
		if (colon < equal) {
			fmt_str(at->group, NAME, "%.*s", (int)colon, text);
			text += colon + 1;
			equal -= colon + 1;
			len -= colon + 1;
		}
		fmt_str(at->event, NAME, "%.*s", (int)equal, text);
		text += equal + 1;
		len -= equal + 1;
	}
	if (!len || len >= sizeof(word))
		return false;
	fmt_str(word, sizeof(word), "%.*s", (int)len, text);
	name_values(at, rest);
	if (word[0] == '0' && word[1] == 'x') {
		at->has_off = true;
		end = num_read(word + 2, 16, &at->off);
		return end && !*end;
	}
	len = strcspn(word, "+:%");
	fmt_str(at->function, sizeof(at->function), "%.*s", (int)len, word);
	at->source = strchr(at->function, '@');
	switch (word[len]) {
	case '+':
		end = num_read_any(word + len + 1, &at->off);
		return end && !*end;
	case ':':
		at->has_line = CONFIG_SRCLINE;
		end = num_read(word + len + 1, 10, &at->line);
		return end && !*end && at->has_line;
	case '%':
		at->is_return = true;
		return !strcmp(word + len, "%return");
	}
	return len;
}

/* Is 'path' the source file 'name', or does it end so? */
static bool is_source(const char *path, const char *name)
{
	size_t len = strlen(path), n = strlen(name);

	return len >= n && !strcmp(path + len - n, name) && (len == n || path[len - n - 1] == '/');
}

/* The first address of a line; 0 if the program has none. */
static u64 address_of_line(struct probe *p, const char *file, u64 line, u64 from, u64 to)
{
	struct source_line at;
	u64 addr, first = 0;
	u32 i;

	for (i = 0; dso_source_row(&p->images, p->dso, i, &addr, &at); i++)
		if (at.file && at.line == line && addr >= from && addr < to &&
		    (!file || is_source(at.path ? at.path : at.file, file)) &&
		    (!first || addr < first))
			first = addr;
	return first;
}

/* The line of a function: that of its declaration; if only the lines of its code are known, the
 * first of these. */
static u64 first_line(struct probe *p, const struct symbol *sym)
{
	u64 addr, first = dso_function_line(&p->images, p->dso, sym->start);
	struct source_line at;
	u32 i;

	if (first)
		return first;
	for (i = 0; dso_source_row(&p->images, p->dso, i, &addr, &at); i++)
		if (at.file && addr >= sym->start && addr < sym->end &&
		    (!first || at.line < first))
			first = at.line;
	return first;
}

/* The function with the name, which may be FUNCTION@FILE.c; NULL if there is none. */
static const struct symbol *find_function(struct probe *p, struct place *at)
{
	const struct symbol *sym = dso_symbol_named(&p->images, p->dso, at->function);
	struct source_line line;

	if (sym || !at->source || !CONFIG_SRCLINE)
		return sym;
	at->function[at->source++ - at->function] = 0;
	while ((sym = dso_symbol_after(&p->images, p->dso, at->function, sym)))
		if (dso_source_line(&p->images, p->dso, sym->start, &line) && line.file &&
		    is_source(line.path ? line.path : line.file, at->source))
			break;
	return sym;
}

/* Set at->off to the offset in the file. 0, or an exit status after a message. */
static int find_in_file(struct probe *p, struct place *at)
{
	const struct symbol *sym;

	if (at->has_off)
		return 0;
	sym = find_function(p, at);
	at->relative = at->has_line && sym && at->line;
	if (at->has_line && sym && !at->line) {
		at->off = sym->start;
	} else if (at->relative) {
		at->off = address_of_line(p, NULL, first_line(p, sym) + at->line, sym->start,
					  sym->end);
	} else if (at->has_line) {
		at->off = address_of_line(p, at->function, at->line, 0, ~0ull);
	} else if (sym) {
		if (at->off && at->off >= sym->end - sym->start)
			return fail(0, "%s+%llu is after the end of %s, which has %llu bytes",
				    at->function, at->off, at->function, sym->end - sym->start);
		at->off += sym->start;
		return 0;
	} else {
		return fail(0, at->source ? "%s has no function '%s' of '%s'" :
			    "%s has no function '%s'", p->exec, at->function, at->source);
	}
	return at->off ? 0 : fail(0, "%s has no code of '%s:%llu', or no line numbers", p->exec,
				  at->function, at->line);
}

struct taken { const char *group, *event; bool is; };

static void compare(struct probe *p, const struct listed *l, bool user, void *to)
{
	struct taken *t = to;

	t->is |= !strcmp(l->group, t->group) && !strcmp(l->event, t->event);
}

/* Make the name one that no other probe has. */
static int choose_name(struct probe *p, struct place *at)
{
	char base[NAME];
	struct taken t;
	u32 i;

	if (at->is_return && strlen(at->event) + 8 < NAME)
		strcpy(at->event + strlen(at->event), "__return");
	memcpy(base, at->event, NAME);
	for (i = 0; i < 100; i++) {
		if (i)
			fmt_str(at->event, NAME, "%.*s_%u", NAME - 5, base, i);
		t = (struct taken){ at->group, at->event, false };
		for_all(p, false, NULL, compare, &t);
		for_all(p, true, NULL, compare, &t);
		if (!t.is)
			return 0;
		if (!p->force)
			break;
	}
	return fail(0, "there is a probe %s:%s already; remove it with -d, or use -f", at->group,
		    base);
}

/* The first value that is a name, or NULL. */
static const char *variable_in(const char *values)
{
	const char *at;

	for (at = strchr(values, '='); at; at = strchr(at + 1, '='))
		if (((at[1] | ' ') >= 'a' && (at[1] | ' ') <= 'z') || at[1] == '_')
			return at + 1;
	return NULL;
}

static int add(struct probe *p, const char *text)
{
	char line[LINE + PATH_MAX], place[PATH_MAX + 32], name[2 * NAME];
	const char *variable;
	struct place at;
	int status, err;

	if (!read_place(p, &at, text))
		return fail(0, "'%s' is not a place; see pt probe --help", text);
	if (!p->exec && (at.has_line || at.has_off))
		return fail(0, "'%s': an offset or a line needs the file: -x", text);
	list_path(p, p->exec, place);
	if (access(place, F_OK))
		return say_list(p, -ENOENT, p->exec);
	status = p->exec ? find_in_file(p, &at) : 0;
	if (status)
		return status;
	event_of(p, &at);
	status = choose_name(p, &at);
	if (status)
		return status;
	if (p->exec)
		fmt_str(place, sizeof(place), "%s:0x%llx", p->path, at.off);
	else
		fmt_str(place, sizeof(place), "%s+%llu", at.function, at.off);
	fmt_str(line, sizeof(line), "%c:%s/%s %s%s%s", at.is_return ? 'r' : 'p', at.group, at.event,
		place, at.values, p->dry_run ? "" : "\n");
	err = write_line(p, p->exec, line);
	variable = err == -EINVAL ? variable_in(at.values) : NULL;
	if (variable)
		return fail(0, "'%.*s': pt reads no variables; give a register, as in "
			    "'malloc size=%%di'", (int)strcspn(variable, " "), variable);
	if (err == -EINVAL || err == -EILSEQ || err == -ENOENT)
		return fail(0, "the kernel refuses '%s': its error_log says why, in %s", text,
			    p->env.tracefs);
	if (err)
		return say_list(p, err, p->exec);
	if (p->dry_run)
		return 0;
	fmt_str(name, sizeof(name), "%s:%s", at.group, at.event);
	out_fmt(p->out, "%s  %-20s (on ", p->n_added++ ? "" : "Added new event:\n", name);
	out_name(p->out, p->exec && at.has_off ? place : at.function);
	if (at.has_line)
		out_fmt(p->out, ":%llu", at.line);
	out_str(p->out, at.is_return ? "%return" : "");
	if (p->exec)
		out_fmt(p->out, " in %s", p->path);
	if (*at.values)
		put_values(p->out, at.values + 1);
	out_str(p->out, ")\n");
	return 0;
}

/* The command */

static int start(struct probe *p)
{
	int err = event_tracepoint_root(&p->env);

	if (err == -EACCES)
		return fail(0, "only root may read %s/kernel/tracing", p->env.sysfs);
	if (err)
		return fail(0, "tracefs is not mounted; mount -t tracefs tracefs "
			    "/sys/kernel/tracing");
	p->images = (struct images){ .arena = &p->arena, .mangled = true };
	if (!p->exec)
		return 0;
	err = file_real_path(p->exec, p->path);
	if (err)
		return fail(err, "%s", p->exec);
	p->dso = dso_get(&p->images, p->path, NULL, 0);
	return 0;
}

/* Is the word a VALUE, which belongs to the PROBE before it? perf takes all words as one. */
static bool is_value(const char *word)
{
	const char *equals = strchr(word, '=');

	return strchr("%$+-@\\", equals && equals[1] ? equals[1] : *word);
}

static u32 take_words(struct probe *p, struct opt *o, const char *added[ADDED_MAX], u32 n)
{
	u32 first = n;
	const char *word;
	char *joined;
	size_t size;

	while ((word = opt_word(o)) && n < ADDED_MAX) {
		if (n == first || !is_value(word)) {
			added[n++] = word;
			continue;
		}
		size = strlen(added[n - 1]) + strlen(word) + 2;
		joined = arena_alloc(&p->arena, size);
		fmt_str(joined, size, "%s %s", added[n - 1], word);
		added[n - 1] = joined;
	}
	return n;
}

static int probe_main(struct opt *o, struct out *out)
{
	struct probe p = { .env = { .sysfs = "/sys", .arena = &p.arena }, .out = out };
	const char *name, *del[ADDED_MAX], *added[ADDED_MAX];
	u32 n_del = 0, n_added = 0, i;
	bool list = false;
	int status = 0;

	while ((name = opt_next(o)) && !opt_refuse(o, name)) {
		if (!strcmp(name, "add") && n_added < ADDED_MAX)
			added[n_added++] = o->arg;
		else if (!strcmp(name, "del") && n_del < ADDED_MAX)
			del[n_del++] = o->arg;
		else if (!strcmp(name, "exec"))
			p.exec = o->arg;
		else if (!strcmp(name, "list"))
			list = true;
		else if (!strcmp(name, "force"))
			p.force = true;
		else if (!strcmp(name, "dry-run"))
			p.dry_run = true;
	}
	if (opt_stopped(o))
		return STATUS_FAILED;
	n_added = take_words(&p, o, added, n_added);
	if (!list && !n_del && !n_added)
		return fail(0, "no probe is given; see pt probe --help");
	status = start(&p);
	for (i = 0; i < n_del && !status; i++)
		status = remove_all(&p, del[i]);
	for (i = 0; i < n_added && !status; i++)
		status = add(&p, added[i]);
	if (!status && p.n_added)
		out_str(out, "\nFor example: pt stat -a -e ... sleep 1, "
			     "pt record -e ... COMMAND\n");
	if (!status && list)
		status = list_all(&p);
	images_close(&p.images);
	arena_free(&p.arena);
	return status;
}

const struct command cmd_probe = { "probe", "add and remove events at places in code", help,
				   probe_main, true };
