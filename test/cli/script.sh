#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_SCRIPT PERF_DATA
#
# pt script with unusual and wrong input.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello=test/golden/hello/perf.data

# Two MTCs become a PWRE: the file says that power events were not recorded.
cp "$hello" "$dir/power"
printf '\002\042\200\040' | dd of="$dir/power" bs=1 seek=2997 conv=notrunc 2> /dev/null
is "events that were not recorded are shown all the same" \
	"$("$PT" script -i "$dir/power" --symfs test/golden/hello/root --itrace=p -F event,synth |
		tail -n 1 | tr -s ' ')" " pwre: hw: 1 cstate: 2 sub-cstate: 0 "

# A trace that ends where more has to come ended never.
for n in 1700 1800 1900 2000 2222 2500 2700 2900; do
	head -c $n "$hello" > "$dir/cut"
	timeout 20 "$PT" script -i "$dir/cut" --symfs test/golden/hello/root --itrace=i0nsbe \
		> "$dir/out" 2> "$dir/err"
	[ $? = 1 ] && grep -q 'truncated: ' "$dir/err" || echo "$n"
done > "$dir/bad"
is "a file that is cut anywhere ends, with a word" "$(cat "$dir/bad")" ""

# The folder form has the symbols of its kernel; those of the command line replace them.
if "$PT" --version -v | grep -q CONFIG_KERNEL=y; then
	mkdir -p "$dir/folder/kcore_dir"
	echo 'ffffffff81000000 T _text
ffffffff81000100 T recorded
ffffffff81000200 T _etext' > "$dir/folder/kcore_dir/kallsyms"
	sed 's/recorded/given/' "$dir/folder/kcore_dir/kallsyms" > "$dir/kallsyms"
	"$O/obj/dataasm" > "$dir/folder/data" << 'END'
event 1 0 identifier,ip,tid,time
record 1 misc=1 0xffffffff:0 0xffffffff81000000 0x1000 0xffffffff81000000 "[kernel.kallsyms]_text"
tool 9 misc=1 100 0xffffffff81000104 7:7 1000
END
	for given in '' "--kallsyms $dir/kallsyms"; do
		"$PT" script -i "$dir/folder" $given -F ip,sym 2> "$dir/err"
	done > "$dir/out"
	is "kernel symbols are those of the folder, or those that are given" \
		"$(sed 's/^ *//' "$dir/out")" "ffffffff81000104 recorded
ffffffff81000104 given"
fi

echo 'psb; mode.exec 64; fup 0x1000; psbend' | "$O/obj/ptasm" > "$dir/raw"
is "code that is not there is said" "$("$PT" script -i "$dir/raw" --map "$dir/none@0x1000" 2>&1 |
	sed 's/ (.*//')" "pt: --map $dir/none: No such file or directory"
is "a CPU model needs no stepping" \
	"$("$PT" script -i "$dir/raw" --cpu-model 6/0x5e --itrace=p -F ip 2>&1 | head -n 1)" \
	"$("$PT" script -i "$dir/raw" --cpu-model 6/94/3 --itrace=p -F ip 2>&1 | head -n 1)"

# A bare trace comes through a pipe whole; a perf.data never is one.
"$PT" script -i "$dir/raw" --itrace=p > "$dir/file"
cat "$dir/raw" | "$PT" script -i - --itrace=p > "$dir/pipe"
is "a bare trace from a pipe is that of the file" "$(cat "$dir/pipe")" "$(cat "$dir/file")"
is "it has a line for its PSB" "$(grep -c psb: "$dir/file")" 1
{
	printf 'PERFILE2 is not all'
	cat "$hello"
} > "$dir/head"
is "a damaged head is said" "$("$PT" script -i "$dir/head" 2>&1)" \
	"pt: $dir/head: its header is damaged"
"$PT" script -i "$hello" --symfs test/golden/hello/root > "$dir/file" 2>&1
is "the file form is read from a pipe, too" \
	"$(cat "$hello" | "$PT" script -i - --symfs test/golden/hello/root 2>&1)" "$(cat "$dir/file")"
is "which is what is read if it is standard input" \
	"$(cat "$hello" | "$PT" script --symfs test/golden/hello/root 2>&1)" "$(cat "$dir/file")"
is "what does not fit into memory is kept in TMPDIR" \
	"$(cat "$hello" | TMPDIR=$dir "$PT" script -i - --mem 1K --symfs test/golden/hello/root 2>&1)" \
	"$(cat "$dir/file")"
is "which stays empty" "$(ls "$dir" | grep -c pt-pipe)" 0
is "where that has no room, either, it is said" \
	"$(cat "$hello" | TMPDIR=$dir/none "$PT" script -i - --mem 1K 2>&1; echo $?)" \
	"pt: -: a pipe of 5 KiB or more does not fit into memory (--mem) or $dir/none\
; use a file, or set TMPDIR
1"
# More than it may have memory; the sanitizers need far more.
case $PT in
*/asan/*) skip "an endless pipe: not with the sanitizers" ;;
*) is "a bare trace from a pipe is read as it comes" "$({
	cat "$dir/raw"
	head -c 300000000 /dev/zero
	cat "$dir/raw"
} | (ulimit -v 100000; "$PT" script -i - --itrace=p) | grep -c psb:)" 2 ;;
esac
if ! "$PT" --version -v | grep -q CONFIG_DECODE_LOG=y; then
	is "a letter of --itrace that does nothing is said" \
		"$("$PT" script -i "$hello" --symfs test/golden/hello/root --itrace=bde 2>&1 |
			head -n 1 | cut -d : -f 1-3)" "pt: --itrace: 'd' is ignored"
fi
is "letters that do nothing change nothing" \
	"$("$PT" script -i "$hello" --symfs test/golden/hello/root --itrace=bfte 2> /dev/null)" \
	"$("$PT" script -i "$hello" --symfs test/golden/hello/root --itrace=be)"

# Several --itrace, and the options that stand for one, add up in any order.
hello() {
	"$PT" script -i "$hello" --symfs test/golden/hello/root "$@" 2>&1
}
is "--call-trace keeps its calls next to another --itrace" \
	"$(hello --call-trace --itrace=e | wc -l) $(hello --itrace=e --call-trace | wc -l)" "503 503"
is "letters before --call-trace stay" \
	"$(hello --itrace=q --call-trace | wc -l) $(hello --itrace=s100 --call-trace | wc -l)" "3 403"
is "two --itrace are one with the letters of both" \
	"$(hello --itrace=b --itrace=i1000i)" "$(hello --itrace=bi1000i)"
is "--insn-trace before --call-ret-trace leaves calls and returns" \
	"$(hello --insn-trace --call-ret-trace | wc -l)" 1001
is "a letter that perf refuses is refused" "$(hello --itrace=T > "$dir/out"; echo $?)" 1

# Gaps count for --strict, and are said, whether or not --itrace has an e.
echo 'psb; mode.exec 64; fup 0x1000; psbend; tnt N' | "$O/obj/ptasm" > "$dir/gap"
for letters in be b i100i c p e-o x; do
	"$PT" script -i "$dir/gap" --strict --itrace=$letters > "$dir/out" 2> "$dir/err"
	echo "$letters $? $(grep -c '^pt: 1 ' "$dir/err")"
done > "$dir/got"
is "--strict ends with 3, whatever the letters" "$(cut -d ' ' -f 2- "$dir/got" | sort -u)" "3 1"

# A perf.data says itself what these say of a bare trace.
for o in '--mtc 3' '--tsc-ratio 5/2' '--nom-freq 20' --no-retcomp '--cpu-model 6/94' \
	"--map $hello@0x1000"; do
	# shellcheck disable=SC2086 -- an option and its argument
	is "$o is refused for a perf.data" "$("$PT" script -i "$hello" $o 2>&1 | cut -d : -f 1,2)" \
		"pt: ${o%% *} is only for bare traces; $hello is a perf.data file"
done
is "and taken for a bare trace" "$("$PT" script -i "$dir/raw" --mtc 3 --itrace=p 2>&1 | grep -c psb:)" 1
is "a ratio may have a colon" \
	"$("$PT" script -i "$dir/raw" --tsc-ratio 26:1 --itrace=p 2>&1 | grep -c psb:)" 1
for part in 5-5 0x6-0x5; do
	"$PT" script -i "$dir/raw" --map "$hello:$part@0x1000" 2>&1
done > "$dir/got"
is "a part of a file is not empty" "$(grep -c '^pt: --map takes FILE' "$dir/got")" 2
is "an offset needs its symbol" "$(hello --itrace=b -F symoff)" \
	"pt: -F symoff: use -F sym,symoff"
if "$PT" --version -v | grep -q CONFIG_SRCLINE=y; then
	is "a line of the source needs its address" "$(hello --itrace=b -F sym,srcline)" \
		"pt: -F srcline: a line needs its address; use -F ip,srcline"
fi
is "a name with a hyphen is one name" "$(hello --itrace=b -F no-such)" \
	"pt: -F: no field 'no-such' here (see pt script --help)"
is "a column that no sample has is said" "$(hello --itrace=b -F trace | tail -n 1)" \
	"pt: -F: samples of 'branches:u' have none of these columns"

"$PT" version -v | grep -q SAMPLE_COLUMNS && lines=0 || lines=1
is "columns that this pt does not have are said" \
	"$(hello -F iregs | grep -c "without 'iregs' ('make desk_defconfig')")" $lines

# A flag of an event that has two bits.
cp "$hello" "$dir/precise"
printf '\5' | dd of="$dir/precise" bs=1 seek=$((0x103e)) conv=notrunc 2> /dev/null
is "a header tells how precise an event is" "$("$PT" script --header-only -i "$dir/precise" |
	grep -o 'precise_ip = [0-9]*')" 'precise_ip = 2'

# One event is a tracepoint: what it holds is printed, or that it cannot be is.
cp "$hello" "$dir/tracepoint"
printf '\2' | dd of="$dir/tracepoint" bs=1 seek=416 conv=notrunc 2> /dev/null
"$PT" version -v | grep -q TRACEPOINT_TEXT && lines=0 || lines=1
is "fields of tracepoints that this pt cannot print are said" "$("$PT" script -i "$dir/tracepoint" \
	--symfs test/golden/hello/root 2>&1 > /dev/null | grep -c 'builds one that can')" $lines
finish
