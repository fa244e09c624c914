#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 4
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
		"FILE has no context switches; record with -e sched:sched_switch or --switch-events"
fi
if ! has_perf ||
	! perf sched record -o "$dir/data" sleep 0.05 > /dev/null 2>&1; then
	skip "perf 6.1 is not here, or may not record the scheduler"
	finish
	exit
fi
cpu=$(nproc)
for options in '' -w -nMV -wnV -wM --state -I -S -sM '-s --state' '-SI --state' "-C $((cpu - 1)) -w" \
	"-p $$ -w" "-t $$,1 -s" ; do
	# shellcheck disable=SC2086
	"$PT" sched timehist $options -i "$dir/data" > "$dir/pt.txt" 2> "$dir/err"
	# shellcheck disable=SC2086
	perf sched timehist $options -i "$dir/data" > "$dir/perf.txt" 2> /dev/null
	none "timehist $options is that of perf" \
		"$(diff -a "$dir/perf.txt" "$dir/pt.txt" | head -n 10)"
done
middle=$("$PT" sched timehist -i "$dir/data" | awk '$1 ~ /[0-9]/ { t[n++] = $1 } END { print t[int(n / 2)] }')
for options in "--time ,$middle" "-w --time $middle," "-s --time $middle,"; do
	# shellcheck disable=SC2086
	perf sched timehist $options -i "$dir/data" > "$dir/perf.txt" 2> /dev/null
	# shellcheck disable=SC2086
	none "$options is that of perf" \
		"$("$PT" sched timehist $options -i "$dir/data" | diff -a "$dir/perf.txt" - | head -n 10)"
done
if perf sched record -g -o "$dir/chains" sleep 0.05 > /dev/null 2>&1; then
	# perf does not look up what user space executed.
	perf sched timehist -n -i "$dir/chains" 2> /dev/null | grep -v unknown > "$dir/perf.txt"
	none "call chains of the kernel are those of perf" \
		"$("$PT" sched timehist -n -i "$dir/chains" | grep -vxFf - "$dir/perf.txt" | head -n 5)"
fi
finish
