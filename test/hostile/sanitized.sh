#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 20
# needs: CMD_SCRIPT CMD_DUMP
#
# Run the tests of script, report and -D with a pt that is built completely, including the commands,
# with the address and undefined behaviour sanitizers.

. test/verdict

if [ ! -x "$O/obj/asan/pt" ]; then
	skip "no pt was built with the sanitizers"
	finish
	exit
fi
# Looking for leaks takes ptrace(), which the sandbox refuses.
export PT="$O/obj/asan/pt" ASAN_OPTIONS=detect_leaks=0 NO_PERF=1

log=
"$PT" --version -v | grep -q CONFIG_DECODE_LOG=y && log=test/cli/decode_log.sh
for t in test/golden/run.sh test/hostile/files.sh test/cli/dump.sh test/cli/script.sh \
	test/cli/report.sh $log; do
	said=$($t 2>&1) && pass || flunk "$t with the sanitizers" "$(echo "$said" | head -n 40)"
done
finish
