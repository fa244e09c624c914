# BPF programs whose code is in the feature BPF_PROG_INFO, not in records: two that come and go at
# one address, which their tags tell apart.
# needs: CMD_SCRIPT PERF_DATA KERNEL LIBELF BPF_PROGRAMS
--- elf 0xffffffff81000000 kern
	.type _text, @function
_text:	nop
_stext:	nop
caller:	call [rax]
c2:	nop
	jmp caller
_etext:	nop
--- trace
psb; tsc 1000; mode.exec 64; fup @caller; psbend
tsc 1600; tip 0xffffffffa0000000; tsc 1700; tnt N; tnt T
tsc 2600; tip 0xffffffffa0000000; tsc 2700; tnt T; tsc 2800
fup @caller; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier flags=18,29,33
info
record 1 misc=1 0xffffffff:0 0xffffffff81000000 0x1000000 0xffffffff81000000 "[kernel.kallsyms]_text"
at 7 7 0 0
comm code
at 7 7 0 990
record 12 7:7
at 7 7 0 1500
# jne .+2; nop; nop; ret
record 17 misc=1 0xffffffffa0000000 0x0000000100000010 "bpf_prog_1111111111111111_one"
record 18 misc=1 1:1 0x1111111111111111
at 7 7 0 2500
record 17 misc=1 0xffffffffa0000000 0x0001000100000010 "bpf_prog_1111111111111111_one"
# inc eax; nop; ret
record 17 misc=1 0xffffffffa0000000 0x0000000100000008 "bpf_prog_2222222222222222_two"
record 18 misc=1 1:2 0x2222222222222222
trace trace 1000
# The count, and of each program: the lengths and what is there; struct bpf_prog_info, up to the
# lengths of functions; instructions, addresses, lengths.
feature 25 0x2:0x80 0x18:0x19 0x0:0x1 0x1:0x11111111 0x11111111:0x5 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0:0x1 0x1:0x8 0x0:0x10 0x0:0x90900075 0xc3:0xa0000000 0xffffffff:0x5 0x0:0x80 0x18:0x19 0x0:0x1 0x2:0x22222222 0x22222222:0x4 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0:0x1 0x1:0x8 0x0:0x10 0x0:0xc390c0ff 0x0:0xa0000000 0xffffffff:0x4 0x0
--- perf script -i {data} --vmlinux kern --itrace=i0nse -F time,ip,sym,insn
    0.000001:  ffffffff81000002 caller insn: ff 10
    0.000001:  ffffffffa0000000 bpf_prog_1111111111111111_one insn: 75 00
    0.000001:  ffffffffa0000002 bpf_prog_1111111111111111_one insn: 90
    0.000001:  ffffffffa0000003 bpf_prog_1111111111111111_one insn: 90
    0.000001:  ffffffffa0000004 bpf_prog_1111111111111111_one insn: c3
    0.000001:  ffffffff81000004 c2 insn: 90
    0.000001:  ffffffff81000005 c2 insn: eb fb
    0.000002:  ffffffff81000002 caller insn: ff 10
    0.000002:  ffffffffa0000000 bpf_prog_2222222222222222_two insn: ff c0
    0.000002:  ffffffffa0000002 bpf_prog_2222222222222222_two insn: 90
    0.000002:  ffffffffa0000003 bpf_prog_2222222222222222_two insn: c3
    0.000002:  ffffffff81000004 c2 insn: 90
    0.000002:  ffffffff81000005 c2 insn: eb fb
