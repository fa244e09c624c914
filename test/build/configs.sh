#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 100
#
# Configurations: the empty one, those in kconfig/, and two random mixes build without a warning,
# and the program passes the quick tests that apply to it (of the mixes, the first one); those in
# kconfig/ also pass tests of options that the configuration under test lacks. That one is not
# built again. They are built without WHOLE, which changes no object but takes 10 s for each link,
# and -Og compiles what differs more quickly; it warns wrongly of variables. With LONG=1
# (configs_long.sh) they are built as they are, and also everything at once, each option alone, and
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
beyond=
mixes=2 opt="-Og -finline-functions-called-once -Wno-maybe-uninitialized"
[ -z "$LONG" ] || mixes=100 opt=
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/tree"

# A copy of the tree with the objects that are there already: make compiles those again that depend
# on an option that differs. If the objects are elsewhere, it compiles all.
ln -s "$PWD/Makefile" "$PWD/src" "$PWD/arch" "$PWD/include" "$PWD/test" "$PWD/kconfig" "$dir/tree"
case $O in
"$PWD") out=. ;;
"$PWD"/*) out=${O#"$PWD"/} ;;
*) out= ;;
esac
for part in ${out:+absolute agent arch compile compile-agent compile-hot deflate \
		flame.js flame.js.gz host include libelf.a pack page.html page.html.gz src trim}; do
	mkdir -p "$dir/tree/$out/obj"
	[ ! -e "$O/obj/$part" ] || cp -a "$O/obj/$part" "$dir/tree/$out/obj"
done
out=${out:-.}

# builds WHAT [only]: with $dir/.config, and passes the tests, if not 'only'.
builds() {
	[ -n "$LONG" ] || { rm -rf "$dir/new"; sed -i /CONFIG_WHOLE=/d "$dir/.config"; }
	[ -e "$dir/new" ] || cp -a "$dir/tree" "$dir/new"
	if ! env -u MAKEFLAGS -u MAKELEVEL make -C "$dir/new" --no-print-directory -s -j2 O="$out" \
		CONFIG="$dir/.config" WERROR=1 OPT="$opt" > "$dir/log" 2>&1 ||
	   [ -s "$dir/log" ]; then
		flunk "$1 builds without a warning" "$(cat "$dir/.config" "$dir/log")"
		return
	fi
	pass
	[ -z "$2" ] || return
	if env -u T PT="$dir/new/$out/pt" NO_PERF=1 BEYOND="$beyond" sh test/run scripts > "$dir/log" 2>&1; then
		pass
	else
		flunk "$1 passes what applies to it" "$(grep -v ' 0 failed' "$dir/log")"
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
	beyond=$tested
	builds "$config"
done
beyond=
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
	[ -n "$LONG" ] || [ "$mix" = 1 ] && only= || only=only
	builds "mix $mix" $only
done

finish
