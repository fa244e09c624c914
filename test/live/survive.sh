#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 5
# needs: SOFT_TRANSLATE CMD_SCRIPT
#
# Translated programs outlive what happens to pt and to the code cache.

. test/live/judge

build busy
plain=$("$dir/busy" 1)
record soft --soft=translate "$dir/busy" 1
is "threads, forks and a timer: the result is right" \
	"$(cat "$dir/soft.out" "$dir/soft.status")" "$plain${plain:+
}0"
if [ "$LONG" ]; then
	no_errors "threads, forks and a timer"
else	# to perf it takes 5 seconds
	is "they are decoded without a gap" "$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''
fi
plain=$("$dir/busy" 6)

# killed SECONDS COMMAND: what the program says when pt is killed so much after it began. (Not while
# pt puts the agent into a program: the program may die of that.)
killed() {
	rm -f "$dir/killed"
	after=$1
	shift
	"$PT" record -q --soft=translate -o "$dir/killed.data" "$@" > "$dir/killed" &
	until [ -s "$dir/killed" ]; do sleep 0.01; done
	sleep "$after"
	kill -KILL $!
	wait $! 2> /dev/null
	i=0
	until [ "$(wc -l < "$dir/killed")" = 2 ] || [ $((i += 1)) -gt 600 ]; do sleep 0.1; done
	cat "$dir/killed"
}
for after in 0 0.1 0.2 0.4; do
	is "the result is right when pt is killed after $after s" \
		"$(killed $after "$dir/busy" alone 6)" "began
$plain"
done
# The IDs of its threads mean nothing to its child.
build inner
is "the result is right when pt is killed, and a child has its own namespace" \
	"$(killed 0.2 "$dir/inner")" "$("$dir/inner")"

# The children of a process that is killed go on, too. (None runs another program: see above.)
build hurried
is "processes without pt end while their threads make others" \
	"$(killed 0.3 "$dir/hurried" stay)" "began
60"

# In a container, threads have other IDs than those that pt knows.
if unshare -fp true 2> /dev/null; then
	unshare -fp "$dir/busy" 6 > "$dir/inside" &
	outer=$!
	until target=$(cat /proc/$outer/task/$outer/children) && [ "$target" ]; do sleep 0.01; done
	"$PT" record -q --soft=translate -o "$dir/killed.data" -p $target &
	pt=$!
	until [ -s "$dir/killed.data" ] && grep -q '^TracerPid:.[1-9]' /proc/${target% }/status; do
		kill -0 $outer || break
		sleep 0.01
	done
	sleep 0.2
	kill -KILL $(cat /proc/$pt/task/$pt/children) $pt
	wait $pt 2> /dev/null
	wait $outer
	is "the result is right when pt is killed, and the program is in a container" \
		"$? $(cat "$dir/inside")" "0 $plain"
else
	skip "in a container: unshare -p is not permitted"
fi

finish
