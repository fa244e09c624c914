# pt inject --guest-data: what was recorded in a guest, in its host's file: the same as when perf puts
# it there. The guest's TSC is the host's plus 5000.
# needs: CMD_SCRIPT PERF_DATA GUEST_DATA GUESTS SAMPLE_COLUMNS LIBELF CMD_INJECT CMD_EVLIST
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
--- trace
psb; tsc 1000; mode.exec 64; pip 0x1000; fup @_start; psbend
tnt T
pip 0x5000 nr; tip @imain
tnt T
tsc 2000
fup @i2; pip 0x1000; tip @b
tsc 3000
fup @c; tip @a
pip 0x5000 nr; tip @i1
tnt T; tsc 3500
fup @i2; pip 0x1000; tip @b
fup @c; tip.pgd
--- data host
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier flags=18,26
info
at 7 7 0 0
record 3 7:7 "CPU 3/KVM"
mmap 0x401000 0x1000 0x1000 /code
tool 82
at 7 7 0 990
record 12 7:7
trace trace 1000
--- data guest
event 1 9 ip,tid,time,cpu,identifier flags=18,26
tool 69 1 100 0 3 0xffffffffffffffff
at 55 55 3 0
record 3 misc=2 55:55 "inner"
record 1 misc=2 55:55 0x501000 0x1000 0x1000 "/inner"
at 56 56 3 0
record 3 misc=2 56:56 "other"
record 1 misc=2 56:56 0x501000 0x1000 0x1000 "/inner"
at 55 55 3 5102
record 14
at 56 56 3 7500
record 14
--- pt inject -i host --guest-data guest,7,5000 -o by_pt && "$PT" evlist -i by_pt
unknown attr type: 8
dummy:HG
dummy:HG
--- perf script -i by_pt --symfs . --itrace=be -F +machine_pid,+vcpu
       CPU 3/KVM     7 [000]     0.000001:          1          branches:HG:            401000 _start+0x0 (/code)
       CPU 3/KVM     7 [000]     0.000001:          1          branches:HG:            40100c w2+0x0 (/code)
       CPU 3/KVM     7 [000]     0.000001:          1          branches:HG:            401005 a+0x0 (/code)
VM:    7 VCPU:003            inner    55 [000]     0.000001:          1          branches:HG:                 0 [unknown] ([unknown])
VM:    7 VCPU:003            inner    55 [000]     0.000001:          1          branches:HG:            501001 i1+0x0 (/inner)
VM:    7 VCPU:003            inner    55 [000]     0.000001:          1          branches:HG:            50100b iwork+0x1 (/inner)
VM:    7 VCPU:003            inner    55 [000]     0.000002:          1          branches:HG:            501006 i2+0x0 (/inner)
       CPU 3/KVM     7 [000]     0.000002:          1          branches:HG:                 0 [unknown] ([unknown])
       CPU 3/KVM     7 [000]     0.000003:          1          branches:HG:            401009 c+0x0 (/code)
       CPU 3/KVM     7 [000]     0.000003:          1          branches:HG:            401005 a+0x0 (/code)
VM:    7 VCPU:003            other    56 [000]     0.000003:          1          branches:HG:                 0 [unknown] ([unknown])
VM:    7 VCPU:003            other    56 [000]     0.000003:          1          branches:HG:            501001 i1+0x0 (/inner)
VM:    7 VCPU:003            other    56 [000]     0.000003:          1          branches:HG:            50100b iwork+0x1 (/inner)
VM:    7 VCPU:003            other    56 [000]     0.000003:          1          branches:HG:            501006 i2+0x0 (/inner)
       CPU 3/KVM     7 [000]     0.000003:          1          branches:HG:                 0 [unknown] ([unknown])
       CPU 3/KVM     7 [000]     0.000003:          1          branches:HG:            401009 c+0x0 (/code)
--- pt inject -i host --guest-data guest,7,4902,2 -o by_half && "$PT" script -i by_half --symfs . -F tid,time --ns --no-itrace --show-switch-events
   55     0.000000100: PERF_RECORD_SWITCH IN         
   56     0.000001299: PERF_RECORD_SWITCH IN         
--- pt inject -i host --guest-data guest 2>&1
pt: --guest-data takes FILE,PID[,TSC-OFFSET[,TSC-SCALE]] (see pt inject --help)
--- pt inject -i host --guest-data guest,8 -o no 2>&1
pt: --guest-data: process 8 of the host has no thread 'CPU 3/KVM'
--- pt inject -i host --guest-data nofile,7 -o no 2>&1
pt: nofile: no such file
