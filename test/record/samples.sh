#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 40
# needs: RECORD_SAMPLES SAMPLE_COLUMNS CMD_SCRIPT CMD_REPORT LIBELF TRACEPOINT_TEXT
#
# Samples without Intel PT: the attributes in pt's files are the same as in perf's for the same
# options; perf reads the files, and pt prints them like perf.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# refused WHY OPTION...: with status 1 and one line.
refused() {
	why=$1
	shift
	"$PT" record -o "$dir/no" "$@" > "$dir/out" 2>&1 < /dev/null
	is "record $*: status" $? 1
	case $(cat "$dir/out") in
	"pt: "*"$why"*) pass ;;
	*) flunk "record $*" "$(head -n 3 "$dir/out")" ;;
	esac
}
refused 'aux-action is for events in a group of Intel PT' -e cpu-clock/aux-action=pause/ true
refused 'aux-output is for events in a group of Intel PT' -e cpu-clock/aux-output/ true
refused 'for Intel PT only' -e cpu-clock -S true
refused 'for Intel PT only' -e cpu-clock --aux-sample true
refused 'for Intel PT only' -e cpu-clock -m ,64 true
refused 'for Intel PT only' -e cpu-clock --soft true
refused "'dwarf2'" -e cpu-clock --call-graph dwarf2 true
refused "'zz'; use AX BX" -e cpu-clock -Izz true
refused "'left'; use u k hv any" -j left -e cpu-clock true
refused "'yesterday'; use monotonic mono" -k yesterday -e cpu-clock true
"$PT" --version -v | grep -q CONFIG_ZSTD=y || refused 'without zstd' -z -e cpu-clock true
refused "no event 'cpu-cock'" -e cpu-cock --dry-run true
# If the file cannot be written any more, pt does not end the command.
(ulimit -f 24
"$PT" record -e cpu-clock -F 20000 -o "$dir/data" sh -c "i=0; while [ \$i -lt 50000 ]; do i=\$((i+1)); done
	sleep 0.3; echo done > $dir/done" 2> "$dir/out")
is "a full disk: the status, and the command" "$? $(cat "$dir/done")" '1 done'
is "a full disk: it is said" "$(head -n 1 "$dir/out")" "pt: cannot write $dir/data: File too large"
"$PT" record --soft -g true > "$dir/out" 2>&1
is "-g of a trace" "$(cat "$dir/out")" \
	"pt: -g is for sampled events; add -e cpu-clock, or leave it out"

if ! "$PT" record -q -e cpu-clock -o "$dir/try" true 2> "$dir/out"; then
	skip "samples: $(cat "$dir/out")"
	finish
	exit
fi
(trap '' XFSZ; ulimit -f 64; "$PT" record -e cpu-clock -F 5000 -g -o "$dir/full.data" sh -c \
	'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; echo $i > "$0"' "$dir/ended") > "$dir/out" 2>&1
is "a full disk: the last line is there, too" "$? $(grep -c Captured "$dir/out")" \
	"1 1"
is "... and the command runs to its end" "$(cat "$dir/ended")" 200000
"$PT" record -e cpu-clock --dry-run -o "$dir/dry" sh -c "touch $dir/ran" > "$dir/out" 2>&1
is "a dry run: status" $? 0
is "a dry run says nothing, runs nothing and writes nothing" \
	"$(cat "$dir/out"; ls "$dir" | grep -E 'ran|dry')" ""
"$PT" record -q -e cpu-clock -o "$dir/s" sh -c 'exit 7'
is "the status is the command's" $? 7
if command -v python3 > /dev/null; then
	mkfifo "$dir/held"
	python3 -c 'import mmap, sys
m = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
print("mapped", flush=True)
sys.stdin.read()' < "$dir/held" > "$dir/mapped" &
	maps=$!
	exec 5> "$dir/held"
	until [ -s "$dir/mapped" ]; do sleep 0.05; done
	"$PT" record -q -e cpu-clock -o "$dir/anon" -p $maps --for 10ms
	exec 5>&-
	wait $maps
	is "a map without a file that is there already has perf's name" \
		"$("$PT" script --show-mmap-events -i "$dir/anon" | grep -c ': rwxp //anon$')" 1
fi
refused 'only tracepoints' -e cpu-clock --filter 'prev_pid == 1' true

need_perf

${HOSTCC:-cc} -O1 -fno-omit-frame-pointer -DTURNS=40 -o "$dir/prog" test/record/sampled.c || exit 1

# attributes OPTION... WORKLOAD: of pt's recording and of perf's.
attributes() {
	if ! perf record -q -o "$dir/perf" "$@" > "$dir/out" 2>&1; then
		skip "perf record $*: not here"
		return 1
	fi
	rm -f "$dir/pt"
	"$PT" record -q -o "$dir/pt" "$@" > "$dir/out" 2> "$dir/err"
	perf evlist -v -i "$dir/pt" > "$dir/got" 2>&1
	perf evlist -v -i "$dir/perf" > "$dir/wanted" 2>&1
	compare "attributes of record $*"
}

# lines OPTION...: of script, of the last recording
lines() {
	"$PT" script -i "$dir/pt" "$@" > "$dir/got" 2> "$dir/err"
	perf_script -i "$dir/pt" "$@" > "$dir/wanted"
	compare "pt script $* of record $what"
}

profile() {
	"$PT" report -i "$dir/pt" "$@" > "$dir/got" 2> "$dir/err"
	perf_report -i "$dir/pt" "$@" > "$dir/wanted"
	compare "pt report $* of record $what"
}

# both OPTION...: the same attributes, and the same lines of what was recorded.
both() {
	what=$*
	attributes "$@" "$dir/prog" || return
	lines
	[ -s "$dir/wanted" ] && pass || flunk "record $what has samples" "$(cat "$dir/err")"
	profile
}

both -e cpu-clock
both -e cycles
both -e cycles:u -F 500
both -e cpu-clock,page-faults
both -e cpu-clock -c 500000
both -e '{cpu-clock,page-faults}:S'
both -e '{cpu-clock,page-faults,context-switches}' -e task-clock -g
profile -n --show-total-period -s comm,dso
profile --show-cpu-utilization --no-children -t ,
profile -s trace
both -e cpu-clock -g
lines --reltime
lines --deltatime --ns
lines --max-stack 3
profile --max-stack 3
profile --max-stack 2 --no-children
both -e cpu-clock --call-graph fp --user-callchains -R
both -e cpu-clock -g --kernel-callchains -P -T --sample-cpu
both -e page-faults -c 1 -d --all-user
both -e page-faults -W --phys-data --data-page-size --code-page-size -d -i -Iax,ip --user-regs
lines -F +addr,+data_src,+weight,+ins_lat,+phys_addr,+data_page_size,+code_page_size
lines -F iregs,uregs
lines -F +iregs,+uregs,+brstack,+brstacksym
both -e cpu-clock -k mono --switch-events
lines --show-switch-events
lines -F comm,tod,ip
lines --ns -F +tod
both -e cpu-clock -s --running-time
both -e cpu-clock,page-faults
profile --group
both -e cpu-clock/period=100000/,task-clock/freq=77/
both -e sched:sched_switch
both -e 'sched:*' -e cpu-clock -g
both -e raw_syscalls:sys_enter --filter 'id < 20'
profile -s comm,trace -n
profile -s trace,sym -t ,
both -e sched:sched_switch -e raw_syscalls:sys_enter -g
# Options of which the lines are not told here, or which leave no samples.
for options in '-e cycles:P' '-e cpu-clock --per-thread' '-e dummy -n' \
		'-e cpu-clock -D 10' \
		'-e cpu-clock -C 0 -g' '-e cpu-clock -a -D 10' '-e mem:0x1000:rw' \
		'-e cpu-clock:ukhpppDe' '-e cpu-clock:GHI' \
		'-e cpu-clock --all-kernel --no-buffering' '-e cpu-clock --call-graph dwarf,512' \
		'-e cpu-clock --sample-identifier --transaction' '-e cpu-clock -B -N' \
		'-e cpu-clock --buildid-all --buildid-mmap --no-bpf-event' \
		'-e cpu-clock --namespaces --all-cgroups' '-e {cpu-clock,page-faults}:S -g -a' \
		'-e {cpu-clock,sched:sched_switch}:S' '-e cpu-clock/no-inherit/'; do
	attributes $options true
done
sleep 100 &
for options in "-p $!" "-t $!"; do
	attributes -e cpu-clock $options sleep 0.1
done
kill $!

# The times in the head are those of samples, also where side-band was recorded before.
"$PT" record -q -a -e cpu-clock -D 300 -o "$dir/pt" sh -c "true; sleep 0.5; true" 2> "$dir/err"
"$PT" script -i "$dir/pt" -F time 2> "$dir/err" | tr -d ' :' | sort -n > "$dir/times"
is "the time of the first sample and of the last" \
	"$(perf script -i "$dir/pt" --header-only 2> "$dir/err" |
		sed -n 's/^# time of [a-z]* sample : //p' | xargs)" \
	"$(sed -n '1p;$p' "$dir/times" | xargs)"

# No more is written than may be, but for a round.
"$PT" record -e cpu-clock -F 5000 --max-size 8K -m 4K -o "$dir/small" sh -c 'while :; do :; done' \
	> /dev/null 2> "$dir/err" &
pid=$!
sleep 20 && kill $pid 2> /dev/null &
wait $pid
[ "$(wc -c < "$dir/small")" -gt 8192 ] && grep -q 'size limit' "$dir/err" && pass ||
	flunk "--max-size ends a recording" "$(wc -c < "$dir/small"; cat "$dir/err")"
kill $! 2> /dev/null

# Branches of samples: perf makes them of a trace.
if "$PT" record -q --soft -o "$dir/trace" true 2> /dev/null &&
		perf inject --itrace=i1000il -i "$dir/trace" -o "$dir/pt" 2> /dev/null; then
	what="--soft, with branches by perf inject"
	lines --no-itrace -F +brstack
	lines --no-itrace -F ip,brstack,dso
	lines --no-itrace -F brstacksym
	lines --no-itrace -F ip,brstacksym,dso,sym,symoff
	[ -s "$dir/wanted" ] && pass || flunk "samples have branches"
	"$PT" script -i "$dir/pt" --no-itrace -F brstackoff > "$dir/got" 2> "$dir/err"
	is "brstackoff has offsets in files" "$(sed 1q "$dir/got" | grep -c 0x7f)" 0
else
	skip "branches of samples: no soft recorder, or perf inject fails"
fi
"$PT" record -q -e cpu-clock -o "$dir/pt" true
for field in iregs uregs data_src ins_lat data_page_size code_page_size tod; do
	"$PT" script -i "$dir/pt" -F $field > "$dir/got" 2>&1
	is "-F $field is refused where there is none" "$? $(grep -c '^pt: ' "$dir/got")" "1 1"
done

# perf says nothing of a group whose first event has no samples.
if "$PT" record -q -e '{dummy,page-faults}' -o "$dir/pt" "$dir/prog" 2> /dev/null; then
	is "a group whose first event has no samples" "$("$PT" report -i "$dir/pt" |
		sed -n "s/.*\\(of events .*\\)/\\1/p")" "of events 'anon group { dummy, page-faults }'"
	is "--no-group" "$("$PT" report --no-group -i "$dir/pt" |
		sed -n "s/.*\\(of event .*\\)/\\1/p")" "of event 'page-faults'"
fi

# A filter leaves out what does not match, also where there are two.
if "$PT" record -q -e raw_syscalls:sys_enter --filter 'id >= 1' --filter 'id < 2' \
		-o "$dir/pt" "$dir/prog" 2> /dev/null; then
	"$PT" script -F trace -i "$dir/pt" 2> /dev/null > "$dir/got"
	is "both filters hold" "$(grep -cv '^ *NR 1 ' "$dir/got")" 0
fi
"$PT" record -q -e cpu-clock -g -o - "$dir/prog" > "$dir/pt" 2> /dev/null
what="-e cpu-clock -g -o -"
lines


# -F cgroup, which perf 6.1 does not have: the path of the CGROUP record. In a container the group
# of the program may not be visible.
"$PT" record -q -e cpu-clock --all-cgroups -o "$dir/data" ls -R /usr/share > /dev/null 2>&1 < /dev/null
"$PT" script -F comm,cgroup -i "$dir/data" > "$dir/got" 2> "$dir/out"
if ! grep -q ' /' "$dir/got" || grep -q ' unknown' "$dir/got"; then
	skip "-F cgroup: this machine tells no names"
else
	"$PT" script -D -i "$dir/data" | sed -n 's/.*PERF_RECORD_CGROUP cgroup: [0-9]* //p' |
		sort -u > "$dir/paths"
	is "-F cgroup" "$(sed 's/[^/]*//; s/ *$//' "$dir/got" | sort -u |
		comm -23 - "$dir/paths")" ""
fi
finish
