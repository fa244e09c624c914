#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 40
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

for kind in ask all some kill trap tsync twice fixed mdwe; do
	filtered 0 $kind
done
# It traps arch_prctl(), which the agent needs if there is no FSGSBASE.
filtered $(grep -qw fsgsbase /proc/cpuinfo; echo $?) sandbox
filtered 1 strict
# The filter is in force after exec, too, where pt has to get in.
filtered 0 all "$dir/filtered" kill
filtered 0 some "$dir/filtered" all
filtered 0 some "$dir/filtered" trap "$dir/filtered" tsync
filtered 1 strict "$dir/filtered" all
filtered 0 fixed "$dir/filtered" kill
filtered 0 mdwe "$dir/filtered" kill
record soft --soft=translate sh -c '"$0" strict "$0" all & i=0
	while [ $i -lt 30 ]; do env true; i=$((i + 1)); done; wait' "$dir/filtered"
no_gaps "translated programs beside one that runs by single steps, and"

# limited LIST WHEN: it is attached to for a moment.
build limited
mkfifo "$dir/go"
limited() {
	"$dir/limited" $1 $2 < "$dir/go" > "$dir/limited.out" &
	target=$!
	exec 3> "$dir/go"
	[ $2 = later ] || until [ -s "$dir/limited.out" ]; do sleep 0.05; done
	"$PT" record -q --soft=translate -o "$dir/soft.data" -p $target --for 1s \
		2> "$dir/soft.said" &
	recorder=$!
	sleep 0.3
	echo >&3
	wait $recorder
	exec 3>&-
	wait $target
	echo "$? $(tail -n 1 "$dir/limited.out") $(cat "$dir/soft.said")"
}
is "a program that limits its calls while it is attached to is let go" \
	"$(limited many later)" "7 0 wrong "
# What looking at a filter and suspending it needs: root that has no filter itself, and a kernel
# with CHECKPOINT_RESTORE.
if [ "$(id -u)" != 0 ] || ! grep -q '^Seccomp:.0' /proc/self/status ||
	[ ! -e /proc/sys/kernel/ns_last_pid ]; then
	skip "to look at the filters of others: not allowed here"
	finish
	exit
fi
is "a program that allows many calls can be attached to" "$(limited many now)" "7 0 wrong "
no_gaps "... and"
for kind in fixed mdwe; do
	for when in now later; do
		is "... one that forbids memory that is writable and executable: $kind, $when" \
			"$(limited $kind $when)" "7 0 wrong "
		no_gaps "... and"
	done
done
for when in now later; do
	is "... one that allows only few, too: $when" "$(limited few $when)" "7 0 wrong "
	no_gaps "... and"
done

finish
