#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 5
# needs: SOFT_TRANSLATE
#
# pt comes, goes, and is killed at any moment: the program says what it always says. With LONG,
# some hundred times.

. test/live/judge

build busy
rounds=${LONG:+60}
plain=$("$dir/busy" 8)
turn=0

# storm COMMAND: it is given the target's PID, and again until the target ends
storm() {
	"$dir/busy" 8 > "$dir/busy.out" 2>&1 &
	target=$!
	while kill -0 $target 2> /dev/null && "$@" $target; do
		turn=$((turn + 1))
	done
	wait $target
	status=$?
	[ "$status $(cat "$dir/busy.out")" = "0 $plain" ] ||
		echo "$*: $status $(cat "$dir/busy.out")"
}

# Killed after a moment that is another each time: mostly while it puts the agent there, or takes
# threads out.
killed() {
	"$PT" record -q --soft=translate -o "$dir/s.data" -p $1 --for 20ms \
		2> "$dir/said" &
	pt=$!
	sleep 0.0$((turn * 7 % 10))$((turn * 3 % 10))
	kill -KILL $(cat /proc/$pt/task/$pt/children) $pt 2> /dev/null
	wait $pt 2> /dev/null
	! grep -q 'a pt that was killed' "$dir/said"
}

bad=
i=0
while [ $((i += 1)) -le ${rounds:-3} ]; do
	bad=$bad$(storm killed)
done
is "the result is right whenever pt is killed" "$bad" ''

BARE=1
export BARE
i=0
bad=
while [ $((i += 1)) -le ${rounds:-2} ]; do
	bad=$bad$(storm killed)
done
is "... and where the program has no vDSO" "$bad" ''

# The command is stopped, mostly before its exec, and then killed: pt ends.
i=0
bad=
while [ $((i += 1)) -le ${rounds:-8} ]; do
	"$PT" record -q --soft=translate -o "$dir/e.data" sleep 60 2> /dev/null &
	pt=$!
	child=
	until [ "$child" ]; do	# the file has no newline
		read -r child 2> /dev/null < /proc/$pt/task/$pt/children || kill -0 $pt || break
	done
	child=${child% }
	kill -STOP $child
	sleep 0.1
	kill -TERM $child
	kill -CONT $child
	tries=0
	while grep -q '^State:.[^Z]' /proc/$pt/status 2> /dev/null && [ $((tries += 1)) -lt 300 ]; do sleep 0.1; done
	[ $tries -lt 300 ] || bad="$bad $i"
	kill -KILL $child $pt 2> /dev/null
	wait $pt 2> /dev/null
done
is "a command that is killed early does not hang pt" "$bad" ''

finish
