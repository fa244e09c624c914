#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 35
# needs: CMD_TRACE RECORD_SOFT CMD_SCRIPT CMD_DUMP CMD_STAT CMD_LIST CONSOLE
#
# Commands typed at a serial console whose size is not known: lines fit 80 columns. First without
# Intel PT, then with the simulated one.

. test/verdict

work=$O/obj/qemu_console
give_up() {
	skip "qemu: $1"
	finish
	exit
}

rm -rf "$work"
kernel=$(test/qemu/kernel "$work") || give_up "$kernel"
test/qemu/initrd "$work/initrd.cpio" "$PT=bin/pt" "$work/fake_intel_pt.ko=fake_intel_pt.ko" ||
	give_up "no initramfs"
test/qemu/boot -n -I "$kernel" "$work/initrd.cpio" 'stty 9600
pt record -o /tmp/x ls / > /dev/null
pt script -i /tmp/x --call-trace --max-samples 200
pt script -i /tmp/x --insn-trace --max-samples 200
pt script -i /tmp/x --itrace=be --max-samples 2000
pt record -o /tmp/y true
pt -D /tmp/y
pt stat -r 2 true
pt stat -a -A -e task-clock,page-faults,cs sleep 0.1
pt list
pt list hw sw cache
pt report -i /tmp/x --itrace=i100i --no-children
pt trace sleep 30
<^C
echo status $?
insmod /fake_intel_pt.ko
pt record -a
<^C
echo ended with $?
pt -D | head -n 5 > /dev/null; ls -l perf.data' > "$work/console" 2>&1
status=$?
is "the guest does all it is told to" "$status" 0

# What pt printed, without what was typed.
sed 's/\r//g; s/\x1b\[[0-9;]*[A-Za-z]//g' "$work/console" | grep -v '# [a-z]' > "$work/lines"
none "no line is wider than the console" "$(awk 'length > 80' "$work/lines" | head -n 5)"
none "no line ends in blanks" "$(grep ' $' "$work/lines" | grep -v '# $' | head -n 5)"
# said WHAT PATTERN NUMBER: at least so many lines of it are there.
said() {
	n=$(grep -c "$2" "$work/lines")
	is "$1" "$([ "$n" -ge "$3" ] || echo "$n lines, not $3")" ""
}
said "calls are there" '^ *[0-9]*\.[0-9][0-9][0-9] ' 2000
said "packets are there" '^\.  0000' 200
said "records are there" '^0x.* MMAP2' 2
said "counts are there" ' msec task-clock ' 3
said "kinds of events are there" '^  pt list ' 9
said "a profile is there" '% .*\[\.\] ' 1
said "the line is known to be slow" '^pt: about .* at 9600 baud' 1
said "Ctrl-C ends a trace" '^status 130' 1
if "$PT" version -v | grep -q CONFIG_RECORD_HW=y; then
	said "Ctrl-C ends a recording" '^ended with 130' 1
	said "... that is whole" 'Captured and wrote' 3
else
	skip "Ctrl-C during a recording: this build has no RECORD_HW"
fi
[ "$failed" = 0 ] || tail -n 40 "$work/lines"
finish
