#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_SCRIPT CMD_RECORD CMD_STAT CMD_LIST CONSOLE CMD_INFO CMD_TRACE CMD_DUMP RECORD_HW RECORD_SOFT BUNDLE PERF_DATA LIBELF ZLIB KERNEL
#
# The man page contains the output of --help.

. test/verdict

# It is the page of kconfig/full.config: what that leaves out is not in it.
if "$PT" --version -v | grep -q CONFIG_SOFT_TRANSLATE=y; then
	skip "the man page: this build has more than it tells of"
else
	is "src/pt.1 is what 'make man' makes (run it)" \
		"$(test/man | diff src/pt.1 - | head -n 5)" ""
fi
if command -v mandoc > /dev/null; then
	is "it is well written" "$(mandoc -T lint -W error src/pt.1 2>&1)" ""
else
	skip "the man page's syntax: there is no mandoc"
fi

finish
