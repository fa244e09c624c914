#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_SCRIPT PERF_DATA
#
# Code that a guest runs, according to PIP packets, does not get the name, file and symbols of the
# host's process.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello=test/golden/hello

# The TMA of the first PSB+, eight bytes with what pads it, becomes a PIP with NR = 1.
at=$(LC_ALL=C grep -obUaP -m1 '\x02\x73......\x02\x03' $hello/perf.data | head -n 1 | cut -d: -f1)
cp $hello/perf.data "$dir/guest.data"
printf '\002\103\001\000\000\000\000\000' |
	dd of="$dir/guest.data" bs=1 seek="$at" conv=notrunc 2> /dev/null

# samples OPTIONS...: how many there are
samples() {
	"$PT" script --symfs $hello/root -i "$@" 2> /dev/null | grep -c :u:
}

is "the host's are there" "$([ "$(samples $hello/perf.data --itrace=qi)" -gt 50 ] && echo yes)" yes
is "none of a guest, of addresses" "$(samples "$dir/guest.data" --itrace=qi)" 0
is "none of a guest, of branches" "$(samples "$dir/guest.data" --itrace=b)" 0
is "nor does a profile name the process" "$("$PT" report --stdio --symfs $hello/root --itrace=qi \
	-i "$dir/guest.data" 2> /dev/null | grep -c hello)" 0

# A guest's kernel below --guestmount DIR/PID: kallsyms, modules and kcore, as perf finds them. The
# files are those of a golden page, which has no folders.
if ! "$PT" --version -v | grep -q GUESTS=y || [ ! -x "$O/obj/dataasm" ]; then
	skip "--guestmount: not in this build"
	finish
	exit
fi
here=$PWD
cd "$dir" || exit 1
cat > kern.s << 'END'
	.type _text, @function
_text:	nop
_stext:	call gfun
k1:	cpuid
	.size _text, . - _text
	.type gfun, @function
gfun:	nop
	ret
	.size gfun, . - gfun
END
mkdir -p gm/7/proc
if ! as -o kern.o kern.s ||
	! ld -e 0 -Ttext=0xffffffff81000000 -z max-page-size=4096 -o gm/7/proc/kcore kern.o; then
	cd "$here" || exit 1
	skip "--guestmount: no kernel can be linked"
	finish
	exit
fi
: > gm/7/proc/modules
printf 'ffffffff81000000 T _text\nffffffff81000001 T _stext\nffffffff81000006 t k1
ffffffff81000008 t gfun\nffffffff81001000 T _etext\n' > gm/7/proc/kallsyms
echo 'psb; tsc 1000; mode.exec 64; pip 0x5000 nr; fup 0xffffffff81000000; psbend
tnt T; tsc 2000; fup 0xffffffff81000006; pip 0x1000; tip.pgd' | "$O/obj/ptasm" > trace
"$O/obj/dataasm" > data << 'END'
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info
tool 69 2 100 0 0 0xffffffffffffffff 101 0 0 7 0 0 7 3
at 7 7 0 0
comm vcpu
at 55 55 0 100
record 3 misc=5 id=101 55:55 "inner"
record 1 misc=4 id=101 0xffffffff:0 0xffffffff81000000 0x1000000 0xffffffff81000000 "[guest.kernel.kallsyms.7]_text"
record 14 misc=5 id=101
at 7 7 0 990
record 12 7:7
trace trace 1000
END
"$PT" script -i data --guestmount "$dir/gm" --itrace=be -F comm,ip,sym,addr,dso > pt.txt 2> err
is "the kernel below --guestmount has code and symbols" "$(grep -c 'gfun.*kallsyms.7' pt.txt)" 2
if has_perf; then
	perf script -i data --guestmount "$dir/gm" --itrace=be -F comm,ip,sym,addr,dso > perf.txt 2> err
	none "perf prints the same" "$(diff -a perf.txt pt.txt | head -n 6)"
else
	skip "perf 6.1 is not here to judge"
fi
cd "$here" || exit 1
finish
