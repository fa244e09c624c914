#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 5
#
# arch/x86/insn compared with Zydis: see insn.c. A sample of installed programs and of random bytes;
# with LONG=1 all installed programs, and 100 million strings for each mode.

judge=$O/obj/judge-insn
strings=1000000 insns=8000000 every=48
[ -n "$LONG" ] && strings=100000000 insns=0xffffffffffff every=1

mkdir -p "$O/obj"
if [ ! -e /usr/include/Zydis/Zydis.h ]; then
	echo "SKIP instructions against Zydis: libzydis-dev is not here"
	echo "0 passed, 0 failed, 2 skipped"
	exit
fi
${HOSTCC:-gcc} -std=gnu11 -O2 -Iinclude -o "$judge" test/judge/insn.c arch/x86/insn.c -lZydis ||
	exit 1

passed=0 failed=0
verdict() {
	if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

verdict "$judge" random $strings
find /usr/bin /usr/lib -type f -size +0 | sort | awk "NR % $every == 0" > "$judge.list"
verdict "$judge" sweep $insns < "$judge.list"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
