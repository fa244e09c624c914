#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 15
# needs: SOFT_TRANSLATE_32 CMD_SCRIPT
#
# 32-bit programs, translated: they go the way that single steps tell, and notice nothing.

. test/live/judge

as --32 -o "$dir/narrow.o" test/live/narrow.S 2> /dev/null &&
	ld -m elf_i386 -o "$dir/narrow" "$dir/narrow.o" 2> /dev/null || {
	skip '32-bit programs: they are not made here'
	finish
	exit
}
"$dir/narrow" 2> /dev/null
if [ $? != 42 ]; then
	skip '32-bit programs: not with this kernel'
	finish
	exit
fi

record soft --soft=translate "$dir/narrow"
is "a 32-bit program is translated" "$(cat "$dir/soft.status") $(cat "$dir/soft.said" |
	grep -c '^pt made 0 single steps')" '42 1'
no_gaps 'a 32-bit program'
sort -o "$dir/soft.ip" "$dir/soft.ip"	# there is a child
record step --soft=step "$dir/narrow"
"$PT" script --strict -i "$dir/step.data" --itrace=i0nse -F ip 2>&1 |
	sort > "$dir/step.ip"
if [ "$still" ]; then
	is "... and goes the way that single steps tell" \
		"$(cmp "$dir/soft.ip" "$dir/step.ip" 2>&1)$(wc -l < "$dir/soft.ip")" \
		"$(wc -l < "$dir/step.ip")"
else
	skip "a 32-bit program, stepped: there is no setarch"
fi

# unnoticed COMMAND: the same output and status
unnoticed() {
	timeout -k 10 300 "$@" > "$dir/plain.out" 2> /dev/null < /dev/null
	status=$?
	record soft --soft=translate "$@" < /dev/null
	is "${1##*/} $2, 32-bit, says the same when it is translated" \
		"$(head -c 400 "$dir/soft.out")" "$(head -c 400 "$dir/plain.out")"
	is "${1##*/} $2, 32-bit, ends in the same way" "$(cat "$dir/soft.status")" "$status"
	is "${1##*/} $2, 32-bit, is decoded without a gap" \
		"$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''
}

unnoticed sh -c '"$0"; echo $?; "$0"; exec "$0"' "$dir/narrow"

# What 64-bit code cannot do: all of it runs by single steps.
cat > "$dir/odd.s" << 'END'
	.globl	_start
_start:	mov	$99, %eax
	aam
	aad
	mov	$3, %ecx
1:	.byte	0x67, 0xe3, 4			/* jcxz */
	dec	%ecx
	jmp	1b
	nop
	lea	-56(%eax), %ebx
	mov	$1, %eax
	int	$0x80
END
as --32 -o "$dir/odd.o" "$dir/odd.s" && ld -m elf_i386 -o "$dir/odd" "$dir/odd.o"
record soft --soft=translate "$dir/odd"
is "what cannot be translated of 32-bit code is stepped, and that is said once" \
	"$(cat "$dir/soft.status") $(grep -c 'runs by single steps' "$dir/soft.said")" '43 1'
no_gaps "what cannot be translated of 32-bit code"

# CPUID is forbidden in the program.
cat > "$dir/cpuid.s" << 'END'
	.globl	_start
_start:	mov	$384, %eax			/* arch_prctl(ARCH_SET_CPUID, 0) */
	mov	$0x1012, %ebx
	xor	%ecx, %ecx
	int	$0x80
	push	%ds
	pop	%eax
	push	%es
	mov	$43, %ebx
	mov	$1, %eax
	int	$0x80
END
as --32 -o "$dir/cpuid.o" "$dir/cpuid.s" && ld -m elf_i386 -o "$dir/cpuid" "$dir/cpuid.o"
record soft --soft=translate "$dir/cpuid"
is "a PUSH of a segment, where CPUID is forbidden" \
	"$(cat "$dir/soft.status") $(grep -c '^pt made 0 single steps' "$dir/soft.said")" '43 1'

# With a libc. A program that this machine cannot make or run is left out.
narrow=${HOSTCC:-gcc}
can() {
	$narrow -m32 -O1 -g0 -pthread -DREG_RIP=REG_EIP -o "$dir/$1" "test/live/$1.c" \
		2> /dev/null
}
if ! can deaths || ! "$dir/deaths" 0 > /dev/null 2>&1; then
	skip '32-bit programs with a libc: there is none here'
	finish
	exit
fi
for i in 1 2 5 7 8; do
	unnoticed "$dir/deaths" $i
done
if can frames; then
	unnoticed "$dir/frames"
	record soft --soft=translate "$dir/frames" over
	is "a 32-bit program that maps memory over pt's is stepped before it does so" \
		"$(tail -n 1 "$dir/soft.out")$(grep -c 'by single steps' "$dir/soft.said")" \
		0x7e0000001
fi
if can rare; then
	for i in 0 1 2 3 4 6 7 8 9 10 11 12 13 14; do
		unnoticed "$dir/rare" $i
	done
fi

# A library whose code the linker changes when it is loaded; code goes from a changed page to others.
{
	printf '.balign 4096\n.globl crosses\ncrosses: call number\n'
	printf '.fill 4088, 1, 0x40\n'			# INC EAX
	printf 'add $0x01020304, %%eax\n'		# in two pages; the second one stays
	printf '.fill 100, 1, 0x40\ntest %%eax, %%eax\njz 1f\n1: .org crosses + 8191, 0x40\n'
	printf 'call number\n'				# in two pages; the first one stays
	printf 'mov n, %%eax\nret\n.data\nn: .long 5\n.section .note.GNU-stack,"",@progbits\n'
} > "$dir/crosses.s"
cat > "$dir/uses.c" << 'END'
int crosses(void);

int number(void)
{
	return 5;
}

int main(int argc, char **argv)
{
	int odd = argc;

	if (argc > 1)		/* what cannot be translated */
		__asm__ volatile("aam" : "+a"(odd) : : "cc");
	return crosses() + crosses();
}
END
if $narrow -m32 -shared -Wl,-z,notext -o "$dir/libcrosses.so" "$dir/crosses.s" 2> /dev/null &&
   $narrow -m32 -O1 -g0 -o "$dir/uses" "$dir/uses.c" "$dir/libcrosses.so" 2> /dev/null; then
	unnoticed "$dir/uses"
	unnoticed "$dir/uses" stepped
	record soft --soft=step "$dir/uses"
	is "code that the linker changes, 32-bit, stepped, is decoded without a gap" \
		"$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''
fi
can spawned && unnoticed "$dir/spawned"
can tracer && unnoticed "$dir/tracer"
can written && unnoticed "$dir/written"
can vforked && unnoticed "$dir/vforked"
can faults && unnoticed "$dir/faults"
can harsh && unnoticed "$dir/harsh" 4
can threads && unnoticed "$dir/threads"
can sent && unnoticed "$dir/sent"
can keyed && unnoticed "$dir/keyed"
can meanwhile && unnoticed "$dir/meanwhile"
can limits && unnoticed "$dir/limits" small
can timers && unnoticed "$dir/timers"
can modified && unnoticed "$dir/modified" 3 10
can busy && unnoticed "$dir/busy" 2

# Attached to and left, again and again; and pt is killed.
plain=$("$dir/busy" 8)
"$dir/busy" 8 > "$dir/busy.out" &
target=$!
i=0
bad=
while [ $((i += 1)) -le 5 ]; do
	timeout -k 10 300 "$PT" record -q --soft=translate -o "$dir/soft.data" -p $target \
		--for 50ms 2> "$dir/soft.said" || break
	bad=$bad$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1 | grep -v 'trace is empty')
	bad=$bad$(grep 'single steps' "$dir/soft.said")
done
wait $target
is "a 32-bit program, attached to again and again: the result is right" \
	"$? $(cat "$dir/busy.out")" "0 $plain"
is "... and each recording is whole" "$bad" ''

plain=$("$dir/busy" 6)
for after in 0 0.1 0.3; do
	rm -f "$dir/killed"
	"$PT" record -q --soft=translate -o "$dir/killed.data" "$dir/busy" alone 6 \
		> "$dir/killed" 2> /dev/null &
	until [ -s "$dir/killed" ]; do sleep 0.01; done
	sleep $after
	kill -KILL $! 2> /dev/null
	wait $! 2> /dev/null
	i=0
	until [ "$(wc -l < "$dir/killed")" = 2 ] || [ $((i += 1)) -gt 600 ]; do sleep 0.1; done
	is "the result of a 32-bit program is right when pt is killed after $after s" \
		"$(cat "$dir/killed")" "began
$plain"
done

finish
