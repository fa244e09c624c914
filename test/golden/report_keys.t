# pt report -s: the parts of a weight, and what a branch stack says of its branches.
# needs: CMD_REPORT REPORT_MORE BRANCH_STACKS PERF_DATA LIBELF
--- elf 0x401000 code
	.type _start, @function
_start:	call work
s1:	jmp _start
	.size _start, . - _start
	.type work, @function
work:	nop
w1:	ret
	.size work, . - work
--- data
event 1 0 identifier,ip,tid,time,period,branch_stack,weight_struct branch=9
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
# identifier, address, thread, time, period; the stack: from, to, flags (mispredicted 1, predicted
# 2, in a transaction 4, its abort 8, cycles * 16); weight, and the latency of the instruction
tool 9 misc=2 100 @work 7:7 1000 1 1 @_start @work 0x32 100:30
tool 9 misc=2 100 @work 7:7 1001 1 2 @_start @work 0x71 @w1 @s1 0x2 200:40
tool 9 misc=2 100 @s1 7:7 1002 1 1 @w1 @s1 0xe 100:0x50031
--- perf report -i {data} --symfs . --stdio --no-branch-stack --no-children -s sym,local_weight,local_ins_lat -g none 2> err | grep '^ .*%'
    33.33%  [.] s1    100           49                 
    33.33%  [.] work  200           40                 
    33.33%  [.] work  100           30                 
--- pt report -i {data} --symfs . --stdio -b -s symbol_from,symbol_to,mispredict,in_tx,abort,cycles 2> err | grep '^ .*%'
    25.00%  [.] _start     [.] work       N                    .                      .                  3                   0.00  [  0.0%]      
    25.00%  [.] _start     [.] work       Y                    .                      .                  7                   0.00  [  0.0%]      
    25.00%  [.] w1         [.] s1         N                    .                      .                  -                   0.00  [  0.0%]      
    25.00%  [.] w1         [.] s1         N                    T                      A                  -                   0.00  [  0.0%]      
