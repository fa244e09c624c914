#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Instructions per second, decoded one by one: see insn.c.

${CC:-cc} -std=gnu11 -O2 -Iinclude -o "$BENCH/insn" test/bench/insn.c arch/x86/insn.c || exit 1
for file in /usr/bin/python3 "/lib/$(uname -m)-linux-gnu/libc.so.6"; do
	[ -e "$file" ] && "$BENCH/insn" "$file"
done
