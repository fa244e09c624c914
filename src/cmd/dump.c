/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt -D: its help and its options. With pt script, it has the options of that.
 */
#include <pt/command.h>
#include <pt/config/CMD_SCRIPT.h>
#include <pt/config/CONSOLE.h>
#include <pt/config/PERF_DATA.h>
#include <pt/config/SANDBOX.h>
#include <pt/fail.h>
#include <pt/paint.h>
#include <pt/sandbox.h>
#include <pt/term.h>
#include "dump.h"
#include "input.h"

PACKED(help) =
	"usage: pt -D [-i FILE | FILE]\n"
	"\n"
	"Print the raw contents of FILE. FILE may be\n"
	HELP_IF(CONFIG_PERF_DATA,
	"  a perf.data           each record in hex and in words, and below an AUXTRACE\n"
	"                        record the packets of its trace; file, pipe or directory\n")
	"  a bare PT trace       each packet: offset, bytes, words\n"
	"The default is perf.data; '-' is standard input. A byte that starts no packet is\n"
	"printed as 'Bad packet!'; pt then tries the next byte. Addresses are printed as\n"
	"in the packet: 'TIP 0x10' may be the end of a longer address.\n"
	"\n"
	"  -D, --dump-raw-trace  this\n"
	"  -i, --input FILE      read FILE\n"
	HELP_IF(CONFIG_CONSOLE,
	"      --wide            complete records on a terminal, not a line each\n")
	HELP_IF(CONFIG_CMD_SCRIPT,
	"      --no-itrace       print no packets\n"
	"      --header          the file's header first\n"
	"\n"
	"Other options of pt script work too: --show-mmap-events, --time, ...\n")
	"\n"
	"Examples:\n"
	"  pt -D | less                          the contents of ./perf.data\n"
	"  pt -D trace.pt | grep -c TNT          the number of TNT packets\n"
	"  ssh box cat perf.data | pt -D -       a trace on another machine\n";

static int dump(struct opt *o, struct out *out)
{
	struct dumper d = { dump_perf };
	const char *name, *path = NULL;
	bool wide = false;

	if (CONFIG_CMD_SCRIPT) {
		opt_append(o, cmd_script.help);
		return script_dump(o, out);
	}
	while ((name = opt_next(o)))
		if (!strcmp(name, "input"))
			path = o->arg;
		else if (CONFIG_CONSOLE && !strcmp(name, "wide"))
			wide = !o->no;
	if (opt_stopped(o))
		return STATUS_FAILED;
	if (!path)
		path = opt_word(o);
	if (!path)
		path = input_usual();
	if (CONFIG_CONSOLE && !wide)
		term_fit(out);
	paint(out, PAINT_PACKETS);
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	return dump_file(&d, out, path);
}

const struct command cmd_dump = { "-D", "print raw records and packets", help, dump };
