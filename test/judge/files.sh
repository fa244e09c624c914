#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 2
# needs: CMD_DUMP PERF_DATA KERNEL
#
# pt -D prints the same bytes as perf script -D, for the small trace in the tree and all traces in
# $SHARED. Damaged files end with an error message, not with a signal.

. test/verdict

if ! "$PT" -D --help > /dev/null 2>&1; then
	skip "this build has no pt -D"
	finish
	exit
fi
hello=test/golden/hello/perf.data
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Without the lines of samples, and without empty lines: one goes with them.
records() {
	awk '/^ \.\.\. thread:/ { skip = 1 } /^0x.*: event: / { skip = 0 } !skip && NF'
}

if "$PT" script --help > /dev/null 2>&1; then
	plain() { cat; }
else
	plain() { records; }
fi

"$PT" -D "$hello" > "$dir/pt.txt"
is "pt -D of a small trace is as it was" "$(cksum < "$dir/pt.txt")" '1086938931 80726'

if ! has_perf; then
	skip "perf 6.1 is not here to judge"
else
	for f in "$hello" "$GEN"/*/perf.data "$SHARED"/data/real/perf.data*; do
		[ -f "$f" ] || continue
		case $f in
		*piped*)	# its samples get symbols of another kernel from perf
			cat "$f" | perf script -D -i - 2> /dev/null | records > "$dir/perf.txt"
			cat "$f" | "$PT" -D - 2> /dev/null | records > "$dir/pt.txt"
			;;
		*)
			perf script -D -i "$f" 2> /dev/null | plain > "$dir/perf.txt"
			"$PT" -D "$f" 2> /dev/null | plain > "$dir/pt.txt"
			;;
		esac
		none "pt -D ${f##*/data/} prints what perf prints" \
			"$(cmp "$dir/perf.txt" "$dir/pt.txt" 2>&1)"
	done
fi

# A file with bytes changed: all of the header, then some of the records.
broken=$dir/broken.data
bad=
byte='\377'
for at in $(seq 8 7 140) $(seq 200 97 2000); do
	{
		head -c "$at" "$hello"
		printf "$byte$byte"
		tail -c +$((at + 3)) "$hello"
	} > "$broken"
	"$PT" -D "$broken" > /dev/null 2> "$dir/err"
	status=$?
	[ $status -le 1 ] && [ "$(wc -l < "$dir/err")" -le 3 ] || bad="$bad $at:$byte:$status"
	[ "$byte" = '\000' ] && byte='\377' || byte='\000'
done
none "damaged bytes end in a line or in nothing" "$bad"

bad=
for size in 0 1 8 15 16 17 40 103 104 105 300 560 600 1000 1595 1700 3000; do
	head -c $size "$hello" > "$broken"
	"$PT" -D "$broken" > /dev/null 2> "$dir/err"
	status=$?
	[ $status -eq 1 ] && [ "$(wc -l < "$dir/err")" -eq 1 ] || bad="$bad $size:$status"
	cat "$broken" | "$PT" -D - > /dev/null 2> "$dir/err"
	status=$?
	[ $status -eq 1 ] && [ "$(wc -l < "$dir/err")" -eq 1 ] || bad="$bad $size:$status:pipe"
done
none "a file that is cut off ends in one line and exit status 1" "$bad"
finish
