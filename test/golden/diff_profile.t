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
--- perf diff a b --symfs . -c delta | grep .
# Event 'cpu-clock:HG'
#
# Baseline    Delta  Shared Object  Symbol   
# ........  .......  .............  .........
#
            +50.00%  code           [.] delta
    20.00%   +0.00%  code           [.] beta
    70.00%  -40.00%  code           [.] alpha
    10.00%           code           [.] gamma
# Event 'page-faults:HG'
#
# Baseline    Delta  Shared Object  Symbol   
# ........  .......  .............  .........
#
    50.00%   +0.00%  code           [.] alpha
    50.00%   +0.00%  code           [.] beta
--- perf diff a b --symfs . -c ratio -F | grep .
# Event 'cpu-clock:HG'
#
# Baseline           Ratio                                                                 Formula  Shared Object  Symbol   
# ........  ..............  ......................................................................  .............  .........
#
    20.00%        1.000000                                                                 20 / 20  code           [.] beta
    70.00%        0.428571                                                                 30 / 70  code           [.] alpha
                       N/A                                                                  50 / 0  code           [.] delta
    10.00%                                                                                          code           [.] gamma
# Event 'page-faults:HG'
#
# Baseline           Ratio                                                                 Formula  Shared Object  Symbol   
# ........  ..............  ......................................................................  .............  .........
#
    50.00%        2.000000                                                                   2 / 1  code           [.] alpha
    50.00%        2.000000                                                                   2 / 1  code           [.] beta
--- perf diff a b --symfs . -c wdiff:2,-1 | grep .
# Event 'cpu-clock:HG'
#
# Baseline   Weighted diff  Shared Object  Symbol   
# ........  ..............  .............  .........
#
    20.00%             -60  code           [.] beta
    70.00%            -170  code           [.] alpha
                       N/A  code           [.] delta
    10.00%                  code           [.] gamma
# Event 'page-faults:HG'
#
# Baseline   Weighted diff  Shared Object  Symbol   
# ........  ..............  .............  .........
#
    50.00%              -4  code           [.] alpha
    50.00%              -4  code           [.] beta
--- perf diff a b --symfs . -b | grep .
# Event 'cpu-clock:HG'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    77.78%    -40.00%  code           [.] alpha
    22.22%     +0.00%  code           [.] beta
# Event 'page-faults:HG'
#
# Baseline  Delta Abs  Shared Object  Symbol   
# ........  .........  .............  .........
#
    50.00%     +0.00%  code           [.] alpha
    50.00%     +0.00%  code           [.] beta
--- perf diff a b --symfs . -p -F | grep .
# Event 'cpu-clock:HG'
#
# Baseline     Base period  Delta Abs                                                                 Formula          Period  Shared Object  Symbol   
# ........  ..............  .........  ......................................................................  ..............  .............  .........
#
                         0    +50.00%                                      (50 * 100 / 100) - (0 * 100 / 100)              50  code           [.] delta
    70.00%              70    -40.00%                                     (30 * 100 / 100) - (70 * 100 / 100)              30  code           [.] alpha
    20.00%              20     +0.00%                                     (20 * 100 / 100) - (20 * 100 / 100)              20  code           [.] beta
    10.00%              10                                                                                                     code           [.] gamma
# Event 'page-faults:HG'
#
# Baseline     Base period  Delta Abs                                                                 Formula          Period  Shared Object  Symbol   
# ........  ..............  .........  ......................................................................  ..............  .............  .........
#
    50.00%               1     +0.00%                                           (2 * 100 / 4) - (1 * 100 / 2)               2  code           [.] alpha
    50.00%               1     +0.00%                                           (2 * 100 / 4) - (1 * 100 / 2)               2  code           [.] beta
--- perf diff a b --symfs . -F -c wdiff:1,2 -p -b | grep .
# Event 'cpu-clock:HG'
#
# Baseline     Base period   Weighted diff                                                                 Formula          Period  Shared Object  Symbol   
# ........  ..............  ..............  ......................................................................  ..............  .............  .........
#
    22.22%              20              20                                                     (20 * 2) - (20 * 1)              20  code           [.] beta
    77.78%              70             -10                                                     (30 * 2) - (70 * 1)              30  code           [.] alpha
# Event 'page-faults:HG'
#
# Baseline     Base period   Weighted diff                                                                 Formula          Period  Shared Object  Symbol   
# ........  ..............  ..............  ......................................................................  ..............  .............  .........
#
    50.00%               1               3                                                       (2 * 2) - (1 * 1)               2  code           [.] alpha
    50.00%               1               3                                                       (2 * 2) - (1 * 1)               2  code           [.] beta
