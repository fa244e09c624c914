#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 45
# needs: RECORD_SOFT CMD_SCRIPT
#
# The soft recorder on all that makes following a program hard.

. test/live/judge

for one in branches signals code threads killed near16 vectors rseq; do
	build $one
done
like_untraced "$dir/signals"
no_gaps signals
like_untraced "$dir/threads" ${LONG:+12}60	# perf's time is quadratic in their number
no_gaps threads
like_untraced "$dir/killed"
no_gaps "threads that are killed"
record soft --soft=step "$dir/killed" ${LONG:-soon}
no_gaps "threads that are killed, by single steps"

like_untraced "$dir/vectors"
like_stepped "$dir/vectors"
no_gaps vectors
like_untraced "$dir/rseq"
no_gaps 'a restartable sequence'
like_untraced "$dir/near16"
is "ways that nobody can know are gaps, and nothing else is" \
	"$("$PT" script -i "$dir/soft.data" --itrace=e | grep -c Overflow)" \
	"$(sed -n 's/^unknown //p' "$dir/plain.out")"
"$PT" script -i "$dir/soft.data" --itrace=i0ns -F ip > "$dir/soft.ip" 2> /dev/null
record step --soft=step "$dir/near16"
"$PT" script -i "$dir/step.data" --itrace=i0ns -F ip 2> /dev/null | cmp "$dir/soft.ip" > "$dir/differ"
is "... as single steps tell" "$?$(cat "$dir/differ")" 0

# The agent refuses rseq: a libc that asks for it would go another way than by single steps.
export GLIBC_TUNABLES=glibc.pthread.rseq=0
like_stepped true
unset GLIBC_TUNABLES
like_untraced gzip -c test/live/judge
no_gaps gzip
like_untraced sh -c 'ls / | sort | head -n 3; (exit 3); echo $?; exec "$0" -c "exit 4"' sh

# Addresses are random here: with setarch -R, both programs would be at the same ones.
(still=; record chain --soft sh -c 'exec ls /')
is "what an exec replaced is decoded without time, too" \
	"$("$PT" script -i "$dir/chain.data" --itrace=Ze | grep -c Failed)" 0

if ! "$PT" version -v | grep -q SOFT_TRANSLATE; then
	skip 'python3: not by single steps'
elif [ -x /usr/bin/python3 ]; then
	like_untraced /usr/bin/python3 -S -c 'print(sum(range(1000)), 1.5 * 2)'
	no_errors python3
else
	skip 'python3: not here'
fi

# attached: once pt follows the loop; before that it may not heed signals yet
attached() {
	for try in $(seq 300); do
		grep -q '^TracerPid:	[1-9]' "/proc/$loop/status" && return
		sleep 0.1
	done
	flunk 'pt attaches in 30 s'
}

# Attach and leave.
cat > "$dir/loop.c" << 'EOF'
#include <unistd.h>
int main(void)
{
	volatile unsigned long n = 0;

	for (;;)
		if (!(++n % 1000))
			usleep(1);
}
EOF
$CC -O1 -static -no-pie -o "$dir/loop" "$dir/loop.c"
"$dir/loop" &
loop=$!
record soft "--soft -p $loop --for 200ms"
is "a recording of what runs already ends well" "$(cat "$dir/soft.status")" 0
no_errors 'what ran already'
is "what was traced runs on, untraced" "$(sed -n 's/^TracerPid:	//p' /proc/$loop/status)" 0
is "... and where it may" "$(sed -n 's/^Cpus_allowed:	//p' /proc/$loop/status)" \
	"$(sed -n 's/^Cpus_allowed:	//p' /proc/$$/status)"
is "... with the code it had" "$(dd if=/proc/$loop/mem bs=4096 skip=1025 count=2 2> /dev/null |
	cksum)" "$(dd if="$dir/loop" bs=4096 skip=1 count=2 2> /dev/null | cksum)"
"$PT" record -q --soft -o "$dir/int.data" -p $loop &
attached
kill -INT $!
wait $!
is "an interrupted recording ends with 130" $? 130

# Killed by force: what it was attached to is let go.
for delay in 0.1 0.2 0.3; do
	"$PT" record -q --soft -o "$dir/soft.data" -p $loop &
	attached
	sleep $delay
	kill -KILL $!
	wait $! 2> /dev/null
	for try in $(seq 100); do
		grep -q "^TracerPid:	0" /proc/$loop/status && break
		sleep 0.1
	done
	is "what a killed recording traced runs on" \
		"$(sed -n 's/^TracerPid:	//p; s/^State:	\([RS]\).*/runs/p' /proc/$loop/status)" \
		"runs
0"
done
no_errors 'a killed recording'
kill $loop
wait $loop 2> /dev/null

"$PT" record -q --soft -o "$dir/soft.data" sh -c 'echo > "$0.runs"; exec "$0"' "$dir/loop" &
for try in $(seq 300); do
	[ -e "$dir/loop.runs" ] && break
	sleep 0.1
done
sleep 0.3
kill -TERM $!
wait $!
is "a recording that is told to end ends its command" $? 143
no_errors 'a recording that was told to end'

# pt trace into a reader that begins late and ends after one line.
"$PT" trace --insn -- "$dir/loop" 2> "$dir/said" | { sleep 1; head -n 1 > "$dir/line"; }
is "a line of what is traced live" "$(grep -c insn: "$dir/line") $(cat "$dir/said")" "1 "
for try in $(seq 100); do
	left=$(cat /proc/[0-9]*/cmdline 2> /dev/null | tr '\0' '\n' | grep "^$dir/loop")
	[ -z "$left" ] && break
	sleep 0.1
done
none "... and nobody is left behind" "$left"

# 32-bit code: a program made here, because compilers lack the libraries. Its instructions are as
# long in 64-bit mode, because perf does not see in this file that it is 32-bit code.
{
	printf '\177\105\114\106\1\1\1\0\0\0\0\0\0\0\0\0\2\0\3\0\1\0\0\0\124\200\4\010\64\0\0\0\0\0'
	printf '\0\0\0\0\0\000\64\0\40\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\200\4\10\0\200\4\10\157\0'
	printf '\0\0\157\0\0\0\5\0\0\0\0\20\0\0\271\3\0\0\0\234\235\203\351\1\165\371\350\11\0\0\0'
	printf '\270\1\0\0\0\263\11\315\200\303'
} > "$dir/narrow"
chmod +x "$dir/narrow"
"$dir/narrow" 2> /dev/null
if [ $? = 9 ]; then
	like_untraced "$dir/narrow"
	no_gaps 'a 32-bit program'
	like_untraced sh -c '"$0"; echo $?' "$dir/narrow"
	if ${HOSTCC:-gcc} -m32 -static -nostdlib -o "$dir/vdso32" test/live/vdso32.S 2> /dev/null; then
		record soft --soft=step "$dir/vdso32"
		if "$PT" --version -v | grep -q SOFT_TRANSLATE_32=y; then
			is "the vDSO of 32-bit programs is recorded" \
				"$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''
		else
			is "the vDSO of 32-bit programs is not that of this one" \
				"$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1 |
					grep -v 'is missing:' | grep -c vdso32)" 1
		fi
		is "... and can be told" "$("$PT" script -i "$dir/soft.data" \
			--vdso "$dir/soft.out" --itrace=e 2>&1)" ""
	else
		skip "the vDSO of 32-bit programs: they are not made here"
	fi
else
	skip '32-bit programs: not with this kernel'
fi

none "nobody is left behind" "$(grep -ls "^TracerPid:	$$\$" /proc/[0-9]*/status)"
finish
