# pt diff of two profiles: by the biggest difference; what only one has; another event.
# needs: CMD_DIFF LIBELF
--- elf 0x401000 code
	.type alpha, @function
alpha:	nop
	nop
	.size alpha, . - alpha
	.type beta, @function
beta:	nop
	.size beta, . - beta
	.type gamma, @function
gamma:	nop
	.size gamma, . - gamma
	.type delta, @function
delta:	nop
	.size delta, . - delta
--- data a
event 1 0 identifier,ip,tid,time,period
event 1 2 identifier,ip,tid,time,period
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
tool 9 misc=2 100 @alpha 7:7 1000 60
tool 9 misc=2 100 @alpha 7:7 1001 10
tool 9 misc=2 100 @beta 7:7 1002 20
tool 9 misc=2 100 @gamma 7:7 1003 10
tool 9 misc=2 101 @alpha 7:7 1004 1
tool 9 misc=2 101 @beta 7:7 1005 1
--- data b
event 1 2 identifier,ip,tid,time,period
event 1 0 identifier,ip,tid,time,period
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
tool 9 misc=2 101 @alpha 7:7 1000 30
tool 9 misc=2 101 @beta 7:7 1002 20
tool 9 misc=2 101 @delta 7:7 1003 50
tool 9 misc=2 100 @beta 7:7 1004 2
tool 9 misc=2 100 @alpha 7:7 1005 2
--- perf diff a b --symfs . | grep .
# Event 'cpu-clock:HG'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
              +50.00%  code           [.] delta
    70.00%    -40.00%  code           [.] alpha
    20.00%     +0.00%  code           [.] beta
    10.00%             code           [.] gamma
# Event 'page-faults:HG'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    50.00%     +0.00%  code           [.] alpha
    50.00%     +0.00%  code           [.] beta
--- perf diff a a --symfs . | grep .
# Event 'cpu-clock:HG'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    70.00%     +0.00%  code           [.] alpha
    20.00%     +0.00%  code           [.] beta
    10.00%     +0.00%  code           [.] gamma
# Event 'page-faults:HG'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    50.00%     +0.00%  code           [.] alpha
    50.00%     +0.00%  code           [.] beta
