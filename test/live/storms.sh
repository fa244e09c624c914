#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 12
# needs: SOFT_TRANSLATE
#
# pt comes, goes, and is killed at any moment: the program says what it always says. With LONG,
# some hundred times.

. test/live/judge

build busy
program=busy
rounds=${LONG:+60}
length=${LONG:+8}
length=${length:-5}
plain=$("$dir/busy" $length)
turn=0

# storm COMMAND: it is given the target's PID, and again until the target ends; what is wrong goes
# to $dir/bad
storm() {
	"$dir/$program" $length > "$dir/busy.out" 2>&1 &
	target=$!
	while kill -0 $target 2> /dev/null && "$@" $target; do
		turn=$((turn + 1))
	done
	wait $target
	status=$?
	grep -H 'cannot trace' "$dir/said" |
		grep -v 'traces it already\|there is no such\|of a pt that was killed$' \
			>> "$dir/bad"
	[ "$status $(cat "$dir/busy.out")" = "0 $plain" ] ||
		echo "$*, turn $turn: $status $(cat "$dir/busy.out")" >> "$dir/bad"
}

# right NAME: nothing was wrong since the last time
right() {
	is "$1" "$(cat "$dir/bad")" ''
	: > "$dir/bad"
}
: > "$dir/bad"

# Killed after a moment that is another each time: mostly while it puts the agent there, or takes
# threads out.
killed() {
	"$PT" record -q --soft=translate -o "$dir/s.data" -p $1 --for 20ms \
		2> "$dir/said" &
	pt=$!
	sleep 0.0$((turn * 7 % 10))$((turn * 3 % 10))
	kill -KILL $(cat /proc/$pt/task/$pt/children 2> /dev/null) $pt 2> /dev/null
	wait $pt 2> /dev/null
}

i=0
while [ $((i += 1)) -le ${rounds:-3} ]; do
	storm killed
done
right "the result is right whenever pt is killed"

# The same with threads that use %gs themselves.
if grep -qw fsgsbase /proc/cpuinfo; then
	build segments
	was="$length $plain"
	program=segments
	length=${LONG:+300000000}
	length=${length:-30000000}
	plain=$("$dir/segments" $length)
	i=0
	while [ $((i += 1)) -le ${rounds:-3} ]; do
		storm killed
	done
	right "so it is if threads use %gs"
	program=busy
	length=${was%% *}
	plain=${was#* }
else
	skip "threads that use %gs: this processor or kernel has no FSGSBASE"
fi

# The same at the entry of each of its system calls, or of some of them.
build killat
killed_at() {
	timeout -k 5 30 "$dir/killat" $((turn * ${LONG:-37} + 3)) "$PT" record -q \
		--soft=translate -o "$dir/s.data" -p $1 --for 20ms > "$dir/ended" 2> "$dir/said"
}
turn=0
echo killed > "$dir/ended"
while grep -q killed "$dir/ended"; do
	storm killed_at
done
right "... at each system call"

BARE=1
export BARE
i=0
while [ $((i += 1)) -le ${rounds:-2} ]; do
	storm killed
done
right "... and where the program has no vDSO"
unset BARE

# What a pt leaves that is killed while it maps the agent (at ftruncate) is no obstacle for the next.
build endless
"$dir/endless" &
target=$!
is "pt is killed while it maps the agent" "$("$dir/killat" 1@77 "$PT" record -q \
	--soft=translate -o "$dir/s.data" -p $target --for 20ms 2>&1)" killed
sleep 0.1
is "the program closes what it has opened for that" \
	"$(ls -l /proc/$target/fd | grep memfd:pt)" ''
"$PT" record -q --soft=translate -o "$dir/s.data" -p $target --for 20ms > "$dir/said" 2>&1
is "what it left is no obstacle for the next pt" "$? $(cat "$dir/said")" "0 "
(
	ulimit -f 1000
	"$PT" record -q --soft=translate -o "$dir/s.data" -p $target --for 20ms
) > /dev/null 2>&1
is "a pt that cannot map the agent leaves nothing" \
	"$(grep -E '^67ff|memfd:pt' /proc/$target/maps)" ''
kill -KILL $target

# begin COMMAND: recorded by $pt, it is $child
begin() {
	"$PT" record -q --soft=translate -o "$dir/e.data" "$@" > /dev/null 2>&1 &
	pt=$!
	child=
	until [ "$child" ]; do	# the file has no newline
		read -r child 2> /dev/null < /proc/$pt/task/$pt/children || kill -0 $pt || break
	done
	child=${child% }
}

# ended NAME: has pt ended, within half a minute, as its command did?
ended() {
	tries=0
	while grep -q '^State:.[^Z]' /proc/$pt/status 2> /dev/null && [ $((tries += 1)) -lt 300 ]; do
		sleep 0.1
	done
	[ $tries -lt 300 ] || kill -KILL $child $pt 2> /dev/null
	wait $pt 2> /dev/null
	status=$?
	[ $status = 143 ] || echo "$1: $status" >> "$dir/bad"
}

# SIGTERM ends a command, whether it runs in the cache, in a call, or mostly in the agent.
for command in "$dir/endless" "sleep 60" "$dir/endless make"; do
	i=0
	while [ $((i += 1)) -le ${rounds:-2} ]; do
		begin $command
		sleep 0.$i
		kill -TERM $child
		ended "$command"
	done
done
right "SIGTERM ends a command"

# The same if a stop comes in between ...
i=0
while [ $((i += 1)) -le ${rounds:-4} ]; do
	begin "$dir/endless" make
	sleep 0.0$((i * 3 % 10))
	kill -TERM $child
	kill -STOP $child
	sleep 0.05
	kill -CONT $child 2> /dev/null	# it may be dead
	ended "round $i"
done
right "... which is stopped at once"

# ... or before, mostly before its exec.
i=0
while [ $((i += 1)) -le ${rounds:-8} ]; do
	begin sleep 60
	kill -STOP $child
	sleep 0.1
	kill -TERM $child
	kill -CONT $child
	ended "round $i"
done
right "... or was stopped early"

# At the end of a recording a thread may have written to a page of code that has a guard.
build hits
"$dir/hits" ${LONG:+2}2000 > "$dir/hits.out" &
target=$!
while "$PT" record -q --soft=translate -o "$dir/s.data" -p $target --for 20ms 2> /dev/null; do
	kill -0 $target 2> /dev/null || break
done
wait $target
is "a program sees no fault that is not its own" "$(cat "$dir/hits.out")" '0 faults'

# A program that writes over pt's memory in it is killed in the end, and loses pt nothing.
build hostile
i=0
while [ "$LONG" ] && [ $((i += 1)) -le 9 ]; do
	timeout -k 60 2 "$PT" record -q --soft=translate -o "$dir/e.data" "$dir/hostile" $i \
		> "$dir/said" 2>&1
	status=$?
	[ $status = 124 ] || [ $status = 139 ] || echo "seed $i: $status" >> "$dir/bad"
	"$PT" script -i "$dir/e.data" --itrace=e > /dev/null 2>&1
	[ $? -le 3 ] || echo "seed $i cannot be read" >> "$dir/bad"
done
[ -z "$LONG" ] || right "a program that writes over pt's memory does not hang pt"

finish
