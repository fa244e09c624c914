#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 30
# needs: REPORT_MORE PERF_DATA LIBELF
#
# Further sort keys and options of pt report print what perf prints.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Without perf: what is refused, and that numbers add up.
hello=$GEN/hello/perf.data
refused() {
	why=$1
	shift
	"$PT" report -i "$hello" "$@" > "$dir/out" 2>&1
	is "report $*: status" $? 1
	grep -q -e "$why" "$dir/out" && pass || flunk "report $*" "$(head -n 3 "$dir/out")"
}
if [ -f "$hello" ]; then
	refused 'takes a time' --time-quantum 10
	refused 'takes a time' --time-quantum 0ms
	refused 'relative or absolute' --percentage half
	refused 'takes a number' --socket-filter x
	refused 'regular expression' -p '('
	refused 'regular expression' --ignore-callees '['
	refused 'has no call chains' --itrace=b -s parent
	refused 'unknown column: nothing (' -s sym,nothing,time
	refused 'data_src prints memory' -s sym,snoop
	refused 'pt has no TUI' --tui
	refused '--inline: pt prints no inlined' --inline
	"$PT" --version -v | grep -q BRANCH_HISTORY=y && {
		refused 'has no branch stacks; use --itrace=il' --total-cycles
		refused 'branches of .* have no cycles' --symfs "$GEN/root" --itrace=i1000il --total-cycles
		refused 'has no branch stacks; use --itrace=il' --itrace=b --branch-history
		refused 'a column of branches, but no branch stacks' -s sym,dso_from
	}
	refused 'raw or normal' --pretty=other
	refused 'unknown column: prev_comm' -s prev_comm
	refused 'no colours' --stdio-color=always
	is "options without effect" "$("$PT" report -f -m --no-inline --skip-empty --no-tui \
		--ignore-vmlinux --stdio-color=never -i "$hello" --symfs "$GEN/root" | cksum)" \
		"$("$PT" report -i "$hello" --symfs "$GEN/root" | cksum)"
	for key in tid time addr srcline symbol_size parent weight; do
		sum=$("$PT" report -i "$hello" --symfs "$GEN/root" --itrace=i1ig -q -g none --no-children \
			-F "sample,$key" 2> "$dir/err" | awk '{ n += $1 } END { print n }')
		is "samples by $key" "$sum" 24190
	done
else
	skip "there is no $hello"
fi

need_perf

# same FILE OPTIONS...: perf computes the width of srcline from some of its lines only, so that
# blanks are not compared there.
same() {
	squeeze=cat
	case "$*" in
	*srcline*) squeeze="sed s/[.[:blank:]]\\+/_/g;s/_$//" ;;
	esac
	"$PT" report -i "$@" 2> "$dir/err" | $squeeze > "$dir/got"
	perf_report -i "$@" | $squeeze > "$dir/wanted"
	compare "pt report -i $*"
}

# all FILE OPTIONS...
all() {
	some=main
	case $1 in
	*/w) some=leaf ;;
	esac
	for key in time addr parent socket symbol_size dso_size cgroup cgroup_id weight,sym \
		local_weight transaction code_page_size ins_lat,local_ins_lat time,comm,sym; do
		same "$@" --no-children -g none -s "$key"
	done
	same "$@" --no-children -F time,sym,overhead
	same "$@" --no-children -s sym,addr -n
	same "$@" --no-children -s symbol_size,symbol
	same "$@" --no-children -s time,sym --time-quantum 10us
	same "$@" --no-children -s time --time-quantum 100ns --ns
	same "$@" --no-children -s parent -p main
	same "$@" --no-children -s sym -p main
	same "$@" --no-children -g none -s sym -p main -x -n
	same "$@" --no-children -g none -U -n
	same "$@" --no-children -g none -S $some --percentage relative
	same "$@" -s sym -w 10,30
	same "$@" --no-children -s time,comm -w 0,20,30
	same "$@" --socket-filter 0
	same "$@" --socket-filter 1
	same "$@" -s sym -p main
	lists "$1"
}

lists() {
	for o in --stats --tasks --mmaps; do
		same "$1" $o
	done
}

for t in signals threads; do
	[ -d "$GEN/$t" ] && lists "$GEN/$t/perf.data"
done
for t in hello indirect; do
	[ -d "$GEN/$t" ] || continue
	all "$GEN/$t/perf.data" --symfs "$GEN/root" --itrace=i1000ig
done

# Callers without a symbol, and counts of threads.
chain="5 0xffffffffffffff80 0x81000108:0xffffffff 0x81000204:0xffffffff 0x1234 0x81000304:0xffffffff"
"$O/obj/dataasm" > "$dir/threads" << END
event 1 0 identifier,ip,tid,time,cpu,period,callchain name=one
event 1 2 identifier,ip,tid,time,cpu,period,callchain name=other
record 1 misc=1 0xffffffff:0 0xffffffff81000000 0x1000 0xffffffff81000000 "[kernel.kallsyms]_text"
at 7 7 0 1
comm seven
tool 9 misc=1 100 0x81000108:0xffffffff 7:7 1000 0 10 $chain
tool 9 misc=1 100 0x81000208:0xffffffff 7:7 2000 0 20 1 0xffffffffffffff80
tool 9 misc=1 101 0x81000104:0xffffffff 7:7 3000 0 30 $chain
record 8 id=101 7:7 1234567890123
record 8 id=100 7:7 5
record 8 id=100 7:12345678 6
record 8 id=100 7:7 7
END
echo 'ffffffff81000000 T _text
ffffffff81000100 T first
ffffffff81000200 T caller
ffffffff81000300 T outer
ffffffff81000400 T _etext' > "$dir/kallsyms"
# Of equal shares, those without a parent are last.
"$O/obj/dataasm" > "$dir/ties" << END
event 1 0 identifier,ip,tid,time,cpu,period,callchain name=one
record 1 misc=1 0xffffffff:0 0xffffffff81000000 0x1000 0xffffffff81000000 "[kernel.kallsyms]_text"
at 7 7 0 1
comm seven
tool 9 misc=1 100 0x81000208:0xffffffff 7:7 2000 0 10 1 0xffffffffffffff80
tool 9 misc=1 100 0x81000108:0xffffffff 7:7 1000 0 10 $chain
END
same "$dir/ties" --kallsyms "$dir/kallsyms" -s parent,sym -p outer --no-children -g none
# A group is sorted by its second event, if it has one.
"$O/obj/dataasm" > "$dir/grouped" << END
event 1 0 identifier,ip,tid,time,cpu,period name=one
event 1 2 identifier,ip,tid,time,cpu,period name=other
record 1 misc=1 0xffffffff:0 0xffffffff81000000 0x1000 0xffffffff81000000 "[kernel.kallsyms]_text"
at 7 7 0 1
comm seven
tool 9 misc=1 100 0x81000108:0xffffffff 7:7 1000 0 10
tool 9 misc=1 100 0x81000208:0xffffffff 7:7 2000 0 20
tool 9 misc=1 100 0x81000308:0xffffffff 7:7 2000 0 30
tool 9 misc=1 101 0x81000108:0xffffffff 7:7 2000 0 10
tool 9 misc=1 101 0x81000208:0xffffffff 7:7 2000 0 30
tool 9 misc=1 101 0x81000308:0xffffffff 7:7 2000 0 10
END
for n in 0 1 2; do
	same "$dir/grouped" --kallsyms "$dir/kallsyms" --group --group-sort-idx $n -s sym
done
for o in '' '-s dso,sym -n' '-s pid,comm,sym --percent-limit 30' '-s sym -t,' \
	'-s comm,sym --group-sort-idx 1 --show-total-period -w 20,20' '-s comm,sym -t, --percent-limit 90'; do
	# shellcheck disable=SC2086 -- options are words
	same "$dir/grouped" --kallsyms "$dir/kallsyms" --group --hierarchy $o
done
# A number has the width that is given, also if its column is wider; the events of a group are one
# only for the first title if --no-group is given.
for o in '-w 5,5,5,5,5' '-w 20,3,30,40' '-w -5,-12 -n' '-w 12,30,3 -n' '-w 0,0,9'; do
	# shellcheck disable=SC2086 -- options are words
	same "$dir/grouped" --kallsyms "$dir/kallsyms" --group $o
	# shellcheck disable=SC2086 -- options are words
	same "$dir/threads" --kallsyms "$dir/kallsyms" -g none $o
done
same "$dir/grouped" --kallsyms "$dir/kallsyms" --no-group
same "$dir/grouped" --kallsyms "$dir/kallsyms"
for o in '-s dso_size' '-F overhead_guest_sys,overhead_guest_us,sym -n' -T '-T --pretty=normal -g none' -U '-U -g callee --no-children' '--max-stack 0' \
	'--max-stack 1'; do
	# shellcheck disable=SC2086 -- options are words
	same "$dir/threads" --kallsyms "$dir/kallsyms" $o
done
# A sample without a CPU is on no socket.
"$O/obj/dataasm" > "$dir/nowhere" << END
event 1 0 identifier,ip,tid,time,period name=one
at 7 7 0 1
comm seven
tool 9 misc=2 100 0x401000 7:7 1000 10
END
same "$dir/nowhere" --socket-filter 0
same "$dir/nowhere" -s socket
same "$dir/nowhere" --ignore-callees seven
# Threads in perf's order, and a parent that only its children name; memory of no file.
"$O/obj/dataasm" > "$dir/family" << 'END'
event 1 0 identifier,ip,tid,time,period name=one flags=18
at 7 7 0 1
comm seven
record 7 300:55 300:55 1
record 7 44:55 44:55 1
record 10 misc=2 44:44 0x7000 0x1000 0x3000 0 0 0 5:2 "//anon"
record 10 misc=2 44:44 0x9000 0x1000 0x2000 8:1 77 0 5:2 "/bin/x"
END
same "$dir/family" --tasks
same "$dir/family" --mmaps
same "$dir/nowhere" -w 10,20,30
if "$PT" --version -v | grep -q CONFIG_SCRIPT_MORE=y; then
	for o in '--switch-on other --show-on-off-events' '--switch-on one --switch-off other' \
		'--switch-on one --show-on-off-events -n'; do
		# shellcheck disable=SC2086 -- options are words
		same "$dir/threads" --kallsyms "$dir/kallsyms" --show-total-period $o
	done
fi
is "-T --pretty=raw" "$("$PT" report -i "$dir/threads" -T --pretty=raw 2> "$dir/err" | tail -n 5)" \
"# PID       TID   Name  Raw          Count
    7         7  other    1  1234567890123
    7         7    one    0             12
    7  12345678  other    1              0
    7  12345678    one    0              6"

cat > "$dir/work.c" <<'END'
volatile unsigned long sum;

__attribute__((noinline)) static void leaf(unsigned n)
{
	while (n--)
		sum += n;
}

__attribute__((noinline)) static void half(unsigned n)
{
	leaf(n / 2);
	sum++;
}

int main(void)
{
	for (int i = 0; i < 300; i++) {
		leaf(100000);
		half(100000);
	}
	return 0;
}
END
${HOSTCC:-gcc} -gdwarf-4 -O1 -fno-omit-frame-pointer -static -o "$dir/work" "$dir/work.c"
if perf record -q -g -e cpu-clock:u --sample-cpu --all-cgroups -W -o "$dir/w" "$dir/work" \
	> "$dir/log" 2>&1; then
	all "$dir/w"
	"$PT" version -v | grep -q CONFIG_SRCLINE=y && for key in srcline srcfile sym,srcline; do
		same "$dir/w" -S leaf --no-children -g none -s "$key"
		same "$dir/w" -S leaf --no-children -g none -s "$key" --full-source-path
	done
	perf record -q -g -e '{cpu-clock:u,page-faults:u}' -d -o "$dir/group" true > "$dir/log" 2>&1
	lists "$dir/group"
	perf record -q -e page-faults -o "$dir/plain" true > "$dir/log" 2>&1
	"$PT" --version -v | grep -q BRANCH_HISTORY=y && {
		"$PT" report -i "$dir/plain" --branch-history > "$dir/out" 2>&1
		is "--branch-history without chains: status" $? 1
	}
	perf record -q -e cpu-clock -o - true > "$dir/pipe" 2> "$dir/log"
	lists "$dir/pipe"
	same "$dir/w" --hierarchy
	for o in '-s comm,dso,sym' '-s dso,sym -n' '-s sym' '-s comm,dso,sym -t,' '-s pid,sym' \
		'-s comm,dso,sym --percent-limit 50' '-s time,comm,sym --show-total-period' \
		'-s socket,sym' '-s comm,sym,dso -q' '-s comm,dso,sym -n --percent-limit 80' \
		'-s dso,sym -w 30,20,10' '-s {comm,dso},sym' '-s comm,{dso,sym} -n' '-s {comm},dso' \
		'-s {comm,pid},{dso,sym} -t,' '-s {comm,dso,sym' '-s comm}dso' \
		'-s {comm,dso},sym --percent-limit 50'; do
		# shellcheck disable=SC2086 -- options are words
		same "$dir/w" --hierarchy --no-children -g none $o
	done
else
	skip "perf may not record here"
fi

# Fields of tracepoints. Events that do not have a field have no column for it.
cat > "$dir/load" <<'END'
for i in 1 2 3 4 5; do
	/bin/ls / > /dev/null
	sleep 0.002
done
END
if ! "$PT" --version -v | grep -q CONFIG_TRACEPOINT_TEXT=y; then
	skip "fields of tracepoints: not in this build"
elif perf record -q -e sched:sched_switch,raw_syscalls:sys_enter -e cpu-clock -o "$dir/points" \
	sh "$dir/load" > "$dir/log" 2>&1; then
	for o in prev_comm 'next_pid -n' 'prev_state,id' 'prev_state/raw' 'comm,next_comm -t,' \
		sched:sched_switch.next_comm 'sys_enter.id,comm' '%1.next_prio' \
		'trace,prev_comm' 'trace_fields' 'trace_fields/raw -t,' 'sched:sched_switch.*' \
		'args -q' 'prev_comm -w 10,30' 'common_pid -F sample' 'prev_comm,comm' \
		'sched_switch.* --hierarchy' 'comm,trace_fields --hierarchy' \
		'{prev_comm,next_comm},comm --hierarchy' 'next_comm,prev_state --raw-trace'; do
		set -f
		# shellcheck disable=SC2086 -- options are words
		same "$dir/points" -s $o
		set +f
	done
	perf record -q -e sched:sched_switch,sched:sched_waking -o "$dir/switches" sh "$dir/load" \
		> "$dir/log" 2>&1
	for o in '' '-s trace' '-s trace_fields'; do
		# shellcheck disable=SC2086 -- options are words
		same "$dir/switches" --raw-trace $o
	done
	for key in nothing prev_comm/hex other.prev_comm cpu-clock.prev_comm; do
		"$PT" report -i "$dir/points" -s $key > "$dir/out" 2>&1
		is "-s $key: status" $? 1
		grep -q "unknown column: $key" "$dir/out" && pass || flunk "$key" "$(cat "$dir/out")"
	done
	perf record -q -e sched:sched_switch -o - sh "$dir/load" > "$dir/pipe" 2> "$dir/log"
	is "a pipe has the column, too" "$("$PT" report -i "$dir/pipe" -s prev_comm 2> "$dir/err" |
		grep -c '^# Overhead *prev_comm$')" 1
	# The text also has transport_offset_valid=1, which perf takes for it.
	if perf record -q -a -e net:net_dev_start_xmit -o "$dir/net" -- python3 -c '
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))' 2> "$dir/log"; then
		is "a longer name is another field" "$("$PT" report -i "$dir/net" \
			-s transport_offset 2> "$dir/err" |
			awk '/^ *[0-9.]+%/ { print $2 ~ /^[0-9]+$/ }' | sort -u)" 1
	else
		skip "fields of packets: $(head -n 1 "$dir/log")"
	fi
else
	skip "perf record of tracepoints"
fi
finish
