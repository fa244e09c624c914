#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: PERF_OPTIONS CMD_SCRIPT CMD_RECORD CMD_REPORT CMD_INJECT CMD_ANNOTATE RECORD_SOFT TRACEPOINT_TEXT CMD_EVLIST PERF_DATA LIBELF
#
# Every option in the manual pages of perf is known to pt: it works, or pt says why it does not.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# refused COMMAND OPTION WHY
refused() {
	"$PT" "$1" "$2" > "$dir/out" 2>&1 < /dev/null
	is "$1 $2: status" $? 1
	grep -q -- "^pt: $2: .*$3" "$dir/out" && pass || flunk "$1 $2" "$(cat "$dir/out")"
}

refused script --dlfilter 'loads no filters'
refused script -g 'runs no scripts'
refused script --inline 'no inlined functions'
refused record --switch-output-event 'a signal, a size'
refused inject --sched-stat 'sched timehist'
refused annotate -M 'AT&T'
refused report --asm-raw 'pt annotate'
for c in kvm buildid-cache config test top lock kmem kwork timechart mem c2c bench ftrace data daemon \
		iostat kallsyms; do
	"$PT" $c > "$dir/out" 2>&1
	is "pt $c: status, lines" "$? $(grep -c "^pt: there is no 'pt $c': " "$dir/out")" "1 1"
done
"$PT" script --nosuch > "$dir/out" 2>&1
grep -q 'unknown option --nosuch' "$dir/out" && pass || flunk "no such option" "$(cat "$dir/out")"

cd "$dir" || exit
"$PT" record -q --soft --aio --affinity=node --threads --proc-map-timeout 500 -o one.data ls \
	> out 2>&1
is "pt record with options without effect" "$?" 0
"$PT" script -i one.data > plain 2>&1
"$PT" script -f -v -a --no-inline -i one.data > out 2>&1
is "pt script with options without effect" "$(cksum < out)" "$(cksum < plain)"
"$PT" annotate -i one.data > plain 2>&1
"$PT" annotate -f --stdio -n -l -m -i one.data > out 2>&1
is "pt annotate with options without effect" "$(cksum < out)" "$(cksum < plain)"
"$PT" inject -f -v -i one.data -o two.data > out 2>&1
is "pt inject with options without effect" "$?" 0

# The tracepoint of --exclude-perf does not see the recorder.
if sh -c 'echo $$ > pid; exec "$PT" record -q -a -e sched:sched_switch --exclude-perf \
	-o switches sleep 0.1' > out 2>&1 < /dev/null; then
	is "--exclude-perf" "$("$PT" script --tid "$(cat pid)" -F tid -i switches 2> out | wc -l)" 0
	"$PT" evlist -i switches > out 2>&1
	grep -q sched:sched_switch out && pass || flunk "--exclude-perf: its event" "$(cat out)"
else
	skip "--exclude-perf: no tracepoints here"
fi
"$PT" record --exclude-perf true > out 2>&1
grep -q 'follows a tracepoint' out && pass || flunk "--exclude-perf alone" "$(cat out)"

# perf's manual pages, if they are here.
for c in script report record inject annotate evlist buildid-list archive; do
	perf $c --help 2> /dev/null | sed 's/.\x08//g' > page
	grep -q . page || {
		skip "perf $c: no manual page"
		continue
	}
	unknown=
	for o in $(grep -oE '^       (-[A-Za-z], )?--[a-z-]+|^       -[A-Za-z]' page |
		grep -oE -- '--[a-z-]+|-[A-Za-z]\b' | sort -u); do
		case $(timeout 60 "$PT" $c "$o" /dev/null 2>&1 < /dev/null) in
		*'unknown option'*) unknown="$unknown $o" ;;
		esac
	done
	is "options of perf $c that pt does not know" "$unknown" ""
done

# The help of those whose manual pages also have options of other programs.
for c in diff list probe sched stat; do
	"$PT" help $c > /dev/null 2>&1 || continue
	perf $c -h > page 2>&1
	unknown=
	for o in $(grep -oE '^ {4,8}(-[A-Za-z], )?--[a-z-]+|^ {4}-[A-Za-z]\b' page |
		grep -oE -- '--[a-z-]+|-[A-Za-z]\b' | sort -u); do
		case $(timeout 1 "$PT" $c "$o" /dev/null 2>&1 < /dev/null) in
		*'unknown option'*) unknown="$unknown $o" ;;
		esac
	done
	is "options of perf $c that pt does not know" "$unknown" ""
done
finish
