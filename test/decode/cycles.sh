#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CYCLE_SAMPLES CMD_REPORT PERF_DATA LIBELF PARALLEL
#
# --itrace=y: samples of cycles are those of instructions whose cycles are known.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
f=$GEN/indirect/perf.data
if [ ! -f "$f" ]; then
	skip "there is no $f"
	finish
	exit
fi

script() {
	"$PT" script -i "$f" --symfs "$GEN/root" "$@" 2> /dev/null
}

# Cycles and places of instructions: " 401000 IPC: 0.80 (8/10)".
script --itrace=i0ns -F ip,ipc | sed -n 's|^ *\([0-9a-f]*\).*IPC.*/\([0-9]*\)).*|\1 \2|p' > "$dir/wanted"
script --itrace=y0ns -F ip,period | sed 's/^ *\([0-9]*\) *\([0-9a-f]*\)/\2 \1/; s/ *$//' > "$dir/got"
[ "$(wc -l < "$dir/wanted")" -gt 1000 ] && pass || flunk "there are instructions with cycles"
cmp -s "$dir/got" "$dir/wanted" && pass || flunk "each has a sample of cycles" \
	"$(diff "$dir/wanted" "$dir/got" | head -n 6)"
script --itrace=i1000i > "$dir/wanted"
for o in i1000iy yi1000i; do
	script --itrace=$o > "$dir/both"
	grep -v cycles: "$dir/both" | cmp -s - "$dir/wanted" && pass ||
		flunk "those of instructions are the same, $o"
	grep -q 'cycles:u:' "$dir/both" && pass || flunk "there are cycles, $o"
done
is "only cycles" "$(script --itrace=y1000i | grep -vc 'cycles:u:')" 0
script --itrace=y1000ie > "$dir/1"
script --itrace=y1000ie -j 2 > "$dir/2"
cmp -s "$dir/1" "$dir/2" && pass || flunk "-j 2 prints the same"
for n in 1 2 3; do script --itrace=y1000ie --shard $n/3; done | cmp -s - "$dir/1" && pass ||
	flunk "the parts are the whole"
is "the sum of a profile" "$("$PT" report -i "$f" --symfs "$GEN/root" --itrace=yA 2> /dev/null |
	sed -n 's/^# Event count (approx.): //p')" \
	"$(script --itrace=yA -F period | awk '{ s += $1 } END { print s }')"
finish
