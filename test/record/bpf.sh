#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: BPF_PROGRAMS RECORD_SAMPLES CMD_SCRIPT
#
# BPF programs: their symbols and their code are in a recording of the kernel.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/load.c" << 'END'
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Load a program, and run a command while it is there. */
int main(int argc, char **argv)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 5 },
		{ .code = BPF_ALU64 | 0x00 | BPF_K, .dst_reg = 0, .imm = 0x1234567 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insn_cnt = 3,
		.insns = (uintptr_t)insns, .license = (uintptr_t)"GPL",
	};

	memcpy(attr.prog_name, "of_pt", 5);
	if (syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)) < 0) {
		perror("bpf");
		return 77;
	}
	return system(argv[1]);
}
END
if ! "$HOSTCC" -o "$dir/load" "$dir/load.c" 2> "$dir/err"; then
	skip "bpf: $(head -n 1 "$dir/err")"
	finish
	exit
fi
if ! "$dir/load" "$PT record -q -a -e cpu-clock -o $dir/data true" > "$dir/err" 2>&1; then
	skip "bpf: $(head -n 1 "$dir/err")"
	finish
	exit
fi
# Programs that are interpreted have no code, and addresses may be hidden.
"$dir/load" "grep 'bpf_prog_[0-9a-f]*_of_pt' /proc/kallsyms > $dir/known"
if ! grep -q '[1-9a-f].* t ' "$dir/known"; then
	skip "bpf: the kernel does not tell of the program"
	finish
	exit
fi
"$PT" script -i "$dir/data" --show-bpf-events 2> /dev/null > "$dir/lines"
is "its symbol is there" "$(grep -c 'KSYMBOL.* name bpf_prog_[0-9a-f]*_of_pt$' "$dir/lines")" 1
# add $0x1234567, %rax
is "its code is there" "$(LC_ALL=C grep -c "$(printf '\005gE#\001')" "$dir/data")" 1
if has_perf; then
	name=$(sed -n 's/.* name \(bpf_prog_[0-9a-f]*_of_pt\)$/\1/p' "$dir/lines")
	perf script -i "$dir/data" --header-only -I 2> /dev/null > "$dir/head"
	is "perf finds it" "$(grep -c "^# bpf_prog_info .*$name addr" "$dir/head")" 1
else
	skip "perf 6.1 is not here to judge"
fi
finish
