#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 12
# needs: SOFT_TRANSLATE
#
# Programs do not notice that they are translated: what they print and how they end.

. test/live/judge

# unnoticed COMMAND
unnoticed() {
	timeout -k 10 300 "$@" > "$dir/plain.out" 2> /dev/null
	status=$?
	record soft --soft=translate "$@"
	is "${1##*/} $2 says the same when it is translated" \
		"$(head -c 400 "$dir/soft.out")" "$(head -c 400 "$dir/plain.out")"
	is "${1##*/} $2 ends in the same way" "$(cat "$dir/soft.status")" "$status"
}

build faults
unnoticed "$dir/faults"
build wild
unnoticed "$dir/wild"
no_gaps wild
build timers
unnoticed "$dir/timers"
build keys
unnoticed "$dir/keys" 3
no_gaps keys
build odd
unnoticed "$dir/odd"
no_gaps odd
# What cannot be translated runs by single steps, and that is said.
for i in 2 4 7 8 10 11 12; do
	unnoticed "$dir/odd" $i
	is "odd $i is said to be stepped" "$(grep -c 'runs by single steps' "$dir/soft.said")" 1
	case $i in
	1[01])	# perf takes all code of a 64-bit file for 64-bit code
		no_errors "odd $i" ;;
	*)
		no_gaps "odd $i" ;;
	esac
done
# A process that is stepped gets along while others are translated.
unnoticed sh -c '"$0" 7; exit $?' "$dir/odd"
for i in 1 3 5 6 9; do
	unnoticed "$dir/odd" $i
	no_gaps "odd $i"
	is "odd $i is translated" "$(grep -c '^pt made 0 single steps' "$dir/soft.said")" 1
done
build segments
unnoticed "$dir/segments"
no_gaps segments
is "threads with their own %gs are translated" \
	"$(grep -c '^pt made 0 single steps' "$dir/soft.said")" 1
build rare
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	unnoticed "$dir/rare" $i
	is "rare $i is decoded without a gap" "$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''
	[ $i = 5 ] || [ $i = 14 ] || is "rare $i is translated" \
		"$(grep -c '^pt made 0 single steps' "$dir/soft.said")" 1
done
build spawned
unnoticed "$dir/spawned"
no_gaps spawned
build vforked
unnoticed "$dir/vforked"
no_gaps vforked
build detached
unnoticed "$dir/detached"
no_gaps detached
build children
unnoticed "$dir/children"
no_gaps children
is "a thread that ended before it did anything has a time" \
	"$("$PT" -D "$dir/soft.data" | grep -c 'TSC 0x0$')" 0
build orphans
unnoticed "$dir/orphans"
build apart
unnoticed "$dir/apart"
is "a child that no tracer should see is recorded" "$("$PT" script -i "$dir/soft.data" \
	--itrace=b -F pid 2> /dev/null | uniq | sort -u | wc -l)" 3
build written
unnoticed "$dir/written"
no_gaps written
build tiles
if [ "$("$dir/tiles")" = 'no AMX' ]; then
	skip "tiles: the processor or the kernel has no AMX"
else
	unnoticed "$dir/tiles"
	is "tiles is decoded without a gap" \
		"$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''
fi
build harsh
unnoticed "$dir/harsh" 8
build meanwhile
unnoticed "$dir/meanwhile"
no_gaps meanwhile
build passed
unnoticed "$dir/passed"
build first
if "$dir/first" > /dev/null 2>&1; then
	unnoticed "$dir/first"
	no_gaps first
else
	skip "the first process of a PID namespace: not allowed here"
fi
build ranks
if "$dir/ranks" > /dev/null 2>&1; then
	unnoticed timeout 60 "$dir/ranks"
else
	skip "threads with real-time priorities: not allowed here"
fi
build limited
unnoticed "$dir/limited"
no_gaps limited
unnoticed sh -c 'i=0; while [ $i -lt 100 ]; do env true & i=$((i + 1)); done; wait; echo $i'
unnoticed sh -c 'for i in 1 2 3 4 5; do (echo $i); done; echo $(seq 1 50 | sort -n | tail -n 1); exit 9'

# Many threads; and little memory, where the agent takes less, or is not there and that is said.
build crowd
if "$dir/crowd" 2500 > /dev/null; then
	unnoticed "$dir/crowd" 2500
else
	skip "2500 threads: not allowed here"
fi
record soft --soft=translate "$dir/crowd" 100 300000
is "the records of many threads take little memory" \
	"$(awk '{ print ($1 < 40000 ? "less" : $0) }' "$dir/soft.out")" "less
less"
is "... and are whole" "$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''
# limited OPTION SIZE THREADS: the command under this limit (ulimit), and what is said
limited() {
	(
		ulimit "$1" "$2"
		record limited --soft=translate "$dir/crowd" "$3"
	)
	cat "$dir/limited.status" "$dir/limited.out"
	grep -v 'single steps$' "$dir/limited.said"
}
is "a command with little memory is translated" "$(limited -v 200000 8)" "0
8 threads"
is "... and one with even less" "$(limited -v 40000 1)" "0
1 threads"
is "... and one whose files may not be large" "$(limited -f 200000 8)" "0
8 threads"
is "... and one with little private memory" "$(limited -d 50000 2)" "0
2 threads"
# The control groups of a container. grouped MEGABYTES: the same in a group with this limit
for group in memory/pt.$$ pt.$$; do
	group=/sys/fs/cgroup/$group
	mkdir "$group" 2> /dev/null || continue
	ls "$group"/memory.max "$group"/memory.limit_in_bytes > "$dir/limit" 2> /dev/null
	[ -s "$dir/limit" ] && break
	rmdir "$group"
done
grouped() {
	echo $(($1 << 20)) > "$(cat "$dir/limit")"
	record limited --soft=translate sh -c 'echo $$ > "$1/cgroup.procs" && exec "$0" 1' \
		"$dir/crowd" "$group"
	cat "$dir/limited.status" "$dir/limited.out" "$dir/limited.said"
}
if [ -s "$dir/limit" ]; then
	is "a command in a group with a limit of memory is translated" \
		"$(grouped 50 | sed '/single steps$/d')" "0
1 threads"
	is "... and if the limit is small, it runs by single steps, and that is said" \
		"$(grouped 10 | sed '/single steps$/d; s/process [0-9]*/process N/')" "0
1 threads
pt: process N runs by single steps: the agent gets no memory"
	rmdir "$group"
else
	skip "control groups with limits of memory: not here"
fi
for option in -d -v; do
	is "... with too little ($option) it runs by single steps, and that is said" \
		"$(limited $option 20000 1 | sed 's/process [0-9]*/process N/')" "0
1 threads
pt: process N runs by single steps: the agent gets no memory"
done

# There is no /proc where the command runs.
mkdir "$dir/root"
cp "$dir/crowd" "$dir/root"
if chroot "$dir/root" /crowd 3 > /dev/null 2>&1; then
	unnoticed chroot "$dir/root" /crowd 3
	no_gaps "crowd without /proc"
	is "it is translated without /proc" "$(grep -c 'single steps:' "$dir/soft.said") $("$PT" \
		script -i "$dir/soft.data" --itrace=b -F comm 2> /dev/null | grep -cm1 crowd)" '0 1'
else
	skip "a command without /proc: chroot is not allowed here"
fi

# A process has one tracer: pt gives way.
build tracer
unnoticed "$dir/tracer"
is "processes that are traced are let go, and that is said" \
	"$(grep -c 'is traced by .*: it continues unrecorded' "$dir/soft.said")" 4
no_gaps tracer
if unshare -fp true 2> /dev/null; then
	unnoticed unshare -fp "$dir/tracer"
else
	skip "the same in a PID namespace: unshare -p is not permitted"
fi

build limits
unnoticed "$dir/limits"
unnoticed "$dir/limits" small
unnoticed "$dir/limits" child
unnoticed "$dir/limits" forked
no_gaps "limits forked"
build cramped
unnoticed "$dir/cramped"
is "code with one gap near it is translated" "$(grep 'by single steps' "$dir/soft.said")" ''
build locked
unnoticed "$dir/locked"
build far
unnoticed "$dir/far"
is "code in many places is translated" "$(grep 'by single steps' "$dir/soft.said")" ''
no_gaps far

# Sanitizers reserve most addresses, and refuse to start if something else is mapped there.
for i in thread memory address; do
	if cc -O1 -fsanitize=$i -pthread -o "$dir/$i" test/live/crowd.c 2> /dev/null ||
	   clang -O1 -fsanitize=$i -pthread -o "$dir/$i" test/live/crowd.c 2> /dev/null; then
		unnoticed "$dir/$i" 3
	else
		skip "no compiler has -fsanitize=$i"
	fi
done

finish
