#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_DIFF RECORD_SOFT LIBELF
#
# The first place where two recordings of one program differ.

. test/live/judge

cat > "$dir/way.c" << 'END'
#include <stdlib.h>

static volatile int n;
static int which, times;

__attribute__((noinline)) static void even(int i) { n += i; }
__attribute__((noinline)) static void odd(int i) { n -= i; }

__attribute__((noinline)) static void go(void)
{
	int i, k;

	for (i = 0; i < 5000; i++)
		if (i != which)
			even(i);
		else
			for (k = 0; k < times; k++)
				odd(i);
}

int main(int argc, char **argv)
{
	which = atoi(argv[1]);
	times = atoi(argv[2]);
	go();
	return 0;
}
END
$CC -O1 -static -no-pie -g0 -o "$dir/way" "$dir/way.c" || flunk "way compiles"
for way in '3000 1' '3000 7' '4000 1' '9999 1'; do
	$still "$PT" record -q --soft -o "$dir/$way.data" "$dir/way" $way
done
cp "$dir/3000 1.data" "$dir/same.data"

differ() {
	"$PT" diff "$dir/$1.data" "$dir/$2.data" > "$dir/out" 2>&1
	echo $? $(sed -n 's/+0x[0-9a-f]*//g; s/ (way)//g; s/^\([AB]\)   /\1 /p' "$dir/out" |
		awk '!seen[$1]++')
}
is "of the same trace" "$(differ '3000 1' same) $(grep -c 'the same way' "$dir/out")" '0 1'
is "it parts where the other function is called" "$(differ '3000 1' '4000 1' | sed 's/ -> go//')" \
	"1 A go B go calls even"
is "another number of calls" "$(differ '3000 1' '3000 7')" "1 A go calls even B go -> go"
is "is what differs most" "$(sed -n '/calls: /{ n; p; }' "$dir/out")" \
	"          1          7  odd (way)"
is "what led to it is there" "$(grep -c '^    [a-z]' "$dir/out")" 10
"$PT" diff "$dir/9999 1.data" "$dir/3000 7.data" > "$dir/out"
is "before what differs less" "$(sed -n '/calls: /,$ { s/  *[0-9]*  *[0-9]*  \(.* (way)\)/\1/p; }' \
	"$dir/out" | tr '\n' ' ')" "odd (way) even (way) "
# branches FILE: that are compared
branches() {
	"$PT" script -i "$dir/$1.data" --itrace=b -F ip,addr,flags | grep -v 'tr strt\|tr end\|int '
}
branches '9999 1' > "$dir/a"
branches '3000 7' > "$dir/b"
is "the number of branches that are the same is right" \
	"$(sed -n 's/.*the same for \([0-9]*\) branches, then:/\1/p' "$dir/out")" \
	"$(($(cmp "$dir/a" "$dir/b" | sed 's/.* line //') - 1))"
is "a file that is ignored" "$("$PT" diff --ignore way "$dir/3000 1.data" "$dir/4000 1.data" 2>&1 |
	sed 's/.*: //')" 'there are no branches'
is "what is ignored is not compared" "$("$PT" diff --ignore go,odd,even "$dir/3000 1.data" \
	"$dir/4000 1.data" | sed -n 's/.*: //p' | sed 's/[0-9][0-9]* /N /')" \
	'the same way, N branches'
$CC -O1 -static -no-pie -g -o "$dir/ld-way" "$dir/way.c" || flunk "ld-way compiles"
for n in 3000 4000; do
	$still "$PT" record -q --soft -o "$dir/ld.$n" "$dir/ld-way" $n 1
done
"$PT" diff "$dir/ld.3000" "$dir/ld.4000" > "$dir/out" 2>&1
is "what the loader did leads nowhere, and that is said" "$(grep ignore "$dir/out")" \
	"What happens in ld-way depends on addresses or on time: see --ignore"
# What the runtime linker of a dynamic program does depends on its environment.
if ${HOSTCC:-cc} -O1 -no-pie -g0 -o "$dir/dynamic" "$dir/way.c" 2> /dev/null; then
	for n in 1 2; do
		$still env -i "LONG=$(seq $((n * n * n * 100)) | tr -d '\n')" "$PT" record -q --soft \
			-o "$dir/dynamic.$n" "$dir/dynamic" ${n}000 1 > /dev/null
	done
	"$PT" diff "$dir/dynamic.1" "$dir/dynamic.2" > "$dir/ours"
	is "the runtime linker is left out" "$(grep -c '^[AB].*ld-linux' "$dir/ours") $(
		grep -c '^A .*go.* calls odd' "$dir/ours")" "0 1"
	"$PT" diff --no-ignore "$dir/dynamic.1" "$dir/dynamic.2" > "$dir/whole"
	same() {
		sed -n 's/.* same for \([0-9]*\) branches.*/\1/p' "$1"
	}
	is "unless asked for" "$(($(same "$dir/ours") + 500 < $(same "$dir/whole")))" 1
else
	skip "a dynamic program: no compiler for this libc"
fi
if "$PT" --version -v | grep -q CONFIG_SRCLINE=y; then
	is "lines of the source" "$(sed -n 's/^B .* \(way.c:[0-9]*\) .*/\1/p' "$dir/out" | head -n 1)" \
		"way.c:$(grep -n 'even(i);' "$dir/way.c" | cut -d: -f1)"
fi
is "a file that is not there" "$("$PT" diff "$dir/3000 1.data" /none 2>&1; echo $?)" \
	"$(printf 'pt: /none: no such file\n1')"
is "a third file" "$("$PT" diff "$dir/same.data" "$dir/same.data" c 2>&1; echo $?)" \
	"$(printf 'pt: c: pt diff compares two recordings of a trace\n1')"
is "-o of a file that is not there" "$("$PT" diff -o 2 a b 2>&1; echo $?)" \
	"$(printf 'pt: -o 2: there are 2 files, the first one is 0\n1')"
is "a method that is not there" "$("$PT" diff -c wdiff:1 a b 2>&1; echo $?)" \
	"$(printf 'pt: -c takes delta, delta-abs, ratio or wdiff:A,B (see pt diff --help)\n1')"
is "perf.data.old and perf.data" "$(cd "$dir" && cp same.data perf.data &&
	cp same.data perf.data.old && "$PT" diff > /dev/null; echo $?)" 0
finish
