# pt inject --aslr: new addresses also for the data of samples, and no copy of the stack.
# needs: CMD_INJECT CMD_SCRIPT CMD_DUMP PERF_DATA LIBELF
--- elf 0x401000 code
a:	jne a
b:	hlt
--- trace
psb; tsc 1000; mode.exec 64; fup @a; psbend; tnt TT; fup @a; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
event 1 0 ip,tid,time,addr,identifier,stack_user name=cpu-clock
info
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 990
record 12 7:7
tool 9 misc=2 102 @b 7:7 1500 @a 8 0x1122334455667788 8
trace trace 1000
--- pt inject --aslr --itrace=x -i {data} --symfs . -o out; "$PT" script -i out --symfs . -F sw:ip,addr
       100001000        100001002
--- pt -D out | grep -c 'ustack: size 0'
1
--- pt -D {data} | grep -c 'ustack: size 8'
1
