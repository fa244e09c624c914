#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Instructions that pt executes for each byte of trace, counted by callgrind, which gives the same
# number on a loaded machine. A shorter trace is subtracted from a longer one, so the start of pt
# does not count. The budgets are the numbers when they were set, plus 5 %.

command -v valgrind > /dev/null || { echo "SKIP instruction counts: there is no valgrind"; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
${HOSTCC:-cc} -std=gnu11 -O2 -Iinclude -o "$dir/enlarge" test/bench/flow/enlarge.c \
	src/decode/packet.c || exit 1

# count COMMAND...: what it executed
count() {
	PT_SANDBOX=off valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null |
		sed -n 's/.*Collected : //p'
}

# measure WHAT BUDGET SET LESS MORE COMMAND...: x.data is the trace
measure() {
	what=$1 budget=$2 set_=$3 less=$4 more=$5
	shift 5
	for size in "$less" "$more"; do
		"$dir/enlarge" "$gen/$set_/perf.data" "$size" "$dir/x.data" "$dir/x.pt"
		echo "$(wc -c < "$dir/x.pt") $(count "$@")"
	done | awk -v what="$what: $set_" -v budget="$budget" '
		NR == 1 { bytes = $1; n = $2 }
		NR == 2 && $1 > bytes {
			printf "%s\t%.1f\t-\t%s\tinsns\n", what, ($2 - n) / ($1 - bytes), budget
		}'
}

for s in $sets; do
	measure "flow, a byte" 170 "$s" 500000 1500000 \
		"$PT" script -i "$dir/x.data" --symfs "$root" --itrace=e
	measure "--itrace=b, a byte" 1800 "$s" 100000 300000 \
		"$PT" script -i "$dir/x.data" --symfs "$root" --itrace=b
	measure "-D, a byte" 190 "$s" 100000 300000 "$PT" -D "$dir/x.pt"
done
