#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 5
# needs: CMD_REPORT PERF_DATA LIBELF
#
# The same profiles as perf for the same options and files, without perf's tip.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

need_perf

# same FILE OPTIONS...
same() {
	"$PT" report -i "$@" > "$dir/got" 2> "$dir/err"
	# perf prints "(inlined)" from memory that it has not set.
	perf_report -i "$@" | sed 's/\[\.\.\.\] (inlined)$/[...]/' > "$dir/wanted"
	compare "pt report -i $*"
}

# some_of FILE OPTIONS...: one of each kind.
some_of() {
	same "$@"
	same "$@" --itrace=i1000ig -g caller
	same "$@" --itrace=b --sort sym -n
	same "$@" --itrace=i100i -F sym,overhead,sample
}

# all_of FILE OPTIONS...
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

gen=$GEN
for t in hello recursion indirect longjmp signals ptwrite overflow; do
	[ -d "$gen/$t" ] || continue
	case $LONG$t in
	hello | 1*) of=all_of ;;
	*) of=some_of ;;
	esac
	$of "$gen/$t/perf.data" --symfs "$gen/root"
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=b -C 0
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=b --time 1158.470270,1158.470290
	[ $t = overflow ] && continue	# that is a run of recursion
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=i10i --comms $t
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=i10i --dsos $t --sort dso,sym
done
if [ -d "$gen/threads" ]; then
	threads="$gen/threads/perf.data --symfs $gen/root"
	# There is no code of the program that ran beside it, where pt goes on earlier after a gap:
	# the same are addresses in packets, and what is sampled so seldom that no gap matters. (Where
	# letters b, c, r, x and i have more samples in pt is shown by perf.sh.)
	for o in --itrace=igpwI --itrace=i100us --itrace=i1ms '--itrace=i100us --sort comm,dso' \
		--itrace=p; do
		# shellcheck disable=SC2086 -- options are words
		same $threads $o
	done
	for o in --itrace=qb --itrace=qi100i '--itrace=qi100i --sort comm'; do
		# shellcheck disable=SC2086 -- options are words
		same $threads $o
		# shellcheck disable=SC2086
		same $threads --comms true $o
	done
	# Where threads are told apart perf leaves them out, too.
	# shellcheck disable=SC2086
	same $threads --tid 10348,10349 --itrace=qb --sort pid,sym
else
	skip "several CPUs: there is no such trace"
fi
if [ -d "$SHARED/data/real" ]; then
	# There is no code of it, and after a gap pt goes on where perf does not (README): the same
	# are the addresses in packets, and what needs no code.
	for o in --itrace=p --itrace=pwI --itrace=i100us --itrace=i1ms \
		'--itrace=i100us --sort comm,dso' --itrace=qi100i '--itrace=qi100i --sort comm,dso,sym' '--itrace=qb --sort sym -n' \
		'--itrace=qcr --sort pid,comm' '--itrace=qbp --sort cpu' \
		'--itrace=qbxw --sort comm --show-cpu-utilization' \
		'--itrace=qi100i -F sym,overhead,sample' '--itrace=qi50i -t , -n' \
		'--itrace=qi100i --header --sort sym' --header-only --no-itrace; do
		# shellcheck disable=SC2086 -- options are words
		same "$SHARED/data/real/perf.data.intel_pt-4.14" $o
	done
else
	skip "a trace of real hardware: there is none"
fi

finish
