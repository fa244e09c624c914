#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: RECORD_SOFT CMD_SCRIPT
#
# The soft recorder: a program goes its way as if nobody looked, and the trace
# says which way that was.

. test/live/judge

build branches
like_untraced "$dir/branches"
no_gaps branches
nm "$dir/branches" | sed -n 's/^0*\([0-9a-f]*\) T mark_\([0-9]\).*/\1 \2/p' > "$dir/marks"
is "the marks that branches passed are those it says" "$(awk '
	NR == FNR { mark[$1] = $2; next }
	$1 in mark { printf "%s", mark[$1] }
	END { print "" }' "$dir/marks" "$dir/soft.ip" | cksum)" "$(cksum < "$dir/plain.out")"

like_stepped "$dir/branches"
set -- $(sed -n 's/^\([0-9]*\) inst.* did \([0-9]*\) .* and \([0-9]*\) .*/\1 \2 \3/p' \
	"$dir/soft.said")
is "the processor stops at less than one in eight instructions" \
	"$((($2 + $3) * 8 < $(wc -l < "$dir/soft.ip")))" 1

build code
like_untraced "$dir/code"

record soft "--soft -e intel_pt/noretcomp,mtc=0,cyc,psb_period=0/u" "$dir/branches"
no_gaps 'a trace with other packets'

"$PT" record -q --soft -o "$dir/none.data" /nonexistent 2> /dev/null
is "a command that is not there" $? 127
"$PT" record -q --soft -o "$dir/none.data" sh -c 'kill -KILL $$'
is "a command that is killed" $? 137

# What it cannot do is said, and nothing is recorded.
for asked in "-S" "--filter filter@/bin/x" "--aux-sample -e intel_pt//u" "-D 10" "-i" "--kcore" \
	"-a"; do
	"$PT" record -q --soft -o "$dir/cannot.data" $asked -- touch "$dir/touched" 2> "$dir/err"
	is "record --soft $asked" "$? $(wc -l < "$dir/err")" "1 1"
done
is "nothing ran meanwhile" "$(ls "$dir/touched" "$dir/cannot.data" 2> /dev/null)" ""

# A command beside -p says how long, and is not traced.
sh -c 'while :; do :; done' &
loop=$!
"$PT" record -q --soft -o "$dir/with.data" -p $loop sh -c 'exit 3' 2> /dev/null
is "its status is pt's" $? 3
"$PT" script -i "$dir/with.data" --show-task-events 2> /dev/null |
	grep -q "PERF_RECORD_COMM: sh:$loop/"
is "the process is in the trace" $? 0
is "and nobody else" "$("$PT" script -i "$dir/with.data" --itrace=b -F pid 2> /dev/null |
	grep -vxc " *$loop *")" 0
kill -0 $loop
is "it goes on" $? 0
kill $loop

finish
