#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 10
# needs: CMD_SCRIPT CONSOLE CMD_DUMP LIBELF
#
# On a terminal pt prints lines that fit.

. test/verdict

if ! python3 -c 'import pty' 2> /dev/null; then
	skip "terminals: there is no python3"
	finish
	exit
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello="$PT script --symfs test/golden/hello/root -i test/golden/hello/perf.data"
terminal=test/cli/on_terminal

# fits COLUMNS FILE: which lines are longer, or end in blanks.
unfit() {
	awk -v max="$1" 'length > max || /[ \t]$/ { print FILENAME ": " $0 }' "$2" | head -n 5
}

for size in 80x24 0x0 40x10 132x50; do
	columns=${size%x*}
	[ $columns = 0 ] && columns=80
	$terminal -s $size sh -c "for what in --ns --call-trace --call-ret-trace --insn-trace \
		--itrace=be --itrace=i1ig; do $hello \$what || echo failed \$what; done" \
		> "$dir/shown" 2>&1
	is "each list is there, with $size" "$(grep -c '^#' "$dir/shown")" 6
	unfit $columns "$dir/shown" >> "$dir/bad"
done
none "lines fit the terminal, without blanks at their ends" "$(cat "$dir/bad")"

# A name that just fits is complete, and with one column less it is cut.
named() {
	$terminal -s $1x24 $hello --call-trace | grep -m 1 static_init_
}
is "a line that fits exactly is complete" "$(named 27)" "0.001       static_init_tls"
is "with one column less the name is cut" "$(named 26)" "0.001       static_init_.."
$terminal -s 40x10 $hello --call-trace | grep -o '  \[[0-9]*\]' | sort -u > "$dir/depths"
is "indents use two fifths of the line, and deeper calls have a number" \
	"$(head -n 1 "$dir/depths")" "  [9]"

# The name of a file has up to 24 columns.
echo 'psb; mode.exec 64; fup 0x1000; psbend; tnt T' | "$O/obj/ptasm" > "$dir/raw"
for name in 123456789012345678901234 1234567890123456789012345; do
	printf '\353\003\220\220\220\220\220\353\376' > "$dir/$name"
	$terminal -s 80x24 "$PT" script --itrace=b --map "$dir/$name@0x1000" "$dir/raw"
done > "$dir/shown"
is "the name of a file is complete or cut" "$(grep -o '(1.*)' "$dir/shown")" \
	"$(printf '(123456789012345678901234)\n(1234567890123456789012..)')"

$hello --call-trace > "$dir/file"
$terminal $hello --call-trace --wide > "$dir/wide"
none "--wide shows what a file gets" "$(diff "$dir/file" "$dir/wide" | head -n 5)"
$hello --call-trace --wide > "$dir/wide"
none "which a file gets anyway" "$(diff "$dir/file" "$dir/wide" | head -n 5)"
$terminal $hello --call-trace > "$dir/calls"
is "a short list has a line that says what it shows, but none for PSB and CBR" \
	"$(($(wc -l < "$dir/calls") - 1))" "$(grep -vc 'psb offs:\|cbr:' "$dir/file")"
is "a call has its time, its depth and its name" "$(sed -n 3,4p "$dir/calls")" \
	"$(printf '0.001   _start_c\n0.001     __init_libc')"
$hello --itrace=be -F ip,sym,addr > "$dir/file"
$terminal $hello --itrace=be -F ip,sym,addr > "$dir/shown"
none "-F means these columns on a terminal, too" "$(sed 's/ *$//' "$dir/file" |
	diff - "$dir/shown" | head -n 5)"

$terminal $hello --header-only > "$dir/shown"
none "a header fits" "$(unfit 80 "$dir/shown")"
is "with all its words" "$(tr -d ' \n' < "$dir/shown")" "$($hello --header-only | tr -d ' \n')"
$terminal "$PT" info test/golden/hello/perf.data > "$dir/shown" 2>&1
none "what is known of a file fits" "$(unfit 80 "$dir/shown")"
is "with all its words" "$(tr -d ' \n' < "$dir/shown")" \
	"$("$PT" info test/golden/hello/perf.data | tr -d ' \n')"
threads=$SHARED/data/gen/threads/perf.data
if [ -e "$threads" ]; then
	$terminal "$PT" script --symfs "$SHARED/data/gen/root" -i "$threads" --call-trace |
		grep -v '^pt: \|^    ' > "$dir/shown"
	is "the thread is shown from the second one on" \
		"$(sed '1d; / [a-z0-9]*\/[0-9]* /,$d' "$dir/shown" | grep -c " [a-z0-9]*/[0-9]")$(sed \
		'1,/ [a-z0-9]*\/[0-9]* /d' "$dir/shown" | grep -vc '^ *[0-9.]* [a-z0-9]*/[0-9]* ')" 00
else
	skip "threads: there is no trace of several"
fi

# How long it takes is said if the line is known to be slow: not of a pty, whose speed is made up.
long() {
	$terminal $hello --max-samples 3 "$@" | grep -c '^pt: about [0-9]* min at [0-9]* baud ('
}
is "it says what takes long on a slow line" "$(long --itrace=be --baud 10)" 1
is "not on one that is not slow" "$(long --itrace=be --baud 10000)" 0
is "nor if the line is not known" "$(long --itrace=be)" 0
is "it is said first" "$($terminal "$PT" -D --baud 300 test/golden/hello/perf.data |
	head -n 2 | cut -d : -f 1)" "$(printf 'pt\npt')"
none "and fits" "$($terminal "$PT" -D --baud 300 test/golden/hello/perf.data |
	awk 'length > 80')"
is "a speed is a number" "$($hello --baud fast 2>&1 | cut -d '(' -f 1)" \
	"pt: --baud takes a number: 115200 "

# Ctrl-C: no more comes than a line of 115200 baud takes in half a second.
for what in "$hello --insn-trace" "$PT -D --wide test/golden/hello/perf.data"; do
	$terminal -r 11520 -c 00 -o "$dir/end" $what > "$dir/shown"
	read -r status seconds bytes < "$dir/end"
	[ "$status" = -2 ] && [ "$bytes" -lt 5860 ] || echo "$what: $status, $bytes bytes, $seconds s"
done > "$dir/bad"
none "Ctrl-C ends it" "$(cat "$dir/bad")"

# Messages of several lines are those of one.
message() {
	"$@" "$PT" script -i /no/file/of/a/name/that/is/long -k /nor/a/kernel --time 1.5,2.5 \
		--vdso /nor/a/vdso/of/any/machine --frob/of/course/is/no/option/of/this/program 2>&1
}
message $terminal > "$dir/shown"
none "messages fit" "$(unfit 80 "$dir/shown")"
is "they go on below themselves" "$(wc -l < "$dir/shown")" 2
is "with all their words" "$(tr '\n' ' ' < "$dir/shown" | tr -s ' ')" "$(message env | tr '\n' ' ')"

# -D
if "$PT" --version -v | grep -q CMD_DUMP=y; then
	dump="$PT -D test/golden/hello/perf.data"
	$terminal $dump > "$dir/shown"
	none "lines of a dump fit" "$(unfit 80 "$dir/shown")"
	$dump > "$dir/file"
	is "a record is one line" "$(grep -c '^0x' "$dir/shown")" "$(grep -c PERF_RECORD_ "$dir/file")"
	is "with what it says first" "$(grep COMM "$dir/shown" | tail -n 1)" \
		"0x458 1158.470256 COMM exec: hello:10018/10018"
	is "a packet is one line as it is" "$(grep 'FUP\|TIP.PGE' "$dir/shown")" \
		"$(grep 'FUP\|TIP.PGE' "$dir/file")"
	$terminal $dump --wide > "$dir/wide"
	none "--wide shows what a file gets" "$(diff "$dir/file" "$dir/wide" | head -n 5)"
	echo 'psb; psbend; mtc 1; mtc 2; mtc 3; tnt T; mtc 9;
		tnt TTTTTTTTTTNNNNNNNNNNTTTTTTTTTTNNNNNNNNNNTTTTTTT; tip.pge 0x7fa5ba379b70;
		raw 05 05 05; tnt T; raw 05' |
		"$O/obj/ptasm" > "$dir/raw"
	$terminal "$PT" -D "$dir/raw" | sed 's/.*: *//; s/^[0-9a-f ]*  //' > "$dir/shown"
	is "timing packets in a row are one line, with their number" \
		"$(sed -n 3p "$dir/shown")" "MTC 0x1 .. 0x3 (3)"
	is "one alone is as it is" "$(sed -n 5p "$dir/shown")" "MTC 0x9"
	is "many words take the place of bytes" "$(sed -n 6p "$dir/shown")" \
		"TNT TTTTTTTTTTNNNNNNNNNNTTTTTTTTTTNNNNNNNNNNTTTTTTT (47)"
	is "bytes in a row that are no packet are one line, too" \
		"$(sed -n '8p; 10p' "$dir/shown")" "$(printf 'Bad packet! (3)\nBad packet!')"
	printf '%s\n' 'event 1 0 tid,time' 'at 7 7 0 5000' 'mmap 0x1000 0x2000 0 /some/file' \
		'mmap 0x4000 0x2000 0 /some/folder/' | "$O/obj/dataasm" > "$dir/maps"
	is "a map has the name of the file, without its folder" \
		"$($terminal "$PT" -D "$dir/maps" | sed -n 's/.* MMAP: //p')" "$(printf '%s\n%s' \
		'7/7: 0x1000+0x2000 @ 0x0 --- file' '7/7: 0x4000+0x2000 @ 0x0 --- /some/folder/')"
fi

# stat and list
if "$PT" --version -v | grep -q CMD_STAT=y; then
	$terminal sh -c "for what in '' '-r 2' '-a --per-core' '-a -A' '-a --metric-only' \
		'-a -I 20 --interval-count 1' '-a --per-thread -I 20 --interval-count 1'; do
		$PT stat \$what -e task-clock,page-faults,cs,duration_time,cycles true; done" \
		> "$dir/shown"
	none "counts fit" "$(unfit 80 "$dir/shown")"
	is "all of them are there" "$(grep -c 'seconds time elapsed' "$dir/shown")" 5
	is "all of a line is there" "$($terminal "$PT" stat -e page-faults,task-clock true |
		grep -c '[0-9] .*page-faults  *#  *[0-9.]* .*/sec$\|[0-9] msec task-clock *# .* CPUs utilized$')" 2
	$terminal "$PT" stat --wide -e page-faults true > "$dir/shown"
	is "--wide has the columns of a file" \
		"$(grep page-faults "$dir/shown" | sed 's/[0-9]/n/g; s/ *n[n.]* / N /g')" \
		"$("$PT" stat -e page-faults true 2>&1 | grep page-faults |
			sed 's/[0-9]/n/g; s/ *n[n.]* / N /g')"
fi
if "$PT" --version -v | grep -q CMD_LIST=y; then
	$terminal "$PT" list > "$dir/sums"
	is "a list of all is a line a kind" "$(grep -c 'pt list' "$dir/sums")" 9
	$terminal "$PT" list hw sw cache tool pmu tracepoint > "$dir/all"
	none "lists fit" "$(unfit 80 "$dir/sums"; unfit 80 "$dir/all")"
	$terminal "$PT" list tracepoint > "$dir/shown"
	none "tracepoints are a line a system" "$(grep ' [a-z0-9_]*:[a-z0-9_]' "$dir/shown" | head -n 3)"
	is "it has counted" "$(sed -n 's/^  pt list sw *\([0-9]*\) .*/\1/p' "$dir/sums")" \
		"$("$PT" list sw | grep -c 'Software event')"
fi

# report
if "$PT" --version -v | grep -q CMD_REPORT=y; then
	report="$PT report --symfs test/golden/hello/root -i test/golden/hello/perf.data --itrace=i10ip"
	$terminal $report > "$dir/shown"
	$report > "$dir/file"
	none "a profile fits" "$(unfit 80 "$dir/shown")"
	is "it has the samples" "$(grep -c 'event .instructions' "$dir/shown")" 1
	is "PSB and CBR are no part of it" "$(grep -c "event '[pc][sb][br]'" "$dir/shown")" 0
	is "but they are in a file's" "$(grep -c "event '[pc][sb][br]'" "$dir/file")" 2
	$terminal $report --wide > "$dir/wide"
	none "--wide shows what a file gets" "$(diff "$dir/file" "$dir/wide" | head -n 5)"
fi
finish
