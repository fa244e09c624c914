# The first TSC has 56 bits; the upper 8 are those of the reference, which was read when the buffer
# was copied, or one less or more if that is nearer.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
a:	jne a
b:	hlt
--- trace
psb; tsc 0xfffffffffffff0; mode.exec 64; fup @a; psbend; tnt T; tsc 0x10; tnt T
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 0x0200000000000100
--- perf script -i {data} --symfs . --itrace=be --ns -F time,ip,addr 2> err
144115188.075855856:            401000 =>           401000
144115188.075855888:            401000 =>           401000
