#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_LIST
#
# pt list: names, kinds, and whether events can be opened.

. test/verdict

is "software events are there, by both names" \
	"$("$PT" list sw | grep -c '^  context-switches OR cs  *\[Software event\]')" 1
is "a kind lists only its own" "$("$PT" list tool | cut -c54-67 | sort -u)" "[Tool event]  "
is "a pattern picks names" "$("$PT" list 'page-f*' | cut -c1-24)" "  page-faults OR faults "
is "a word picks names that contain it" \
	"$("$PT" list L1-icache-load | sed -n 's/^  \(L1[^ ]*\) .*/\1/p' | tr '\n' ' ')" \
	"L1-icache-load-misses L1-icache-loads "
is "nothing is wider than 80 columns but names of tracepoints" \
	"$("$PT" list hw sw cache tool pmu pt | awk 'length > 80')" ""
is "each no has its reason" "$("$PT" list hw cache | sed -n 's/.* no \([0-9]*\)$/\1/p' | sort -u)" \
	"$("$PT" list hw cache | sed -n 's/^ \([0-9]*\): .*/\1/p' | sort -u)"

# What perf lists is there, but for what it makes up of its own tables.
if command -v perf > /dev/null; then
	is "all that perf lists is listed" "$(perf list hw sw cache tool pmu 2> /dev/null |
		sed -n 's/^  \([^ ]*\) .*\[\(Software\|Hardware\|Tool\|Kernel PMU\).*event\]$/\1/p' |
		while read -r name; do
			"$PT" list hw sw cache tool pmu | grep -qF "  $name " || echo "$name"
		done)" ""
else
	skip "there is no perf to compare with"
fi
finish
