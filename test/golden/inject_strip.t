# pt inject --strip leaves out recorded samples and context switches.
# needs: CMD_INJECT CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
a:	jne a
b:	hlt
--- trace
psb; tsc 1000; mode.exec 64; fup @a; psbend; tnt TT; fup @a; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
event 1 0 ip,tid,time,cpu,identifier name=cpu-clock
info
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 990
record 12 7:7
tool 9 misc=2 102 @b 7:7 1500 0
at 7 7 0 2000
record 14 misc=0x2000
trace trace 1000
--- pt inject --itrace=b --strip -i {data} --symfs . -o out; "$PT" script -i out --symfs . -F event,ip --show-switch-events
         branches:HG:            401000
         branches:HG:            401000
         branches:HG:            401000
--- pt inject --itrace=b -i {data} --symfs . -o out; "$PT" script -i out --symfs . -F event,ip --show-switch-events
         branches:HG:            401000
         branches:HG:            401000
         branches:HG:            401000
        cpu-clock:HG:            401002
PERF_RECORD_SWITCH OUT        
