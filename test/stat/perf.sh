#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 7
# needs: CMD_STAT
#
# pt stat compared with perf stat: the same lines, with different digits.

. test/stat/judge

if ! perf --version 2> /dev/null | grep -q ' 6\.1\.'; then
	skip "side by side: perf 6.1 is not here to judge"
	finish
	exit
fi
if ! perf stat -e page-faults true 2>&1 | grep -q 'page-faults'; then
	skip "side by side: perf counts nothing here"
	finish
	exit
fi
# perf's lines, with each number made N; its blanks too where they are columns.
alike() {
	sed -E 's/[KMG]\/sec/\/sec/; s/[0-9.]+/N/g; s/ +N/ N/g; s/ *\( \+- ?N% \)//g; s/ +$//' |
		grep -v '^  .*:$\|^    '
}
side() {
	perf stat "$@" 2>&1 < /dev/null | alike > "$dir/perf"
	stat "$@" | alike > "$dir/pt"
	is "stat $* is what perf prints" "$(cat "$dir/pt")" "$(cat "$dir/perf")"
}
side true
side -d true
side -r 2 -e page-faults,task-clock true
side -x, -ddd true
side -n true
side -a -e cpu-clock,cs sleep 0.05
side -a -A -e cpu-clock,cs sleep 0.05
side -a --per-socket -x, -e cpu-clock,cs sleep 0.05
side -a --per-core -e cpu-clock,cs sleep 0.05
side -a --per-die -e cpu-clock,cs sleep 0.05
side -a --per-node -e cpu-clock,cs sleep 0.05
side -C 0 -e cs:u,task-clock sleep 0.05
sleep 100 &
until [ "$(cat /proc/$!/comm)" = sleep ] && grep -q '^State:.S' /proc/$!/status; do
	sleep 0.05	# what sleeps counts nothing
done
side -p $! -e cs --timeout 100
kill $!
side -e '{cs,faults}:u,dummy,1:2,r1a8:k' true
side -I 20 --interval-count 2 -a -e cs,cpu-clock sleep 5
side -j -e cs,task-clock true
finish
