# Z: the trace of each CPU by itself, without times.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000
a:	jne a
b:	jne b
c:	hlt
--- trace one
psb; tsc 1000; mode.exec 64; fup @a; psbend; tnt T; tsc 3000; tnt NT; tip.pgd
--- trace two
psb; tsc 2000; mode.exec 64; fup @b; psbend; tnt T; tsc 4000; tnt N; fup @c; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info per_cpu=0 switch=0
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace one 1000 idx=0 tid=7
at 7 8 1 0
record 7 7:7 8:7 0
trace two 2000 idx=1 tid=8
--- perf script -i {data} --symfs . --itrace=be -F tid,time,ip,addr 2> err
    7     0.000001:            401000 =>           401000
    8     0.000002:            401002 =>           401002
    7     0.000003:            401002 =>           401002
 instruction trace error type 1 time 0.000003006 cpu 0 pid 7 tid 7 ip 0x401002 code 6: Trace doesn't match instruction
    8     0.000004:            401004 =>                0
--- perf script -i {data} --symfs . --itrace=beZ -F tid,ip,addr 2> err
    7            401000 =>           401000
    7            401002 =>           401002
 instruction trace error type 1 time 0 cpu 0 pid 7 tid 7 ip 0x401002 code 6: Trace doesn't match instruction
    8            401002 =>           401002
    8            401004 =>                0
