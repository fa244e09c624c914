# A buffer of a file ends at the end of a packet: half a packet there is damage, and the next buffer
# does not continue it.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
a:	jne a
b:	jne b
c:	jmp rax
d:	hlt
--- trace one
psb; tsc 1000; mode.exec 64; fup @a; psbend; pad 2; tnt TN; raw 19 01
--- trace two
psb; tsc 2000; mode.exec 64; fup @b; psbend; tnt TN; tip @d; fup @d; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace one 1000
trace two 1001 off=40
--- pt script -i {data} --symfs . --itrace=be -F ip,addr 2> err
           401000 =>           401000
 instruction trace error type 1 time 0.000001004 cpu 0 pid 7 tid 7 ip 0x401002 code 3: Bad packet
           401002 =>           401002
           401004 =>           401006
           401006 =>                0
