#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 10
# needs: SOFT_TRANSLATE CMD_SCRIPT
#
# Threads that make, change and unmap code together always execute the code that is there, and the
# recording has it. With LONG, fifty times. Code may be changed while SIGSEGV is blocked.

. test/live/judge

build modified
bad=
rounds=2
[ "$LONG" ] && rounds=50
while [ $((rounds -= 1)) -ge 0 ]; do
	rm -f "$dir"/soft.data*
	record soft --soft=translate "$dir/modified" 4 40
	[ "$(cat "$dir/soft.out" "$dir/soft.status")" = "0 wrong
0" ] || bad="$bad$(cat "$dir/soft.out" "$dir/soft.status")"
done
is "code that threads change together" "$bad" ''

record soft --soft=translate "$dir/modified" 3 20
no_errors "code that threads change together"
if "$PT" version -v | grep -q CONFIG_BUNDLE=y; then
	record soft "--soft=translate --bundle" "$dir/modified" 2 10
	rm -f "$dir"/soft.data.code-*
	is "a bundle has the code that was made" \
		"$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''
fi

build swapped
rm -f "$dir"/soft.data*
record soft --soft=translate "$dir/swapped"
is "calls that another thread changes" "$(cat "$dir/soft.out" "$dir/soft.status")" "0 wrong
0"
is "... are nearly all decoded as they were when they ran" \
	"$(($("$PT" script -i "$dir/soft.data" --itrace=e 2>&1 | grep -c error) < 100))" 1

build blocked
rm -f "$dir"/soft.data*
record soft --soft=translate "$dir/blocked"
is "code that is changed while SIGSEGV is blocked" "$(cat "$dir/soft.out" "$dir/soft.status")" \
	"0 wrong
139"
no_errors "code that is changed while SIGSEGV is blocked"

build rewritten
rm -f "$dir"/soft.data*
record soft --soft=translate "$dir/rewritten"
no_errors "code that is often written over"

build stacked
rm -f "$dir"/soft.data*
record soft --soft=translate "$dir/stacked"
is "code on the stack that another thread called first" \
	"$(cat "$dir/soft.out" "$dir/soft.status")" "3000
0"
no_errors "code on the stack that another thread called first"

build doubled
rm -f "$dir"/soft.data*
record soft --soft=translate "$dir/doubled"
is "code that is written through another map" "$(cat "$dir/soft.out" "$dir/soft.status")" "0 wrong
0"
no_errors "code that is written through another map"

build aliased
rm -f "$dir"/soft.data*
record soft --soft=translate "$dir/aliased"
is "code of pages whose blocks are in one list" "$(cat "$dir/soft.out" "$dir/soft.status")" \
	"0 wrong
0"
no_errors "code of pages whose blocks are in one list"

build compared
rm -f "$dir"/soft.data*
record soft --soft=translate "$dir/compared"
is "code that compares itself keeps the flags, and a long loop of it stays in its ring" \
	"$(cat "$dir/soft.out" "$dir/soft.status")" "1
0
0"
no_errors "a long loop of code that compares itself"
is "each of its branches is recorded" "$(($("$PT" script -i "$dir/soft.data" --itrace=b -F ip,addr \
	2> /dev/null | awk '$1 == to { n++ } { to = $1 } END { print n }') >= 1499990))" 1

build epochs
rm -f "$dir"/soft.data*
record soft '--soft=translate -e intel_pt/psb_period=0/u' "$dir/epochs"
is "threads return to no code of a cache that is given back" \
	"$(cat "$dir/soft.out" "$dir/soft.status")" "1048576
0"

build flood
rm -f "$dir"/soft.data*
record soft --soft=translate "$dir/flood"
is "the cache begins anew when it is full, and stays below 64 MiB" \
	"$(cat "$dir/soft.out" "$dir/soft.status")" "0 1
0"
is "... and the file with the code that was made, below 128 MiB" \
	"$([ "$(cat "$dir"/soft.data.code-* | wc -c)" -lt $((128 << 20)) ]; echo $?)" 0

build reborn
"$dir/reborn" > "$dir/plain.out"
if grep -qx no "$dir/plain.out"; then
	skip "two processes with one ID: not allowed here"
else
	record soft --soft=translate "$dir/reborn"
	is "a process with the ID of one that has ended says the same" "$(cat "$dir/soft.out")" \
		"$(cat "$dir/plain.out")"
	no_errors "... it has its own code, and"
fi

finish
