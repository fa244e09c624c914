#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: DECODE_LOG CMD_REPORT PERF_DATA
#
# --itrace=d writes the packets of the trace, in their order, and each gap after its packets.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
from=$(pwd)
hello=$from/test/golden/hello
{
	echo 'psb; mode.exec 64; fup 0x1000; psbend'
	for i in $(seq 2000); do
		echo 'tip 0x1000'
	done
	echo 'ovf; fup 0x1000; tip 0x1000; tip.pgd'
} | "$O/obj/ptasm" > "$dir/raw"
printf '\377\340\364' > "$dir/code"	# jmp *%rax
cd "$dir" || exit

packets() {
	grep -E '^\.  [0-9a-f]{8}:' | sed 's/^\.  [0-9a-f]*:  *//'
}
run() {
	"$PT" "$@" > out 2> err
}

run script -i "$hello/perf.data" --symfs "$hello/root" --itrace=bed
is "all packets are in the log" "$(packets < intel_pt.log | cksum)" \
	"$("$PT" -D "$hello/perf.data" 2> /dev/null | packets | cksum)"
is "and the records" "$(grep -c COMM intel_pt.log)" \
	"$("$PT" -D "$hello/perf.data" 2> /dev/null | grep -c 'PERF_RECORD_COMM')"
mv out with
run script -i "$hello/perf.data" --symfs "$hello/root" --itrace=be
is "the output is the same as without" "$(cksum < with)" "$(cksum < out)"
rm intel_pt.log
run script -j 2 -i "$hello/perf.data" --symfs "$hello/root" --itrace=bed
is "-j: the same" "$(cksum < with)" "$(cksum < out)"
is "-j: all packets" "$(packets < intel_pt.log | wc -l)" \
	"$("$PT" -D "$hello/perf.data" 2> /dev/null | packets | wc -l)"

run script -i raw --map code@0x1000 --itrace=bed
is "a bare trace" "$(packets < intel_pt.log | cksum)" "$("$PT" -D raw | packets | cksum)"
is "a gap is beside its packet" "$(grep -A 3 'trace error' intel_pt.log | grep -c 'OVF$')" 1
cat raw | "$PT" script -i - --map code@0x1000 --itrace=bed > out 2> err
is "a pipe" "$(packets < intel_pt.log | cksum)" "$("$PT" -D raw | packets | cksum)"
run script -i raw --map code@0x1000 --itrace=bed+e
is "+e: the gap is last" "$(tail -n 1 intel_pt.log | sed 's/.*code 7/code 7/')" \
	"code 7: Overflow packet"
size=$(wc -c < intel_pt.log)
is "+e: after at most 16 KiB of packets" "$((size > 15000 && size < 17000))" 1
rm intel_pt.log
run script -i raw --map code@0x1000 --itrace=bed+o
is "+o: there is no file" "$(echo intel_pt*)" 'intel_pt*'
is "+o: packets between the lines" "$(packets < out | cksum)" "$("$PT" -D raw | packets | cksum)"
run report -i raw --map code@0x1000 --itrace=id
is "pt report has a log, too" "$(packets < intel_pt.log | wc -l)" "$("$PT" -D raw | packets | wc -l)"

# A CPU without trace, before one with trace.
: > empty
printf '%s\n' 'event 8 0x2401 ip,tid,time,cpu,identifier' 'event 1 9 ip,tid,time,cpu,identifier' \
	info 'at 7 7 0 0' 'comm one' 'mmap 0x1000 0x1000 0 code' 'trace empty 1000 cpu=0' \
	'trace raw 1000 cpu=1' | "$O/obj/dataasm" > two.data
run script -i two.data --symfs . --itrace=d
is "a CPU without trace has no lines" "$(grep '^trace' intel_pt.log | cut -d' ' -f3-5 | uniq)" \
	"of cpu 1"
is "a full disk is a failure" "$(trap '' XFSZ; ulimit -f 8; "$PT" script -i raw \
	--map code@0x1000 --itrace=d 2> err; echo "$? $(head -n 1 err)")" \
	"1 pt: intel_pt.log: File too large"
rm intel_pt.log
mkdir intel_pt.log
run script -i raw --map code@0x1000 --itrace=bed
is "a log that cannot be written" "$? $(cat err)" "1 pt: intel_pt.log: Is a directory"
finish
