# pt diff of profiles: by the biggest difference; what only one has; other events; three files.
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
--- data e
event 1 0 identifier,ip,tid,time,period
event 1 1 identifier,ip,tid,time,period
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
tool 9 misc=2 100 @delta 7:7 1000 25
tool 9 misc=2 100 @gamma 7:7 1002 75
tool 9 misc=2 101 @gamma 7:7 1003 50
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
--- data c
event 1 0 identifier,ip,tid,time,period
at 7 7 0 0
comm code
at 8 8 0 0
comm two
mmap 0x401000 0x1000 0x1000 /code
mmap 0x501000 0x1000 0x1000 /stripped
at 7 7 0 0
mmap 0x401000 0x1000 0x1000 /code
mmap 0x501000 0x1000 0x1000 /stripped
tool 9 misc=2 100 @alpha 7:7 1000 30
tool 9 misc=2 100 0x501008 7:7 1000 5
tool 9 misc=2 100 0x501004 8:8 1000 15
tool 9 misc=2 100 @beta 8:8 1002 40
tool 9 misc=2 100 @delta 8:8 1003 10
--- data d
event 1 0 identifier,ip,tid,time,period
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
mmap 0x501000 0x1000 0x1000 /stripped
at 8 8 0 0
comm two
mmap 0x401000 0x1000 0x1000 /code
tool 9 misc=2 100 @alpha 7:7 1000 20
tool 9 misc=2 100 @alpha 8:8 1000 20
tool 9 misc=2 100 0x501000 7:7 1000 40
tool 9 misc=2 100 @gamma 7:7 1003 20
--- perf diff c d --symfs . -s comm | grep .
# Event 'cpu-clock:HG'
#
# Baseline  Delta Abs  Command
# ........  .........  .......
#
    65.00%    -45.00%  two    
    35.00%    +45.00%  code   
--- perf diff c d --symfs . -s dso | grep .
# Event 'cpu-clock:HG'
#
# Baseline  Delta Abs  Shared Object   
# ........  .........  ................
#
    80.00%    -20.00%  code            
    20.00%    +20.00%  stripped        
--- perf diff c d --symfs . -s symbol | grep .
# Event 'cpu-clock:HG'
#
# Baseline  Delta Abs  Symbol                
# ........  .........  ......................
#
    20.00%    +20.00%  [.] 0x0000000000001004
              +20.00%  [.] gamma
    30.00%    +10.00%  [.] alpha
    40.00%             [.] beta
    10.00%             [.] delta
--- perf diff d c --symfs . -s comm,dso,symbol | grep .
# Event 'cpu-clock:HG'
#
# Baseline  Delta Abs  Command  Shared Object     Symbol                
# ........  .........  .......  ................  ......................
#
              +40.00%  two      code              [.] beta
    40.00%    -35.00%  code     stripped          [.] 0x0000000000001000
              +15.00%  two      stripped          [.] 0x0000000000001004
    20.00%    +10.00%  code     code              [.] alpha
              +10.00%  two      code              [.] delta
    20.00%             code     code              [.] gamma
    20.00%             two      code              [.] alpha
--- perf diff c d --symfs . -s symbol,dso -p | grep .
# Event 'cpu-clock:HG'
#
# Baseline     Base period  Delta Abs          Period  Symbol                  Shared Object   
# ........  ..............  .........  ..............  ......................  ................
#
    20.00%              20    +20.00%              40  [.] 0x0000000000001004  stripped        
                         0    +20.00%              20  [.] gamma               code            
    30.00%              30    +10.00%              40  [.] alpha               code            
    40.00%              40                             [.] beta                code            
    10.00%              10                             [.] delta               code            
--- perf diff c d --symfs . -s comm,sym -c ratio | grep .
# Event 'cpu-clock:HG'
#
# Baseline           Ratio  Command  Symbol                
# ........  ..............  .......  ......................
#
     5.00%        8.000000  code     [.] 0x0000000000001008
    30.00%        0.666667  code     [.] alpha
                       N/A  code     [.] gamma
                       N/A  two      [.] alpha
    40.00%                  two      [.] beta
    15.00%                  two      [.] 0x0000000000001004
    10.00%                  two      [.] delta
--- pt diff c d -s cpu 2>&1
pt: -s takes keys of comm, dso, symbol, with commas (see pt diff --help)
--- perf diff a b e --symfs . -o 2 -p | grep .
# Event 'cpu-clock:HG'
#
# Data files:
#  [0] a (Baseline)
#  [1] b 
#  [2] e 
#
# Baseline/0   Base period/0  Delta Abs/1        Period/1  Delta Abs/2        Period/2  Shared Object  Symbol   
# ..........  ..............  ...........  ..............  ...........  ..............  .............  .........
#
      10.00%              10                                   +65.00%              75  code           [.] gamma
                           0      +50.00%              50      +25.00%              25  code           [.] delta
      70.00%              70      -40.00%              30                               code           [.] alpha
      20.00%              20       +0.00%              20                               code           [.] beta
# Event 'page-faults:HG'
#
# Data files:
#  [0] a (Baseline)
#  [1] b 
#  [2] e 
#
# Baseline/0   Base period/0  Delta Abs/1        Period/1  Delta Abs/2        Period/2  Shared Object  Symbol   
# ..........  ..............  ...........  ..............  ...........  ..............  .............  .........
#
      50.00%               1       +0.00%               2                               code           [.] alpha
      50.00%               1       +0.00%               2                               code           [.] beta
--- perf diff e a --symfs . -o 0 -t, | grep .
# Event 'cpu-clock:HG'
#
# Baseline,Delta Abs,Shared Object,Symbol   
75.00   ,-65.00%  ,code         ,[.] gamma
25.00   ,         ,code         ,[.] delta
        ,+70.00%  ,code         ,[.] alpha
        ,+20.00%  ,code         ,[.] beta
# Event 'task-clock:HG'
#
# Baseline,Delta Abs,Shared Object,Symbol   
100.00  ,         ,code         ,[.] gamma
--- perf diff a e b --symfs . -c wdiff:2,-1 -q
      10.00%             -95                    code           [.] gamma
                          N/A              N/A  code           [.] delta
      70.00%                             -170   code           [.] alpha
      20.00%                              -60   code           [.] beta
      50.00%                               -4   code           [.] alpha
      50.00%                               -4   code           [.] beta
--- perf diff a b e --symfs . -c ratio -o 2 -q
      10.00%                        7.500000  code           [.] gamma
                         N/A             N/A  code           [.] delta
      70.00%        0.428571                  code           [.] alpha
      20.00%        1.000000                  code           [.] beta
      50.00%        2.000000                  code           [.] alpha
      50.00%        2.000000                  code           [.] beta
--- perf diff c a --symfs . -q -t: | grep .
30.00   :+40.00%  :code         :[.] alpha
40.00   :-20.00%  :code         :[.] beta
        :+10.00%  :code         :[.] gamma
20.00   :         :stripped     :[.] 0x0000000000001004
10.00   :         :code         :[.] delta
