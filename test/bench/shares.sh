#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Are the shares of functions in a recording in software right? A compressor, a sort and an
# interpreter (shares/programs.c), which were not used to fit the recorder's clock: the largest
# difference, in percentage points, between the share of a function above 5 % and its share in
# samples of CPU time in user space (a virtual machine may count stolen time in the kernel).

"$PT" record --soft -o /dev/null true > /dev/null 2>&1 ||
	{ echo "SKIP shares of functions: no soft recorder in this build, or nobody may trace here"; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
perf record -q -e cpu-clock:u -o "$dir/perf.data" true > /dev/null 2>&1 ||
	{ echo "SKIP shares of functions: perf is not here, or cannot sample"; exit 0; }
${HOSTCC:-cc} -std=gnu11 -O2 -g -static -o "$dir/programs" test/bench/shares/programs.c || exit 1

# table: "FUNCTION SHARE" lines of a profile of both.
table() {
	"$@" --no-children -s sym -g none 2> /dev/null |
		awk '/^# Samples/ { n++ } n < 2 && /^ +[0-9.]+%/ { print $3, $1 + 0 }'
}

# measure NAME ROUNDS-BY-SOFT ROUNDS
measure() {
	"$PT" record --soft -o "$dir/soft.data" -- "$dir/programs" "$1" "$2" > /dev/null 2>&1
	perf record -q -F 4000 -e cpu-clock:u -o "$dir/perf.data" -- "$dir/programs" "$1" "$3" \
		> /dev/null 2>&1
	table "$PT" report -i "$dir/soft.data" > "$dir/ours"
	table perf report --stdio -i "$dir/perf.data" > "$dir/theirs"
	sort -o "$dir/ours" "$dir/ours"
	sort -o "$dir/theirs" "$dir/theirs"
	[ -z "$V" ] || join -a 1 -a 2 -e 0 -o 0,1.2,2.2 "$dir/ours" "$dir/theirs" | sort -nrk 3 >&2
	join -a 1 -a 2 -e 0 -o 1.2,2.2 "$dir/ours" "$dir/theirs" | awk -v name="$1" '
		$1 > 5 || $2 > 5 { d = $1 > $2 ? $1 - $2 : $2 - $1; most = d > most ? d : most }
		END { printf "shares of functions, %s: error\t%.1f\t-\t10\tpoints\n", name, most }'
}

measure lz 2000 2000
measure sort 1000 1000
measure interpreter 5000 5000
