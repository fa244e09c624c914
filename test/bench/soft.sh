#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The soft recorder against single-stepping: the same program by both, CPU time
# of pt and the program, as ns an instruction.

"$PT" record --soft -o /dev/null true > /dev/null 2>&1 ||
	{ echo "SKIP soft recorder: not in this build, or nobody may trace here"; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
${HOSTCC:-cc} -std=gnu11 -O2 -static -o "$dir/cpu" test/bench/flow/cpu.c || exit 1
seq 1 200 > "$dir/text"

# measure NAME COMMAND...
measure() {
	name=$1
	shift
	for how in soft soft=step; do
		"$PT" record --$how -o "$dir/data" -- "$@" > /dev/null 2>&1
		n=$("$PT" script -i "$dir/data" --itrace=i0ns -F ip 2> /dev/null | wc -l)
		ms=$("$dir/cpu" 1 "$PT" record --$how -o "$dir/data" -- "$@" | cut -d ' ' -f 1)
		awk -v ms="$ms" -v n="$n" 'BEGIN { printf "%.1f\n", n ? ms * 1e6 / n : 0 }'
	done | {
		read -r ours && read -r theirs
		printf 'soft recorder, %s: one instruction\t%s\t%s\t8x\tns\n' "$name" "$ours" "$theirs"
	}
}

measure "gzip" gzip -c "$dir/text"
measure "sort" sort -r "$dir/text"
measure "sh" sh -c 'i=0; while [ $i -lt 40 ]; do i=$((i + 1)); done'
