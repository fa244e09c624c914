#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_REPORT PERF_DATA LIBELF
#
# The same profiles as perf's, for the same options on the same files. Its tip is left out.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! [ -d "$SHARED/data" ] || ! perf --version 2> /dev/null | grep -q ' 6\.1\.'; then
	skip "report: no traces, or no perf 6.1"
	finish
	exit
fi

# same FILE OPTIONS...
same() {
	"$PT" report -i "$@" > "$dir/got" 2> "$dir/err"
	perf report --stdio --no-demangle --no-inline -i "$@" 2> /dev/null |
		awk '{ line[NR] = $0 } END { n = NR; if (line[n - 1] ~ /^# \(Tip/) n -= 3
		       for (i = 1; i <= n; i++) {
			# From memory that nobody has set.
			sub(/\[\.\.\.\] \(inlined\)$/, "[...]", line[i])
			print line[i]
		       } }' > "$dir/wanted"
	cmp -s "$dir/got" "$dir/wanted" && pass || flunk "pt report -i $*" \
		"$(diff "$dir/wanted" "$dir/got" | head -n 8; head -n 2 "$dir/err")"
}

all_of() {
	same "$@"
	same "$@" --no-children
	same "$@" --itrace=i100i --sort comm,dso,sym
	same "$@" --itrace=i100ig --sort comm
	same "$@" --itrace=i1000ig -g caller
	same "$@" --itrace=i1000ig -g fractal --no-children
	same "$@" --itrace=i100ig -g flat,count --no-children --sort sym
	same "$@" --itrace=i100ig -g folded,period --sort sym
	same "$@" --itrace=i100ig -g fractal,5,callee,count
	same "$@" --itrace=i100ig -g graph,2,3,callee --sort dso,sym
	same "$@" --itrace=i100ig -g none
	same "$@" --itrace=i100ig --no-call-graph -n
	same "$@" --itrace=i100ig64 -G --no-children
	same "$@" --itrace=b --sort sym -n
	same "$@" --itrace=b --sort symbol,dso --show-total-period
	same "$@" --itrace=cr --sort pid,comm
	same "$@" --itrace=bp --sort cpu
	same "$@" --itrace=bxw --sort comm --show-cpu-utilization
	same "$@" --itrace=i100i -F sym,overhead,sample
	same "$@" --itrace=i100i -F +period --sort dso
	same "$@" --itrace=i50i -t , -n --show-cpu-utilization
	same "$@" --itrace=i50ig -t : --sort +pid,cpu
	same "$@" --itrace=b --percent-limit 2.5
	same "$@" --itrace=i100ig --percent-limit 10
	same "$@" --itrace=i100i -q
	same "$@" --itrace=i100i --header --sort sym
	same "$@" --header-only
	same "$@" --itrace=i100i -S main,memcpy -n
	same "$@" --itrace=i100i -S main --sort sym
	same "$@" --itrace=i100ibxwpe --no-children
}

gen=$SHARED/data/gen
for t in hello recursion indirect longjmp signals ptwrite overflow; do
	all_of "$gen/$t/perf.data" --symfs "$gen/root"
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=b -C 0
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=b --time 1158.470270,1158.470290
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=i10i --comms $t
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=i10i --dsos $t --sort dso,sym
done
for o in '' --itrace=b --itrace=i100i '--itrace=i100ig --sort comm' '--sort pid,cpu'; do
	same "$gen/threads/perf.data" --symfs "$gen/root" $o
	same "$gen/threads/perf.data" --symfs "$gen/root" --comms true $o
done
# Where threads are told apart perf leaves them out, too.
same "$gen/threads/perf.data" --symfs "$gen/root" --tid 10348,10349 --sort pid,sym
same "$gen/threads/perf.data" --symfs "$gen/root" --itrace=b --pid 10348 --sort pid,dso
all_of "$SHARED/data/real/perf.data.intel_pt-4.14"

finish
