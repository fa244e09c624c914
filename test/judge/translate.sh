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
${HOSTCC:-gcc} -std=gnu11 -O2 -Iinclude -I. -o "$judge" test/judge/translate.c \
	arch/x86/translate.c arch/x86/translate_copy.c arch/x86/translate_form.c arch/x86/insn.c \
	-lZydis || exit 1
if "$judge" $variants; then
	echo "1 passed, 0 failed, 0 skipped"
else
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
