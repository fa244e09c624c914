#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_STAT STAT_FILE
#
# pt stat record keeps counts in a file, pt stat report prints them, as those of perf stat.

. test/stat/judge

# counts: the lines of a table, without title and times
counts() {
	grep -E ' (faults|task-clock) '
}

stat record -o "$dir/data" -e faults,task-clock true | counts > "$dir/printed"
is "both events are printed while recording" "$(wc -l < "$dir/printed")" 2
is "the report is the table that was printed" "$(stat report -i "$dir/data" | counts)" \
	"$(cat "$dir/printed")"
is "its title is the command line" "$(stat report --input "$dir/data" | sed -n 2p)" \
	" Performance counter stats for 'pt stat record -o $dir/data -e faults,task-clock true':"
is "it has the other forms, too" \
	"$(stat report -x, "$dir/data" | cut -d, -f3 | tr '\n' ' ')" "faults task-clock "
stat record -o "$dir/intervals" -I 50 --interval-count 2 -e faults sleep 10 > /dev/null
is "intervals are kept" "$(stat report "$dir/intervals" | grep -c ' faults ')" 2
is "several runs are not" "$(stat record -r 2 -o "$dir/x" -e faults true)" \
	"pt: pt stat record keeps the counts of one run; leave out -r"
is "another file is said" "$(stat report -i test/golden/hello/perf.data)" \
	"pt: test/golden/hello/perf.data has no counts; record with pt stat record"
is "options may follow FILE" "$(stat report -i "$dir/data" -x, | wc -l)" 2
is "a second file is refused" "$(stat report -i "$dir/data" "$dir/intervals")" \
	"pt: pt stat report takes one file: $dir/data or $dir/intervals"
is "counts of a task have no rows of CPUs" \
	"$(stat report "$dir/data" -A 2>&1 | head -n 1)" \
	"pt: $dir/data has counts of tasks, which have no rows of CPUs"
is "so is none" "$(stat report -i "$dir/none")" "pt: $dir/none: no such file"

if [ "$(perf --version 2> /dev/null | cut -d. -f1,2)" != 'perf version 6.1' ]; then
	skip "perf 6.1 is not here to judge"
	finish
	exit
fi
# like_perf WHAT FILE
like_perf() {
	stat report -i "$2" > "$dir/pt.txt"
	perf stat report -i "$2" > "$dir/perf.txt" 2>&1
	none "perf prints the same: $1" "$(diff "$dir/perf.txt" "$dir/pt.txt")"
}
like_perf "counts" "$dir/data"
like_perf "intervals of one event" "$dir/intervals"
perf stat record -o "$dir/of.perf" -e faults,task-clock,cs true > /dev/null 2>&1
like_perf "perf's counts" "$dir/of.perf"
perf stat record -o "$dir/of.perf" -I 20 -e faults,task-clock sleep 0.1 > /dev/null 2>&1
# perf 6.1 divides by the clock of another interval.
stat report -i "$dir/of.perf" | sed 's/ *#.*//; s/ *$//' > "$dir/pt.txt"
perf stat report -i "$dir/of.perf" 2>&1 | sed 's/ *#.*//; s/ *$//' > "$dir/perf.txt"
none "perf prints the same: perf's intervals" "$(diff "$dir/perf.txt" "$dir/pt.txt")"
if stat -a -e cs true > /dev/null; then
	stat record -a -A -o "$dir/cpus" -e cs,task-clock sleep 0.1 > /dev/null
	like_perf "counts of CPUs" "$dir/cpus"
	perf stat record -a -A -o "$dir/cpus" -e cs sleep 0.1 > /dev/null 2>&1
	like_perf "perf's counts of CPUs" "$dir/cpus"
	# Counts are kept for each CPU, whatever the table was. cycles may not be there.
	for rows in -a '-a --per-core' '-a -A' '-a --per-node'; do
		# shellcheck disable=SC2086
		perf stat record $rows -o "$dir/rows" -e cs,cpu-clock,faults sleep 0.05 \
			> /dev/null 2>&1
		for asked in '' -A --per-core --per-die --per-socket --per-node; do
			# shellcheck disable=SC2086
			stat report -i "$dir/rows" $asked > "$dir/pt.txt"
			# shellcheck disable=SC2086
			perf stat report -i "$dir/rows" $asked > "$dir/perf.txt" 2>&1
			none "perf prints the same: $asked of a record $rows" \
				"$(diff "$dir/perf.txt" "$dir/pt.txt")"
		done
	done
fi
finish
