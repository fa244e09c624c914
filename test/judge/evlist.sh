#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 4
# needs: CMD_EVLIST PERF_DATA LIBELF
#
# pt evlist and pt buildid-list print what perf prints.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for c in evlist buildid-list; do
	"$PT" $c -i "$dir/none" > "$dir/out" 2>&1
	is "$c of no file: status" $? 1
	is "$c of no file" "$(cat "$dir/out")" "pt: $dir/none: no such file"
	"$PT" $c --nothing > "$dir/out" 2>&1
	is "$c --nothing: status" $? 1
done
hello=$GEN/hello/perf.data
if [ -f "$hello" ]; then
	is "events" "$("$PT" evlist -F "$hello" | head -n 2)" "intel_pt//u: sample_period=1
dummy:u: sample_period=1"
else
	skip "there is no $hello"
fi
need_perf

# same COMMAND...
same() {
	"$PT" "$@" > "$dir/got" 2> "$dir/err"
	status=$?
	perf "$@" 2> /dev/null < /dev/null | sed "s/use 'perf evlist/use 'pt evlist/" > "$dir/wanted"
	is "pt $*: status" $status 0
	cmp -s "$dir/got" "$dir/wanted" && pass || flunk "pt $*" \
		"$(diff "$dir/wanted" "$dir/got" | head -n 8; head -n 2 "$dir/err")"
}

all() {
	for o in '' -v -F -g --trace-fields; do
		[ "$o" = --trace-fields ] && ! "$PT" version -v | grep -q TRACEPOINT_TEXT=y && continue
		# shellcheck disable=SC2086 -- an option or none
		same evlist $o -i "$1"
	done
	same buildid-list -i "$1"
	same buildid-list --with-hits -i "$1"
}

for f in "$GEN"/*/perf.data "$SHARED/data/real/perf.data.intel_pt-4.14"; do
	[ -f "$f" ] && all "$f"
done
if perf record -q -g -e '{cpu-clock:u,page-faults:u}' -o "$dir/group" true > "$dir/log" 2>&1; then
	all "$dir/group"
	perf record -q -B -e cpu-clock:u -o "$dir/none" true > "$dir/log" 2>&1
	all "$dir/none"
	perf record -q --buildid-mmap -e cpu-clock:u -o "$dir/mmap" true > "$dir/log" 2>&1
	all "$dir/mmap"
	perf record -q -e sched:sched_process_exec -o "$dir/exec" true > "$dir/log" 2>&1 &&
		all "$dir/exec"
else
	skip "perf may not record here"
fi
same buildid-list -i "$(command -v perf)"
finish
