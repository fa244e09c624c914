#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_SCRIPT CMD_DUMP
#
# Files that were damaged deliberately: pt prints what it can read and what is wrong, and ends.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
good=test/golden/hello/perf.data
root=test/golden/hello/root

hurt() {
	"$O/obj/hurt" "$@" < $good > "$dir/bad"
}

# same WHAT COMMAND...: COMMAND prints of the bad file what it prints of the good one.
same() {
	what=$1
	shift
	"$PT" "$@" --symfs $root -i $good > "$dir/wanted" 2>&1
	"$PT" "$@" --symfs $root -i "$dir/bad" > "$dir/got" 2>&1
	is "$what: status" $? 0
	is "$what" "$(diff "$dir/wanted" "$dir/got" | head -n 5)" ""
}

hurt late-info
same "AUXTRACE_INFO may come after a record of the kernel" script --itrace=be
same "so it may with all kinds of samples" script --itrace=bepwx --show-mmap-events
"$PT" --version -v | grep -q CONFIG_PARALLEL=y && same "with -j, too" script -j 2 --itrace=be
"$PT" --version -v | grep -q CONFIG_CMD_REPORT=y && same "in report, too" report --stdio

hurt info 11 0xffff
"$PT" script --itrace=be -i "$dir/bad" > "$dir/got" 2>&1
is "a mask of MTC frequencies may be anything" $? 0

# Code of another form than ELF may be anything that can be read.
mkdir -p "$dir/other"
(cd $root && find . -type f) | while read -r f; do
	mkdir -p "$dir/other/${f%/*}"
	head -c 65536 /dev/zero | tr '\000' '*' > "$dir/other/$f"
done
"$PT" script -i $good --symfs "$dir/other" --insn-trace -F ip,insn > "$dir/got" 2> "$dir/err"
is "no file that is not ELF is printed as instructions" "$(grep -c '2a 2a' "$dir/got")" 0
is "and it is said" "$(grep -c 'cannot read .*hello' "$dir/err")" 1

# Neither opening nor reading waits for what is no file.
mkdir "$dir/fifo" "$dir/part"
mkfifo "$dir/fifo/data" "$dir/part/data.0"
cp $good "$dir/part/data"
for what in fifo part; do
	for o in -D 'script -i' 'report -i' info; do
		[ "$o" = "${o#report}" ] || "$PT" --version -v | grep -q CMD_REPORT=y || continue
		[ "$o" = "${o#info}" ] || "$PT" --version -v | grep -q CMD_INFO=y || continue
		said=$(timeout 20 "$PT" $o "$dir/$what" 2>&1 > /dev/null)
		is "pt $o of a folder with a FIFO: $what" \
			"$(timeout 20 "$PT" $o "$dir/$what" > /dev/null 2>&1; echo $?):$(
			echo "$said" | grep -c 'not a regular file')" 1:1
	done
done
timeout 20 "$PT" script -i /dev/zero > /dev/null 2>&1
is "zeros without end are no trace" $? 1

# A file of code is emptied while the lines wait.
cp -r $root "$dir/root"
mkfifo "$dir/lines"
"$PT" script -i $good --symfs "$dir/root" --insn-trace > "$dir/lines" 2> "$dir/err" &
reader=$!
{
	head -c 1000
	find "$dir/root" -type f -exec truncate -s 0 {} +
	cat
} < "$dir/lines" > "$dir/got"
wait $reader
is "a file that becomes shorter is said" "$?:$(grep -c 'was truncated' "$dir/err")" 1:1
"$PT" script -i $good --symfs $root --insn-trace 2> /dev/null |
	head -c "$(wc -c < "$dir/got")" > "$dir/wanted"
is "and what was decoded stays printed" "$(cmp "$dir/got" "$dir/wanted" 2>&1)" ""

# 20,000 calls, each from the one before.
{
	echo 'psb; mode.exec 64; fup 0x1000; psbend'
	yes 'tip 0x1000' | head -n 20000
} | "$O/obj/ptasm" > "$dir/deep.pt"
echo '1000: ff d0    call *%rax' | "$O/obj/ptasm" -c 0x1000 > "$dir/code"
for o in --call-trace '--call-trace -F +flags,+ip' '--itrace=c -j 2 -F callindent,sym'; do
	[ "${o#*-j}" = "$o" ] || "$PT" --version -v | grep -q CONFIG_PARALLEL=y || continue
	is "indentation ends: $o" \
		"$("$PT" script -i "$dir/deep.pt" --map "$dir/code@0x1000" $o 2> /dev/null |
		awk 'length > 700 { n++ } END { print (NR >= 20000), n + 0 }')" "1 0"
done

# -D prints of most tool records no more than the name, and ends the line with the next one.
hurt short-feature
is "the last line of -D ends, whatever the last record is" \
	"$("$PT" -D "$dir/bad" | tail -n 1 | tr '\n' '|')" "0 0 0xbc8 [0xc]: PERF_RECORD_FEATURE|"
finish
