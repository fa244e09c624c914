#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 28
# needs: SOFT_AGAIN CMD_SCRIPT
#
# A program whose pt was killed can be recorded again.

. test/live/judge

build busy
build endless

# PID has a handler for SIGALRM: before that, the signal would end it.
ready() {
	tries=0
	until grep -q '^SigCgt.*[2367abef]...$' /proc/$1/status || [ $((tries += 1)) -gt 500 ]; do
		sleep 0.01
	done
}

# over PROGRAM: it is recorded by a pt that is killed, then by others, which take it over while its
# threads are in loops, in code that they make, and in calls.
over() {
	"$@" > /dev/null &
	target=$!
	"$PT" record -q --soft=translate -o "$dir/first.data" -p $target &
	pt=$!
	tries=0
	until grep -q '^7e8.* r-xp' /proc/$target/maps || [ $((tries += 1)) -gt 500 ]; do
		sleep 0.01
	done
	sleep 0.1
	kill -KILL $pt
	wait $pt 2> /dev/null
	for option in translate translate step; do
		tries=0
		while "$PT" record -q --soft=$option -o "$dir/again.data" -p $target --for 100ms \
			> "$dir/said" 2>&1; status=$?
			grep -q 'traces it already' "$dir/said" && [ $((tries += 1)) -lt 20 ]
		do
			sleep 0.1
		done
		is "after kill -9 of pt: $* can be recorded again ($option)" \
			"$status $(cat "$dir/said")" '0 '
		is "... it ran" "$("$PT" script -i "$dir/again.data" --itrace=b -F event 2>&1 |
			head -n 1 | tr -d ' ')" branches:u:
		[ $option = step ] || is "... without gaps" \
			"$("$PT" script -i "$dir/again.data" --itrace=e 2>&1)" ''
		is "... pt leaves nothing in it" "$(grep -E '^7e8|memfd:pt' /proc/$target/maps)" ''
	done
	kill -KILL $target
	wait $target 2> /dev/null
}
over "$dir/busy" alone 100000
over "$dir/endless" make

# It is killed at tgkill, with which it sends a deadly signal again.
build killat
"$dir/endless" &
target=$!
"$dir/killat" 1@234 "$PT" record -q --soft=translate -o "$dir/first.data" -p $target \
	> "$dir/ended" 2>&1 &
pt=$!
until grep -q '^7e8.* r-xp' /proc/$target/maps; do sleep 0.01; done
sleep 0.2
kill -TERM $target
wait $pt
sleep 1
kill -KILL $target 2> /dev/null
wait $target 2> /dev/null
is "a signal that ends the program is not lost with pt" "$? $(cat "$dir/ended")" '143 killed'

# It is killed, too, while the program writes to code: pages of it are read-only then.
build hits
i=0
: > "$dir/bad"
while [ $((i += 1)) -le ${LONG:+5}5 ]; do
	"$dir/hits" 400 > "$dir/hits.out" 2>&1 &
	target=$!
	for after in 0.0$((i * 7 % 10))0 0.0$((i * 3 % 10))5 0.0$((i * 9 % 10))2; do
		"$PT" record -q --soft=translate -o "$dir/first.data" -p $target 2> /dev/null &
		pt=$!
		sleep $after
		kill -KILL $(cat /proc/$pt/task/$pt/children 2> /dev/null) $pt 2> /dev/null
		wait $pt 2> /dev/null
	done
	wait $target
	[ "$? $(cat "$dir/hits.out")" = '0 0 faults' ] || echo "turn $i" >> "$dir/bad"
done
is "... also a pt that takes over a program that writes to code" "$(cat "$dir/bad")" ''

# It is killed while it closes the agent, and a thread gets the signal of its fault after that.
build lingers
: > "$dir/bad"
for i in 1 2 3; do
	timeout 60 "$dir/lingers" "$PT" record -q --soft=translate -o "$dir/first.data" \
		--for 500ms -p >> "$dir/bad" 2>&1
done
is "... while it leaves such a program, too" "$(sort -u "$dir/bad")" '0 faults, status 0'

# It is killed at each of its calls of ptrace() while it takes over, attaches and detaches. The next
# one records the program.
build throng
"$dir/throng" > "$dir/throng.out" 2>&1 &
target=$!
step=${LONG:+1}
i=1
: > "$dir/bad"
while [ $i -lt 600 ] && kill -0 $target 2> /dev/null; do
	timeout -s KILL 60 "$dir/killat" $i@101 \
		"$PT" record -q --soft=translate -o "$dir/first.data" -p $target --for 5ms \
		> /dev/null 2>&1
	"$PT" record -q --soft=translate -o "$dir/again.data" -p $target --for 1ms \
		> "$dir/said" 2>&1 || echo "call $i: $? $(cat "$dir/said")" >> "$dir/bad"
	grep -s 'does not leave' "$dir/said" >> "$dir/bad"
	i=$((i + ${step:-19}))
done
kill -TERM $target
wait $target
is "... at any call, and the threads go on as they should" "$? $(cat "$dir/throng.out")" \
	'0 wrong: threads 0, code 0, masks 0, calls 0'
is "... and can be recorded" "$(cat "$dir/bad")" ''

# Where it is killed before it lets the threads into the cache, a handler may interrupt the agent's
# code, and never return there.
build leaps
"$dir/leaps" > "$dir/leaps.out" &
target=$!
i=50
: > "$dir/bad"
while [ $((i += 2)) -lt 86 ]; do
	timeout -s KILL 60 "$dir/killat" $i@101 \
		"$PT" record -q --soft=translate -o "$dir/first.data" -p $target --for 5ms \
		> /dev/null 2>&1
	"$PT" record -q --soft=translate -o "$dir/again.data" -p $target --for 1ms \
		> "$dir/said" 2>&1
	[ -s "$dir/said" ] && echo "call $i: $(cat "$dir/said")" > "$dir/bad" && break
done
kill -TERM $target
wait $target
is "... also if a handler that has interrupted pt's code does not return" \
	"$(cat "$dir/bad" "$dir/leaps.out")" 'blocked: 0'

# One is killed while its system calls are made; a handler interrupts their code, and the next one
# must not write its own code there.
build slowly
: > "$dir/bad"
for pair in 10:11 11:11 11:20 12:12 17:17 29:36 32:32 35:38 \
	${LONG:+10:36 11:12 11:28 13:11 13:33 25:20 29:29 35:12 36:36 37:28 38:11 38:60}; do
	"$dir/slowly" > "$dir/slowly.out" &
	target=$!
	for i in ${pair%:*} ${pair#*:} ${pair%:*} ${pair#*:}; do
		timeout -s KILL 60 "$dir/killat" $i@101 \
			"$PT" record -q --soft=translate -o "$dir/first.data" -p $target --for 5ms \
			> /dev/null 2>&1
	done
	"$PT" record -q --soft=translate -o "$dir/again.data" -p $target --for 1ms \
		>> "$dir/bad" 2>&1
	kill -TERM $target
	wait $target
	echo "$? $(cat "$dir/slowly.out")" | grep -v '^0 wrong: 0$' >> "$dir/bad"
done
is "... also if it was killed while a handler had interrupted the code of another" \
	"$(cat "$dir/bad")" ''

# A signal is pending when it is killed at a call of ptrace() that sets registers: the handler
# interrupts the agent, perhaps after the thread had its own mask again.
: > "$dir/bad"
for i in ${LONG:+1 3 5 7 9 11 13 15} 16 17 18 19 20; do
	"$dir/slowly" rarely > "$dir/slowly.out" &
	target=$!
	ready $target
	timeout -s KILL 60 "$dir/killat" $i@101:13:14:$target \
		"$PT" record -q --soft=translate -o "$dir/first.data" -p $target --for 5ms \
		> /dev/null 2>&1
	"$PT" record -q --soft=translate -o "$dir/again.data" -p $target --for 1ms \
		>> "$dir/bad" 2>&1
	kill -TERM $target
	wait $target
	echo "$? $(cat "$dir/slowly.out")" | grep -v '^0 wrong: 0$' >> "$dir/bad"
done
is "... also if a handler interrupts the code that lets the thread go" "$(cat "$dir/bad")" ''

finish
