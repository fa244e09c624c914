#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_SCRIPT CMD_DUMP LIBELF
#
# pt prints the lines that README shows, and 'make demo' works.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

awk -v dir="$dir" '
/^    \$ pt / { n++; sub(/^    \$ pt /, ""); print > (dir "/" n ".args"); next }
!/^    / { shown = 0 }
n && /^    ./ { if (!over) print substr($0, 5) > (dir "/" n ".wanted") }
n && !/^    / { over = 1 }' README

cd test/golden/hello || exit 1
for args in "$dir"/*.args; do
	"$PT" $(cat "$args") > "$dir/all" 2>&1 || flunk "pt $(cat "$args") ends with 0"
	sed 's/[ 	]*$//' "$dir/all" > "$dir/out"
	none "pt $(cat "$args") prints README's lines" "$(grep -vxFf "$dir/out" "${args%.args}.wanted")"
done
# By single steps its recording takes 15 seconds of CPU time; other tests have recordings by steps.
if "$PT" --version -v | grep -q SOFT_TRANSLATE=y || [ -n "$LONG" ]; then
	is "make demo works" "$(PT=$PT sh ./demo > "$dir/demo" 2>&1; echo $?)" 0
	is "and decodes all of it" "$(grep -c '24190 lines' "$dir/demo")" 1
fi

finish
