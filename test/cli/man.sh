#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_SCRIPT CMD_RECORD CMD_STAT CMD_LIST CONSOLE CMD_INFO CMD_TRACE CMD_DUMP RECORD_HW RECORD_SOFT BUNDLE PERF_DATA LIBELF ZLIB KERNEL
#
# The man page contains the output of --help; each command has a page that is a part of it.

. test/verdict

# It is the page of kconfig/desk.config, which has all commands and options.
if "$PT" --version -v | tr -s ' ' '\n' | sort > "$O/obj/options" &&
	grep =y kconfig/desk.config | sort | comm -23 - "$O/obj/options" | grep -q .; then
	skip "the man page: this build has less than it describes"
else
	is "src/pt.1 is what 'make man' makes (run it)" \
		"$(test/man | diff src/pt.1 - | head -n 5)" ""
fi
page() {
	awk -v "command=$1" -f src/man.awk src/pt.1
}
is "a page of a command names it" "$(page record | sed -n '/^.SH NAME/{n;p;}')" \
	'pt\-record \- record what a command or a running process executes, into a perf.data file'
is "and has all of its section" "$(page list | grep -c '^  pt list ')" \
	"$(sed -n '/^\.SS pt list/,/^\.SS pt info/p' src/pt.1 | grep -c '^  pt list ')"
if grep -q '^\.SS pt buildid' src/pt.1; then
	is "a command with a dash has its page, too" "$(page buildid-list | sed -n 's/^\.TH //p')" \
		"PT-BUILDID-LIST 1"
fi
if command -v mandoc > /dev/null; then
	is "it is well written" "$(mandoc -T lint -W error src/pt.1 2>&1)" ""
	is "so are the pages of commands" "$(page record | mandoc -T lint -W error 2>&1)" ""
else
	skip "the man page's syntax: there is no mandoc"
fi

finish
