# Records of guests in the host's file (perf inject --guest-data): ID_INDEX says which ids are of
# which virtual CPU, and switch records which thread runs there.
# needs: CMD_SCRIPT PERF_DATA GUESTS SAMPLE_COLUMNS BRANCH_STACKS LIBELF PARALLEL
--- elf 0x401000 code
	.type _start, @function
_start:	call work
a:	vmlaunch
b:	nop
c:	hlt
	.size _start, . - _start
	.type work, @function
work:	nop
w1:	nop
w2:	ret
	.size work, . - work
	.type inguest, @function
inguest: nop
g1:	call work
g2:	vmcall
g3:	nop
--- elf 0x501000 inner
	.type imain, @function
imain:	nop
i1:	call iwork
i2:	vmcall
i3:	nop
	.size imain, . - imain
	.type iwork, @function
iwork:	nop
	ret
	.size iwork, . - iwork
# Another process has other code at these addresses.
--- elf 0x501000 inner2
	.type jmain, @function
jmain:	nop
j1:	call jwork
j2:	vmcall
j3:	nop
	.size jmain, . - jmain
	.type jwork, @function
jwork:	nop
	nop
	ret
	.size jwork, . - jwork
--- trace
psb; tsc 1000; mode.exec 64; pip 0x1000; fup @_start; psbend
tnt T
pip 0x5000 nr; tip @imain
tnt T
tsc 2000
fup @i2; pip 0x1000; tip @b
tsc 3000
fup @c; tip @a
pip 0x5000 nr; tip @imain
tnt T; tsc 3500
fup @i2; pip 0x1000; tip @b
fup @c; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info
tool 69 3 100 0 0 0xffffffffffffffff 101 0 0 0xffffffffffffffff 102 0 0 7 0 0 0 0 7 3
at 7 7 0 0
comm vcpu
mmap 0x401000 0x1000 0x1000 /code
at 55 55 0 100
record 3 misc=5 id=102 55:55 "inner"
record 1 misc=5 id=102 55:55 0x501000 0x1000 0x1000 "/inner"
at 56 56 0 101
record 3 misc=5 id=102 56:56 "other"
record 1 misc=5 id=102 56:56 0x501000 0x1000 0x1000 "/inner2"
at 55 55 0 102
record 14 misc=5 id=102
# a thread that stops
at 56 56 0 103
record 14 misc=0x2005 id=102
at 7 7 0 990
record 12 7:7
at 56 56 0 2500
record 14 misc=5 id=102
trace trace 1000
--- perf script -i {data} --symfs . --itrace=be -F +machine_pid,+vcpu
            vcpu     7 [000]     0.000001:          1          branches:HG:            401000 _start+0x0 (/code)
            vcpu     7 [000]     0.000001:          1          branches:HG:            40100c w2+0x0 (/code)
            vcpu     7 [000]     0.000001:          1          branches:HG:            401005 a+0x0 (/code)
VM:    7 VCPU:003            inner    55 [000]     0.000001:          1          branches:HG:                 0 [unknown] ([unknown])
VM:    7 VCPU:003            inner    55 [000]     0.000001:          1          branches:HG:            501001 i1+0x0 (/inner)
VM:    7 VCPU:003            inner    55 [000]     0.000001:          1          branches:HG:            50100b iwork+0x1 (/inner)
VM:    7 VCPU:003            inner    55 [000]     0.000002:          1          branches:HG:            501006 i2+0x0 (/inner)
            vcpu     7 [000]     0.000002:          1          branches:HG:                 0 [unknown] ([unknown])
            vcpu     7 [000]     0.000003:          1          branches:HG:            401009 c+0x0 (/code)
            vcpu     7 [000]     0.000003:          1          branches:HG:            401005 a+0x0 (/code)
VM:    7 VCPU:003            other    56 [000]     0.000003:          1          branches:HG:                 0 [unknown] ([unknown])
VM:    7 VCPU:003            other    56 [000]     0.000003:          1          branches:HG:            501001 j1+0x0 (/inner2)
VM:    7 VCPU:003            other    56 [000]     0.000003:          1          branches:HG:            50100c jwork+0x2 (/inner2)
VM:    7 VCPU:003            other    56 [000]     0.000003:          1          branches:HG:            501006 j2+0x0 (/inner2)
            vcpu     7 [000]     0.000003:          1          branches:HG:                 0 [unknown] ([unknown])
            vcpu     7 [000]     0.000003:          1          branches:HG:            401009 c+0x0 (/code)
--- perf script -i {data} --symfs . --itrace=be
            vcpu     7 [000]     0.000001:          1          branches:HG:            401000 _start+0x0 (/code) =>           40100a work+0x0 (/code)
            vcpu     7 [000]     0.000001:          1          branches:HG:            40100c w2+0x0 (/code) =>           401005 a+0x0 (/code)
            vcpu     7 [000]     0.000001:          1          branches:HG:            401005 a+0x0 (/code) =>                0 [unknown] ([unknown])
           inner    55 [000]     0.000001:          1          branches:HG:                 0 [unknown] ([unknown]) =>           501000 imain+0x0 (/inner)
           inner    55 [000]     0.000001:          1          branches:HG:            501001 i1+0x0 (/inner) =>           50100a iwork+0x0 (/inner)
           inner    55 [000]     0.000001:          1          branches:HG:            50100b iwork+0x1 (/inner) =>           501006 i2+0x0 (/inner)
           inner    55 [000]     0.000002:          1          branches:HG:            501006 i2+0x0 (/inner) =>                0 [unknown] ([unknown])
            vcpu     7 [000]     0.000002:          1          branches:HG:                 0 [unknown] ([unknown]) =>           401008 b+0x0 (/code)
            vcpu     7 [000]     0.000003:          1          branches:HG:            401009 c+0x0 (/code) =>           401005 a+0x0 (/code)
            vcpu     7 [000]     0.000003:          1          branches:HG:            401005 a+0x0 (/code) =>                0 [unknown] ([unknown])
           other    56 [000]     0.000003:          1          branches:HG:                 0 [unknown] ([unknown]) =>           501000 jmain+0x0 (/inner2)
           other    56 [000]     0.000003:          1          branches:HG:            501001 j1+0x0 (/inner2) =>           50100a jwork+0x0 (/inner2)
           other    56 [000]     0.000003:          1          branches:HG:            50100c jwork+0x2 (/inner2) =>           501006 j2+0x0 (/inner2)
           other    56 [000]     0.000003:          1          branches:HG:            501006 j2+0x0 (/inner2) =>                0 [unknown] ([unknown])
            vcpu     7 [000]     0.000003:          1          branches:HG:                 0 [unknown] ([unknown]) =>           401008 b+0x0 (/code)
            vcpu     7 [000]     0.000003:          1          branches:HG:            401009 c+0x0 (/code) =>                0 [unknown] ([unknown])
--- perf script -i {data} --symfs . --itrace=e --show-task-events --show-mmap-events --show-switch-events
            vcpu     7 [000]     0.000000: PERF_RECORD_COMM: vcpu:7/7
            vcpu     7 [000]     0.000000: PERF_RECORD_MMAP 7/7: [0x401000(0x1000) @ 0x1000]: x /code
           inner    55 [000]     0.000000: PERF_RECORD_COMM: inner:55/55
           inner    55 [000]     0.000000: PERF_RECORD_MMAP 55/55: [0x501000(0x1000) @ 0x1000]: x /inner
           other    56 [000]     0.000000: PERF_RECORD_COMM: other:56/56
           other    56 [000]     0.000000: PERF_RECORD_MMAP 56/56: [0x501000(0x1000) @ 0x1000]: x /inner2
           inner    55 [000]     0.000000: PERF_RECORD_SWITCH IN         
           other    56 [000]     0.000000: PERF_RECORD_SWITCH OUT        
           other    56 [000]     0.000002: PERF_RECORD_SWITCH IN         
--- pt script -i {data} --symfs . --itrace=i0nse -j 2 -F comm,tid,ip,sym
            vcpu     7            401000 _start
            vcpu     7            40100a work
            vcpu     7            40100b w1
            vcpu     7            40100c w2
            vcpu     7            401005 a
           inner    55            501000 imain
           inner    55            501001 i1
           inner    55            50100a iwork
           inner    55            50100b iwork
            vcpu     7            401008 b
            vcpu     7            401005 a
           other    56            501000 jmain
           other    56            501001 j1
           other    56            50100a jwork
           other    56            50100b jwork
           other    56            50100c jwork
            vcpu     7            401008 b
