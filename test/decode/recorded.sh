#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 20
# needs: CMD_SCRIPT RECORD_SOFT
#
# The same bytes as perf for programs that are recorded here. With CYC packets the clock is often
# ahead of the next PSB's time, and samples show which time is used after that.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

need_perf

# same FILE OPTIONS...
same() {
	"$PT" script -i "$@" > "$dir/got" 2> "$dir/err"
	perf script $(names_as_pt) -i "$@" > "$dir/wanted" 2> /dev/null
	is "pt script -i $*" "$(diff "$dir/wanted" "$dir/got" | head -n 6)" ""
}

# Where 02 82 stand before a PSB (one of 50 recordings) it seems to begin there. On its way to a
# time perf stops at such, as it has no TSC, and decodes from an earlier one on: with another clock.
record() {
	for try in 1 2 3 4 5; do
		"$PT" record --soft -e intel_pt/cyc,psb_period=0/u -o "$dir/cyc.data" -- "$@" \
			> /dev/null 2>&1 || return
		LC_ALL=C grep -qaP '(\x02\x82){9}' "$dir/cyc.data" || return 0
	done
}
if record awk 'BEGIN {
	while (i++ < 2000)
		word[i % 97] = word[i % 89] substr("abcdef", i % 5, 2)
}'; then
	[ -n "$LONG" ] && periods='i100ns i1us i10us i1000t i3usp i10usbe i100i' shards=40 ||
		periods='i100ns i10us i3usp' shards=12
	for i in $periods; do
		same "$dir/cyc.data" --ns --itrace=$i -F comm,tid,time,event,ip,addr,period
	done
	# What is shown at a PSB is the last instruction that was walked.
	for o in '--itrace=p -F +insn,+flags' '--itrace=pbe -F +insn --time 0%-20%' \
		'--itrace=pi7i -F +insn --time 0%-20%'; do
		# shellcheck disable=SC2086 -- options are words
		same "$dir/cyc.data" --ns $o
	done
	# A shard begins at the time that the whole has there.
	parallel=$("$PT" --version -v | grep PARALLEL=y) || skip "shards: this build has no PARALLEL"
	for o in ${parallel:+be i100ie}; do
		for i in $(seq $shards); do
			"$PT" script -i "$dir/cyc.data" --ns --itrace=$o --shard $i/$shards
		done > "$dir/got" 2> "$dir/err"
		"$PT" script -i "$dir/cyc.data" --ns --itrace=$o > "$dir/wanted" 2> /dev/null
		is "$shards shards of $o" "$(diff "$dir/wanted" "$dir/got" | head -n 6)" ""
	done
	# Decoding begins at the last PSB before the time, and there is nothing known then.
	for t in 50%-60% 90%-100%; do
		for o in --itrace=i100ns --itrace=be '--itrace=i10usg -F +sym' --itrace=crx \
			'--itrace=i1000i -F +ipc'; do
			# shellcheck disable=SC2086 -- options are words
			same "$dir/cyc.data" --time $t $o
		done
	done
	# It ends behind the last stretch: the libc is not even looked for.
	mkdir "$dir/none"
	first=$("$PT" script -i "$dir/cyc.data" --itrace=b --ns -F time | head -n 1 | tr -d ' :')
	for t in ",$first" 0%-100%; do
		"$PT" script --symfs "$dir/none" -i "$dir/cyc.data" --itrace=be --time $t 2>&1
	done | grep -c 'cannot read .*libc' > "$dir/got"
	is "pt script --time ,FIRST --symfs none" "$(cat "$dir/got")" 1
else
	skip "cycles: nothing can be recorded here"
fi

# Records of the kernel's are between the steps of signals and of what begins and ends.
${HOSTCC:-gcc} -O1 -o "$dir/signals" test/live/signals.c
for run in "$dir/signals" 'setsid sh -c "ls / > /dev/null; (exit 3); (exit 4)"'; do
	"$PT" record --soft -e intel_pt/cyc,noretcomp/u -o "$dir/some.data" -- \
		sh -c "$run" > /dev/null 2>&1
	[ -s "$dir/some.data" ] || continue
	for o in '--call-trace --ns -F +insn,+insnlen' '--itrace=be -F +flags' '--itrace=i100iL8' \
		'--itrace=i1usg -F ip,sym,time' '--itrace=pbwx --ns -F +insn' \
		'--itrace=b -S main,malloc' '--show-task-events --show-switch-events'; do
		# shellcheck disable=SC2086 -- options are words
		same "$dir/some.data" $o
	done
done
finish
