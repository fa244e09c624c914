#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 200
#
# Configurations: the empty one, those in kconfig/, and two random mixes build without a warning,
# and the program passes the tests that apply to it. The configuration that is tested here anyway
# is not built again. With LONG=1 (configs_long.sh) also everything at once, each option alone, and
# a hundred mixes.

. test/verdict

python=/usr/bin/python3
if ! $python -c 'import kconfiglib' 2> /dev/null; then
	skip "configurations: there is no kconfiglib"
	finish
	exit
fi

tested=${O:-.}/.config
[ -e "$tested" ] || tested=kconfig/full.config
mixes=2
[ -z "$LONG" ] || mixes=100
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/out"

# builds WHAT [FLAGS...]: with $dir/.config.
builds() {
	what=$1
	shift
	if ! env -u MAKEFLAGS -u MAKELEVEL make -s -j2 O="$dir/out" CONFIG="$dir/.config" WERROR=1 \
		CFLAGS=-g0 "$@" > "$dir/log" 2>&1 || [ -s "$dir/log" ]; then
		flunk "$what builds without a warning" "$(cat "$dir/.config" "$dir/log")"
		return
	fi
	pass
	if env -u T PT="$dir/out/pt" NO_PERF=1 sh test/run scripts > "$dir/log" 2>&1; then
		pass
	else
		flunk "$what passes what applies to it" "$(grep -v ' 0 failed' "$dir/log")"
	fi
}

# A number, another one each time, and the same ones in each run.
seed=12345
random() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
}

lacking=
for option in $(make -s lacking); do
	skip "configurations with $option: its library is not here"
	lacking="$lacking -$option"
done
options=$(sed -n 's/^config //p' kconfig/Kconfig)
$python kconfig/complete.py > "$dir/.config"
builds "nothing"
if [ -n "$LONG" ]; then
	$python kconfig/complete.py + $lacking > "$dir/.config"
	builds "everything"
fi
for config in kconfig/*.config; do
	[ -z "$lacking" ] || [ "$config" != kconfig/desk.config ] || continue
	[ -n "$LONG" ] || ! cmp -s "$config" "$tested" || continue
	cp "$config" "$dir/.config"
	builds "$config"
done
if [ -n "$LONG" ]; then
	for option in $options; do
		$python kconfig/complete.py "+$option" > "$dir/.config"
		builds "$option alone"
	done
fi
for mix in $(seq $mixes); do
	switches=
	for option in $options; do
		random
		[ $((seed / 65536 % 2)) = 0 ] || switches="$switches -$option"
	done
	$python kconfig/complete.py + $switches $lacking > "$dir/.config"
	# With few optimizations the build takes two thirds of the time. What only shows with all of
	# them shows in the configurations of kconfig/, too. One kind of warnings of -O1 is false.
	if [ -n "$LONG" ]; then
		builds "mix $mix"
	else
		builds "mix $mix" small=-O1 fast=-O1 CFLAGS='-g0 -Wno-maybe-uninitialized'
	fi
done

finish
