#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 25
# needs: CMD_SCRIPT CMD_REPORT PERF_DATA LIBELF
#
# The same lines as perf for files that perf record makes here: samples with and without call
# chains, groups, tracepoints; also as raw dumps.

. test/verdict

need_perf
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# record NAME OPTION...: false where perf may not record that here.
record() {
	name=$1
	shift
	perf record -q -o "$dir/$name" "$@" > /dev/null 2>&1 && [ -s "$dir/$name" ] && return
	skip "perf record $*: not here"
	return 1
}

# lines FILE OPTION...: of script
lines() {
	"$PT" script -i "$@" > "$dir/got" 2> "$dir/err"
	perf_script -i "$@" > "$dir/wanted"
	compare "pt script -i $*"
}

# profile FILE OPTION...: of report
profile() {
	"$PT" report -i "$@" > "$dir/got" 2> "$dir/err"
	perf_report -i "$@" > "$dir/wanted"
	compare "pt report -i $*"
}

${HOSTCC:-cc} -O1 -fno-omit-frame-pointer -DTURNS=100 -o "$dir/prog" test/record/sampled.c || exit 1

dumps() {
	lines "$1" -D --no-itrace
	lines "$1" -D --header
	lines "$1" -D --show-mmap-events --show-switch-events --show-lost-events
	lines "$1" -D --header-only
}

for f in test/golden/hello/perf.data "$SHARED/data/real/perf.data.intel_pt-4.14"; do
	[ -f "$f" ] && dumps "$f"
done

# The kernel's list of symbols is made anew for each reader, which takes a third of perf's time.
if [ "$(id -u)" = 0 ] && cat /proc/kallsyms > "$dir/kallsyms" 2> /dev/null; then
	kallsyms="--kallsyms=$dir/kallsyms"
fi

profiles() {
	profile "$1"
	profile "$1" -g none
	profile "$1" --no-call-graph -s comm,dso --show-total-period
	profile "$1" --no-children
	profile "$1" -g none --no-children -n
	profile "$1" -q --header
	profile "$1" -G
	profile "$1" --itrace=G
	profile "$1" -t ,
}

if record plain -e cpu-clock "$dir/prog"; then
	lines "$dir/plain"
	lines "$dir/plain" --show-mmap-events --show-task-events
	lines "$dir/plain" --itrace=G
	dumps "$dir/plain"
	profiles "$dir/plain"
fi
if record chains -g -e cpu-clock "$dir/prog"; then
	lines "$dir/chains"
	lines "$dir/chains" -G
	lines "$dir/chains" --show-mmap-events --show-task-events
	lines "$dir/chains" --show-mmap-events -F comm,time
	lines "$dir/chains" --itrace=G
	dumps "$dir/chains"
	profiles "$dir/chains"
fi
# Each sample of a group that is read (:S) is one of every event that counted since the last.
for group in '{cpu-clock,page-faults}:S' '{cpu-clock}:S'; do
	record group -e "$group" "$dir/prog" || continue
	lines "$dir/group"
	lines "$dir/group" -F event,period,ip,sym --time 20%-60%
	lines "$dir/group" -D
	lines "$dir/group" --header-only
done
if record group -e '{cpu-clock,page-faults}:S' -g "$dir/prog"; then
	lines "$dir/group"
	is "samples of both events are in a profile" \
		"$("$PT" report --no-group -i "$dir/group" -F period -s comm 2> /dev/null |
			sed -n 's/^# Event count (approx.): //p' | sort -n)" \
		"$(perf report --stdio --no-group -i "$dir/group" -F period -s comm 2> /dev/null |
			sed -n 's/^# Event count (approx.): //p' | sort -n)"
fi
# What the fields of tracepoints hold, as their print fmt says.
texts() {
	"$PT" --version -v | grep -q 'CONFIG_TRACEPOINT_TEXT=y' && return
	skip "text of tracepoints: not in this build"
	return 1
}
if texts && record points -e 'sched:*' -e 'irq:*' -e 'raw_syscalls:*' -e 'kmem:kmalloc' "$dir/prog"; then
	lines "$dir/points"
	lines "$dir/points" -F trace
	lines "$dir/points" -F +trace,-comm
fi
if texts && record points -g -e sched:sched_switch -e raw_syscalls:sys_enter "$dir/prog"; then
	lines "$dir/points"
	lines "$dir/points" -G
	lines "$dir/points" -D
fi
if texts && perf record -q -o - -e 'raw_syscalls:*' "$dir/prog" > "$dir/pipe" 2> /dev/null; then
	lines "$dir/pipe"
	cat "$dir/pipe" | "$PT" script -i - > "$dir/got" 2> "$dir/err"
	compare "tracepoints of a pipe"
else
	skip "perf record of tracepoints to a pipe"
fi

if perf record -q -o - -e cpu-clock "$dir/prog" > "$dir/pipe" 2> /dev/null; then
	lines "$dir/pipe" --header
	lines "$dir/pipe" --header-only
else
	skip "perf record to a pipe"
fi
if record dwarf -F 500 --call-graph dwarf,512 -e cpu-clock "$dir/prog"; then
	"$PT" --version -v | grep -q CONFIG_UNWIND=y && n=0 || n=1
	is "stacks that are not unwound are said, once" \
		"$("$PT" script -i "$dir/dwarf" 2>&1 > "$dir/got" | grep -c 'unwind')" $n
	is "but not where no chains are asked for" \
		"$("$PT" script -G -i "$dir/dwarf" 2>&1 > "$dir/got" | grep -c 'unwind')" 0
fi
if record counts -s -e cpu-clock "$dir/prog"; then
	lines "$dir/counts"
fi

finish
