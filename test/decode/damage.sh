#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_SCRIPT PERF_DATA
#
# Recordings that contradict themselves come to an end.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello=test/golden/hello

# An attribute begins with its type and size; then comes 'config', whose second byte has BranchEn.
attrs=$(od -An -t u8 -j 24 -N 8 $hello/perf.data | tr -d ' ')
cp $hello/perf.data "$dir/no_branches.data"
config=$(od -An -t u1 -j $((attrs + 9)) -N 1 $hello/perf.data | tr -d ' ')
is "branches were recorded" $((config >> 5 & 1)) 1
printf "\\$(printf %o $((config & ~32)))" |
	dd of="$dir/no_branches.data" bs=1 seek=$((attrs + 9)) conv=notrunc 2> /dev/null

# The trace has branches, and the attribute says that there are none.
for letters in be i1usge xwpe; do
	timeout 60 "$PT" script --symfs $hello/root --itrace=$letters -i "$dir/no_branches.data" \
		> /dev/null 2>&1
	is "a trace of branches that are not announced, --itrace=$letters" $? 0
done
timeout 60 "$PT" script --symfs "$dir" --itrace=be -i "$dir/no_branches.data" 2>&1 | head -c 1000000 \
	> "$dir/lines"
is "the same without code is short" "$([ $(wc -c < "$dir/lines") -lt 1000000 ] && echo yes)" yes

finish
