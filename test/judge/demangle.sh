#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: DEMANGLE RECORD_SOFT CMD_REPORT
#
# Names of C++, Rust and OCaml: the same as perf for the same recording; and a limit of the time for a
# name.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# recorded NAMES: a C program, so that no other compiler is needed, with a function of each name.
recorded() {
	awk '{ printf "void f%d(void) __asm__(\"%s\");\n", NR, $0
			printf "__attribute__((noinline)) void f%d(void) { n++; }\n", NR
			calls = calls "f" NR "();\n" }
		BEGIN { print "volatile int n;" }
		END { print "int main(void) {\n" calls "return 0; }" }' "$1" > "$1.c"
	gcc -O1 -static -o "$1.bin" "$1.c" 2> "$dir/err" &&
		"$PT" record --soft -o "$1.data" "$1.bin" > "$dir/err" 2>&1
}

# called COMMAND...: the functions that main() calls.
called() {
	"$@" --itrace=c -F ip,sym,addr 2> /dev/null |
		sed -n 's/^ *[0-9a-f]* main => *[0-9a-f]* //p'
}

# This stands for a text of 2^60 bytes; perf dies of it.
bomb=$(awk 'function seq(n) { return (n > 35 ? seq(int(n / 36)) : "") \
			substr("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", n % 36 + 1, 1) }
	BEGIN { printf "_Z1fI1aIccE"
		for (n = 0; n < 60; n++)
			printf "1bIS%s_S%s_E", seq(2 * n + 1), seq(2 * n + 1)
		print "Evv" }')
cat > "$dir/names" << 'E2'
_ZN3foo3barEv
_ZNK1a1VIiLi4EE3sumERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
_ZplRK1aS1_
_ZN1XC2Ev
_ZN1XD1Ev
_ZThn8_N1Y1fEi
_ZZ4mainENKUliE_clEi
_ZN4core3fmt9Formatter3pad17h0123456789abcdefE
_ZN71_$LT$std..path..Path$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE
_RNvC6_123foo3bar
_RINvNtC3std3mem8align_ofdE
_RNvNtNtNtNtCsjrHSEGnQ3l9_3std3sys4args4unix3imp
_ZN3foo3barEv.part.0
_ZN3foo3barEv.constprop.1
_Z
_Znot_a_name
_GLOBAL__sub_I_foo
plain
camlStdlib__Array__sort_313
camlO__fun_160
camlA__$2b$2B_5
camlA$zz$4
camlA___b_
caml_main
caml
E2
echo "$bomb" > "$dir/bomb"
if ! recorded "$dir/names" || ! recorded "$dir/bomb"; then
	skip "names: no program with them can be recorded here: $(head -n 1 "$dir/err")"
	finish
	exit
fi
is "--no-demangle has them as the file has" \
	"$(called "$PT" script --no-demangle -i "$dir/names.data")" "$(cat "$dir/names")"
called "$PT" script -i "$dir/names.data" > "$dir/ours"
is "a name without parameters" "$(head -n 1 "$dir/ours")" foo::bar
is "a name whose text has no end stays as it is" \
	"$(called "$PT" script -i "$dir/bomb.data")" "$bomb"
if command -v perf > /dev/null; then
	is "perf has the same names" "$(called perf script -i "$dir/names.data")" \
		"$(cat "$dir/ours")"
else
	skip "there is no perf to judge"
fi
finish
