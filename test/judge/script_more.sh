#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: SCRIPT_MORE PERF_DATA LIBELF
#
# --graph-function, --switch-on, --per-event-dump and their like print what perf prints.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Samples of three events, with call chains.
chain="2 0xffffffffffffff80 0xffffffff81000204"
cat > "$dir/events.in" << END
event 1 0 identifier,ip,tid,time,cpu,callchain name=one
event 1 1 identifier,ip,tid,time,cpu,callchain name=two
event 1 2 identifier,ip,tid,time,cpu,callchain name=three
record 1 misc=1 0xffffffff:0 0xffffffff81000000 0x1000 0xffffffff81000000 "[kernel.kallsyms]_text"
at 7 7 0 1
comm seven
$(t=1000 n=0
for e in 0 1 0 2 0 1 0 0 2 1 0; do
	t=$((t + 1000)) n=$((n + 4))
	echo "tool 9 misc=1 $((100 + e)) $((0x81000100 + n)):0xffffffff 7:7 $t 0 $chain"
done)
END
"$O/obj/dataasm" < "$dir/events.in" > "$dir/events"
echo 'ffffffff81000000 T _text
ffffffff81000100 T first
ffffffff81000110 T second
ffffffff81000200 T caller
ffffffff81000300 T _etext' > "$dir/kallsyms"

# fails WHY OPTIONS...
fails() {
	why=$1
	shift
	case $1 in
	-i) ;;
	*) set -- -i "$dir/events" --kallsyms "$dir/kallsyms" "$@" ;;
	esac
	"$PT" script "$@" > "$dir/out" 2> "$dir/err"
	is "script $*: status" $? 1
	grep -q -e "$why" "$dir/err" && pass || flunk "script $*" "$(cat "$dir/err")"
	none "script $*: prints nothing" "$(cat "$dir/out")"
}
fails 'has no such event' --switch-on four
fails 'has no such event' --switch-off four
fails 'no call of it' --graph-function first
fails 'takes a number' --max-blocks few
fails 'takes a number' --addr-range few
fails 'takes no -D' --per-event-dump -D
fails 'cannot be printed' -F +data_page_size
is "a failure is said once" "$(wc -l < "$dir/err")" 1

if "$PT" record -q -e cpu-clock:u -o "$dir/clock" ls / > "$dir/out" 2>&1 < /dev/null; then
	fails 'has no branch stacks' -i "$dir/clock" -F +brstackinsn
else
	skip "-F brstackinsn: pt may not record here"
fi

# at OPTIONS...: the last digits of the times of the samples that are printed.
at() {
	"$PT" script -i "$dir/events" --kallsyms "$dir/kallsyms" --ns -G -F time "$@" 2> "$dir/err" |
		sed 's/.*\(..\)000:.*/\1/' | tr -d '\n' | tr -d 0
}
is "all samples" "$(at)" 2345678911112
is "--switch-on" "$(at --switch-on two)" 45678911112
is "--switch-off alone" "$(at --switch-off three)" 234
is "--switch-on --switch-off" "$(at --switch-on two --switch-off three)" 48912
is "--show-on-off-events" \
	"$(at --switch-on two --switch-off three --show-on-off-events)" 34578911112
is "addresses in -S" "$(at -S 0xffffffff81000108)" 3
is "--addr-range" "$(at -S ffffffff81000108,second --addr-range 8)" 345678911112

is "-d: no samples" "$(at -d) $(tail -n 1 "$dir/err")" " pt: misordered timestamps: 0"

# The files of --per-event-dump, together, are the lines without it; an event may have a slash.
"$PT" script -i "$dir/events" --per-event-dump > "$dir/out" 2> "$dir/err"
is "--per-event-dump: files" "$(cd "$dir" && echo events.*.dump)" \
	"events.one.dump events.three.dump events.two.dump"
is "--per-event-dump: a line each" "$(sed 's/.*\.\([a-z]*\.dump\)/\1/' "$dir/out" | tr '\n' ' ')" \
	"one.dump (6 samples) ] two.dump (3 samples) ] three.dump (2 samples) ] "
"$PT" script -i "$dir/events" > "$dir/all" 2> "$dir/err"
is "--per-event-dump: the same lines" "$(cat "$dir"/events.*.dump | sort | cksum)" \
	"$(sort "$dir/all" | cksum)"
hello=test/golden/hello
cp "$hello/perf.data" "$dir/trace"
"$PT" script -i "$dir/trace" --symfs $hello/root --itrace=be --per-event-dump > "$dir/out" 2>&1
is "--per-event-dump: of a trace" "$(cd "$dir" && echo trace.branches*.dump)" trace.branches:u.dump
"$PT" script -i "$dir/trace" --symfs $hello/root --itrace=be > "$dir/all" 2> "$dir/err"
is "--per-event-dump: branches of a trace" "$(cksum < "$dir/trace.branches:u.dump")" \
	"$(cksum < "$dir/all")"
if "$PT" version -v | grep -q SAMPLE_COLUMNS=y; then
	is "-F dsoff" "$("$PT" script -i "$dir/trace" --symfs $hello/root --itrace=i1000i -F ip,dsoff |
		head -n 1)" "           403ada (/opt/pt-data/bin/hello+0x3ada)"
	fails 'metrics of counts' -F +metric
fi
mkdir "$dir/trace.cbr.dump"
"$PT" script -i "$dir/trace" --symfs $hello/root --per-event-dump > "$dir/out" 2>&1
is "--per-event-dump: a file that cannot be written" \
	"$? $(sed 's/.*trace\.//' "$dir/out")" "1 cbr.dump: Is a directory"
rmdir "$dir/trace.cbr.dump"

need_perf

# same FILE OPTIONS...: without gaps, and without the limit of the indent.
plain() {
	grep -v ' trace error ' | sed 's/   */  /g;s/ *$//'
}
same() {
	perf script $(names_as_pt) -i "$@" 2> /dev/null < /dev/null | plain > "$dir/wanted"
	"$PT" script -i "$@" 2> "$dir/err" | plain > "$dir/got"
	cmp -s "$dir/wanted" "$dir/got" && pass || flunk "pt script -i $*" \
		"$(diff "$dir/wanted" "$dir/got" | cut -c 1-200 | head -n 6; head -n 2 "$dir/err")"
}

set -- "$dir/events" --kallsyms "$dir/kallsyms"
same "$@" --switch-on two
same "$@" --switch-on two --switch-off three
same "$@" --switch-on two --switch-off three --show-on-off-events
same "$@" --switch-on two --switch-off two
same "$@" --stop-bt caller
same "$@" --stop-bt first,caller
same "$@" --stop-bt second --max-stack 1
same "$@" --show-kernel-path
same "$@" --max-stack 0
same "$@" -L
same "$@" -L -F comm,tid,cpu,ip,sym
# The kernel's record ends before 'caller', but its symbols do not.
sed 's/ 0x1000 0xffffffff81000000 "/ 0x200 0xffffffff81000000 "/' "$dir/events.in" |
	"$O/obj/dataasm" > "$dir/boot"
same "$dir/boot" --kallsyms "$dir/kallsyms"
# What a BPF program wrote: text, other bytes, nothing.
"$O/obj/dataasm" > "$dir/bpf" << 'END'
event 1 10 identifier,ip,tid,time,cpu,period,raw name=evt flags=18
at 7 7 0 1
comm seven
tool 9 misc=2 100 0x401000 7:7 1000 0 1 20:0x64636261 0x6867666564636261 0x66656463
tool 9 misc=2 100 0x401000 7:7 2000 0 1 28:0x64636261 0x6800666564636261 0x0101010166656463 0x11
tool 9 misc=2 100 0x401000 7:7 2000 0 1 12:0x64636261 0x0068656463626100
tool 9 misc=2 100 0x401000 7:7 2000 0 1 4:0
END
if "$PT" version -v | grep -q SAMPLE_COLUMNS=y; then
	for f in +period -bpf-output sw:bpf-output bpf-output comm,bpf-output; do
		same "$dir/bpf" -F $f
	done
	same "$dir/events" --kallsyms "$dir/kallsyms" -F +bpf-output
	same "$dir/events" --kallsyms "$dir/kallsyms" -F +data_src
fi
is "--symfs / is this system" "$("$PT" script -i "$dir/events" --symfs / 2>&1 | cksum)" \
	"$("$PT" script -i "$dir/events" 2>&1 | cksum)"
# A record of another thread than the one that caused it: its name is that of the other one.
"$O/obj/dataasm" > "$dir/spaces" << 'END'
event 1 0 identifier,ip,tid,time,period flags=18
at 7 7 0 0
comm seven
record 3 9:9 "nine"
record 16 9:9 1 4 0x99
END
same "$dir/spaces" --show-namespace-events
same "$@" --max-stack 1 -F time,ip
same "$@" -d
same "$@" -S ffffffff81000108,second --addr-range 8
(
	cd "$dir" || exit
	perf script -i events --kallsyms kallsyms --per-event-dump > lines 2> err < /dev/null
	for e in one two three; do
		mv events.$e.dump $e
	done
	"$PT" script -i events --kallsyms kallsyms --per-event-dump > lines 2> err
	for e in one two three; do
		cmp events.$e.dump $e
	done
) > "$dir/out" 2>&1
none "--per-event-dump: the files are those of perf" "$(cat "$dir/out")"

for t in hello recursion signals; do
	[ -d "$GEN/$t" ] || continue
	set -- "$GEN/$t/perf.data" --symfs "$GEN/root"
	for f in main even down,odd printf; do
		same "$@" --call-ret-trace --graph-function $f
		same "$@" --itrace=be --graph-function $f
		same "$@" --itrace=i1000ig -F +callindent --graph-function $f
	done
	same "$@" -S main,even --itrace=b --graph-function main
	same "$@" -S 0x401170 --addr-range 40 --itrace=i1i
	same "$@" --itrace=i100ig --stop-bt main,even
	"$PT" --version -v | grep -q BRANCH_STACKS=y || continue
	same "$@" --itrace=i1000il -F +brstackinsn --max-blocks 2
	same "$@" --itrace=i1000il -F +brstackinsnlen --max-blocks 30
done
finish
