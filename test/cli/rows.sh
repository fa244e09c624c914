#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: ROWS WINDOW LIBELF
#
# Lines for programs: objects of JSON, and rows of columns.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello() {
	"$PT" script --symfs test/golden/hello/root -i test/golden/hello/perf.data "$@" 2>&1
}

is "an object has what its sample has" "$(hello --json --itrace=be \
	-F comm,tid,time,ip,sym,symoff,dso,addr,flags | sed -n '1p;3p')" \
	'{"comm":"hello","pid":10018,"tid":10018,"time":1158.470272816,"addr":"0x40102b","addr_sym":"_start","addr_symoff":0,"addr_dso":"/opt/pt-data/bin/hello","flags":"tr strt"}
{"comm":"hello","pid":10018,"tid":10018,"time":1158.470273816,"addr":"0x40102e","addr_sym":"_start","addr_symoff":3,"addr_dso":"/opt/pt-data/bin/hello","flags":"tr strt"}'
is "a row has all columns" "$(hello --tsv --itrace=bep -F ip,sym,addr,synth | sed -n '1,2p;5p')" \
	"$(printf 'ip\tsym\taddr\taddr_sym\ttext\n0x0\t\t\t\tpsb offs: 0\n0x40102e\t_start\t\t\t')"
is "each row as many" "$(hello --tsv -F +addr,+flags,+callindent,+insn,+ipc |
	awk -F '\t' '{ print NF }' | sort -u | wc -l)" 1
is "instructions" "$(hello --json --insn-trace -F ip,insn,insnlen | sed -n 2p)" \
	'{"ip":"0x40102e","insn":"48 89 e7","insnlen":3}'
is "--tail, too" "$(hello --json --itrace=b -F ip --tail 3 | sort -u)" \
	"$(hello --json --itrace=b -F ip | tail -n 3 | sort -u)"
is "gaps are lines" "$("$PT" script --json --itrace=e --symfs test/lint \
	-i test/golden/hello/perf.data 2> /dev/null | head -n 1 | grep -c '"event":"gap".*"text":"')" 1
is "not both" "$(hello --json --tsv)" "pt: --json and --tsv exclude each other"
is "not of a dump" "$(hello -D --json)" "pt: -D takes neither --json nor --tsv"
if command -v python3 > /dev/null; then
	for how in --insn-trace --call-trace '--itrace=bewpcx -F +addr,+flags,+ipc'; do
		# shellcheck disable=SC2086 -- options are words
		is "python reads $how" "$(hello --json $how | python3 -c 'import json, sys
print(len([json.loads(l) for l in sys.stdin]))')" "$(hello $how | wc -l)"
	done
else
	skip "a judge of JSON: there is no python3"
fi
finish
