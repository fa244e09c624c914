#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Profiles, compared with perf: of all branches (many samples), and with the default options (every
# 100 us, call chains, callers), where both programs mostly decode. Traces as in flow.sh. CPU time,
# median of 5, in turns.

sets=${sets% longjmp}
if ! command -v perf > /dev/null; then
	echo "SKIP report: perf is not here"
	exit
fi
dir=$BENCH/report
mkdir -p "$dir"
trap 'rm -f "$dir"/x.*' EXIT
cc=${HOSTCC:-gcc}
$cc -std=gnu11 -O2 -Iinclude -o "$dir/enlarge" test/bench/flow/enlarge.c src/decode/packet.c &&
	$cc -std=gnu11 -O2 -static -o "$dir/cpu" test/bench/flow/cpu.c || exit 1

report() {	# SET BUDGET OPTION...
	set_=$1 budget=$2
	shift 2
	"$dir/cpu" 5 "$PT" report -i "$dir/x.data" --symfs "$root" "$@" \
		against perf report --stdio -i "$dir/x.data" --symfs "$root" "$@" | {
		read -r ours _ && read -r theirs _
		printf '%s\t%s\t%s\t%s\tms\n' "report${*:+ $*}: $set_" "$ours" "$theirs" "$budget"
	}
}

for s in $sets; do
	"$dir/enlarge" "$gen/$s/perf.data" 1000000 "$dir/x.data" "$dir/x.pt"
	report "$s" 10x --itrace=b
	report "$s" 3x
done
