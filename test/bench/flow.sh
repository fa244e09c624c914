#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Decoding whole traces: without text against libipt's block decoder, with text
# against perf. Traces are those of $SHARED, or the tree's own, made longer by
# flow/enlarge.c: see there. CPU time, medians of 5.

gen=$SHARED/data/gen root=$SHARED/data/gen/root
sets='hello recursion indirect longjmp'
if ! [ -d "$gen" ]; then
	gen=test/golden root=test/golden/hello/root sets=hello
fi
dir=$BENCH/flow
mkdir -p "$dir"
trap 'rm -f "$dir"/*.data "$dir"/*.pt' EXIT

cc=${HOSTCC:-gcc}
$cc -std=gnu11 -O2 -Iinclude -o "$dir/enlarge" test/bench/flow/enlarge.c src/decode/packet.c &&
	$cc -std=gnu11 -O2 -o "$dir/cpu" test/bench/flow/cpu.c || exit 1
if ! $cc -O2 -o "$dir/libipt" test/bench/flow/libipt.c -lipt 2> /dev/null; then
	echo "SKIP flow against libipt: libipt-dev is not here"
	rm -f "$dir/libipt"
fi

cost() {	# TIMES COMMAND...: median in ms
	"$dir/cpu" "$@" | cut -d ' ' -f 1
}

peak() {	# COMMAND...: KiB
	"$dir/cpu" 1 "$@" | cut -d ' ' -f 2
}

# The file, offset, size and address of a set's program.
program() {
	[ -f "$gen/$1/maps.txt" ] || return
	read -r _ start end off file _ < "$gen/$1/maps.txt"
	echo "$root$file 0x$off $((0x$end - 0x$start)) 0x$start"
}

line() {	# WHAT OURS THEIRS BUDGET
	printf '%s\t%s\t%s\t%s\tms\n' "$1" "$2" "${3:--}" "$4"
}

flow() {	# SET BYTES TIMES WHAT BUDGET
	"$dir/enlarge" "$gen/$1/perf.data" "$2" "$dir/x.data" "$dir/x.pt"
	map=$(program "$1")
	[ -x "$dir/libipt" ] && [ -n "$map" ] || return
	# shellcheck disable=SC2086 -- the map is words
	line "flow, $4: $1" "$(cost "$3" "$PT" script -i "$dir/x.data" --symfs "$root" --itrace=e)" \
		"$(cost "$3" "$dir/libipt" block "$dir/x.pt" $map)" "$5"
}

text() {	# SET BYTES BUDGET OPTION...
	set_=$1 bytes=$2 budget=$3
	shift 3
	command -v perf > /dev/null || return
	"$dir/enlarge" "$gen/$set_/perf.data" "$bytes" "$dir/x.data" "$dir/x.pt"
	line "$*: $set_" "$(cost 5 "$PT" script -i "$dir/x.data" --symfs "$root" "$@")" \
		"$(cost 3 perf script -i "$dir/x.data" --symfs "$root" "$@")" "$budget"
}

for s in $sets; do
	flow "$s" 8000000 5 warm 10x
	flow "$s" 1 15 cold 4x
done
command -v perf > /dev/null || echo "SKIP text against perf: it is not here"
for s in $sets; do
	bytes=$([ "$s" = indirect ] && echo 1000000 || echo 200000)
	text "$s" "$bytes" 20x --itrace=be
	text "$s" "$bytes" 15x --itrace=i0nse -F ip
	text "$s" "$bytes" 10x --insn-trace
	text "$s" "$bytes" 10x --call-trace
done
line "start: pt --version" "$(cost 15 "$PT" --version)" - 2
if "$PT" -D "$gen/hello/perf.data" > /dev/null 2>&1; then
	head -c 4096 "$gen/hello/trace.pt" > "$dir/x.pt"
	line "start: -D of 4 KiB" "$(cost 15 "$PT" -D "$dir/x.pt")" - 2
	printf 'memory, -D of 4 KiB\t%s\t-\t1024\tKiB\n' "$(peak "$PT" -D "$dir/x.pt")"
fi
"$dir/enlarge" "$gen/hello/perf.data" 134217728 "$dir/x.data" "$dir/x.pt"
printf 'memory, flow of 128 MiB\t%s\t-\t32768\tKiB\n' \
	"$(peak "$PT" script -i "$dir/x.data" --symfs "$root" --itrace=e)"
printf 'memory, -D of 128 MiB\t%s\t-\t1536\tKiB\n' "$(peak "$PT" -D "$dir/x.data")"
