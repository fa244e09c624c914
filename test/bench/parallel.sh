#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# pt script -j 2 against one process, on one long buffer: wall time, in turns, the best of 9.

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

best() {
	sort -n "$1" | head -n 1
}

line() {	# WHAT BYTES OPTION
	"$dir/enlarge" "$file" "$2" "$dir/x.data" "$dir/x.pt"
	rm -f "$dir/one" "$dir/two"
	for i in 1 2 3 4 5 6 7 8 9; do
		once "$3" >> "$dir/one"
		once -j 2 "$3" >> "$dir/two"
	done
	printf '%s, -j 2 and 1\t%s\t%s\t1.8x\tms\n' "$1" "$(best "$dir/two")" "$(best "$dir/one")"
}

file=$SHARED/data/gen/recursion/perf.data root=$SHARED/data/gen/root
[ -f "$file" ] || file=test/golden/hello/perf.data root=test/golden/hello/root
line flow 256000000 --itrace=e
line branches 8000000 --itrace=be
