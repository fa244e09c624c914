# PEBS records in the trace, of two events and of one: all groups of items, in orders that the manual allows.
# needs: CMD_SCRIPT PERF_DATA PEBS SAMPLE_COLUMNS BRANCH_STACKS LIBELF
--- elf 0x401000
	.type _start, @function
_start:	mov eax, 1
	call work
a:	nop
b:	jne _start
	hlt
	.size _start, . - _start
	.type work, @function
work:	nop
w1:	mov rbx, [rax]
w2:	ret
	.size work, . - work
--- trace
psb; tsc 1000; mode.exec 64; fup @_start; psbend
# two counters, two events
tsc 2010; bbp 4; bip 0 @w1; bip 1 3; bip 2 2005; bep ip; fup @w1
# none: no counters given, no time, ip of the registers
tsc 3000; bbp 1; bip 1 @w2; bip 2 77; bip 3 4; bip 5 9; bep ip; fup @w2
tnt T
# ip of the FUP
tsc 4000; bbp 4; bip 1 2; bep ip; fup @a
# no ip
tsc 5000; bbp 4; bip 1 2; bbp 5; bip 0 0x1234; bip 2 0x211000f0102; bep; tnt TT;
# 32 bit, XMM
tsc 6000; bbp 1 short; bip 2 0x1; bip 3 0x33; bip 5 4; bbp 16; bip 0 0x111; bip 1 0x222; bip 2 0x333; bip 3 0x444;  bbp 4; bip 1 1; bep ip; fup @a
# TSX
tsc 7000; bbp 5; bip 2 0; bip 3 0x700000012; bbp 1; bip 2 0xff000001; bip 5 6; bbp 4; bip 1 4; bep ip; fup @b
# LBR in three groups, one of them without info, one not complete
tsc 8000; bbp 8; bip 0 1; bip 1 2; bip 2 0x4000000000000003; bip 3 4; bip 4 5; bip 27 7; bip 28 8; bip 29 9; bbp 9; bip 0 0x11; bip 1 0x12; bip 2 0x2000000000000013; bbp 10; bip 30 5; bip 31 6; bip 3 7; bip 4 8; bip 5 9; bbp 4; bip 0 0xffffffff81000000; bip 1 1; bep ip; fup @b
# unknown group; a duplicate
tsc 9000; bbp 7; bip 0 5; bbp 4; bip 0 @a; bip 0 @b; bip 1 1; bep ip; fup @b
# closed by another packet
tsc 9100; bbp 5; bip 0 5; mode.exec 64; bbp 4; bip 1 1; bep ip; fup @b
tnt T; tsc 11000
fup @_start; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 4 0xcd ip,tid,time,addr,period,cpu,identifier,branch_stack,weight,regs_intr,phys_addr,callchain flags=18,31,15 period=10000 intr=0x3 branch=8
event 0 1 ip,tid,time,addr,period,cpu,identifier,weight_struct,regs_intr,transaction,callchain flags=18,31,10 period=4000 intr=0x4
event 1 9 ip,tid,time,cpu,identifier
info
tool 69 4 100 0 0 0xffffffffffffffff 101 0 0 0xffffffffffffffff 102 0 0 0xffffffffffffffff 103 0 0 0xffffffffffffffff
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 990
record 12 7:7
# the last record of a counter is valid
record 21 0 id=102
record 21 0 id=101
record 21 1 id=102
trace trace 1000
--- perf script -i {data} --symfs . --itrace=o -F +iregs
code     7 [000]     0.000002:      10000           raw 0xcd:p:                0               0           40100f work+0x1 (/code)               0
code     7 [000]     0.000002:          0      instructions:HG:            40100f work+0x1 (/code)
code     7 [000]     0.000003:      10000           raw 0xcd:p:                0               0           401012 work+0x4 (/code) ABI:2    AX:0x4d    BX:0x9                0
code     7 [000]     0.000004:          0      instructions:HG:            40100a a+0x0 (/code)
code     7 [000]     0.000005:          0      instructions:HG:            40100a a+0x0 (/code)
code     7 [000]     0.000006:      10000           raw 0xcd:p:                0               0           40100a a+0x0 (/code) ABI:1    AX:0x1    BX:0x4                0
code     7 [000]     0.000007:      10000           raw 0xcd:p:                0              18           40100b b+0x0 (/code) ABI:2    AX:0xff000001    BX:0x6                0
code     7 [000]     0.000008:      10000           raw 0xcd:p:                0               0 ffffffff81000000 [unknown] ([unknown])               0
code     7 [000]     0.000009:      10000           raw 0xcd:p:                0               0           40100b b+0x0 (/code)               0
code     7 [000]     0.000009:      10000           raw 0xcd:p:                0               0           40100b b+0x0 (/code)               0
--- perf script -i {data} --symfs . --itrace=og -F +flags,+brstack
code     7 [000]     0.000002:      10000           raw 0xcd:p:                                        0               0
	            100f work+0x1 (/code)
	            100a a+0x0 (/code)
               0
code     7 [000]     0.000002:          0      instructions:HG:                         
	            100f work+0x1 (/code)
	            100a a+0x0 (/code)

code     7 [000]     0.000003:      10000           raw 0xcd:p:                                        0               0
	            1012 work+0x4 (/code)
	            100a a+0x0 (/code)
               0
code     7 [000]     0.000004:          0      instructions:HG:                         
	            100a a+0x0 (/code)

code     7 [000]     0.000005:          0      instructions:HG:                         
	            100a a+0x0 (/code)

code     7 [000]     0.000006:      10000           raw 0xcd:p:                                        0               0
	            100a a+0x0 (/code)
               0
code     7 [000]     0.000007:      10000           raw 0xcd:p:                                        0              18
	            100b b+0x0 (/code)
               0
code     7 [000]     0.000008:      10000           raw 0xcd:p:                                        0               0
	ffffffff81000000 [unknown] ([unknown])
 0x1([unknown])/0x2([unknown])/P/X/-/3/  0x7([unknown])/0x8([unknown])/P/-/-/9/  0x11([unknown])/0x12([unknown])/P/-/A/19/  0x7([unknown])/0x8([unknown])/P/-/-/9/                0
code     7 [000]     0.000009:      10000           raw 0xcd:p:                                        0               0
	            100b b+0x0 (/code)
               0
code     7 [000]     0.000009:      10000           raw 0xcd:p:                                        0               0
	            100b b+0x0 (/code)
               0
--- perf script -i {data} --symfs . --itrace=obG -F hw:tid,time,ip,addr,ins_lat,weight
    7     0.000001:            401005 =>           40100e
code     7 [000]     0.000002:      10000           raw 0xcd:p:                0               0           40100f work+0x1 (/code)               0
    7     0.000002:                0               0               0           40100f
code     7 [000]     0.000003:      10000           raw 0xcd:p:                0               0           401012 work+0x4 (/code)               0
    7     0.000003:            401012 =>           40100a
    7     0.000004:                0               0               0           40100a
    7     0.000005:             1234             529             258           40100a
    7     0.000005:            40100b =>           401000
    7     0.000005:            401005 =>           40100e
    7     0.000005:            401012 =>           40100a
code     7 [000]     0.000006:      10000           raw 0xcd:p:                0               0           40100a a+0x0 (/code)               0
code     7 [000]     0.000007:      10000           raw 0xcd:p:                0              18           40100b b+0x0 (/code)               0
code     7 [000]     0.000008:      10000           raw 0xcd:p:                0               0 ffffffff81000000 [unknown] ([unknown])               0
code     7 [000]     0.000009:      10000           raw 0xcd:p:                0               0           40100b b+0x0 (/code)               0
code     7 [000]     0.000009:      10000           raw 0xcd:p:                0               0           40100b b+0x0 (/code)               0
    7     0.000009:            40100b =>           401000
    7     0.000011:            401000 =>                0
--- perf script -i {data} --symfs . --itrace=os3 -F pid,event,ip
    7      instructions:HG:            40100a
    7      instructions:HG:            40100a
    7           raw 0xcd:p:            40100a
    7           raw 0xcd:p:            40100b
    7           raw 0xcd:p:  ffffffff81000000
    7           raw 0xcd:p:            40100b
    7           raw 0xcd:p:            40100b
--- data one
event 8 0x2401 ip,tid,time,cpu,identifier
event 4 0xcd ip,tid,time,addr,period,cpu,identifier,branch_stack,weight,data_src,regs_intr,phys_addr flags=18,31,15 period=10000 intr=0xf00ff03ff branch=8
event 1 9 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 990
record 12 7:7
trace trace 1000
--- pt script -i one --symfs . --itrace=o -F ip,iregs
           40100f
           401012 ABI:2    AX:0x4d    BX:0x9    CX:0x4    IP:0x401012 
           40100a
           40100a
           40100a ABI:1    AX:0x1    BX:0x4    CX:0x33  XMM0:0x111  XMM0:0x222  XMM1:0x333  XMM1:0x444 
           40100b ABI:2    AX:0xff000001    BX:0x6 
 ffffffff81000000
           40100b
           40100b
--- perf script -i one --symfs . --itrace=o
            code     7 [000]     0.000002:      10000           raw 0xcd:p:                0      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A               0           40100f work+0x1 (/code)               0
            code     7 [000]     0.000003:      10000           raw 0xcd:p:                0      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A               0           401012 work+0x4 (/code)               0
            code     7 [000]     0.000004:      10000           raw 0xcd:p:                0      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A               0           40100a a+0x0 (/code)               0
            code     7 [000]     0.000005:      10000           raw 0xcd:p:             1234      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A             529           40100a a+0x0 (/code)               0
            code     7 [000]     0.000006:      10000           raw 0xcd:p:                0      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A               0           40100a a+0x0 (/code)               0
            code     7 [000]     0.000007:      10000           raw 0xcd:p:                0      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A              18           40100b b+0x0 (/code)               0
            code     7 [000]     0.000008:      10000           raw 0xcd:p:                0      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A               0 ffffffff81000000 [unknown] ([unknown])               0
            code     7 [000]     0.000009:      10000           raw 0xcd:p:                0      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A               0           40100b b+0x0 (/code)               0
            code     7 [000]     0.000009:      10000           raw 0xcd:p:                0      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A               0           40100b b+0x0 (/code)               0
--- perf script -i {data} --symfs . --itrace=ol -F ip,brstacksym
           40100f_start+0x5/work+0x0/-/-/-/0/ 
           40100f
           401012_start+0x5/work+0x0/-/-/-/0/ 
           40100a
           40100a
           40100awork+0x4/a+0x0/-/-/-/0/ _start+0x5/work+0x0/-/-/-/0/ b+0x0/_start+0x0/-/-/-/0/ work+0x4/a+0x0/-/-/-/0/ _start+0x5/work+0x0/-/-/-/0/ 
           40100bwork+0x4/a+0x0/-/-/-/0/ _start+0x5/work+0x0/-/-/-/0/ b+0x0/_start+0x0/-/-/-/0/ work+0x4/a+0x0/-/-/-/0/ _start+0x5/work+0x0/-/-/-/0/ 
 ffffffff81000000[unknown]/[unknown]/P/X/-/3/ [unknown]/[unknown]/P/-/-/9/ [unknown]/[unknown]/P/-/A/19/ [unknown]/[unknown]/P/-/-/9/ 
           40100bwork+0x4/a+0x0/-/-/-/0/ _start+0x5/work+0x0/-/-/-/0/ b+0x0/_start+0x0/-/-/-/0/ work+0x4/a+0x0/-/-/-/0/ _start+0x5/work+0x0/-/-/-/0/ 
           40100bwork+0x4/a+0x0/-/-/-/0/ _start+0x5/work+0x0/-/-/-/0/ b+0x0/_start+0x0/-/-/-/0/ work+0x4/a+0x0/-/-/-/0/ _start+0x5/work+0x0/-/-/-/0/ 
--- perf script -i {data} --symfs . --itrace=oL -F ip,brstack
           40100f
           40100f
           401012
           40100a
           40100a
           40100a
           40100b
 ffffffff81000000 0x1/0x2/P/X/-/3/  0x7/0x8/P/-/-/9/  0x11/0x12/P/-/A/19/  0x7/0x8/P/-/-/9/ 
           40100b
           40100b
--- trace bare.pt
psb; tsc 1000; mode.exec 64; fup @_start; psbend
# only what the event has asked for
tsc 2000; bbp 4; bip 0 @w1; bip 1 3; bbp 5; bip 0 0x1234; bip 2 0x7; bip 3 0x700000012; bbp 8; bip 0 1; bip 1 2; bip 2 3; bep ip; fup @w1
tnt T; fup @a; tip.pgd
--- trace fixed.pt
psb; tsc 1000; mode.exec 64; fup @_start; psbend
# fixed counters are numbered from 32 on
tsc 2000; bbp 4; bip 1 0x200000000; bep ip; fup @_start
tsc 3000; bbp 4; bip 1 0x200000001; bep ip; fup @a
fup @a; tip.pgd
--- data bare
event 8 0x2401 ip,tid,time,cpu,identifier
event 4 0xcd ip,tid,time,cpu,identifier flags=18,31,15 period=10000 intr=0x3
event 4 0xce ip,tid,time,cpu,identifier,addr,data_src,weight flags=18,31,15 period=10000
event 1 9 ip,tid,time,cpu,identifier
info
tool 69 4 100 0 0 0xffffffffffffffff 101 0 0 0xffffffffffffffff 102 0 0 0xffffffffffffffff 103 0 0 0xffffffffffffffff
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 990
record 12 7:7
record 21 1 id=102
record 21 0 id=101
trace bare.pt 1000
--- perf script -i bare --symfs . --itrace=ob -F event,ip,addr
         branches:HG:            401005 =>           40100e
          raw 0xcd:p:                0           40100f
          raw 0xce:p:             1234           40100f
         branches:HG:            401012 =>           40100a
         branches:HG:            40100a =>                0
--- perf script -i one --symfs . --itrace=i2il -F ip,brstackinsn | grep . | head -n 7
           401005
           40100f
	_start+5:
	0000000000401005	insn: e8 04 00 00 00          	#
	work:
	000000000040100e	insn: 90 
	000000000040100f	insn: 48 8b 18 
--- data fixed
event 8 0x2401 ip,tid,time,cpu,identifier
event 4 0xcd ip,tid,time,cpu,identifier flags=18,31,15 period=10000
event 4 0xce ip,tid,time,cpu,identifier flags=18,31,15 period=10000
event 1 9 ip,tid,time,cpu,identifier
info
tool 69 4 100 0 0 0xffffffffffffffff 101 0 0 0xffffffffffffffff 102 0 0 0xffffffffffffffff 103 0 0 0xffffffffffffffff
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 990
record 12 7:7
record 21 0 id=101
record 21 33 id=102
trace fixed.pt 1000
--- pt script -i fixed --symfs . --itrace=o -F event,time,ip
    0.000002:           raw 0xce:p:            401000
    0.000003:           raw 0xcd:p:            40100a
    0.000003:           raw 0xce:p:            40100a
