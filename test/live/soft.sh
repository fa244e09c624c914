#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 12
# needs: RECORD_SOFT CMD_SCRIPT
#
# The soft recorder: a program goes its way as if nobody looked, and the trace
# says which way that was, translated (where that is built in) and by single steps.

. test/live/judge

build branches
like_untraced "$dir/branches"
no_gaps branches
nm "$dir/branches" | sed -n 's/^0*\([0-9a-f]*\) T mark_\([0-9]\).*/\1 \2/p' > "$dir/marks"
is "the marks that branches passed are those it says" "$(awk '
	NR == FNR { mark[$1] = $2; next }
	$1 in mark { printf "%s", mark[$1] }
	END { print "" }' "$dir/marks" "$dir/soft.ip" | cksum)" "$(cksum < "$dir/plain.out")"

like_stepped "$dir/branches"
# Processors remember 64 calls. Of the 101 calls of deep(), 64 returns are compressed, one goes to
# main(), and 36 go to the same place.
record step "--soft=step -e intel_pt/psb_period=15/u" "$dir/branches"
is "returns from more than 64 calls are not compressed" "$("$PT" -D "$dir/step.data" |
	sed -n 's/.* TIP 0x//p' | sort | uniq -c | awk '$1 == 36' | wc -l)" 1
build rare
like_stepped "$dir/rare" 9
build code
like_untraced "$dir/code"
if "$PT" --version -v | grep -q CONFIG_SOFT_STEP_CODE=y; then
	for name in code made nameless; do
		build $name
		record soft --soft=step "$dir/$name"
		no_gaps "code made at run time, stepped: $name"
	done
	build patched
	like_stepped "$dir/patched"
fi

# Both programs are at the same addresses.
build nameless
record soft --soft "$dir/nameless" "$dir/rare"
no_gaps "a program after one that was in no file"

build renamed
for how in --soft --soft=step; do
	record soft $how "$dir/renamed"
	is "a program's new name is recorded ($how)" "$("$PT" script --show-task-events \
		-i "$dir/soft.data" 2> /dev/null | grep -c 'PERF_RECORD_COMM: renamed:')" 1
done

record soft "--soft -e intel_pt/noretcomp,mtc=0,cyc,psb_period=0/u" "$dir/branches"
no_gaps 'a trace with other packets'

# By single steps each instruction takes as long as any other, so a profile by time is one by
# instructions.
shares() {
	"$@" -i "$dir/soft.data" --no-children -s symbol 2> /dev/null | awk '
		!($3 in share) { share[$3] = $1 + 0 }	# the first table is that of instructions
		END { a = share["sixty"]; b = share["thirty"]; c = share["ten"]
			print (a > 50 && a < 70 && b > 20 && b < 40 && c > 5 && c < 20) ? \
				"60 30 10" : a " " b " " c }'
}
build shares
for terms in cyc mtc=0,noretcomp ''; do
	[ "$terms" != mtc=0,noretcomp ] && turns=20 || turns=1
	record soft "--soft=step -e intel_pt/$terms/u" "$dir/shares" $turns
	[ $turns = 1 ] || ! "$PT" report --help > /dev/null 2>&1 ||
		is "a profile by time has the shares of the functions ($terms)" \
			"$(shares "$PT" report)" '60 30 10'
	no_errors "a trace with $terms"
done
command -v perf > /dev/null && is "perf's profile, too" "$(shares perf report --stdio)" '60 30 10'

# PTWRITE, on processors that have none, too.
build ptwrite
for how in --soft --soft=step; do
	for terms in ptw ptw,fup_on_ptw; do
		record soft "$how -e intel_pt/$terms/u" "$dir/ptwrite"
		is "what PTWRITE writes is in the trace ($how, $terms)" "$(cat "$dir/soft.status") $(
			"$PT" script -i "$dir/soft.data" --itrace=w -F synth 2> /dev/null |
			sed 's/.*payload: //; s/ .*//' | sort -u | tr '\n' ' ')" \
			'0 0x1122334455667788 0x2200000000000022 0x2200000000000023 '\
'0x3300000000000033 0x44000044 0x99aabbcc 0xdeadbeef12345678 '
	done
done
no_errors "a trace with PTWRITE"
is "PTWRITE does not need single steps" \
	"$("$PT" record -q --soft -e intel_pt/ptw/u -o "$dir/none.data" "$dir/ptwrite" 2>&1)" ""

"$PT" record -q --soft -o "$dir/none.data" /nonexistent 2> /dev/null
is "a command that is not there" $? 127
"$PT" record -q --soft -o "$dir/none.data" sh -c 'kill -KILL $$'
is "a command that is killed" $? 137

# What it cannot do is said, and nothing is recorded.
snapshots=-S
"$PT" --version -v | grep -q CONFIG_SOFT_SNAPSHOT=y && snapshots=-a
for asked in "$snapshots" "--filter filter@/bin/x" "--aux-sample -e intel_pt//u" "-D 10" "-i" "--kcore" \
	"-a" "-F 100" "-c 5" "-e intel_pt/pwr_evt/u" "-e intel_pt/branch=0/u" "-e intel_pt/period=5/u"; do
	"$PT" record -q --soft -o "$dir/cannot.data" $asked -- touch "$dir/touched" 2> "$dir/err"
	is "record --soft $asked" "$? $(wc -l < "$dir/err")" "1 1"
done
is "nothing ran meanwhile" "$(ls "$dir/touched" "$dir/cannot.data" 2> /dev/null)" ""

# Code that is mapped to be read, and made executable later.
cat > "$dir/later.c" << 'END'
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

__attribute__((noinline, noclone, section("apart"))) int odd(int n)
{
	int sum = 0;

	while (n--)
		sum += n & 1;
	return sum;
}

int main(void)
{
	extern char __executable_start;
	uintptr_t at = (uintptr_t)odd - (uintptr_t)&__executable_start, page = at & -4096;
	char *p = mmap(0, 8192, PROT_READ, MAP_PRIVATE, open("/proc/self/exe", O_RDONLY), page);

	mprotect(p, 8192, PROT_READ | PROT_EXEC);
	return ((int (*)(int))(p + (at - page)))(60);
}
END
$CC -O1 -static -no-pie -g0 -Wl,-z,noseparate-code -o "$dir/later" "$dir/later.c" ||
	flunk "later compiles"
for how in --soft --soft=step; do
	"$PT" record -q $how -o "$dir/soft.data" "$dir/later" 2> /dev/null
	is "$how: code that is made executable" "$? $("$PT" script -i "$dir/soft.data" --itrace=be \
		-F ip,addr 2>&1 | awk '/error/ { e++ } { n[$1]++ } END {
			for (ip in n) many += n[ip] > 55; print many + 0, e + 0 }')" "30 1 0"
done

# A command beside -p says how long, and is not traced.
sh -c 'while :; do :; done' &
loop=$!
until [ "$(cat /proc/$loop/comm)" = sh ]; do	# it is this shell until its exec
	sleep 0.01
done
"$PT" record -q --soft -o "$dir/with.data" -p $loop sh -c 'exit 3' 2> /dev/null
is "its status is pt's" $? 3
"$PT" script -i "$dir/with.data" --show-task-events 2> /dev/null |
	grep -q "PERF_RECORD_COMM: sh:$loop/"
is "the process is in the trace" $? 0
is "and nobody else" "$("$PT" script -i "$dir/with.data" --itrace=b -F pid 2> /dev/null |
	grep -vxc " *$loop *")" 0
kill -0 $loop
is "it goes on" $? 0
kill $loop

# A thread may have made a step when it is let go.
build endless
"$dir/endless" &
loop=$!
i=0
while [ $((i += 1)) -le 24 ] && "$PT" record -q --soft=step -o "$dir/with.data" -p $loop --for 5ms \
	2> /dev/null; do :; done
kill -TERM $loop
wait $loop
is "... however often" "$i $?" '25 143'

# On a busy machine, the kernel's clock ticks before the vDSO has read it in single steps. (101 is
# ptrace(), 9 PTRACE_SINGLESTEP.)
build delayed
build ticks
mkfifo "$dir/input"
"$dir/ticks" < "$dir/input" > "$dir/ticks.out" &
ticks=$!
exec 8> "$dir/input"
timeout -k 10 300 "$dir/delayed" 300 101 9 "$PT" record -q --soft=step -o "$dir/ticks.data" -p $ticks \
	2> /dev/null &
until grep -q "^TracerPid:.[1-9]" /proc/$ticks/status || ! kill -0 $!; do
	sleep 0.01
done
echo >&8
wait $!
wait $ticks
is "the time can be asked for in single steps" "$? $(cat "$dir/ticks.out")" "0 1 1"

finish
