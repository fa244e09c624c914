# A kernel that changes its code: a static key, retpolines and return thunks, BPF programs that come
# and go at one address, by time.
# needs: CMD_SCRIPT PERF_DATA KERNEL LIBELF
--- elf 0xffffffff81000000 kern
	.type _text, @function
_text:	nop
_stext:	call keyed
	jne _text
k1:	call ret_thunk_user
	jmp _text
	.size _text, . - _text
	.type keyed, @function
keyed:	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00
off:	nop
	ret
on:	inc eax
	ret
	.size keyed, . - keyed
	.type ret_thunk_user, @function
ret_thunk_user: nop
	jmp ret_thunk
	.size ret_thunk_user, . - ret_thunk_user
	.type ret_thunk, @function
ret_thunk: ret
	int3
	.size ret_thunk, . - ret_thunk
	.type retpoline, @function
retpoline: call rp2
rp1:	pause
	lfence
	jmp rp1
rp2:	mov [rsp], rax
	ret
	.size retpoline, . - retpoline
	.type caller, @function
caller:	call retpoline
c1:	call [rax]
c2:	nop
	jmp caller
	.size caller, . - caller
	.type _etext, @function
_etext:	nop
--- trace trace1
psb; tsc 1000; mode.exec 64; fup @_text; psbend
tnt TNT; tsc 1400
# the key is on from 1500 to 3000
tsc 1600; tnt TNT; tsc 2900
tsc 3100; tnt TNT; tsc 3400
fup @_text; tip.pgd
--- data data1
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier flags=18,33
info
record 1 misc=1 0xffffffff:0 0xffffffff81000000 0x1000000 0xffffffff81000000 "[kernel.kallsyms]_text"
at 7 7 0 0
comm code
at 7 7 0 990
record 12 7:7
at 7 7 0 1500
record 20 misc=1 @keyed 0x00441f0f00050005 0x000000000002e900
at 7 7 0 3000
record 20 misc=1 @keyed 0x000002e900050005 0x0000000000441f0f00
at 7 7 0 3100
record 20 misc=1 0xffffffff81800000 0x00441f0f00050005 0x000000000002e900
record 20 misc=1 0xffffffffa0000000 0x00441f0f00050005 0x000000000002e900
trace trace1 1000
--- trace trace2
psb; tsc 1000; mode.exec 64; fup @caller; psbend
# a retpoline: its return is not compressed, and goes elsewhere
tip @ret_thunk; tnt T; tsc 1400
# a call of a BPF program, which is there from 1500 on
tsc 1600; tip 0xffffffffa0000000; tsc 1700; tnt N; tnt T
# another one at the same place
tip @ret_thunk; tnt T
tsc 2400; tsc 2600; tip 0xffffffffa0000000; tsc 2700; tnt T; tsc 2800
tip @ret_thunk; tnt T; tsc 3400
fup @c1; tip.pgd
--- data data2
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
record 17 misc=1 0xffffffffa0000000 0x0000000100000010 "bpf_prog_one"
record 20 misc=1 0xffffffffa0000000 0x9090017500050000 0xc3
at 7 7 0 2500
record 17 misc=1 0xffffffffa0000000 0x0001000100000010 "bpf_prog_one"
# inc eax; nop; ret
record 17 misc=1 0xffffffffa0000000 0x0000000100000008 "bpf_prog_two"
record 20 misc=1 0xffffffffa0000000 0xc390c0ff00040000
trace trace2 1000
--- perf script -i data1 --vmlinux kern --itrace=i0nse -F time,ip,sym
    0.000001:  ffffffff81000000 _text
    0.000001:  ffffffff81000001 _stext
    0.000001:  ffffffff8100000f keyed
    0.000001:  ffffffff81000014 keyed
    0.000001:  ffffffff81000015 keyed
    0.000001:  ffffffff81000006 _stext
    0.000001:  ffffffff81000008 k1
    0.000001:  ffffffff81000019 ret_thunk_user
    0.000001:  ffffffff8100001a ret_thunk_user
    0.000001:  ffffffff8100001c ret_thunk
    0.000001:  ffffffff8100000d k1
    0.000001:  ffffffff81000000 _text
    0.000001:  ffffffff81000001 _stext
    0.000001:  ffffffff8100000f keyed
    0.000001:  ffffffff81000014 keyed
    0.000001:  ffffffff81000015 keyed
    0.000001:  ffffffff81000006 _stext
    0.000001:  ffffffff81000008 k1
    0.000001:  ffffffff81000019 ret_thunk_user
    0.000001:  ffffffff8100001a ret_thunk_user
    0.000001:  ffffffff8100001c ret_thunk
    0.000001:  ffffffff8100000d k1
    0.000001:  ffffffff81000000 _text
    0.000001:  ffffffff81000001 _stext
    0.000001:  ffffffff8100000f keyed
    0.000001:  ffffffff81000016 keyed
    0.000003:  ffffffff81000018 keyed
    0.000003:  ffffffff81000006 _stext
    0.000003:  ffffffff81000008 k1
    0.000003:  ffffffff81000019 ret_thunk_user
    0.000003:  ffffffff8100001a ret_thunk_user
    0.000003:  ffffffff8100001c ret_thunk
    0.000003:  ffffffff8100000d k1
--- perf script -i data1 --vmlinux kern --itrace=be --show-text-poke-events
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff81000001 _stext+0x0 ([kernel.kallsyms]) => ffffffff8100000f keyed+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff81000015 keyed+0x6 ([kernel.kallsyms]) => ffffffff81000006 _stext+0x5 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff81000008 k1+0x0 ([kernel.kallsyms]) => ffffffff81000019 ret_thunk_user+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff8100001a ret_thunk_user+0x1 ([kernel.kallsyms]) => ffffffff8100001c ret_thunk+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff8100001c ret_thunk+0x0 ([kernel.kallsyms]) => ffffffff8100000d k1+0x5 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff8100000d k1+0x5 ([kernel.kallsyms]) => ffffffff81000000 _text+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff81000001 _stext+0x0 ([kernel.kallsyms]) => ffffffff8100000f keyed+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000001: PERF_RECORD_TEXT_POKE ffffffff8100000f keyed+0x0 old len 5 new len 5
            Old bytes: 0f 1f 44 00 00
            New bytes: e9 02 00 00 00
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff81000015 keyed+0x6 ([kernel.kallsyms]) => ffffffff81000006 _stext+0x5 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff81000008 k1+0x0 ([kernel.kallsyms]) => ffffffff81000019 ret_thunk_user+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff8100001a ret_thunk_user+0x1 ([kernel.kallsyms]) => ffffffff8100001c ret_thunk+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff8100001c ret_thunk+0x0 ([kernel.kallsyms]) => ffffffff8100000d k1+0x5 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff8100000d k1+0x5 ([kernel.kallsyms]) => ffffffff81000000 _text+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff81000001 _stext+0x0 ([kernel.kallsyms]) => ffffffff8100000f keyed+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000001:          1          branches:HG:  ffffffff8100000f keyed+0x0 ([kernel.kallsyms]) => ffffffff81000016 keyed+0x7 ([kernel.kallsyms])
            code     7 [000]     0.000003: PERF_RECORD_TEXT_POKE ffffffff8100000f keyed+0x0 old len 5 new len 5
            Old bytes: e9 02 00 00 00
            New bytes: 0f 1f 44 00 00
            code     7 [000]     0.000003: PERF_RECORD_TEXT_POKE ffffffff81800000  old len 5 new len 5
            Old bytes: 0f 1f 44 00 00
            New bytes: e9 02 00 00 00
            code     7 [000]     0.000003: PERF_RECORD_TEXT_POKE ffffffffa0000000  old len 5 new len 5
            Old bytes: 0f 1f 44 00 00
            New bytes: e9 02 00 00 00
            code     7 [000]     0.000003:          1          branches:HG:  ffffffff81000018 keyed+0x9 ([kernel.kallsyms]) => ffffffff81000006 _stext+0x5 ([kernel.kallsyms])
            code     7 [000]     0.000003:          1          branches:HG:  ffffffff81000008 k1+0x0 ([kernel.kallsyms]) => ffffffff81000019 ret_thunk_user+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000003:          1          branches:HG:  ffffffff8100001a ret_thunk_user+0x1 ([kernel.kallsyms]) => ffffffff8100001c ret_thunk+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000003:          1          branches:HG:  ffffffff8100001c ret_thunk+0x0 ([kernel.kallsyms]) => ffffffff8100000d k1+0x5 ([kernel.kallsyms])
            code     7 [000]     0.000003:          1          branches:HG:  ffffffff8100000d k1+0x5 ([kernel.kallsyms]) => ffffffff81000000 _text+0x0 ([kernel.kallsyms])
            code     7 [000]     0.000003:          1          branches:HG:  ffffffff81000000 _text+0x0 ([kernel.kallsyms]) =>                0 [unknown] ([unknown])
--- pt script -i data2 --vmlinux kern --itrace=i0nse -F time,ip,sym
    0.000001:  ffffffff8100002f caller
    0.000001:  ffffffff8100001e retpoline
    0.000001:  ffffffff8100002a rp2
    0.000001:  ffffffff8100002e rp2
    0.000001:  ffffffff8100001c ret_thunk
    0.000001:  ffffffff81000034 caller
    0.000001:  ffffffffa0000000 bpf_prog_one
    0.000001:  ffffffffa0000002 bpf_prog_one
    0.000001:  ffffffffa0000003 bpf_prog_one
    0.000001:  ffffffffa0000004 bpf_prog_one
    0.000001:  ffffffff81000036 caller
    0.000001:  ffffffff81000037 caller
    0.000001:  ffffffff8100002f caller
    0.000001:  ffffffff8100001e retpoline
    0.000001:  ffffffff8100002a rp2
    0.000001:  ffffffff8100002e rp2
    0.000001:  ffffffff8100001c ret_thunk
    0.000002:  ffffffff81000034 caller
    0.000002:  ffffffffa0000000 bpf_prog_two
    0.000002:  ffffffffa0000002 bpf_prog_two
    0.000002:  ffffffffa0000003 bpf_prog_two
    0.000002:  ffffffff81000036 caller
    0.000002:  ffffffff81000037 caller
    0.000002:  ffffffff8100002f caller
    0.000002:  ffffffff8100001e retpoline
    0.000002:  ffffffff8100002a rp2
    0.000002:  ffffffff8100002e rp2
    0.000002:  ffffffff8100001c ret_thunk
