# pt sched timehist: waits and runs of threads, from samples of the scheduler's tracepoints.
# needs: CMD_SCHED
--- data
event 2 300 tid,time,cpu,raw,identifier name=sched:sched_switch
event 2 301 tid,time,cpu,raw,identifier name=sched:sched_waking
event 2 302 tid,time,cpu,raw,identifier name=sched:sched_wakeup
at 7 7 0 0
comm first
at 8 8 0 0
comm second
# A sample: identifier, thread, time, CPU; size of the rest, in which a name and a thread are.
tool 9 100 7:7 1000000 0 4:0
# the second one is woken, and waits for the CPU
tool 9 101 8:8 1500000 0 28:0 0:0x73726966 0x74 0:7
tool 9 102 8:8 1600000 0 28:0 0:0x73726966 0x74 0:7
tool 9 100 8:8 3000000 0 4:0
tool 9 100 7:7 3250000 0 4:0
# woken by an interrupt while nobody ran
tool 9 101 0:0 8000000 0 28:0 0:0x73726966 0x74 0:8
# another thread of the same process, after nobody ran
tool 9 100 0:0 9000000 0 4:0
tool 9 100 8:9 9000500 0 4:0
# threads that ended before they left the CPU: the number -1, of a process that is known later
tool 9 100 0xffffffff:0xffffffff 9001000 0 4:0
tool 9 101 8:0xffffffff 9001200 0 28:0 0:0x73726966 0x74 0:7
tool 9 100 8:0xffffffff 9001500 0 4:0
tool 9 100 7:7 9002000 0 4:0
# woken after the last switch on this CPU: there was no delay before it
tool 9 101 7:7 9500000 0 28:0 0:0x73726966 0x74 0:8
tool 9 100 8:8 9600000 0 4:0
--- pt sched timehist -w {data}
           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------
       0.001000 [0000]  first[7]                            0.000      0.000      0.000                                 
       0.001500 [0000]  second[8]                                                        awakened: first[7]
       0.003000 [0000]  second[8]                           0.000      0.000      2.000                                 
       0.003250 [0000]  first[7]                            2.000      1.500      0.250                                 
       0.008000 [0000]  swapper                                                          awakened: second[8]
       0.009000 [0000]  <idle>                              0.000      0.000      5.750                                 
       0.009000 [0000]  :9[9/8]                             0.000      0.000      0.000                                 
       0.009001 [0000]  :-1[-1]                             0.000      0.000      0.000                                 
       0.009001 [0000]  :-1[-1/8]                                                        awakened: first[7]
       0.009001 [0000]  :-1[-1/8]                           0.000      0.000      0.000                                 
       0.009002 [0000]  first[7]                            5.751      0.000      0.000                                 
       0.009500 [0000]  first[7]                                                         awakened: second[8]
       0.009600 [0000]  second[8]                           6.002      1.002      0.598                                 
--- pt sched timehist -s {data} | grep .
Runtime summary
                          comm  parent   sched-in     run-time    min-run     avg-run     max-run  stddev  migrations
                                          (count)       (msec)     (msec)      (msec)      (msec)       %
---------------------------------------------------------------------------------------------------------------------
                      first[7]      -1          3        0.250      0.000       0.083       0.250   99.70       0
                     second[8]      -1          2        2.598      0.598       1.299       2.000   53.96       0
                       :9[9/8]      -1          1        0.000      0.000       0.000       0.000    0.00       0
                     :-1[-1/8]      -1          2        0.001      0.000       0.000       0.000    0.00       0
Terminated tasks:
<no terminated tasks>
Idle stats:
    CPU  0 idle for      5.750  msec  ( 66.86%)
    CPU  1 idle entire time window
    CPU  2 idle entire time window
    CPU  3 idle entire time window
    Total number of unique tasks: 4
Total number of context switches: 9
           Total run time (msec):  2.850 
    Total scheduling time (msec):  8.600  (x 4)
--- data states
event 2 300 tid,time,cpu,raw,identifier name=sched:sched_switch
event 2 301 tid,time,cpu,raw,identifier name=sched:sched_migrate_task
at 7 7 0 0
comm first
# FORK and EXIT: the process and its parent, the thread and its parent, the time
record 7 8:7 8:7 1500000
record 7 264:7 264:7 1600000
at 8 8 0 0
comm second
# A sample of sched_switch: the thread; who left and in which state; who comes.
tool 9 100 7:7 1000000 0 68:0 0 0 0:7 120:2 0:0x6f636573 0x646e:0x0 0x0:8 120
tool 9 100 8:8 3000000 0 68:0 0 0 0:8 120:256 0:0x70617773 0x2f726570:0x30 0x0:0 120
tool 9 100 0:0 4000000 0 68:0 0 0 0:0 120:0 0:0x73726966 0x74:0x0 0x0:7 120
tool 9 101 7:7 4500000 0 44:0 0 0 0:8 120:0 1
tool 9 100 8:8 4600000 1 68:0 0 0 0:8 120:1 0:0x72696874 0x64:0x0 0x0:264 120
tool 9 100 264:264 6600000 1 68:0 0 0 0:264 120:32 0:0x70617773 0x2f726570:0x31 0x0:0 120
at 264 264 1 6700000
record 4 264:7 264:7 6700000
tool 9 100 7:7 7000000 0 68:0 0 0 0:7 120:1 0:0x70617773 0x2f726570:0x30 0x0:0 120
--- pt sched timehist -nMV --state -i states | grep .
           time    cpu  01234  task name                       wait time  sch delay   run time  state
                               [tid/pid]                          (msec)     (msec)     (msec)       
--------------- ------  -----  ------------------------------  ---------  ---------  ---------  -----
       0.001000 [0000]  s      first[7]                            0.000      0.000      0.000      D  next: second[8]               
       0.003000 [0000]  s      second[8]                           0.000      0.000      2.000      W  next: swapper/0[0]            
       0.004000 [0000]  i      <idle>                              0.000      0.000      1.000      I  next: first[7]                
       0.004500 [0000]   m       first[7]                                                         migrated: second[8] cpu 0 => 1
       0.004600 [0001]   s     second[8]                           0.000      0.000      2.000      S  next: third[264]              
       0.006600 [0001]   s     first[264]                          0.000      0.000      2.000      X  next: swapper/1[0]            
       0.007000 [0000]  s      first[7]                            3.000      0.000      3.000      S  next: swapper/0[0]            
--- pt sched timehist -s --state -M -i states | grep .
Wait-time summary
                          comm  parent   sched-in     run-time      sleep      iowait     preempt       delay
                                          (count)       (msec)     (msec)      (msec)      (msec)       (msec)
---------------------------------------------------------------------------------------------------------------------
                      first[7]      -1          2        3.000      0.000       3.000       0.000       0.000 
                     second[8]       7          2        4.000      0.000       0.000       0.000       0.000 
Terminated tasks:
                    first[264]       7          1        2.000      0.000       0.000       0.000       0.000 
Idle stats:
    CPU  0 idle for      1.000  msec  ( 16.67%)
    CPU  1 idle entire time window
    CPU  2 idle entire time window
    CPU  3 idle entire time window
    Total number of unique tasks: 3
Total number of context switches: 6
           Total run time (msec):  9.000 
    Total scheduling time (msec):  6.000  (x 4)
--- pt sched timehist -sI -i states | grep .
Idle-time summary
                          comm  parent  sched-out    idle-time   min-idle    avg-idle    max-idle  stddev  migrations
                                          (count)       (msec)     (msec)      (msec)      (msec)       %
---------------------------------------------------------------------------------------------------------------------
                     second[8]       7          1        1.000      1.000       1.000       1.000    0.00       0
Terminated tasks:
<no terminated tasks>
Idle stats:
    CPU  0 idle for      1.000  msec  ( 16.67%)
    CPU  1 idle entire time window
    CPU  2 idle entire time window
    CPU  3 idle entire time window
    Total number of unique tasks: 1
Total number of context switches: 2
           Total run time (msec):  1.000 
    Total scheduling time (msec):  6.000  (x 4)
--- pt sched timehist -I -w -i states | grep .
           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------
       0.003000 [0000]  second[8]                           0.000      0.000      0.000                                 
       0.004000 [0000]  <idle>                              0.000      0.000      1.000                                 
       0.006600 [0001]  first[264]                          0.000      0.000      0.000                                 
       0.007000 [0000]  first[7]                            0.000      0.000      0.000                                 
--- pt sched timehist -s --tid 8 -i states | grep .
Runtime summary
                          comm  parent   sched-in     run-time    min-run     avg-run     max-run  stddev  migrations
                                          (count)       (msec)     (msec)      (msec)      (msec)       %
---------------------------------------------------------------------------------------------------------------------
                     second[8]       7          2        4.000      2.000       2.000       2.000    0.00       0
Terminated tasks:
<no terminated tasks>
--- pt sched timehist -C 1 -i states | grep .
           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------
       0.004600 [0001]  second[8]                           0.000      0.000      0.000 
       0.006600 [0001]  first[264]                          0.000      0.000      2.000 
--- pt sched timehist --time 0.0035,0.0065 -i states | grep .
           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------
       0.004000 [0000]  <idle>                              0.000      0.000      0.500 
       0.006500 [0001]  first[264]                          0.000      0.000      1.900 
       0.006500 [0000]  first[7]                            3.000      0.000      2.500 
--- data lost
event 2 300 tid,time,cpu,raw,identifier name=sched:sched_switch
at 7 7 0 0
comm first
tool 9 100 7:7 1000000 0 4:0
# 5 events were lost; then the thread, the time, the CPU and the identifier of the record
tool 2 100 5 7:7 1500000 3 100
tool 9 100 7:7 3000000 0 4:0
--- pt sched timehist -i lost 2>/dev/null
           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------
       0.001000 [0000]  first[7]                            0.000      0.000      0.000 
       0.001500 lost 5 events on cpu 3
       0.003000 [0000]  first[7]                            0.000      0.000      2.000 
--- pt sched timehist -s -i lost 2>/dev/null | head -n 1
       0.001500 lost 5 events on cpu 3
