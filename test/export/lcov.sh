#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 20
# needs: EXPORT_LCOV LIBELF
#
# pt export --lcov: genhtml takes it, lines count what pt script prints, and are those that the
# compiler said.

. test/export/common

if ! "$PT" --version -v | grep -q CONFIG_SRCLINE=y; then
	is "without DWARF it is refused" "$("$PT" export --lcov $hello 2>&1; echo $?)" \
		"$(printf 'pt: --lcov: this pt reads no DWARF (SRCLINE)\n1')"
	finish
	exit
fi

# coverage FILE: "LINE COUNT" of lines of FILE.
coverage() {
	awk -v file="$1" -F '[:,]' '$1 == "SF" { inside = $2 ~ file } inside && $1 == "DA" { print $2, $3 }' \
		"$dir/lcov"
}

if record_threads && $CC -static -g -O1 -pthread -o "$dir/threads" test/live/threads.c; then
	"$PT" record --soft -o "$dir/threads.data" "$dir/threads" > /dev/null 2>&1
	# shellcheck disable=SC2086 -- options are words
	export_as lcov $threads
	is "it ends well" "$?" 0
	coverage threads.c > "$dir/lines"
	"$PT" script --itrace=i0ns -F ip,srcline $threads 2> /dev/null |
		awk 'NF == 1 && $1 ~ /^threads.c:/ { n[ip " " $1]++ } { ip = $1 } END {
			for (i in n) {
				split(i, part, "[ :]")
				if (n[i] > most[part[3]])
					most[part[3]] = n[i]
			}
			for (line in most)
				print line, most[line]
		}' | sort -n > "$dir/counted"
	is "each line counts as its instruction that was executed most often" \
		"$(awk '$2' "$dir/lines")" "$(cat "$dir/counted")"
	if command -v objdump > /dev/null; then
		is "lines that were not executed are those of other code" \
			"$(awk '{ print $1 }' "$dir/lines")" "$(objdump --dwarf=decodedline "$dir/threads" \
				2> /dev/null | awk '$1 == "threads.c" && NF >= 3 { if (addr != $3 && line ~ /^[0-9]/)
					print line; line = $2; addr = $3 }' | sort -nu)"
	else
		skip "lines that were not executed: there is no objdump"
	fi
	none "each file has the sums of its lines" "$(awk -F '[:,]' '$1 == "SF" { lines = hit = 0 }
		$1 == "DA" { lines++; hit += $3 > 0 } $1 == "LF" && $2 != lines || $1 == "LH" && $2 != hit
		$1 == "LH" && $2 < lines { some = 1 } END { if (!some) print "all lines were executed" }' \
		"$dir/lcov")"
	is "functions, and how often they were called" "$(awk -F '[:,]' '$1 == "SF" { inside = $2 ~ /threads.c/ }
		inside && $1 == "FNDA" { print $2, $3 }' "$dir/lcov" | sort)" "$(printf '0 nothing\n1 main\n4 work')"
	is "the file has its path" "$(grep '^SF:.*threads.c' "$dir/lcov")" "SF:$PWD/test/live/threads.c"
	mkdir -p "$dir/src/inc"
	echo '#include "inc/b.h"
int main(int n) { return f(n) < 0; }' > "$dir/src/a.c"
	echo 'static inline int f(int n) { return n * n; }' > "$dir/src/inc/b.h"
	for version in 2 3 4 5; do
		(cd "$dir" && $CC -static -g -gdwarf-$version -gstrict-dwarf -o paths src/a.c) &&
			"$PT" record -q --soft -o "$dir/paths.data" "$dir/paths" 2> "$dir/err"
		is "relative paths begin where it was compiled, DWARF $version" \
			"$("$PT" export --lcov -i "$dir/paths.data" | grep '^SF:.*/src/' | sort)" \
			"$(printf 'SF:%s\n' "$dir/src/a.c" "$dir/src/inc/b.h")"
	done
	if command -v genhtml > /dev/null; then
		is "genhtml takes it" "$(genhtml -q --ignore-errors source -o "$dir/pages" "$dir/lcov" \
			> "$dir/err" 2>&1; echo $?)" 0
		found=$(find "$dir/pages" -name 'threads.c.gcov.html')
		is "genhtml shows the file's lines" "$(grep -c 'turn = mine + 1' "$found")" 1
	else
		skip "there is no genhtml"
	fi
	strip "$dir/threads"
	is "without debug information there is nothing" "$("$PT" export --lcov $threads 2>&1 | tail -n 1)" \
		"pt: $dir/threads.data: no line of the source is known; compile with -g"
else
	skip "nothing can be recorded here"
fi
finish
