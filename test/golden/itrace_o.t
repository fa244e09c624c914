# o: PEBS records in the trace, as samples of their event.
# needs: CMD_SCRIPT PERF_DATA PEBS LIBELF
--- elf 0x401000
a:	nop
b:	jne a
	hlt
--- trace
psb; tsc 1000; mode.exec 64; fup @a; psbend; bbp 4; bip 0 @b; bip 1 1; bip 2 1500; bep ip; fup @b; tnt N
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 4 0xcd ip,tid,time,period,cpu,identifier flags=18,31 period=10000
info
tool 69 2 100 0 0 0xffffffffffffffff 101 0 0 0xffffffffffffffff
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
record 21 0 id=101
trace trace 1000
--- pt script -i {data} --symfs . --itrace=o -F time,period,ip 2> err
    0.000001:      10000            401001
