#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 5
# needs: SOFT_FILTERS CMD_SCRIPT
#
# Programs with filters of their system calls (seccomp) stay translated if the agent's own calls
# pass, do what they do without pt, and decode without a gap.

. test/live/judge

build filtered
"$dir/filtered" all > "$dir/out" 2>&1
if grep -q seccomp "$dir/out"; then
	skip "filters: not allowed here"
	finish
	exit
fi

# filtered STEPS KIND [COMMAND]: how many processes run by single steps
filtered() {
	steps=$1
	shift
	timeout -k 10 60 "$dir/filtered" "$@" > "$dir/plain.out" 2> /dev/null
	status=$?
	record soft --soft=translate "$dir/filtered" "$@"
	is "a program with the filter '$*' says the same when it is translated" \
		"$(cat "$dir/soft.out")" "$(cat "$dir/plain.out")"
	is "... ends in the same way" "$(cat "$dir/soft.status")" "$status"
	is "... runs by single steps or not" \
		"$(grep -c 'runs by single steps' "$dir/soft.said")" "$steps"
	no_gaps "... and"
}

for kind in all some kill trap tsync twice; do
	filtered 0 $kind
done
filtered 1 strict
# The filter is in force after exec, too, where pt has to get in.
filtered 0 all "$dir/filtered" kill
filtered 0 some "$dir/filtered" all
filtered 0 some "$dir/filtered" trap "$dir/filtered" tsync
filtered 1 strict "$dir/filtered" all

finish
