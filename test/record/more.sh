#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 20
# needs: RECORD_MORE RECORD_SAMPLES CMD_SCRIPT
#
# Rarer options of pt record: -G, -r, --synth, --namespaces, ranges of -D, terms of events.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

is "-G: a cgroup that is not there" "$("$PT" record -a -G no/such -e cpu-clock -o "$dir/data" true 2>&1)" \
	"pt: -G: there is no cgroup 'no/such'"
is "-G is for CPUs" "$("$PT" record -G x -e cpu-clock -o "$dir/data" true 2>&1)" \
	"pt: -G is for whole CPUs; add -a or -C"
is "-G of software" "$("$PT" record --soft -G x true 2>&1)" \
	"pt: only Intel PT can select cgroups; give a command or -p PID"
is "-r: a priority" "$("$PT" record -r 100 -e cpu-clock true 2>&1)" \
	"pt: -r: not a priority from 1 to 99: '100' (see pt record --help)"
is "--synth: a word" "$("$PT" record --synth maps -e cpu-clock true 2>&1)" \
	"pt: --synth: all, task, mmap, cgroup or no, not 'maps' (see pt record --help)"

# refused WHY OPTION...
refused() {
	why=$1
	shift
	"$PT" record -o "$dir/no" "$@" true > "$dir/out" 2>&1 < /dev/null
	is "record $*: status" $? 1
	is "record $*: one line" "$(grep -c . "$dir/out") $(grep -c "^pt: .*$why" "$dir/out")" "1 1"
}
refused '-c and -F exclude' -e cpu-clock -c 1000 -F 100
refused 'no sample is ever taken' -e cpu-clock -F 0
refused 'no file' -e cpu-clock --max-size 0
refused 'exclude each other' -e cpu-clock --all-user --all-kernel
refused '-F 999999999 is more than' -e cpu-clock -F 999999999 --strict-freq
for ranges in 20-10 10-20,20-30 10-20, 10-20-30 0-10 -5-10 10-99999999999; do
	refused 'ranges of milliseconds' -e cpu-clock -D "$ranges"
done
refused "'sp'" -e cpu-clock/call-graph=sp/
refused 'up to 65528' -e cpu-clock/stack-size=100000/
refused "'left'" -e cpu-clock/branch_type=left/
refused '--overwrite is for all' -e cpu-clock/overwrite/

if ! "$PT" record -q -a -e cpu-clock -o "$dir/data" true 2> "$dir/out"; then
	skip "no CPU can be sampled here: $(head -n 1 "$dir/out")"
	finish
	exit
fi

# What is known of this shell, which runs already.
sleep 100 &
pid=$!
until [ "$(cat /proc/$pid/comm)" = sleep ] && grep -q '^State:.S' /proc/$pid/status; do
	sleep 0.05
done
known() {
	"$PT" record -q -a -e cpu-clock --synth "$@" -o "$dir/data" true
	"$PT" script --show-mmap-events --show-task-events -i "$dir/data" 2> /dev/null |
		grep -o "PERF_RECORD_[A-Z]*2* *$pid/\|COMM: sleep:$pid/" | sed 's/[ :].*//' |
		sort | uniq | xargs
}
is "all: tasks and maps" "$(known all)" "COMM PERF_RECORD_MMAP2"
is "task: no maps" "$(known task)" "COMM"
is "no: nothing" "$(known no)" ""
is "cgroup: nothing of tasks" "$(known cgroup)" ""
is "the sum of two words" "$(known task,mmap)" "COMM PERF_RECORD_MMAP2"
"$PT" record -q -a -e cpu-clock --namespaces -o "$dir/data" true
"$PT" script --show-namespace-events -i "$dir/data" 2> /dev/null |
	grep -A 2 "NAMESPACES $pid/" > "$dir/out"
for ns in net pid cgroup; do
	grep -q "/$ns: [0-9]*/0x$(stat -Lc %i /proc/$pid/ns/$ns | xargs printf %x)" "$dir/out" &&
		pass || flunk "its namespace $ns" "$(cat "$dir/out")"
done
kill $pid

if "$PT" record -q -r 1 -e cpu-clock -o "$dir/data" true 2> "$dir/out"; then
	pass
else
	is "-r: the reason why not" "$(grep -c '^pt: -r 1: ' "$dir/out")" 1
fi

# What is recorded in ranges of time is in them, but for the time that a timer is late.
"$PT" record -q -e cpu-clock -F 1000 -D 100-200,400-500 -o "$dir/data" \
	sh -c 'end=$(($(date +%s%N) + 700000000)); while [ $(date +%s%N) -lt $end ]; do :; done'
"$PT" script --ns -F time -i "$dir/data" 2> /dev/null | tr -d ' :.' |
	awk 'last && $1 - last > 50000000 { parts++ } { last = $1 } END { print parts + 1 }' > "$dir/out"
[ "$(cat "$dir/out")" -ge 2 ] && pass || flunk "two ranges have a gap between them" "$(cat "$dir/out")"

# Samples that did not fit into the buffer are counted, also in the file.
"$PT" record -e cpu-clock --call-graph dwarf,65528 -m 16 -F 5000 -o "$dir/data" \
	sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done' > "$dir/out" 2>&1
if grep -q 'records were lost' "$dir/out"; then
	[ "$("$PT" report --no-children -g none -i "$dir/data" 2>> "$dir/out" |
		sed -n 's/^# Total Lost Samples: //p')" != 0 ] && pass ||
		flunk "lost samples are counted" "$(cat "$dir/out")"
else
	skip "nothing was lost"
fi

has_perf || {
	skip "perf 6.1 is not here to judge"
	finish
	exit
}
# The attributes are those of perf, and so are the kinds of records of what was there before.
kinds() {
	perf script --show-mmap-events --show-task-events --show-namespace-events \
		--show-cgroup-events -i "$1" 2> /dev/null | grep '  *0\.000000:' |
		grep -o 'PERF_RECORD_[A-Z0-9]*' | sort -u
}
for options in '-e cpu-clock/time=0/' '-e cpu-clock/time=1/ --per-thread' \
		'-e cpu-clock/call-graph=fp/' '-e cpu-clock/call-graph=dwarf,stack-size=1024/' \
		'-e cpu-clock/stack-size=1024/ -g' '-e cpu-clock/call-graph=no/ -g' \
		'-e cpu-clock/call-graph=dwarf/ --call-graph fp' \
		'-e cpu-clock/max-stack=3,call-graph=fp/' '-e cpu-clock/max-stack=3/' \
		'-e cpu-clock/nr=3/' '-e cpu-clock/branch_type=no/' '-e cpu-clock/no-overwrite/' \
		'-e cpu-clock --call-graph fp,5' '-e cpu-clock --call-graph fp,5000' \
		'-e cpu-clock/call-graph=fp/,page-faults/call-graph=no/ -g' '-e bpf-output' \
		'-e cpu-clock:u' '-e cpu-clock:u -a' '-e {cpu-clock,task-clock}:u' \
		'-e cpu-clock --all-user' '-e cpu-clock --namespaces' '-e cpu-clock --namespaces -a' \
		'-e cpu-clock --synth=task -a' '-e cpu-clock -F max' '-e cpu-clock --group' \
		'--group -e cpu-clock -e page-faults,task-clock'; do
	perf record -q -o "$dir/perf" $options true > "$dir/out" 2>&1 || {
		skip "perf record $options: not here"
		continue
	}
	"$PT" record -q -o "$dir/data" $options true > "$dir/out" 2>&1
	is "attributes: record $options" "$(perf evlist -v -i "$dir/data" 2>&1)" \
		"$(perf evlist -v -i "$dir/perf" 2>&1)"
	is "records: record $options" "$(kinds "$dir/data")" "$(kinds "$dir/perf")"
done
# The heads of both files say the same of the machine.
head_of() {
	perf script --header-only -I -i "$1" 2> /dev/null |
		grep -vE '^# (captured|data|feat|perf version|cmdline|event|time of|sample dur)' |
		sed 's/free = .*//'
}
perf record -q -o "$dir/perf" -e cpu-clock true > "$dir/out" 2>&1
"$PT" record -o "$dir/data" -e cpu-clock true > "$dir/out" 2>&1
head_of "$dir/perf" > "$dir/wanted"
head_of "$dir/data" > "$dir/got"
compare "the head of the file"
n=$("$PT" script -i "$dir/data" -F ip 2> /dev/null | grep -c .)
grep -q "Captured and wrote .* ($n samples) ]" "$dir/out" && pass ||
	flunk "the summary says how many samples there are: $n" "$(cat "$dir/out")"
if "$PT" record --help=perf | grep -q -- --inherit; then
	sleep 100 &
	pid=$!
	for options in "-t $pid" "-t $pid --inherit"; do
		"$PT" record -q -o "$dir/data" -e cpu-clock $options sleep 0.1 > "$dir/out" 2>&1
		perf record -q -o "$dir/perf" -e cpu-clock $options sleep 0.1 > "$dir/out" 2>&1
		is "attributes: record $options" "$(perf evlist -v -i "$dir/data" 2>&1)" \
			"$(perf evlist -v -i "$dir/perf" 2>&1)"
	done
	kill $pid
fi
finish
