#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Printing packets, compared with perf script -D: CPU time for the same trace, median of 5, in
# turns.

"$PT" -D --help > /dev/null 2>&1 || { echo "SKIP dump: not in this build"; exit 0; }
stream=$BENCH/stream cpu=$BENCH/dump-cpu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
${HOSTCC:-cc} -std=gnu11 -O1 -Iinclude -o "$stream" test/judge/stream.c src/decode/encode.c \
	src/decode/packet.c src/decode/last_ip.c &&
	${HOSTCC:-cc} -std=gnu11 -O2 -static -o "$cpu" test/bench/flow/cpu.c || exit 1

# measure NAME TRACE: the trace is repeated, for perf to 4 MB, for us to 64
measure() {
	size=$(wc -c < "$2")
	for want in 4000000 64000000; do
		n=$((want / size + 1))
		while [ $n -gt 0 ]; do
			cat "$2"
			n=$((n - 1))
		done > "$dir/trace"
		"$stream" wrap < "$dir/trace" > "$dir/$want"
		eval "bytes_$want=$(wc -c < "$dir/trace")"
	done
	name=$1
	set -- "$PT" -D "$dir/64000000"
	perf --version 2> /dev/null | grep -q '^perf version' &&
		set -- "$@" against perf script -D -i "$dir/4000000"
	"$cpu" 5 "$@" | awk -v name="$name" -v ours="$bytes_64000000" -v theirs="$bytes_4000000" '
		{ speed[NR] = $1 ? sprintf("%.1f", (NR == 1 ? ours : theirs) / 1e3 / $1) : 0 }
		function say(theirs, budget) {
			print "dump, " name "\t" speed[1] "\t" theirs "\t" budget "\tMB/s"
		}
		END {
			if (NR > 1)
				say(speed[2], "20x")
			say("-", 60)
		}'
}

"$stream" packets 1 2000000 > "$dir/kinds"
measure "every kind" "$dir/kinds"
for trace in real/pie-hello-cyc gen/indirect/trace; do
	[ -e "$SHARED/data/$trace.pt" ] && measure $trace "$SHARED/data/$trace.pt"
done
exit 0
