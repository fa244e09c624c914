#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# pt script -j 2 compared with one process: elapsed time, in turns, the best of 9; for one long
# buffer and for the buffers of three CPUs. Two processors may be less than twice as fast as one. To
# know the limit, two independent processes run in the same turns.

[ "$(nproc)" -gt 1 ] || { echo "SKIP -j 2: there is one processor"; exit; }
"$PT" script --help=parallel > /dev/null 2>&1 || { echo "SKIP -j 2: not in this build"; exit; }
dir=$BENCH/parallel
mkdir -p "$dir"
trap 'rm -rf "$dir"' EXIT
${HOSTCC:-gcc} -std=gnu11 -O2 -Iinclude -o "$dir/enlarge" test/bench/flow/enlarge.c \
	src/decode/packet.c || exit 1

once() {	# OPTION...: ms
	start=$(date +%s%N)
	"$PT" script -i "$dir/x.data" --symfs "$root" "$@" > /dev/null 2>&1
	echo $((($(date +%s%N) - start) / 1000000))
}

both() {	# OPTION...: the same of two at once
	begin=$(date +%s%N)
	once "$@" > /dev/null &
	once "$@" > /dev/null
	wait $!
	echo $((($(date +%s%N) - begin) / 1000000))
}

best() {
	sort -n "$1" | head -n 1
}

line() {	# WHAT BYTES BUDGET OPTION...
	what=$1 bytes=$2 budget=$3
	shift 3
	# shellcheck disable=SC2086 -- "all", or nothing
	"$dir/enlarge" "$file" "$bytes" "$dir/x.data" "$dir/x.pt" $all
	rm -f "$dir/one" "$dir/two" "$dir/both"
	for i in 1 2 3 4 5 6 7 8 9; do
		once "$@" >> "$dir/one"
		once -j 2 "$@" >> "$dir/two"
		both "$@" >> "$dir/both"
	done
	printf '%s, -j 2 and 1\t%s\t%s\t%s\tms\n' "$what" "$(best "$dir/two")" \
		"$(best "$dir/one")" "$budget"
	awk -v one="$(best "$dir/one")" -v both="$(best "$dir/both")" 'BEGIN {
		printf "    of this machine: %.1fx (two of -j 1 at once, %d ms)\n", 2 * one / both, both
	}'
}

file=$SHARED/data/gen/recursion/perf.data root=$SHARED/data/gen/root
[ -f "$file" ] || file=test/golden/hello/perf.data root=test/golden/hello/root
all=
line flow 256000000 1.8x --itrace=e
line branches 8000000 1.7x --itrace=be
line calls 8000000 1.7x --itrace=cr
line insn-trace 4000000 1.7x --insn-trace
line i100i 4000000 1.7x --itrace=i100i
file=$SHARED/data/gen/threads/perf.data all=all
[ -f "$file" ] || exit 0
line 'three CPUs, branches' 32000000 1.5x --itrace=be
