# pt report --branch-history: branches before a sample, from the newest, as its call chain; loops are
# left out. Targets have the share of predictions, sources the cycles and loops.
# needs: CMD_REPORT BRANCH_HISTORY PERF_DATA LIBELF
--- elf 0x401000 code
	.type _start, @function
_start:	call work
s1:	jmp _start
	.size _start, . - _start
	.type work, @function
work:	nop
	nop
w1:	jmp work
w2:	ret
	.size work, . - work
--- data
event 1 0 identifier,ip,tid,time,period,callchain,branch_stack branch=9
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
feature 15
# identifier, address, thread, time, period; callers; the stack: from, to, flags (mispredicted 1,
# predicted 2, abort 8, cycles * 16, type << 20)
tool 9 misc=2 100 @work 7:7 1000 1 1 @work 1 @_start @work 0x400032
tool 9 misc=2 100 @work 7:7 1001 1 1 @work 1 @_start @work 0x400071
tool 9 misc=2 100 @work 7:7 1002 1 1 @work 5 @w1 @work 0x100022 @w1 @work 0x100042 @w1 @work 0x100042 @_start @work 0x400032 @s1 @_start 0x200002
tool 9 misc=2 100 @work 7:7 1003 1 1 @work 5 @w1 @work 0x100022 @w1 @work 0x100042 @w1 @work 0x100042 @_start @work 0x400032 @s1 @_start 0x200002
tool 9 misc=2 100 @s1 7:7 1004 1 4 0xfffffffffffffe00 @s1 @work @s1 1 @w2 @s1 0x6000a8
# as and ld name the source of the code
--- perf report -i {data} --symfs . --stdio --branch-history --no-children -s comm 2> err | grep '^ ' | sed 's/ [^ ]*:0//'
   100.00%  prog   
            |          
            |--80.00%--work (COND_BWD CALL predicted:75.0%)
            |          |          
            |          |--40.00%--w1 (cycles:2)
            |          |          work (COND_BWD)
            |          |          w1 (cycles:4 iter:2 avg_cycles:4)
            |          |          work (CALL)
            |          |          _start (cycles:3)
            |          |          _start (UNCOND)
            |          |          s1
            |          |          
            |           --40.00%--_start (cycles:5)
            |          
             --20.00%--s1 (RET predicted:0.0% abort:100.0%)
                       w2 (cycles:10)
                       s1 (calltrace)
                       work (calltrace)
--- perf report -i {data} --symfs . --stdio --branch-history --no-children -s sym,dso -g caller,count 2> err | grep '^ ' | sed 's/ [^ ]*:0//'
    80.00%  [.] work  code         
            |          
            |--2--work (CALL predicted:50.0%)
            |          _start (cycles:5)
            |          
             --2--_start (UNCOND)
                       s1
                       work (CALL)
                       _start (cycles:3)
                       work (COND_BWD)
                       w1 (cycles:4)
                       work (COND_BWD)
                       w1 (cycles:2 iter:2 avg_cycles:4)
    20.00%  [.] s1    code         
            |
            ---w2 (cycles:10)
               s1 (calltrace)
               work (calltrace)
               s1 (calltrace)
