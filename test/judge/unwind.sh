#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 10
# needs: UNWIND RECORD_SAMPLES CMD_REPORT
#
# Call chains from copies of stacks (--call-graph dwarf) of programs without frame pointers: those
# of perf, which sometimes end earlier; and the calls that the program made.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/prog.c" << 'END'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 71 };
volatile char *pages;
volatile int sum;

/* Each call is a page fault. */
__attribute__((noipa)) static int leaf(int n)
{
	pages[(long)n * PAGE] = 1;
	return sum += n;
}

__attribute__((noipa)) static int with_array(int n)
{
	char text[n % 50 + 10];

	memset(text, n, sizeof(text));
	asm volatile("" : : "r"(text) : "memory");
	return leaf(n) + text[3];
}

__attribute__((noipa)) static int deep(int n, int left)
{
	char text[40];

	memset(text, n, sizeof(text));
	asm volatile("" : : "r"(text) : "memory");
	return (left ? deep(n, left - 1) : with_array(n)) + text[sum & 7];
}

static int compare(const void *a, const void *b)
{
	return leaf(*(const int *)b) - *(const int *)a;
}

static void handler(int number)
{
	leaf(PAGES - 1);
}

int main(void)
{
	int i, two[2] = { PAGES - 2, PAGES - 2 };

	pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	madvise((char *)pages, PAGES * PAGE, MADV_NOHUGEPAGE);
	pages[0] = 1;
	leaf(0);	/* its code and its data may cause faults at first */
	for (i = 1; i < PAGES - 2; i++)
		deep(i, (i - 1) % 10);
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	qsort(two, 2, sizeof(*two), compare);
	return 0;
}
END

# chains FILE: of each sample in leaf after the first call, the functions from it on, a line each.
chains() {
	awk '/^[^\t]/ { line = "" } /^\t/ && $2 !~ /ffffffff/ { sub(/\+0x.*/, "", $2)
		line = line " " $2 } /^$/ && line ~ /^ leaf / && line !~ /^ leaf main/ { print line }' "$1"
}

# judge NAME FLAG...: how the program is compiled
judge() {
	name=$1
	shift
	if ! gcc -O2 -fomit-frame-pointer "$@" -o "$dir/$name" "$dir/prog.c" 2> "$dir/err"; then
		skip "$name: gcc cannot: $(head -n 1 "$dir/err")"
		return
	fi
	if ! "$PT" record -q -e page-faults:u -c 1 --call-graph dwarf,6144 -m 1M \
		-o "$dir/data" "$dir/$name" > "$dir/err" 2>&1 < /dev/null; then
		skip "$name: it cannot be recorded here: $(head -n 1 "$dir/err")"
		return
	fi
	"$PT" script -i "$dir/data" > "$dir/pt" 2> "$dir/err"
	is "$name: no errors" "$(cat "$dir/err")" ""
	chains "$dir/pt" > "$dir/chains"
	is "$name: samples" "$(wc -l < "$dir/chains")" 70
	is "$name: calls" "$(awk '{ n = (NR - 1) % 10; want = " leaf with_array"
		for (i = 0; i <= n; i++) want = want " deep"
		want = want " main"; if (NR <= 68 && index($0, want) != 1) print }' \
		"$dir/chains" | head -n 3)" ""
	is "$name: a handler interrupted raise()" \
		"$(grep -c '^ leaf\( handler\)* __restore_rt .*raise.* main' "$dir/chains")" 1
	is "$name: sorting" "$(grep -c '^ leaf.* main' "$dir/chains")" 70
	[ "$perf" ] || return
	perf script --no-inline -i "$dir/data" 2> /dev/null > "$dir/perf"
	chains "$dir/perf" > "$dir/of_perf"
	is "$name: chains of perf are those of pt, or ends of them are missing" \
		"$(sed 's/__restore_rt/[unknown]/' "$dir/chains" | paste -d'|' - "$dir/of_perf" |
		awk -F'|' 'index($1, $2) != 1' | head -n 3)" ""
}

if ! command -v gcc > /dev/null; then
	skip "unwind: there is no gcc"
	finish
	exit
fi
perf=
has_perf && perf=1
[ "$perf" ] || skip "perf 6.1 is not here to judge"
judge pie -pie -fPIE
judge static -static -Wl,--eh-frame-hdr
# A bundle has what unwinding needs.
if [ -e "$dir/chains" ] && "$PT" --version -v | grep -q CONFIG_BUNDLE=y; then
	mkdir "$dir/none"
	"$PT" record -q --bundle -e page-faults:u -c 1 --call-graph dwarf,6144 -m 1M \
		-o "$dir/data" "$dir/pie" > "$dir/err" 2>&1 < /dev/null
	"$PT" script --symfs "$dir/none" -i "$dir/data" > "$dir/pt" 2> "$dir/err"
	chains "$dir/pt" > "$dir/chains"
	is "chains of a bundle" "$(grep -c '^ leaf.* main' "$dir/chains")" 70
fi
perf=	# reads .debug_frame at wrong addresses
judge debug_frame -fno-asynchronous-unwind-tables -g
finish
