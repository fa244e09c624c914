#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 10
# needs: ZSTD RECORD_SAMPLES CMD_SCRIPT CMD_REPORT CMD_INFO CMD_DUMP
#
# Compressed recordings: those of perf record -z, and pt's own.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! "$PT" record -q -e cpu-clock -o "$dir/try" true 2> "$dir/out"; then
	skip "nothing can be sampled here: $(head -n 1 "$dir/out")"
	finish
	exit
fi
work='i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
for level in '' =0 =19; do
	"$PT" record -q "--compression-level$level" -g -e cpu-clock -F 5000 -o "$dir/pt$level" sh -c "$work"
done
is "a level of 0 is none" "$("$PT" info "$dir/pt=0" | grep -c 'COMPRESSED')" 0
is "what is read has no COMPRESSED records" "$("$PT" -D "$dir/pt" | grep -c COMPRESSED)" 0
is "the file has the frame of zstd" \
	"$(($(od -An -v -tx1 "$dir/pt" | tr -d ' \n' | grep -c '28b52ffd')))" 1
files="pt pt=19"
if command -v perf > /dev/null && perf record -q -z -g -e cpu-clock -F 5000 -o "$dir/perf" \
		sh -c "$work" > /dev/null 2>&1; then
	files="$files perf"
	for file in $files; do
		for options in '' '-F comm,ip,time --show-mmap-events'; do
			perf script -f $options -i "$dir/$file" > "$dir/theirs" 2> /dev/null
			"$PT" script $options -i "$dir/$file" > "$dir/ours" 2> /dev/null
			is "$file is what perf reads: $options" \
				"$(cmp "$dir/ours" "$dir/theirs" 2>&1)" ''
		done
	done
	is "there is something to read" "$(($(wc -l < "$dir/theirs") > 100))" 1
else
	skip "perf is not here to judge, or has no zstd"
fi
for file in $files; do
	is "$file from a pipe" "$(cat "$dir/$file" | "$PT" script 2>&1 | cksum)" \
		"$("$PT" script -i "$dir/$file" 2>&1 | cksum)"
	touch -d 2020-02-02T02:02:02Z "$dir/$file"
	is "$file: the time of the recording" "$("$PT" script --header-only -i "$dir/$file" |
		grep -c '^# captured on .* Feb  *2 .* 2020$')" 1
	is "a report of $file" "$(($("$PT" report -i "$dir/$file" 2> /dev/null | grep -c '%') > 3))" 1
done

# The pipe form: as a pipe and as a file.
for level in '' =19; do
	"$PT" record -q "--compression-level$level" -e cpu-clock -F 5000 -o - sh -c "$work" > "$dir/stream"
	is "the stream is compressed" "$(LC_ALL=C grep -c "$(printf '\050\265\057\375')" "$dir/stream")" 1
	cat "$dir/stream" | "$PT" script -i - > "$dir/1" 2> "$dir/said"
	is "of a stream there are samples" "$(($(wc -l < "$dir/1") > 100))" 1
	is "nothing is said" "$(cat "$dir/said")" ""
	"$PT" script -i "$dir/stream" > "$dir/2" 2>&1
	is "a stream in a file" "$(cksum < "$dir/2")" "$(cksum < "$dir/1")"
	"$PT" script -i - < "$dir/stream" > "$dir/2" 2>&1
	is "a stream as input" "$(cksum < "$dir/2")" "$(cksum < "$dir/1")"
	is "a stream, dumped" "$("$PT" -D "$dir/stream" 2>&1 | grep -c 'RECORD_SAMPLE')" \
		"$(wc -l < "$dir/1")"
	size=$(wc -c < "$dir/stream")
	for at in $(seq 700 499 $((size - 1))); do
		cp "$dir/stream" "$dir/hurt"
		printf '\252\252\252' | dd of="$dir/hurt" bs=1 seek="$at" conv=notrunc 2> /dev/null
		"$PT" script -i "$dir/hurt" > "$dir/out" 2>&1
		[ $? -le 1 ] || flunk "a stream damaged at $at" "$(tail -n 2 "$dir/out")"
	done
done

# Damage: what precedes it is used.
size=$(wc -c < "$dir/pt")
head -c $((size / 2)) "$dir/pt" > "$dir/cut"
"$PT" script -i "$dir/cut" > "$dir/out" 2> "$dir/said"
is "half of a file is reported" "$(grep -c 'damaged\|truncated\|ends' "$dir/said")" 1
for at in $(seq 600 997 $((size - 1))); do
	cp "$dir/pt" "$dir/hurt"
	printf '\252\252\252' | dd of="$dir/hurt" bs=1 seek="$at" conv=notrunc 2> /dev/null
	"$PT" script -i "$dir/hurt" > "$dir/out" 2>&1
	[ $? -le 1 ] || flunk "a file damaged at $at" "$(tail -n 2 "$dir/out")"
done
is "a level that is none" "$("$PT" record -e cpu-clock --compression-level=99 true 2>&1)" \
	"pt: -z: not a level from 0 to 22: '99' (see pt record --help)"
is "in software" "$("$PT" record --soft -z true 2>&1)" \
	"pt: only Intel PT can be compressed; leave -z out"
finish
