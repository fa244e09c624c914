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
       0.009000 [0000]  <idle>                              0.000      0.000      5.750                                 
       0.009000 [0000]  :9[9/8]                             0.000      0.000      0.000                                 
       0.009001 [0000]  :-1[-1]                             0.000      0.000      0.000                                 
       0.009001 [0000]  :-1[-1/8]                                                        awakened: first[7]
       0.009001 [0000]  :-1[-1/8]                           0.000      0.000      0.000                                 
       0.009002 [0000]  first[7]                            5.751      0.000      0.000                                 
       0.009500 [0000]  first[7]                                                         awakened: second[8]
       0.009600 [0000]  second[8]                           6.002      0.000      0.598                                 
--- pt sched timehist -s {data} | grep .
                          task   sched-in     run-time     min-run     avg-run     max-run
                     [tid/pid]    (count)       (msec)      (msec)      (msec)      (msec)
                     second[8]          2        2.598       0.598       1.299       2.000
                      first[7]          2        0.251       0.001       0.125       0.250
                     :-1[-1/8]          2        0.001       0.001       0.001       0.001
                       :9[9/8]          1        0.001       0.001       0.001       0.001
9 context switches in 8.600 ms
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
