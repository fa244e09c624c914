# The traces of two CPUs in one order of time, with the threads that the switch records tell.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
a:	jne a
b:	jne b
c:	hlt
--- trace one
psb; tsc 1000; mode.exec 64; fup @a; psbend; tnt T; fup @a; tip.pgd; tsc 4000; mode.exec 64; tip.pge @b; tnt T; fup @b; tip.pgd
--- trace two
psb; tsc 2000; mode.exec 64; fup @b; psbend; tnt T; fup @b; tip.pgd; tsc 6000; mode.exec 64; tip.pge @a; tnt T; fup @a; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info switch=2
at 7 7 0 0
comm one
mmap 0x401000 0x1000 0x1000 /code
record 12 7:7
at 7 8 1 0
record 7 7:7 8:7 0
record 14
at 7 7 0 900
record 14
at 7 8 1 1900
record 14
at 7 7 0 3000
record 14 misc=0x2000
at 7 8 1 3100
record 14 misc=0x2000
at 7 8 0 3500
record 14
at 7 7 1 5000
record 14
trace one 1000
trace two 2000 cpu=1
--- pt script -i {data} --symfs . --itrace=be -F tid,cpu,time,ip,addr 2> err
    7 [000]     0.000001:            401000 =>           401000
    7 [000]     0.000001:            401000 =>                0
    8 [001]     0.000002:            401002 =>           401002
    8 [001]     0.000002:            401002 =>                0
    8 [000]     0.000004:                 0 =>           401002
    8 [000]     0.000004:            401002 =>           401002
    8 [000]     0.000004:            401002 =>                0
    7 [001]     0.000006:                 0 =>           401000
    7 [001]     0.000006:            401000 =>           401000
    7 [001]     0.000006:            401000 =>                0
