# TSC ticks as times of perf: shift, multiplier, and an offset that is negative as a signed number.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
a:	jne a
b:	hlt
--- trace
psb; tsc 0x7870c5ece; mode.exec 64; fup @a; psbend; tnt T; tsc 0x7870c6ece; tnt T
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info shift=31 mult=827196043 zero=18446744071298615886
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 0x7870c7000
--- perf script -i {data} --symfs . --itrace=be --ns -F time,ip,addr 2> err
   10.042554475:            401000 =>           401000
   10.042556053:            401000 =>           401000
