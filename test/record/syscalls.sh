#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: SYSCALLS
#
# pt trace -s sums up system calls, as perf trace -s does.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

is "--input is for -s" "$("$PT" trace --input x true 2>&1)" \
	"pt: --input is for -s; to print a file: pt script -i x"
if ! "$PT" record -q -e 'raw_syscalls:sys_exit' -o "$dir/data" true > /dev/null 2>&1; then
	skip "this machine lets nobody record system calls"
	finish
	exit
fi
"$PT" trace -s -- sh -c 'read x; exit 3' < /dev/null > "$dir/out" 2>&1
is "the exit status is that of the command" $? 3
is "a thread has its name and its calls" \
	"$(grep -cE '^ sh \([0-9]+\), [0-9]+ events|^   read  ' "$dir/out")" 2
if ! has_perf ||
	! perf trace record -o "$dir/data" sh -c 'trap : CHLD; ls; ls /; true; kill -CHLD $$; ls' \
		> /dev/null 2>&1; then
	skip "perf 6.1 is not here to judge"
	finish
	exit
fi
perf trace -s -i "$dir/data" 2>&1 | sed '1,/Summary/d' > "$dir/perf.txt"
"$PT" trace -s --input "$dir/data" 2> "$dir/err" | sed '1,/Summary/d' > "$dir/pt.txt"
none "the lines are perf's" "$(diff "$dir/perf.txt" "$dir/pt.txt" | head -n 10)"
finish
