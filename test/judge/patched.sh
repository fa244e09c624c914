#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_SCRIPT PERF_DATA KERNEL LIBELF
#
# Traces of kernels that change their code while they run (see patched.py): pt shows what was
# executed, and perf 6.1 the same branches.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tools=$(cd "$O" && pwd)/obj
script=$PWD/test/judge/patched.py

for tool in python3 as ld nm strip; do
	command -v $tool > /dev/null || {
		skip "there is no $tool"
		finish
		exit
	}
done
[ "$(perf --version 2> /dev/null | cut -d. -f1,2)" = 'perf version 6.1' ] && perf=1 || perf=
cd "$dir" || exit
[ "$LONG" ] && last=60 || last=6
for seed in $(seq $last); do
	mkdir "$seed"
	python3 "$script" "$seed" "$seed" "$tools" 1500 || {
		flunk "seed $seed: no trace"
		continue
	}
	cd "$seed" || exit
	"$PT" script -i data --vmlinux kern --itrace=i0nse -F ip 2> err | tr -d ' ' > got
	none "seed $seed: what was executed" "$(diff truth got | head -n 8)"
	"$PT" script -i data --vmlinux kern --itrace=be > branches 2>> err
	[ "$perf" ] && none "seed $seed: perf's branches" \
		"$(perf script -i data --vmlinux kern --itrace=be 2> /dev/null |
		diff -a - branches | head -n 8)"
	cd ..
done
[ "$perf" ] || skip "perf 6.1 is not here to judge"
finish
