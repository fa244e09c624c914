#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_DUMP PERF_DATA
#
# pt -D needs at most 1.5 MiB for a file of any length: here BIG MiB (1024 takes a minute, and 512
# MiB of disk).

. test/verdict

big=$O/obj/judge/big
if [ ! -x "$big" ] || ! "$PT" -D --help > /dev/null 2>&1; then
	skip "this build has no pt -D, or no test/judge/big.c"
	finish
	exit
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for mib in 8 "${BIG:-48}"; do
	kib=$("$big" "$mib" "$dir/big.data" "$PT" -D "$dir/big.data" 2>&1 > /dev/null)
	none "a dump of $mib MiB needs at most 1536 KiB" \
		"$([ "$kib" -gt 0 ] && [ "$kib" -le 1536 ] || echo "it was ${kib:-nothing}")"
done
finish
