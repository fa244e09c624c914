#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 8
# needs: SOFT_TRANSLATE CMD_SCRIPT
#
# Processes that run already are translated, and let go: they go on as if nothing had been.

. test/live/judge

# attach NAME OPTIONS: for a moment; its file is $dir/NAME.data
attach() {
	name=$1
	shift
	timeout -k 10 300 "$PT" record -q --soft=translate -o "$dir/$name.data" "$@" \
		2> "$dir/$name.said"
}

build busy
plain=$("$dir/busy" 8)
"$dir/busy" 8 > "$dir/busy.out" &
target=$!
i=0
bad=
while [ $((i += 1)) -le 5 ]; do
	if attach busy -p $target --for 50ms; then
		bad=$bad$("$PT" script -i "$dir/busy.data" --itrace=e 2>&1 | grep -v 'trace is empty')
	else	# on a loaded machine it has ended
		kill -0 $target 2> /dev/null && bad="$bad $(cat "$dir/busy.said")"
		break
	fi
done
wait $target
is "threads, forks and a timer, attached to again and again: the result is right" \
	"$? $(cat "$dir/busy.out")" "0 $plain"
is "each recording was whole" "$bad" ""

# The same with threads that use %gs themselves.
build shadow
"$dir/shadow" > "$dir/shadow.out" &
target=$!
until [ -s "$dir/shadow.out" ]; do sleep 0.05; done
attach shadow -p $target --for 300ms
wait $target
if grep -q none "$dir/shadow.out"; then
	skip "a program with a shadow stack: this processor or kernel has none"
else
	is "a program with a shadow stack runs by single steps" \
		"$(cat "$dir/shadow.out") $(grep -c 'has a shadow stack' "$dir/shadow.said")" "has one
0 wrong 1"
fi

build stuck
"$dir/stuck" 8 > "$dir/stuck.out" 2> /dev/null &
target=$!
until [ -s "$dir/stuck.out" ]; do sleep 0.05; done
pid=$(head -n 1 "$dir/stuck.out")
until grep -q '^State:.D' /proc/$pid/task/*/status || ! kill -0 $pid; do sleep 0.05; done
attach stuck -p $target --for 1s
is "a program with a thread that cannot be stopped is let go, and that is said" \
	"$? $(grep -c 'sleeps in the kernel' "$dir/stuck.said")" "1 1"
wait $target
is "... and it goes on" "$(tail -n 1 "$dir/stuck.out")" "done"

# A child by vfork() is born after pt has seized its parent, but before it stops it. (101 is ptrace(),
# 0x4206 PTRACE_SEIZE.)
build breeds
build delayed
"$dir/breeds" > "$dir/breeds.out" &
target=$!
i=0
bad=
while [ $((i += 1)) -le 3 ]; do
	timeout -k 10 300 "$dir/delayed" 20000 101 0x4206 "$PT" record -q --soft=translate \
		-o "$dir/breeds.data" -p $target --for 100ms 2> "$dir/breeds.said"
	bad="$bad$? $(cat "$dir/breeds.said") "
done
kill $target
wait $target
is "a child by vfork() that is born while pt attaches" "$? $(cat "$dir/breeds.out") $bad" \
	"0 0 0  0  0  "

build segments
length=100000000
grep -qw fsgsbase /proc/cpuinfo || length=3000000	# by system calls
plain=$("$dir/segments" $length)
"$dir/segments" $length > "$dir/segments.out" &
target=$!
i=0
bad=
while [ $((i += 1)) -le 5 ]; do
	if attach segments -p $target --for 50ms; then
		bad=$bad$(cat "$dir/segments.said")
	else
		kill -0 $target 2> /dev/null && bad="$bad $(cat "$dir/segments.said")"
		break
	fi
done
wait $target
is "so it is if they use %gs" "$? $(cat "$dir/segments.out")" "0 $plain"
is "... and they are translated" "$bad" ""

mkfifo "$dir/go"

# Calls that were interrupted by attaching and detaching are made again.
build waits
"$dir/waits" < "$dir/go" > "$dir/waits.out" &
exec 3> "$dir/go"
until [ -s "$dir/waits.out" ]; do sleep 0.05; done
for pid in $(tr , ' ' < "$dir/waits.out"); do
	until grep -q '^State:.S' /proc/$pid/status; do sleep 0.05; done
done
maps=$(cut -d ' ' -f 1 /proc/${pid}/maps)
attach waits -p "$(cat "$dir/waits.out")" --for 300ms
is "waiting processes can be attached to" "$? $(cat "$dir/waits.said")" "0 "
is "nothing of pt stays mapped" "$(cut -d ' ' -f 1 /proc/${pid}/maps)" "$maps"
exec 3>&-
wait
is "what waited goes on waiting" "$(tail -n 1 "$dir/waits.out")" '1 12 0 1 '

# No call fails because an ignored signal comes ...
build uncut
is "an ignored signal cuts off no call" "$(sleep 2 | "$PT" record -q --soft=translate \
	-o "$dir/uncut.data" "$dir/uncut" 2>&1)" '0 failed'

# ... or because a recording ends while it begins.
"$dir/uncut" < "$dir/go" > "$dir/uncut.out" &
target=$!
exec 3> "$dir/go"
until [ "$(ls /proc/$target/task | wc -l)" = 5 ]; do sleep 0.05; done
i=0
while [ $((i += 1)) -le 20 ]; do
	"$PT" record -q --soft=translate -o "$dir/uncut.data" -p $target 2> "$dir/uncut.said" &
	sleep 0.0$((i * 3 % 10))5
	kill -TERM $!		# at first, this shell's commands ignore SIGINT
	wait $!
done
exec 3>&-
wait $target
is "waiting calls do not fail" "$(cat "$dir/uncut.out" "$dir/uncut.said")" '0 failed'

# A process that has memory in the places of pt's.
build reserves
reserves() {
	"$dir/reserves" "$@" < "$dir/go" > "$dir/reserves.out" &
	target=$!
	exec 3> "$dir/go"
	until [ -s "$dir/reserves.out" ]; do sleep 0.05; done
	attach reserves -p $target --for 100ms
	exec 3>&-
	wait $target
	echo "$? $(tail -n 1 "$dir/reserves.out") $(grep -c 'no memory' "$dir/reserves.said")"
}
is "a program's memory in the place of pt's is not touched" "$(reserves 7e8000000000)" '0 4711 0'
is "... nor in both places; it goes by single steps" \
	"$(reserves 7e8000000000 6e8000000000)" '0 9422 1'

# A process whose first thread has ended.
build headless
"$dir/headless" < "$dir/go" > "$dir/headless.out" &
target=$!
exec 3> "$dir/go"
until grep -qs '^State:.Z' /proc/$target/status; do sleep 0.05; done
attach headless -p $target --for 50ms
is "a process without its first thread can be attached to" "$? $(cat "$dir/headless.said")" "0 "
"$PT" script -i "$dir/headless.data" --itrace=be > "$dir/headless.text" 2>&1
is "... and is recorded" "$(grep -c error "$dir/headless.text") $(head -n 5 \
	"$dir/headless.text" | wc -l)" '0 5'
exec 3>&-
wait $target
is "... and ends as it should" "$(cat "$dir/headless.out")" right

# One thread of several: the others run on, unrecorded.
build threads_of
"$dir/threads_of" < "$dir/go" &
target=$!
exec 3> "$dir/go"
until [ "$(ls /proc/$target/task | wc -l)" = 2 ]; do sleep 0.05; done
attach one -t $target --for 200ms
is "one thread of two can be recorded" "$? $(cat "$dir/one.said")" "0 "
is "the other one is not" "$("$PT" script -i "$dir/one.data" --itrace=b -F tid 2> /dev/null |
	sort -u | grep -v $target)" ''
exec 3>&-
wait $target
is "the process is unharmed" $? 0

finish
