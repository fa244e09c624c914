#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 30
# needs: BRANCH_STACKS CMD_REPORT PERF_DATA LIBELF
#
# --itrace=l, pt report -b: the last branches before a sample are those that perf makes.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

hello=$GEN/hello/perf.data
if [ -f "$hello" ]; then
	for o in 'report -b --itrace=i' 'report --itrace=il -s sym_fro,nothing' 'script --itrace=il1025' \
		'script --itrace=il --shard 1/2'; do
		# shellcheck disable=SC2086 -- options are words
		"$PT" $o -i "$hello" > "$dir/out" 2>&1
		is "$o: status" $? 1
	done
	"$PT" script -i "$hello" --symfs "$GEN/root" --itrace=i1000il8 -F ip,brstack > "$dir/1"
	"$PT" script -j 2 -i "$hello" --symfs "$GEN/root" --itrace=i1000il8 -F ip,brstack > "$dir/2"
	cmp -s "$dir/1" "$dir/2" && pass || flunk "-j 2 prints the same"
	is "branches of a sample" "$(head -n 1 "$dir/1" | tr ' ' '\n' | grep -c /-/-/-/0/)" 8
else
	skip "there is no $hello"
fi
need_perf

script() {
	"$PT" script -i "$@" > "$dir/got" 2> "$dir/err"
	perf_script -i "$@" > "$dir/wanted"
	compare "pt script -i $*"
}

report() {
	"$PT" report -i "$@" > "$dir/got" 2> "$dir/err"
	perf_report -i "$@" > "$dir/wanted"
	compare "pt report -i $*"
}

for t in hello recursion indirect signals ptwrite; do
	[ -d "$GEN/$t" ] || continue
	set -- "$GEN/$t/perf.data" --symfs "$GEN/root"
	script "$@" --itrace=i1000il -F ip,brstack
	script "$@" --itrace=i100il16 -F +brstacksym
	script "$@" --itrace=i1000il4 -F brstack
	script "$@" --itrace=i1000il4 -F brstacksym,brstackoff
	script "$@" --itrace=i1000igl -F +brstack
	script "$@" --itrace=i1000ilbxwpe -F +brstack
	script "$@" --itrace=i1000il8 -F +brstack,+insn,+flags
	script "$@" --itrace=i5000il1024 -F ip,brstack
	script "$@" --itrace=i1000il8 -F +brstackinsn
	script "$@" --itrace=i1000igl16 -F ip,sym,brstackinsnlen
	script "$@" --itrace=i5000ibl -F ip,insn,brstack,brstackinsn
	printf '[report]\n\tpercent-limit = 5\n[intel-pt]\n\tmispred-all = yes\n' > "$dir/config"
	if "$PT" --version -v | grep -q PERF_OPTIONS=y; then
		PERF_CONFIG=$dir/config
		export PERF_CONFIG
		script "$@" --itrace=i1000il8 -F ip,brstack
		cp "$dir/got" "$dir/env"
		unset PERF_CONFIG
		"$PT" script -i "$@" --itrace=i1000il8 -F ip,brstack --config "$dir/config" \
			> "$dir/got" 2> "$dir/err"
		cmp -s "$dir/got" "$dir/env" && grep -q /M/ "$dir/got" && pass ||
			flunk "--config" "$(cat "$dir/err")"
	fi
	[ $t = ptwrite ] && continue
	report "$@" --itrace=i1000il8
	report "$@" --itrace=i1000igl8 -b
	report "$@" --itrace=i1000il8 --no-branch-stack
	report "$@" --itrace=i1000il8 -s mispredict,in_tx,abort,cycles,addr_from,addr_to
	report "$@" --itrace=i1000il8 -s symbol_from,symbol_to,dso_from -n
	report "$@" --itrace=i1000il8 -b -s sym
	report "$@" --itrace=i1000il8 -s dso_to,sym,comm
	report "$@" --itrace=bl -s symbol_from
	report "$@" --itrace=cril
	report "$@" --itrace=i100il -F +sample,period
	report "$@" --itrace=i100il32 -t, -q
	if "$PT" --version -v | grep -q BRANCH_HISTORY=y; then
		report "$@" --itrace=i1000il --branch-history
		report "$@" --itrace=i1000il127 --branch-history --no-children -g callee
		report "$@" --itrace=i1000igl8 --branch-history --max-stack 5 -s sym
		report "$@" --itrace=i1000il16 --branch-history -g fractal,0.1 -U
		report "$@" --itrace=bl --branch-history -g callee -s sym
		report "$@" --itrace=i1000igl -g address -s sym --no-branch-stack
		report "$@" --itrace=i1000ig -g srcline,callee -s sym
	fi
done
finish
