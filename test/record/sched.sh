#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_SCHED
#
# pt sched timehist prints what perf sched timehist does.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

is "the only subcommand is timehist" "$("$PT" sched latency 2>&1)" \
	"pt: pt sched latency: there is only pt sched timehist"
"$PT" record -q -o "$dir/none.data" true 2> /dev/null
if [ -e "$dir/none.data" ]; then
	is "a file without switches says how to record some" \
		"$("$PT" sched timehist -s -i "$dir/none.data" 2>&1 | sed 's/.*none.data/FILE/')" \
		"FILE has no context switches: record with -e sched:sched_switch or --switch-events"
fi
if ! has_perf ||
	! perf sched record -o "$dir/data" sleep 0.05 > /dev/null 2>&1; then
	skip "perf 6.1 is not here, or may not record the scheduler"
	finish
	exit
fi
for options in '' -w; do
	# shellcheck disable=SC2086
	"$PT" sched timehist $options -i "$dir/data" > "$dir/pt.txt" 2> "$dir/err"
	# shellcheck disable=SC2086
	perf sched timehist $options -i "$dir/data" > "$dir/perf.txt" 2> /dev/null
	none "timehist $options is that of perf" \
		"$(diff -a "$dir/perf.txt" "$dir/pt.txt" | head -n 10)"
done
is "the summary counts them" "$("$PT" sched timehist -s -i "$dir/data" | tail -n 1 | cut -d ' ' -f 2-4)" \
	"context switches in"
finish
