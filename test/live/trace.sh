#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 4
# needs: RECORD_SOFT CMD_TRACE
#
# A program traced live ends as it does alone, and pt prints only how much was traced.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# ends SCRIPT STATUS
ends() {
	"$PT" trace -- sh -c "$1" > "$dir/lines" 2> "$dir/said"
	is "pt trace of $1: status" $? "$2"
	is "pt trace of $1: what is said" "$(sed 's/[0-9][0-9]* lines/N lines/' "$dir/said")" \
		"pt: N lines, 0 gaps"
	is "pt trace of $1: are there lines?" "$([ -s "$dir/lines" ] && echo yes)" yes
}
ends 'exit 0' 0
ends 'exit 7' 7
ends 'kill -TERM $$' 143

# Code that it makes at run time is decoded, too.
$CC -O1 -static -g0 -pthread -o "$dir/made" test/live/made.c || flunk "made compiles"
"$PT" trace --branches -- "$dir/made" > "$dir/lines" 2> "$dir/said"
is "pt trace of code made at run time" "$(sed 's/[0-9][0-9]* lines/N lines/' "$dir/said")" \
	"pt: N lines, 0 gaps"
finish
