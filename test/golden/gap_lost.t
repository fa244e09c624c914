# Lost data: an AUX record with the flag TRUNCATED; tracing begins anew. e-l leaves the line out.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
a:	jne a
b:	jne b
c:	hlt
--- trace one
psb; tsc 1000; mode.exec 64; fup @a; psbend; tnt T; fup @a; tip.pgd; tsc 2500
--- trace two
psb; tsc 3000; psbend; mode.exec 64; tip.pge @b; tnt TN; fup @c; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace one 1000
at 7 7 0 2000
record 11 0 56 1
trace two 2600 off=56
--- perf script -i {data} --symfs . --itrace=be -F ip,addr 2> err
           401000 =>           401000
           401000 =>                0
 instruction trace error type 1 time 0.000002000 cpu 0 pid 7 tid 7 ip 0 code 8: Lost trace data
                0 =>           401002
           401002 =>           401002
           401004 =>                0
--- perf script -i {data} --symfs . --itrace=be-l -F ip,addr 2> err
           401000 =>           401000
           401000 =>                0
                0 =>           401002
           401002 =>           401002
           401004 =>                0
