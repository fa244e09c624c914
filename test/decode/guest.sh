#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_SCRIPT PERF_DATA
#
# Code that a guest runs, according to PIP packets, does not get the name, file and symbols of the
# host's process.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello=test/golden/hello

# The TMA of the first PSB+, eight bytes with what pads it, becomes a PIP with NR = 1.
at=$(LC_ALL=C grep -obUaP -m1 '\x02\x73......\x02\x03' $hello/perf.data | head -n 1 | cut -d: -f1)
cp $hello/perf.data "$dir/guest.data"
printf '\002\103\001\000\000\000\000\000' |
	dd of="$dir/guest.data" bs=1 seek="$at" conv=notrunc 2> /dev/null

# samples OPTIONS...: how many there are
samples() {
	"$PT" script --symfs $hello/root -i "$@" 2> /dev/null | grep -c :u:
}

is "the host's are there" "$([ "$(samples $hello/perf.data --itrace=qi)" -gt 50 ] && echo yes)" yes
is "none of a guest, of addresses" "$(samples "$dir/guest.data" --itrace=qi)" 0
is "none of a guest, of branches" "$(samples "$dir/guest.data" --itrace=b)" 0
is "nor does a profile name the process" "$("$PT" report --stdio --symfs $hello/root --itrace=qi \
	-i "$dir/guest.data" 2> /dev/null | grep -c hello)" 0
finish
