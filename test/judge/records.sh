#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_DUMP PERF_DATA
#
# pt -D of records of every kind (records.c): the texts are those of records.txt, and all of the
# output is the same as perf's, except the lines of samples and an empty line with each of them.

. test/verdict

make="$O/obj/judge/records"
if [ ! -x "$make" ] || ! "$PT" -D --help > /dev/null 2>&1; then
	skip "this build has no pt -D, or no test/judge/records.c"
	finish
	exit
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
here=$PWD

# Without pt script a sample is one line.
"$PT" script --help > /dev/null 2>&1 && script=1 || script=0

without_samples() {
	awk -v script=$script '/PERF_RECORD_SAMPLE/ && !script { print; skip = 1 }
		/^ \.\.\. thread:/ { skip = 1 }
		/^0x.*: event: / || /^\. \.\.\. Intel/ { skip = 0 }
		{ sub(/RECORD_READ: 7 8 [a-z]+/, "RECORD_READ: 7 8 NAME") }	# tiny has none
		!skip && NF'
}

"$make" > "$dir/records.data"
cd "$dir" || exit 1
"$PT" -D records.data 2> err | without_samples > pt.txt
cd "$here" || exit 1
none "pt -D prints every kind of record as before" \
	"$(grep -v '^\.  ' "$dir/pt.txt" > "$dir/words.txt"
	without_samples < test/judge/records.txt | diff -a - "$dir/words.txt" | head -n 20)"

if ! has_perf; then
	skip "perf 6.1 is not here to judge"
else
	cd "$dir" || exit 1
	perf script -D -i records.data 2> /dev/null | without_samples > perf.txt
	none "pt -D prints every kind of record as perf does" "$(diff -a perf.txt pt.txt | head -n 20)"
fi
finish
