#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 5
# needs: CMD_SCRIPT CMD_INFO
#
# CPU time is linear in the number of any kind of item in a file. Quadratic time would be ten times
# the limit; the real time is a tenth of the limit.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# within WHAT SECONDS KIB COMMAND...: it ends with status 0 in so much time and memory.
within() {
	what=$1 seconds=$2 kib=$3
	shift 3
	(ulimit -t $seconds; ulimit -v $kib; exec "$PT" "$@" "$dir/bad" > /dev/null 2> "$dir/err")
	is "$what" "$?$(grep -v 'trace error' "$dir/err")" 0
}

hurt() {
	"$O/obj/hurt" "$@" < test/golden/hello/perf.data > "$dir/bad"
}

script="script --symfs test/golden/hello/root --itrace=be"
gib=1048576
hurt threads 400000
within "threads" 3 $gib $script -i
hurt threads 160000 4096
within "threads whose numbers are alike" 3 $gib $script -i
hurt reborn 200000 2
within "threads of the same numbers" 3 $gib $script -i
hurt maps-down 100000
within "maps that overlap" 3 $gib $script -i
within "maps that overlap, for info" 3 $gib info
hurt maps-nested 100000
within "maps in maps" 3 $gib $script -i
hurt maps-in-one 100000
within "maps in one map" 3 $gib $script -i
hurt maps-forked 60000 1000
within "processes that inherit maps and make one" 3 262144 $script -i
hurt ksymbols 200000
within "kernel symbols out of order" 3 $gib $script -i
hurt queues 60000 0
within "queues without trace" 3 65536 $script -i
within "queues without trace, for info" 3 65536 info
hurt queues 60000 256
within "queues with nothing in their trace" 3 131072 $script -i
finish
