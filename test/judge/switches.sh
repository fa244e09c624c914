#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_SCRIPT PERF_DATA KERNEL LIBELF
#
# In a trace of the kernel threads change at __switch_to, as in perf: constructed traces whose
# switch records come earlier, later, or not at all (switches.c).

. test/verdict

make="$O/obj/judge/switches"
if [ ! -x "$make" ]; then
	skip "threads that switch: $make is not built"
	finish
	exit
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Functions stand where switches.c takes them for granted to be.
cat > "$dir/kernel.s" << 'END'
	.text
	.globl _text, _stext, schedule, __switch_to, __perf_event_task_sched_out, _etext
	.macro function name
	.balign 64
	.type \name, @function
\name:
	.endm
	function _text
_stext:
	call schedule
	jne _text
	jmp _text
	function schedule
	call __perf_event_task_sched_out
	call context_switch
	ret
	function context_switch
	nop
	jmp __switch_to
	function __switch_to
	jne 1f
	nop
1:	ret
	function __perf_event_task_sched_out
	jne 1f
	nop
1:	ret
	.balign 4096
_etext:
END
if ! as -o "$dir/kernel.o" "$dir/kernel.s" ||
	! ld -e _text -Ttext=0xffffffff81000000 -o "$dir/vmlinux" "$dir/kernel.o" 2> "$dir/err"; then
	skip "no kernel can be linked: $(head -n 1 "$dir/err")"
	finish
	exit
fi
has_perf && perf=1 || perf=

script() {
	"$1" script --vmlinux "$dir/vmlinux" -i "$dir/data" --ns -F comm,tid,cpu,time,event,ip,sym,addr \
		$2 2> "$dir/err"
}

# alike SEED LETTERS: the same lines.
alike() {
	script "$PT" "$2" > "$dir/pt.txt"
	script "$PT" "$2 -j 3" > "$dir/pt3.txt"
	if [ "$(wc -l < "$dir/pt.txt")" -lt 10 ]; then
		flunk "trace $1 is decoded with $2" "$(cat "$dir/err")"
		return
	fi
	none "trace $1, $2: with -j as without" "$(diff -a "$dir/pt.txt" "$dir/pt3.txt" | head -n 10)"
	[ "$perf" ] || return
	script perf "$2" > "$dir/perf.txt"
	none "trace $1, $2: threads change as in perf" \
		"$(diff -a "$dir/perf.txt" "$dir/pt.txt" | head -n 10)"
}

for seed in 1 2 3 4; do
	"$make" $seed > "$dir/data"
	for letters in b i0ns ibce i10i qbe cr; do
		alike $seed --itrace=$letters
	done
	alike $seed '--itrace=b --time 0.001100,0.001200'
done
[ "$perf" ] || skip "perf 6.1 is not here to judge"

# Where records are missing nothing of the trace is: perf waits for them for ever.
"$make" 1 drop > "$dir/data"
script "$PT" --itrace=b > "$dir/pt.txt"
script "$PT" '--itrace=b -j 3' > "$dir/pt3.txt"
"$PT" script --vmlinux "$dir/vmlinux" -i "$dir/data" --itrace=Zb -F ip > "$dir/all.txt" 2> "$dir/err"
is "a trace without some of its records is decoded" "$(wc -l < "$dir/pt.txt")" \
	"$(wc -l < "$dir/all.txt")"
none "the same with -j" "$(diff -a "$dir/pt.txt" "$dir/pt3.txt" | head -n 10)"
finish
