#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
#
# The same bytes as perf, for the same options on the same files.

passed=0 failed=0 skipped=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! [ -d "$SHARED/data" ] || ! "$PT" script --help > /dev/null 2>&1 ||
   ! perf --version 2> /dev/null | grep -q ' 6\.1\.'; then
	echo "SKIP perf: no traces, no pt script, or no perf 6.1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

# same FILE OPTIONS...
same() {
	"$PT" script -i "$@" > "$dir/got" 2> "$dir/err"
	perf script -i "$@" > "$dir/wanted" 2> /dev/null
	if cmp -s "$dir/got" "$dir/wanted"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL pt script -i $*"
		diff "$dir/wanted" "$dir/got" | head -n 6
		head -n 2 "$dir/err"
	fi
}

columns=comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso,addr,flags,insn,insnlen,callindent

all_of() {
	same "$@"
	same "$@" --itrace=be
	same "$@" --insn-trace
	same "$@" --call-trace
	same "$@" --call-ret-trace
	same "$@" --itrace=i100usbe
	same "$@" --itrace=i100i
	same "$@" --itrace=i1000t
	same "$@" --itrace=i10usbe -F +flags,+insn,+ipc
	same "$@" --itrace=cre -F $columns
	same "$@" --itrace=bxwpe -F +flags
	same "$@" --itrace=s100be
	same "$@" -F ip --itrace=i3i
	same "$@" --itrace=i10usgq
	same "$@" --itrace=i5usg -F +flags
	same "$@" --itrace=i64tA -F +ipc
	same "$@" --ns -F -comm,-dso --itrace=b
	same "$@" --show-mmap-events --show-task-events --show-switch-events
	same "$@" --header --itrace=c
	same "$@" --header-only
	same "$@" --no-itrace
}

gen=$SHARED/data/gen
for t in hello recursion indirect longjmp signals ptwrite overflow; do
	all_of "$gen/$t/perf.data" --symfs "$gen/root"
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=bpe -F hw:ip,sym,addr \
		-F synth:ip,sym,symoff,dso
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=b -C 0
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=be --time 1158.470270,1158.470290
done
for o in '' --itrace=be --insn-trace --call-trace --itrace=i100i --show-switch-events; do
	same "$gen/threads/perf.data" --symfs "$gen/root" $o
	same "$gen/threads/perf.data" --symfs "$gen/root" --tid 10348,10349 $o
	same "$gen/threads/perf.data" --symfs "$gen/root" --comms true $o
done
all_of "$SHARED/data/real/perf.data.intel_pt-4.14"
for o in '-F hw:ip,sym,addr -F synth:ip,addr' '-F hw:+addr,+weight' '-F hw:-time,+weight'; do
	same "$SHARED/data/real/perf.data.intel_pt-4.14" --itrace=bpe $o
done
# Columns that few have, and call chains that bring columns with them.
for f in "$gen/hello/perf.data --symfs $gen/root" "$SHARED/data/real/perf.data.intel_pt-4.14"; do
	for i in be i100nsg i100ipgx i1000iG bxwpeg; do
		for o in trace +trace -trace +phys_addr,+weight ip,addr,phys_addr +misc misc \
			flags comm time,event -ip hw:ip; do
			# shellcheck disable=SC2086 -- options are words
			same $f --itrace=$i -F $o
		done
	done
	# shellcheck disable=SC2086
	same $f -F comm,misc,time --show-mmap-events --show-task-events --show-switch-events
done

echo "$passed passed, $failed failed, $skipped skipped"
