#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: HEADER_INFO CMD_SCRIPT CMD_RECORD RECORD_SOFT
#
# --header -I prints topology, memory and caches as perf does; damage does no harm.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

hello=$GEN/hello/perf.data
if [ -f "$hello" ]; then
	is "without -I nothing is new" "$("$PT" script --header-only -i "$hello" | grep -c 'use -I')" \
		"$("$PT" script --header-only --no-show-info -i "$hello" | grep -c 'use -I')"
else
	skip "there is no $hello"
fi
# The numbers of each CPU, from sysfs.
cpus() {
	for d in /sys/devices/system/cpu/cpu[0-9]*/topology; do
		n=${d#*/cpu/cpu}
		echo "# CPU ${n%/*}: Core ID $(cat "$d/core_id"), Die ID $(cat "$d/die_id")," \
			"Socket ID $(cat "$d/physical_package_id")"
	done
}
if [ ! -e /sys/devices/system/cpu/cpu0/topology/die_id ]; then
	skip "the kernel numbers no dies"
elif "$PT" record -q --soft -o "$dir/here" true 2> "$dir/log"; then
	is "cores, dies and sockets are those of sysfs" "$("$PT" script --header-only -I -i "$dir/here" |
		grep '^# CPU [0-9]*: ' | sort)" "$(cpus | sort)"
else
	skip "pt may not record here: $(cat "$dir/log")"
fi
need_perf

same() {
	"$PT" script -i "$@" > "$dir/got" 2> "$dir/err"
	perf script -i "$@" > "$dir/wanted" 2> /dev/null < /dev/null
	cmp -s "$dir/got" "$dir/wanted" && pass || flunk "pt script -i $*" \
		"$(diff "$dir/wanted" "$dir/got" | head -n 8; head -n 2 "$dir/err")"
}

for f in "$GEN"/*/perf.data "$SHARED/data/real/perf.data.intel_pt-4.14"; do
	[ -f "$f" ] && same "$f" --header-only -I
done
if perf record -q -e cpu-clock:u -o "$dir/file" true > "$dir/log" 2>&1; then
	same "$dir/file" --header-only -I
	is "there is more" "$("$PT" report --header-only -I -i "$dir/file" | grep -c '^# CPU 0: ')" 1
	perf record -q -e cpu-clock:u -o - true > "$dir/pipe" 2> "$dir/log"
	same "$dir/pipe" --header -I
	# What pt records of the machine: its nodes, caches and blocks of memory.
	machine() {
		"$PT" script --header-only -I -i "$1" | sed 's/, free = .*//' |
			grep -E '^# (node[0-9]|CPU cache|memory nodes)|^#  '
	}
	"$PT" record -q -e cpu-clock:u -o "$dir/mine" true 2> "$dir/log"
	is "pt writes of the machine what perf writes" "$(machine "$dir/mine")" \
		"$(machine "$dir/file")"
	# Each byte of the header's end, changed.
	size=$(stat -c %s "$dir/file")
	for i in $(seq 40); do
		cp "$dir/file" "$dir/hurt"
		printf '\377\377\377\177' | dd of="$dir/hurt" bs=1 conv=notrunc \
			seek=$((size - i * 97)) 2> /dev/null
		"$PT" script --header-only -I -i "$dir/hurt" > "$dir/out" 2>&1
		[ $? -lt 2 ] && pass || flunk "damage $i" "$(tail -n 3 "$dir/out")"
	done
else
	skip "perf may not record here"
fi
finish
