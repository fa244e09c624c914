# pt trace -s: calls, errors and times of each thread.
# needs: SYSCALLS CMD_TRACE
--- data
event 2 300 tid,time,cpu,raw,identifier name=raw_syscalls:sys_enter
event 2 301 tid,time,cpu,raw,identifier name=raw_syscalls:sys_exit
at 7 7 0 0
comm first
# A sample: identifier, thread, time, CPU; size of the rest; the number and the result are shifted
# by four bytes. A read of 1 ms, one of 3 ms that fails, and the end of an execve.
tool 9 101 7:7 1000000 0 28:0 0:59 0:0 0
tool 9 100 7:7 2000000 0 28:0 0:0 0:0 0
tool 9 101 7:7 3000000 0 28:0 0:0 0:8 0
tool 9 100 7:7 4000000 0 28:0 0:0 0:0 0
tool 9 101 7:7 7000000 0 28:0 0:0 0:0xfffffff5 0xffffffff
# another thread: futex_waitv and one that nobody knows
tool 9 100 7:8 7000000 1 28:0 0:449 0:0 0
tool 9 101 7:8 7000500 1 28:0 0:449 0:0 0
tool 9 101 7:8 7000500 1 28:0 0:9999 0:0 0
--- pt trace -s --input {data} | grep .
 Summary of events:
 first (7), 5 events, 62.5%
   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   read                   2      1     4.000     1.000     2.000     3.000     50.00%
   execve                 1      0     0.000     0.000     0.000     0.000      0.00%
 :8 (8), 3 events, 37.5%
   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   futex_waitv            1      0     0.001     0.001     0.001     0.001      0.00%
   syscall_9999           1      0     0.001     0.001     0.001     0.001      0.00%
