#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: RECORD_MORE RECORD_SAMPLES CMD_SCRIPT
#
# pt record -G, -r and --synth.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

is "-G: a cgroup that is not there" "$("$PT" record -a -G no/such -e cpu-clock -o "$dir/data" true 2>&1)" \
	"pt: -G: there is no cgroup 'no/such'"
is "-G is for CPUs" "$("$PT" record -G x -e cpu-clock -o "$dir/data" true 2>&1)" \
	"pt: -G is for whole CPUs: add -a or -C"
is "-G of software" "$("$PT" record --soft -G x true 2>&1)" \
	"pt: only Intel PT can select cgroups: give a command or -p PID"
is "-r: a priority" "$("$PT" record -r 100 -e cpu-clock true 2>&1)" \
	"pt: -r: not a priority from 1 to 99: '100' (see pt record --help)"
is "--synth: a word" "$("$PT" record --synth maps -e cpu-clock true 2>&1)" \
	"pt: --synth: all, task, mmap or no, not 'maps' (see pt record --help)"

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
	"$PT" record -q -a -e cpu-clock --synth $1 -o "$dir/data" true
	"$PT" script --show-mmap-events --show-task-events -i "$dir/data" 2> /dev/null |
		grep -o "PERF_RECORD_[A-Z]*2* *$pid/\|COMM: sleep:$pid/" | sed 's/[ :].*//' |
		sort | uniq | xargs
}
is "all: tasks and maps" "$(known all)" "COMM PERF_RECORD_MMAP2"
is "task: no maps" "$(known task)" "COMM"
is "no: nothing" "$(known no)" ""
kill $pid

if "$PT" record -q -r 1 -e cpu-clock -o "$dir/data" true 2> "$dir/out"; then
	pass
else
	is "-r: the reason why not" "$(grep -c '^pt: -r 1: ' "$dir/out")" 1
fi
finish
