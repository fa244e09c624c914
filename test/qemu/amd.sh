#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 60
# needs: SOFT_TRANSLATE CMD_SCRIPT
#
# pt record --soft=translate in a guest with an AMD processor, which has no Intel PT, and whose
# 32-bit programs call the kernel by SYSCALL; and in one with an old Intel processor, without XSAVE
# and AVX: programs do what they do without pt, and there are no gaps in the trace.

. test/verdict

work=$O/obj/qemu

give_up() {
	skip "qemu, AMD: $1"
	finish
	exit
}

kernel=$(test/qemu/kernel "$work") || give_up "$(echo "$kernel" | head -n 1)"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
gcc -O2 -static -pthread -w -o "$dir/wide" test/qemu/everything.c ||
	give_up "no static program can be built"
gcc -O2 -static -pthread -w -o "$dir/keys" test/live/keys.c
programs='wide keys'
if ! grep -q 'SOFT_TRANSLATE_32=y' "$O/.config"; then
	:
elif gcc -m32 -O2 -static -pthread -w -o "$dir/narrow" test/qemu/everything.c 2> /dev/null
then
	programs="$programs narrow"
else
	skip "qemu, AMD: 32-bit programs are not made here"
fi
test/qemu/initrd "$dir/cpio" "$PT=bin/pt" $(for f in $programs; do echo "$dir/$f=bin/$f"; done) ||
	give_up "no initramfs"

# try CPU: in a guest
try() {
	cpu=$1 out=$dir/$1
	test/qemu/boot -n -c "$cpu" -o "$out" "$kernel" "$dir/cpio" '
		cd /out
		grep -m 1 vendor_id /proc/cpuinfo > vendor
		for p in '"$programs"' sh; do
			[ $p = sh ] && set -- -c "ls /bin | wc -l; wide" || set -- 2
			$p "$@" > $p.plain; echo "$?" >> $p.plain
			pt record --soft=translate -o data -- $p "$@" > $p.out 2> $p.err
			echo "$?" >> $p.out
			pt script -i data --itrace=e >> gaps 2>&1
			echo $p "$(pt script -i data --itrace=b | wc -l)" >> branches
			[ $p = sh ] && continue
			$p 10 $p.end > $p.attached & pid=$!
			for i in 1 2 3; do
				usleep 50000
				pt record -q --soft=translate -o data -p $pid sleep 0.1 2>> $p.err
				pt script -i data --itrace=e >> gaps 2>&1
			done
			touch $p.end; wait $pid; echo "$?" >> $p.attached
			$p 10 > $p.alone; echo "$?" >> $p.alone
		done' > "$dir/console" 2>&1
	is "$cpu: the guest does all it is told to" "$?" 0
	for p in $programs sh; do
		is "$cpu: $p says the same when it is translated" "$(cat "$out/$p.out")" \
			"$(cat "$out/$p.plain")"
		is "$cpu: $p is translated, not stepped" \
			"$(grep -E 'steps|pt:' "$out/$p.err" | grep -v '^pt made 0 ')" ''
		[ "$p" = sh ] || is "$cpu: $p says the same after three attaches" \
			"$(cat "$out/$p.attached")" "$(cat "$out/$p.alone")"
	done
	is "$cpu: there are no gaps" "$(head -c 400 "$out/gaps")" ''
	is "$cpu: there are branches" "$(awk '$2 < 1000' "$out/branches")" ''
}

try EPYC-Milan
is "this is an AMD processor" "$(grep -c AuthenticAMD "$dir/EPYC-Milan/vendor")" 1
is "it has protection keys" "$(grep -c 'code 4' "$dir/EPYC-Milan/keys.plain")" 2
# It has no FSGSBASE: kernels keep the base of a segment in another way.
try core2duo

finish
