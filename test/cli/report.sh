#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_REPORT PERF_DATA LIBELF
#
# The options of pt report, with a small known file.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

hello() {
	"$PT" report -i test/golden/hello/perf.data --symfs test/golden/hello/root "$@" 2>&1
}

is "functions of a program" "$(hello --itrace=i100i -s sym -q | head -n 3)" \
	"    46.47%  [.] printf_core
    12.86%  [.] __fwritex
     8.71%  [.] vfprintf"
is "branches are an event of their own" "$(hello --itrace=bi100i -s comm -q -F sample | tr -s ' \n' ' ')" \
	" 3286 hello 241 hello "
is "callers have a share" "$(hello --itrace=i1000ig -s sym -q -g none --no-call-graph | head -n 1)" \
	"    29.17%    29.17%  [.] printf_core"
is "a chain, in one line" "$(hello --itrace=i1000ig --no-children -s sym -q -g folded,period | sed -n 2p)" \
	"7000 printf_core;vfprintf;vsnprintf;sprintf;main;libc_start_main_stage2;_start"
is "what is left out still counts in sums" \
	"$(hello --itrace=b -S memcpy -s comm,sym | tail -n +3 | head -n 9)" \
	"# symbol: memcpy
#
# Total Lost Samples: 0
#
# Samples: 3K of event 'branches:u'
# Event count (approx.): 3286
#
# Overhead  Command
# ........  ......."
is "names of keys may be short" "$(hello --itrace=b -s c,d,sy)" "$(hello --itrace=b -s comm,dso,sym)"
is "-q leaves the header out" "$(hello --itrace=b -s comm -q --header)" "$(hello --itrace=b -s comm -q)"
is "no samples" "$(hello --no-itrace; echo $?)" \
	"pt: test/golden/hello/perf.data: there are no samples; use another --itrace
1"
is "no chains" "$(hello --itrace=b -g; echo $?)" \
	"pt: -g: test/golden/hello/perf.data has no call chains; use --itrace=ig, or record with -g
1"

# wrong WORD OPTION...: the line has WORD in it, and is the only one.
wrong() {
	word=$1
	shift
	hello "$@" > "$dir/out"
	is "$* is wrong" "$? $(wc -l < "$dir/out") $(grep -c -e "$word" "$dir/out")" "1 1 1"
}
wrong 'column: foo (' -s foo,sym
wrong 'bar' -F overhead,bar
wrong -g -g graph,foo
wrong -g -g 0.5,3,9x
wrong -t -t .
wrong --percent-limit --percent-limit x
wrong "--itrace=k: unknown letter 'k'" --itrace=k
wrong -C -C x
wrong '--time' --time z
wrong 'missing argument' -s
wrong 'unknown option' --insn-trace
wrong 'unknown option' -j 2
if "$PT" --version -v | grep -q REPORT_MORE=y; then
	wrong '-p REGEX' -x
	is "--stats counts each record once" "$(timeout 60 "$PT" report --stats \
		-i test/golden/hello/perf.data | awk '/TOTAL/ { all = $3; next } { n += $3 }
			END { print all, n }')" "19 19"
else
	skip "-x, --stats: not in this build"
fi
is "other commands' pages are there" "$("$PT" report --help=select | head -n 1)" \
	"select: which part of the file"
finish
