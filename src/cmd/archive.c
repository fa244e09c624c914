/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt archive: a copy of a recording with the code that it needs.
 */
#include <errno.h>
#include <string.h>

#include <pt/command.h>
#include <pt/fail.h>
#include <pt/opt.h>
#include <pt/out.h>
#include <pt/record.h>

PACKED(help) =
	"usage: pt archive [OPTIONS] [FILE]\n"
	"\n"
	"Copy FILE (perf.data), and put the code of all programs and libraries that it\n"
	"names into the copy, as pt record --bundle does. Any machine can decode it. The\n"
	"files have to be the recorded ones: their build-ids are compared. The kernel's\n"
	"code is not in it.\n"
	"\n"
	"  -o, --output OUT      the copy; by default FILE.bundle. It must not exist\n"
	"  -q, --quiet           print errors only\n"
	"\n"
	"Examples:\n"
	"  pt archive\n"
	"  pt archive -o there.data perf.data\n"
	"  pt script -i perf.data.bundle --call-trace     on another machine\n";

struct archive {
	struct record record;
	struct arena arena;
	bool quiet;
};

static struct archive the;

static void say(void *who, int level, const char *line)
{
	struct archive *a = who;

	if (!a->quiet && !level)
		warn(0, "%s", line);
}

static int run(struct archive *a, const char *from, struct out *out)
{
	struct record *r = &a->record;
	const char *why = NULL;
	char *usual;
	int err;

	if (!r->output) {
		size_t size = strlen(from) + sizeof(".bundle");

		usual = NEW(&a->arena, char, size);
		fmt_str(usual, size, "%s.bundle", from);
		r->output = usual;
	}
	r->arena = &a->arena;
	r->say = say;
	r->who = a;
	err = record_archive(r, from, &why);
	if (why)
		return fail(0, "%s: %s", from, why);
	if (err == -EEXIST)
		return fail(0, "%s exists already", r->output);
	if (err == -ENOENT)
		return fail(0, "%s: no such file", from);
	if (err)
		return fail(err, "cannot write %s", r->output);
	if (!a->quiet) {
		out_name(out, r->output);
		out_fmt(out, ": %llu bytes\n", r->result.bytes);
	}
	return 0;
}

static int archive(struct opt *o, struct out *out)
{
	static const struct opt_member members[] = {
		{ "output", offsetof(struct archive, record.output), true },
		{ "quiet", offsetof(struct archive, quiet) },
		{ 0 },
	};
	const char *name, *from;

	while ((name = opt_next(o)) && !o->error)
		opt_set(o, name, members, &the);
	if (opt_stopped(o))
		return STATUS_FAILED;
	from = opt_word(o);
	return run(&the, from ? from : "perf.data", out);
}

const struct command cmd_archive = {
	"archive", "copy a recording together with its code", help, archive, true
};
