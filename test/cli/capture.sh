#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CAPTURE EXPORT_CONSOLE CMD_DUMP LIBELF ZLIB DEFLATE
#
# A trace through a serial line, and other texts and files that hold one.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello=test/golden/hello/perf.data
# dump FILE: without its name
dump() {
	"$PT" -D "$1" 2> "$dir/said" | sed 's/@[^ ]* / /'
}
dump $hello > "$dir/dump"

# like FILE WHAT [SAID]: it is what hello is, and this is said of it
like() {
	dump "$1" > "$dir/got"
	is "$2" "$(cmp "$dir/got" "$dir/dump" 2>&1)$(cat "$dir/said")" "${3:-}"
}

echo old > "$dir/log"
is "the output of before is kept if there is no input" "$("$PT" export --console -i "$dir/none" \
	-o "$dir/log" 2>&1; cat "$dir/log")" "$(printf 'pt: cannot read %s: %s\nold' "$dir/none" \
	"No such file or directory")"
is "and is replaced if there is one" "$("$PT" export --console -o "$dir/log" -i $hello 2> /dev/null
	grep -c old "$dir/log")" 0
"$PT" export --console --baud 9600 -i $hello > "$dir/log" 2> "$dir/said"
is "how long it takes is said first" "$(cat "$dir/said")" \
	"pt: 6 kB in 81 lines, about $(($(wc -c < "$dir/log") * 10 / 9600 + 1)) s at 9600 baud; --limit \
60s or 100K sends the newest"
is "lines fit 80 columns" "$(awk 'length > 79' "$dir/log")" ''
like "$dir/log" "a capture is the file again"
is "for a script, too" "$("$PT" script --call-trace --symfs test/golden/hello/root -i "$dir/log" |
	cksum)" "$("$PT" script --call-trace --symfs test/golden/hello/root -i $hello | cksum)"
is "and pt info" "$("$PT" info "$dir/log" | sed 1d | cksum)" "$("$PT" info $hello | sed 1d | cksum)"

awk 'NR % 10' "$dir/log" > "$dir/tenth"
like "$dir/tenth" "every tenth line may be lost"
awk '{ printf "[   12.345678] %s\r\n", $0
	if (NR % 3 == 0)
		printf "[   12.4] usb 1-1: new device %%pt0000\r\n<6>%s\r\n", $0
	if (NR % 7 == 0)
		print substr($0, 1, 40) "[ 13.1] printk in the middle" }' "$dir/tenth" > "$dir/mixed"
like "$dir/mixed" "among lines of the kernel, doubled, with CR LF"
awk 'NR % 9 == 4 { sub(/[a-f]/, "0", $3) } { print }' "$dir/log" > "$dir/hurt"
like "$dir/hurt" "a line that is damaged is one that is lost"
sed '/^.pt.... 00000[0-7]/d' "$dir/log" > "$dir/headless"
like "$dir/headless" "the head is sent twice" \
	"pt: $dir/headless: 8 of 81 lines are lost (0-8): what is left is used"
{ printf '\000\377\376 U-Boot\r\n'; awk 'NR % 10 == 5 { printf "%slogin: ", $0; next } 1' "$dir/log"; } \
	> "$dir/glued"
like "$dir/glued" "bytes that are none, and lines without their end"
sed '/^.pt.... 00001[0-3]/d' "$dir/log" > "$dir/holes"
dump "$dir/holes" > "$dir/got"
is "what is lost is named" "$(head -n 1 "$dir/said")" \
	"pt: $dir/holes: 3 of 81 lines are lost (16-19): what is left is used"
# Lines 20 to 23 have trace: a packet may not continue after them.
sed '/^.pt.... 00002[0-3]/d' "$dir/log" > "$dir/holes"
is "no packet reaches over what is lost" "$("$PT" -D "$dir/holes" 2> /dev/null |
	grep -c 'Bad packet!')" 16
if command -v python3 > /dev/null; then
	# A block whose lines are right, and its own checksum is not.
	python3 - "$dir/log" > "$dir/block" << 'END'
import base64, sys, zlib
lines = open(sys.argv[1]).read().splitlines()
for i, line in enumerate(lines):
    if line[:3] == "%pt" and line[8:14] == "000022":
        data = bytearray(base64.b64decode(line[24:]))
        data[20] ^= 1
        head = bytes([ord("%"), len(data)]) + int(line[3:7], 16).to_bytes(2, "little")
        crc = zlib.crc32(head + (0x22).to_bytes(4, "little") + data)
        lines[i] = "%s%08x %s" % (line[:15], crc, base64.b64encode(data).decode())
print("\n".join(lines))
END
	is "the line is a line" "$("$PT" -D "$dir/block" 2>&1 | grep -c 'lines are lost')" 0
	dump "$dir/block" > "$dir/got"
	is "a block whose checksum is wrong is not used" \
		"$(cmp -s "$dir/got" "$dir/dump" && echo used)" ''
else
	skip "a block with a wrong checksum: there is no python3"
fi
(tr pt pt < "$dir/log" | sed 's/^\(.\)pt..../\1ptffff/'; cat "$dir/log") > "$dir/two"
dump "$dir/two" > "$dir/got"
is "of two captures the last is read" "$(cmp "$dir/got" "$dir/dump" 2>&1)" ''

cp "$dir/log" "$dir/hello.log"

# The newest first.
if "$PT" --version -v | grep -q RECORD_SOFT=y && "$PT" record -q --soft -o "$dir/big.data" \
	sh -c 'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done' 2> /dev/null; then
	"$PT" export --console --limit 30K -i "$dir/big.data" > "$dir/log" 2> "$dir/said"
	is "--limit is kept" "$(($(wc -c < "$dir/log") < 36000))" 1
	is "what is left out is said" "$(grep -c 'the oldest .* kB of trace are left out' "$dir/said")" 1
	is "the last branches are there" "$("$PT" script --itrace=b -F ip,addr -i "$dir/log" \
		2> /dev/null | tail -n 20)" "$("$PT" script --itrace=b -F ip,addr \
		-i "$dir/big.data" | tail -n 20)"
	"$PT" export --console --limit 3s --baud 115200 -i "$dir/big.data" 2> "$dir/said" |
		wc -c > "$dir/size"
	is "a limit of time" "$(($(cat "$dir/size") < 40000))" 1
	"$PT" export --console --limit 30K -i "$dir/big.data" 2> /dev/null |
		cat - "$dir/hello.log" > "$dir/two"
	like "$dir/two" "of two captures the last is read, and that is said" "pt: $dir/two holds 2 \
captures: the last one, $(sed -n 's/^.pt\(....\) .*/\1/p' "$dir/hello.log" | head -n 1), is read"
	is "too small a limit" "$("$PT" export --console --limit 1K -i "$dir/big.data" 2>&1 |
		sed 's/[0-9][0-9]* kB/N kB/')" \
		"pt: --limit: what is not trace takes N kB already; use a larger limit"
else
	skip "a limit: there is no recorder"
fi
# Lines of records and of trace that are lost: nothing is invented, and what follows is read.
if "$PT" --version -v | grep -q RECORD_SOFT=y && "$PT" record -q --soft -o "$dir/many.data" \
	sh -c 'for i in 1 2 3; do sleep 0; done' \
	2> /dev/null; then
	branches() {
		"$PT" script --itrace=b -F tid,ip,addr -i "$1" 2> /dev/null | grep -v ' 0 => \|=> *0$'
	}
	branches "$dir/many.data" > "$dir/all"
	"$PT" export --console -i "$dir/many.data" > "$dir/log" 2> /dev/null
	lines=$(wc -l < "$dir/log")
	for part in 4 7; do
		awk -v from=$((lines * part / 10)) 'NR < from || NR > from + 2' "$dir/log" > "$dir/less"
		branches "$dir/less" > "$dir/got"
		is "lost at $part/10: most is there" \
			"$(($(wc -l < "$dir/got") * 2 > $(wc -l < "$dir/all")))" 1
		none "lost at $part/10: no branch is new" "$(awk 'NR == FNR { all[$0] = 1; next }
			!($0 in all)' "$dir/all" "$dir/got")"
	done
else
	skip "lost records: there is no recorder"
fi

is "a limit is a size or a time" "$("$PT" export --console --limit x -i $hello 2>&1)" \
	"pt: --limit takes a size, 100K, or a time, 60s (see pt export --help)"

# Other texts.
gzip < $hello > "$dir/gz"
like "$dir/gz" "gzip'd"
base64 $hello > "$dir/base64" 2> /dev/null && like "$dir/base64" "base64"
base64 -w0 $hello > "$dir/base64" 2> /dev/null && like "$dir/base64" "base64 in one line"
gzip -c $hello | base64 > "$dir/base64" 2> /dev/null && like "$dir/base64" "base64 of gzip"
gzip -c "$dir/hello.log" > "$dir/log.gz" && like "$dir/log.gz" "a log that was compressed"
for form in '' '-x' '-b' '-t x4' '-t x8' '-v -A n -t x1' '-A x -t x2'; do
	od $form $hello > "$dir/text"
	like "$dir/text" "od $form"
done
for form in '' '-b' '-x'; do
	hexdump $form $hello > "$dir/text" 2> /dev/null && like "$dir/text" "hexdump $form"
done
xxd -p $hello > "$dir/text" 2> /dev/null && like "$dir/text" "xxd -p"
od -t x1 $hello > "$dir/od"
like "$dir/od" "od -t x1"
od -A x -t x1 $hello > "$dir/text"
like "$dir/text" "od -A x -t x1"
for tool in xxd 'hexdump -C'; do
	if command -v ${tool% *} > /dev/null; then
		$tool $hello > "$dir/text"
		like "$dir/text" "$tool"
		sed 's/^/[   12.345678] /; s/$/\r/' "$dir/text" > "$dir/timed"
		like "$dir/timed" "$tool, logged"
	else
		skip "$tool: there is none"
	fi
done
# From a pipe.
for form in mixed gz od; do
	is "$form, from a pipe" "$(cat "$dir/$form" | "$PT" -D - 2> /dev/null | sed 's/@[^ ]* / /' |
		cmp - "$dir/dump" 2>&1)" ''
done
is "a script of one" "$(cat "$dir/gz" | "$PT" script --call-trace --symfs test/golden/hello/root |
	cksum)" "$("$PT" script --call-trace --symfs test/golden/hello/root -i $hello | cksum)"
is "a text from a pipe that holds none" "$(cat README | "$PT" -D - 2>&1 | head -n 1)" \
	"pt: -: not a trace: no perf.data header and no PSB packet"

echo 'psb; mode.exec 64; fup 0x1000; psbend; tnt T; fup 0x1005; tip.pgd' | "$O/obj/ptasm" > "$dir/raw"
od -t x1 "$dir/raw" > "$dir/text"
is "a bare trace" "$("$PT" -D "$dir/text")" "$("$PT" -D "$dir/raw")"
is "text that is none" "$("$PT" -D README 2>&1 | head -n 1)" \
	"pt: README: not a trace: no perf.data header and no PSB packet"

# Of more than 2 MiB, od prints eight octal digits.
{
	awk 'BEGIN { for (i = 0; i < 8200; i++) printf "%256s", "" }' | tr ' ' '\000'
	cat "$dir/raw"
} > "$dir/long"
od -v -t x1 "$dir/long" > "$dir/text"
is "a long one of od" "$("$PT" -D "$dir/text" | cksum)" "$("$PT" -D "$dir/long" | cksum)"

# --map @LIST
printf '\350\001\000\000\000\364\303' > "$dir/code"
printf '# code\n%s/code@0x1000\r\n\n' "$dir" > "$dir/list"
is "a list of maps" "$("$PT" script --itrace=i0ns -F ip --map "@$dir/list" -i "$dir/raw" 2>&1)" \
	"$("$PT" script --itrace=i0ns -F ip --map "$dir/code@0x1000" -i "$dir/raw" 2>&1)"
is "a list that is not there" "$("$PT" script --map @/none -i "$dir/raw" 2>&1)" \
	"pt: --map @/none: No such file or directory (see pt script --help)"

# Whatever a log holds, pt ends.
head -c 100000 /dev/urandom | base64 > "$dir/noise"
{ sed 's/^/%pt1234 000000 /' "$dir/noise"; seq 100000 | sed 's/^/0000000 /'; } > "$dir/text"
timeout 60 "$PT" -D "$dir/text" > /dev/null 2>&1
is "noise is no trace" "$(($? < 124))" 1
finish
