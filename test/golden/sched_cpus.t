# A CPU number that no machine has is damage. It does not make lines longer (-V has a column for each
# CPU), and the table of idle times no longer.
# needs: CMD_SCHED
--- data
event 2 300 tid,time,cpu,raw,identifier name=sched:sched_switch
at 7 7 0 0
comm first
tool 9 100 7:7 1000000 2000000000 4:0
tool 9 100 7:7 2000000 0xffffffff 4:0
--- pt sched timehist -V {data}
           time    cpu  01234  task name                       wait time  sch delay   run time
                               [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  -----  ------------------------------  ---------  ---------  ---------
       0.001000 [2000000000]         first[7]                            0.000      0.000      0.000 
       0.002000 [-001]         first[7]                            0.000      0.000      1.000 
