#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: RECORD_MORE RECORD_SAMPLES CMD_SCRIPT
#
# pt record --guest and --host: events count in the same machines as those of perf kvm record.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

need_perf

# excludes FILE: which machines the first event does not count in
excludes() {
	perf script -i "$1" --header-only 2> /dev/null | grep -m 1 '^# event : name = cpu-clock' |
		grep -o 'exclude_[hg][a-z]* = 1' | xargs
}

for machines in --guest --host '--guest --host' '--host --no-guest'; do
	if ! perf kvm $machines record -q -a -e cpu-clock -o "$dir/perf" true > "$dir/err" 2>&1 ||
	   ! "$PT" record -q -a $machines -e cpu-clock -o "$dir/pt" true > "$dir/err" 2>&1; then
		skip "$machines: it cannot be recorded here: $(head -n 1 "$dir/err")"
		continue
	fi
	is "$machines" "$(excludes "$dir/pt")" "$(excludes "$dir/perf")"
done
"$PT" record --guest -e cpu-clock:H --dry-run true > "$dir/out" 2>&1
is "an event may say it itself" "$? $(cat "$dir/out")" "0 "
finish
