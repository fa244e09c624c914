#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
#
# arch/x86/translate* compared with Zydis and with this processor: see translate.c. With LONG=1
# twenty times as many variants of each instruction.

judge=$O/obj/judge-translate
variants=50
[ -n "$LONG" ] && variants=1000

skip() {
	echo "SKIP translated instructions: $1"
	echo "0 passed, 0 failed, 1 skipped"
	exit
}

[ "$(uname -m)" = x86_64 ] || skip "this is no x86-64 processor"
[ -e /usr/include/Zydis/Zydis.h ] || skip "libzydis-dev is not here"
grep -q '^flags.* xsave ' /proc/cpuinfo || skip "the processor has no XSAVE"
mkdir -p "$O/obj"
passed=0 failed=0 skipped=0
for narrow in 0 1; do
	${HOSTCC:-gcc} -std=gnu11 -O2 -no-pie -DTRANSLATE_NARROW=$narrow -Iinclude \
		-I"$O/obj/include" -I. -o "$judge$narrow" test/judge/translate.c arch/x86/translate.c \
		arch/x86/translate_check.c arch/x86/translate_copy.c arch/x86/translate_emit.c \
		arch/x86/translate_enter.c arch/x86/translate_form.c \
		$([ $narrow = 0 ] || echo arch/x86/translate_32.c) arch/x86/insn.c -lZydis || exit 1
	"$judge$narrow" $variants
	case $? in
	0)
		passed=$((passed + 1)) ;;
	2)
		echo "SKIP translated 32-bit instructions: the kernel runs no 32-bit programs"
		skipped=1 ;;
	*)
		failed=$((failed + 1)) ;;
	esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
