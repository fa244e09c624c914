#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: DISASM LIBELF PARALLEL
#
# Instructions as text, compared with objdump for the same file.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=test/golden/hello/root
script="script --symfs $root -i test/golden/hello/perf.data"

"$PT" $script --insn-trace=disasm -F ip,disasm > "$dir/disasm" 2> "$dir/err"
"$PT" $script --insn-trace --xed -F ip,insn > "$dir/xed" 2> /dev/null
"$PT" $script --insn-trace=raw -F ip,insn > "$dir/raw" 2> /dev/null
is "an instruction a line" "$(wc -l < "$dir/disasm")" "$(wc -l < "$dir/raw")"
is "no line ends with a blank" "$(grep -c ' $' "$dir/disasm")" 0
is "--xed has the same text" "$(sum < "$dir/xed")" "$(sum < "$dir/disasm")"
is "a target has its name, after two tabs" "$("$PT" $script --insn-trace=disasm \
	-F ip,sym,symoff,disasm 2> /dev/null | grep -m1 -o '_start+0x.*callq.*')" \
	"$(printf '_start+0x11\t\tcallq _start_c+0x0')"
is "and --insn-trace=raw is --insn-trace" "$("$PT" $script --insn-trace -F ip,insn | sum)" \
	"$(sum < "$dir/raw")"
"$PT" $script --insn-trace=text > "$dir/out" 2> "$dir/err"
is "another word is refused" "$? $(cat "$dir/out" "$dir/err")" \
	"1 pt: --insn-trace=text: neither raw nor disasm (see pt script --help)"
is "several processes print the same" \
	"$("$PT" $script -j 2 --insn-trace=disasm -F ip,disasm 2> /dev/null | sum)" \
	"$(sum < "$dir/disasm")"

# Both as ADDRESS NAME, without the sizes that only one of the two appends.
plain() {
	sed 's/[bwlq]*$//' | sort -u
}
if command -v objdump > /dev/null; then
	objdump -d --no-show-raw-insn "$root/opt/pt-data/bin/hello" |
		sed -n 's/xchg *%ax,%ax/nop/; s/^ *\([0-9a-f]*\):\t\(\(rep\|repz\|lock\|bnd\|notrack\|cs\) \)*\([a-z0-9]*\).*/\1 \4/p' |
		plain > "$dir/objdump"
	sed -n 's/^ *\([0-9a-f]*\)\t\t\(\(rep\|repe\|lock\|bnd\|notrack\|cs\) \)*\([a-z0-9]*\).*/\1 \4/p' \
		"$dir/disasm" | plain > "$dir/ours"
	is "objdump has the same instructions there" "$(comm -23 "$dir/ours" "$dir/objdump")" ""
	[ "$(wc -l < "$dir/ours")" -gt 300 ] && pass || flunk "enough of them were compared"
else
	skip "there is no objdump to judge"
fi
finish
