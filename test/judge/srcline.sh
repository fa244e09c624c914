#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: SRCLINE RECORD_SOFT
#
# Source lines, compared with addr2line for the same addresses: for each version of DWARF, for
# compressed sections and for a separate debug file.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/square.h" << 'E2'
__attribute__((noinline)) static int square(int n)
{
	return n * n;
}
E2
cat > "$dir/lines.c" << 'E2'
#include "square.h"
volatile int sum;
__attribute__((noinline)) static void add(int n)
{
	for (int i = 0; i < n; i++)
		if (square(i) & 2)
			sum += square(i);
}
int main(void)
{
	for (int n = 0; n < 20; n++)
		add(n);
	return 0;
}
E2
if ! command -v addr2line > /dev/null || ! command -v gcc > /dev/null; then
	skip "lines: there is no addr2line, or no gcc"
	finish
	exit
fi

# addr2line of binutils 2.40 takes the first file of a DWARF 5 header for the second; so files
# are judged by the function that the code is in.
#
# lines_of WHAT PROGRAM WITH: those of its own code, where the debug information is in WITH.
lines_of() {
	if ! "$PT" record --soft -o "$dir/data" "$2" > "$dir/err" 2>&1; then
		skip "$1: it cannot be recorded here: $(head -n 1 "$dir/err")"
		return
	fi
	"$PT" script --itrace=i1i -F ip,sym,srcline -i "$dir/data" 2> /dev/null |
		awk '/^  [^ ]/ { if (ip) print ip, sym, $1; next } { ip = $1; sym = $2 }' |
		grep -E ' (lines.c|square.h):' | sort -u > "$dir/ours"
	cut -d' ' -f1 "$dir/ours" | addr2line -e "$3" | sed 's/.*://; s/ .*//' |
		paste -d' ' - "$dir/ours" | awk '{ ours = $4; sub(/.*:/, "", ours) }
			$1 != ours' > "$dir/differ"
	is "$1: lines are those of addr2line" "$(cat "$dir/differ")" ""
	[ "$2" = "$3" ] || return	# its names are those that perf finds
	is "$1: of both files" "$(sed 's/^[^ ]* //; s/:.*//' "$dir/ours" | sort -u | xargs)" \
		"add lines.c main lines.c square square.h"
}

for version in 2 3 4 5; do
	gcc -gdwarf-$version -O1 -static -o "$dir/dwarf$version" "$dir/lines.c"
	lines_of "DWARF $version" "$dir/dwarf$version" "$dir/dwarf$version"
done
gcc -g -gz -O1 -static -o "$dir/packed" "$dir/lines.c"
lines_of "compressed sections" "$dir/packed" "$dir/packed"
cp "$dir/dwarf5" "$dir/bare"
objcopy --only-keep-debug "$dir/bare" "$dir/bare.debug"
strip "$dir/bare"
objcopy --add-gnu-debuglink="$dir/bare.debug" "$dir/bare"
lines_of "a separate debug file" "$dir/bare" "$dir/dwarf5"
# The text of the lines.
# (perf takes the wrong file for code from DWARF 5 headers.)
"$PT" record -q --soft -o "$dir/code" "$dir/dwarf4" 2> /dev/null
is "-F srccode prints the line below its first instruction" "$("$PT" script --itrace=i1i -S main \
	-F ip,srccode -i "$dir/code" 2> /dev/null | grep -c '^|11  *	for (int n = 0; n < 20; n++)$')" \
	"$("$PT" script --itrace=i1i -S main -F ip,srcline -i "$dir/code" 2> /dev/null |
	awk '/^  [^ ]/ { if ($1 == "lines.c:11" && last != $1) n++; last = $1 } END { print n }')"
is "--full-source-path" "$("$PT" script --itrace=i1i -S main -F ip,srcline --full-source-path \
	-i "$dir/code" 2> /dev/null | grep '^  [^ ]' | sort -u | head -n 1)" "  $dir/lines.c:10"
if has_perf; then
	for o in '--itrace=i1i -F ip,srccode -S main' '--itrace=be -F +srccode -S square' \
		'--itrace=i1i -F +srccode,+symoff -S square'; do
		# shellcheck disable=SC2086 -- options are words
		"$PT" script $o -i "$dir/code" > "$dir/got" 2> /dev/null
		# shellcheck disable=SC2086
		perf script $(names_as_pt) $o -i "$dir/code" > "$dir/wanted" 2> /dev/null
		cmp -s "$dir/got" "$dir/wanted" && pass || flunk "$o as perf prints it" \
			"$(diff "$dir/wanted" "$dir/got" | head -n 8)"
	done
	# Where no line is known: line 0 of a file of the symbol table, or the DSO and the address.
	hello=test/golden/hello
	set -- -i $hello/perf.data --symfs $hello/root --itrace=i1000i -F +srcline
	"$PT" script "$@" > "$dir/got" 2> "$dir/err"
	perf_script "$@" > "$dir/wanted"
	compare "script -F +srcline: no line is known"
else
	skip "srccode: no perf 6.1"
fi
strip "$dir/packed"
"$PT" record --soft -o "$dir/data" "$dir/packed" > /dev/null 2>&1
is "without debug information there are no lines of its code" "$("$PT" script --itrace=i1i \
	-F ip,srcline -i "$dir/data" 2> /dev/null | grep -c 'lines.c')" 0
# Its last row is of the address at which it ends.
is "a line ends where its unit ends" "$("$PT" script --itrace=i0ns -F ip,sym,srcline \
	-i test/golden/hello/perf.data --symfs test/golden/hello/root 2> /dev/null |
	awk '/^  crt1.c:/ { print last } { last = $2 }' | sort -u)" _start_c
finish
