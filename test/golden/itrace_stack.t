# l: the last branches before each instruction. L: before each sample of another event.
# needs: CMD_SCRIPT PERF_DATA LIBELF BRANCH_STACKS
--- elf 0x401000
a:	jne a
b:	jne b
c:	hlt
--- trace
psb; tsc 1000; mode.exec 64; fup @a; psbend; tsc 2000; tnt TT; tsc 3000; tnt N; tsc 4000; tnt TN; tsc 5000; fup @c; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 0 ip,tid,time,period,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
tool 9 misc=2 101 @b 7:7 3500 0 1
--- perf script -i {data} --symfs . --itrace=i2il2 -F ip,brstack 2> err
           401000 0x401000/0x401000/-/-/-/0/ 
           401002
           401002 0x401000/0x401000/-/-/-/0/  0x401000/0x401000/-/-/-/0/ 
--- perf script -i {data} --symfs . --itrace=xL2 -F event,ip,brstack 2> err
        cpu-clock:HG:            401002 0x401000/0x401000/-/-/-/0/  0x401000/0x401000/-/-/-/0/ 
