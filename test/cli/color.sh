#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: COLOR LIBELF CMD_REPORT CMD_DUMP
#
# Colours on a terminal: the same text with escape sequences, and only where they are wanted.

. test/verdict

python3 -c 'import pty' 2> /dev/null || { skip "there is no python3"; finish; }
unset NO_COLOR
# The progress of a machine that needs a second for it is not looked at.
"$PT" --version -v | grep -q CONFIG_PROGRESS=y && still=--no-eta || still=
hello="--symfs test/golden/hello/root -i test/golden/hello/perf.data"

# on TERM WIDTH COMMAND...: what the terminal gets, with escape sequences as <CODE>
on() {
	term=$1 width=$2
	shift 2
	TERM=$term test/cli/on_terminal -s "$width" "$PT" "$@" |
		tr '\033' '<' | sed 's/<\[\([0-9]*\)m/<\1>/g'
}

# same NAME COMMAND...: the text is the one without colours
same() {
	name=$1
	shift
	for width in 80x24 40x24; do
		is "$name, $width: the text is the same" \
			"$(on linux $width "$@" | sed 's/<[0-9]*>//g' | md5sum)" \
			"$(on dumb $width "$@" | md5sum)"
	done
}

same "calls" script --call-trace $hello
same "gaps" script --itrace=be -i test/golden/hello/perf.data --symfs test/lint
same "report" report $still --itrace=i1i --no-children $hello
same "packets" -D test/golden/hello/perf.data

is "time, DSO" "$(on linux 80x24 script --call-trace $hello | sed -n 2p | tr -d '\r')" \
	"<2>0.000<0> _start <2>(hello)<0>"
is "a gap is red" "$(on linux 80x24 script --itrace=e -i test/golden/hello/perf.data \
	--symfs test/lint | grep -c '<31>.*gap: .*<0>')" \
	"$("$PT" script --itrace=e -i test/golden/hello/perf.data --symfs test/lint 2> /dev/null |
		wc -l)"
is "large shares are red, others green or plain" "$(on linux 80x24 report $still --itrace=i1i --no-children \
	$hello | grep -c '^ *<31>[1-9][0-9]*\.[0-9]*%<0>')" \
	"$("$PT" report $still --itrace=i1i --no-children $hello | grep -c '^ *[1-9][0-9]\.[0-9]*%\|^ *[5-9]\.')"
is "shares of a half to five percent are green" "$(on linux 80x24 report $still --itrace=i1i --no-children \
	$hello | grep -c '^ *<32>[0-4]\.[0-9]*%<0>')" \
	"$("$PT" report $still --itrace=i1i --no-children $hello | grep -c '^ *[1-4]\.[0-9]*%\|^ *0\.[5-9]')"
if "$PT" stat -e task-clock true > /dev/null 2>&1; then
	is "what was not counted is yellow" "$(on linux 80x24 stat -D 20000 -e task-clock true |
		grep -c '^ *<33> *<not counted><0>')" 1
else
	skip "pt stat: it is not built, or may not count here"
fi
is "not into a pipe" "$("$PT" script --call-trace $hello | grep -c "$(printf '\033')")" 0
is "not with NO_COLOR" "$(NO_COLOR=1 on linux 80x24 script --call-trace $hello | grep -c '<')" 0
is "not without TERM" "$(on '' 80x24 script --call-trace $hello | grep -c '<')" 0
finish
