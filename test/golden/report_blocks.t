# pt report --total-cycles: blocks of code, by the cycles of the branches that end them; and branches
# of several files, with their types.
# needs: CMD_REPORT BRANCH_HISTORY PERF_DATA LIBELF
--- elf 0x401000 code
	.type _start, @function
_start:	call .Lw
	jmp _start
	.size _start, . - _start
	.type work, @function
work:
.Lw:	nop
	nop
	jmp .Lw
	ret
	.size work, . - work
--- elf 0x501000 more
	.type other, @function
other:	jmp other
	jmp other
	.size other, . - other
--- data
event 1 0 identifier,ip,tid,time,period,branch_stack branch=9
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
mmap 0x501000 0x1000 0x1000 /more
feature 15
# 40100b: ret; 401009: jmp; 401005: jmp _start. Flags: cycles * 16, type << 20
tool 9 misc=2 100 0x401007 7:7 1000 1 3 0x40100b 0x401005 0x600230 0x401009 0x401007 0x100640 0x401000 0x401007 0x400050
tool 9 misc=2 100 0x401007 7:7 1001 1 3 0x40100b 0x401005 0x600250 0x401009 0x401007 0x100640 0x401000 0x401007 0x400050
# The first branch of a stack has no known start; no cycles of the newest one: none count
tool 9 misc=2 100 0x401007 7:7 1002 1 1 0x40100b 0x501000 0x600250
tool 9 misc=2 100 0x401007 7:7 1003 1 2 0x501000 0x401005 0x600000 0x401009 0x401007 0xa60640
--- pt report -i {data} --symfs . --total-cycles 2> err | sed -n 's/\[asm.o:0 -> asm.o:0\]/[]/;7,$p' | grep .
# Event count (approx.): 9
#
# Sampled Cycles%  Sampled Cycles  Avg Cycles%  Avg Cycles                                                   [Program Block Range]         Shared Object
# ...............  ..............  ...........  ..........  ......................................................................  ....................
#
           62.70%             200       70.92%         100                                                    []                  code
           34.17%             109       25.53%          36                                                    []                  code
            3.13%              10        3.55%           5                                                    []                  code
#
# Branch Statistics:
#
COND_BWD:  22.2%
CROSS_4K:  22.2%
    COND:  22.2%
    CALL:  22.2%
     RET:  44.4%
COND_RET:  11.1%
--- pt report -i {data} --symfs . --total-cycles --percent-limit 40 -q 2> err | grep -c code
1
--- pt report -i {data} --symfs . --total-cycles -t, 2> err | sed -n 's/\[asm.o:0 -> asm.o:0\]/[]/;9,10p'
# Sampled Cycles%,Sampled Cycles,Avg Cycles%,Avg Cycles,[Program Block Range],Shared Object
62.70%,200,70.92%,100,[],code
--- perf report -i {data} --symfs . --stdio -b -s dso_from,dso_to,addr_to,cycles 2> err | grep '[0-9]%'
    22.22%  code                  code                  [.] work        100               
    22.22%  code                  code                  [.] work        5                 
    11.11%  more                  code                  [.] _start+0x5  -                 
    11.11%  code                  more                  [.] other       37                
    11.11%  code                  code                  [.] _start+0x5  37                
    11.11%  code                  code                  [.] _start+0x5  35                
    11.11%  code                  code                  [.] work        24676             
COND_BWD:  22.2%
CROSS_4K:  22.2%
    COND:  22.2%
    CALL:  22.2%
     RET:  44.4%
COND_RET:  11.1%
