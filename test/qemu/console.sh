#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 50
# needs: CMD_TRACE RECORD_SOFT CMD_SCRIPT CMD_DUMP CMD_STAT CMD_LIST CMD_INFO CONSOLE
#
# Commands typed at a serial console whose size is not known: lines fit 80 columns. First without
# Intel PT, then with the simulated one. After that pt stat, list and info into files: as root and as
# another user, while a CPU is unplugged, and without a PMU for the processor's counters.

. test/verdict

work=$O/obj/qemu_console
out=$work/out
give_up() {
	skip "qemu: $1"
	finish
	exit
}

rm -rf "$work"
kernel=$(test/qemu/kernel "$work") || give_up "$kernel"
test/qemu/initrd "$work/initrd.cpio" "$PT=bin/pt" "$work/fake_intel_pt.ko=fake_intel_pt.ko" \
	test/qemu/guest_stat=guest_stat || give_up "no initramfs"
test/qemu/boot -n -I -o "$out" "$kernel" "$work/initrd.cpio" 'stty 9600
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
pt -D | head -n 5 > /dev/null; ls -l perf.data
sh /guest_stat' > "$work/console" 2>&1
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

# A field of the line of an event: field NAME EVENT NUMBER [ROW]
field() {
	grep "^${4:-[^,]*}.*,$2,\|^[^,]*,[^,]*,$2," "$out/$1.err" | grep "${4:-}" | head -n 1 |
		cut -d, -f"$3"
}
ended() {
	is "$1 ends with $2" "$(cat "$out/$1.status")" "$2"
}
says() {
	if grep -qF "$2" "$out/$1.err" "$out/$1.out"; then
		pass
	else
		flunk "$1 says: $2" "$(head -n 8 "$out/$1.err" "$out/$1.out")"
	fi
}
holds() {
	if awk "BEGIN { exit !($2) }"; then
		pass
	else
		flunk "$1: $2"
	fi
}

ended default 0
says default "<not supported>      cycles"
says default "the kernel has no CPU counters here"
ended group 0
holds "a group adds up" "$(field group page-faults 1) == $(field group minor-faults 1) + \
	$(field group major-faults 1)"
if [ -e "$out/probe_add.status" ]; then
	ended probe_add 0
	says probe_list "probe:do_sys_openat2 (on do_sys_openat2)"
	says probe_list "probe:back__return   (on do_sys_openat2%return with fd)"
	ended probe_count 0
	holds "both files are opened, and more" "$(field probe_count probe:do_sys_openat2 1) >= 2"
	is "each call returns" "$(field probe_count probe:back__return 1)" \
		"$(field probe_count probe:do_sys_openat2 1)"
	says probe_delete "Removed event: probe:back__return"
	is "no probe is left" "$(cat "$out/probe_left.status" "$out/probe_left.out")" 0
	ended probe_wrong 1
	says probe_wrong "the kernel does not take 'no_such_function'"
else
	skip "probes: this build has no CMD_PROBE"
fi
is "each CPU has its row" "$(cut -d, -f1 "$out/rows.err" | sort -u | tr '\n' ' ')" "CPU0 CPU1 "
holds "threads of the whole machine are counted" "$(grep -c task-clock "$out/threads.err") > 0"
ended ends 0

ended unplug 0
holds "a CPU that goes away keeps what it counted" \
	"$(field unplug cpu-clock 2 CPU1) > 0 && $(field unplug cpu-clock 2 CPU1) < 0.8 * \
	$(field unplug cpu-clock 2 CPU0)"
holds "the members of its group do too" "$(field unplug context-switches 2 CPU1) > 0"
is "a CPU that is gone has no row" "$(cut -d, -f1 "$out/gone.err" | tr '\n' ' ')" "CPU0 "
ended plug 0
holds "intervals go on" "$(grep -c cpu-clock "$out/plug.err") >= 5"

ended files 1
says files "16 files are open, the limit of this process"
ended info 0
says info "Intel PT        yes  the kernel's intel_pt PMU opens"
says list "  yes psb_cyc"
says list "context-switches OR cs                             [Software event]       yes"
says nopmu "the kernel has no CPU counters here"

ended user 0
holds "a user counts its own faults" "$(field user page-faults:u 1) > 0"
is "a user is not told 0 for what it may not see" "$(field user context-switches 1)" \
	"<not counted>"
ended user_all 1
says user_all "not permitted: perf_event_paranoid is 2; run pt as root, or set it to 0"
ended user_other 1
says user_other "not permitted: it belongs to another user"
says user_list "[Software event]       u"
says user_info "rights          yes  perf_event_paranoid is 2: may trace user space of own processes"
holds "with paranoid 1 it sees them" "$(field user_one context-switches 1) >= 0"
finish
