# Snapshots: a buffer that begins where the last one ended continues it, also if up to 7 bytes of
# padding are between them. After a distance of 8 bytes the trace is searched for a PSB.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
a:	jne a
b:	jne b
c:	hlt
--- trace one
psb; tsc 1000; mode.exec 64; fup @a; psbend; tnt T
--- trace two
tnt TNT; fup @b; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info snapshot=1
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace one 1000
trace two 1001 off=36
--- pt script -i {data} --symfs . --itrace=be -F ip,addr
           401000 =>           401000
           401000 =>           401000
           401002 =>           401002
           401002 =>                0
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info snapshot=1
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace one 1000
trace two 1001 off=32
--- pt script -i {data} --symfs . --itrace=be -F ip,addr
           401000 =>           401000
