# pt stat report: rows of threads and of CPUs, counts with and without scaling, units.
# needs: STAT_FILE CMD_STAT
--- data threads
event 1 2 identifier name=faults
# how: rows of threads, no intervals, do not scale
tool 75 3 0 5 1 0 2 0
tool 73 2 7 0x656e6f 0 8 0x6f7774 0
tool 74 0xffff00010000
# identifier, CPU and thread, value, time enabled and running
tool 76 100 0xffffffff:0 5 100 100
tool 76 100 0xffffffff:1 7 100 50
tool 77 1 1000000000
--- data cpus
event 4 1 identifier name=bytes
event 1 2 identifier name=faults
tool 75 3 0 0 1 0 2 1
tool 73 1 0xffffffffffffffff 0 0
# CPUs 0 and 2, as a mask of 64 bits
tool 74 0x0000000800010001 0x50000 0
# the unit, and the scale (0.5) of the first event
tool 78 0 100 "MiB"
tool 78 1 100 0x3fe0000000000000
tool 78 2 100 "bytes"
tool 76 100 0:0 5 100 100
tool 76 100 2:0 9 100 100
tool 76 101 0:0 7 100 50
tool 76 101 2:0 1 100 100
tool 77 1 2000000000
--- pt stat report -i threads 2>&1 | grep .
 Performance counter stats for '':
             two-8                         7      faults                                                               (50.00%)
             one-7                         5      faults                                                             
       1.000000000 seconds time elapsed
--- pt stat report -x, -i cpus 2>&1
CPU0,2.50,MiB,bytes,100,100.00,,
CPU2,4.50,MiB,bytes,100,100.00,,
CPU0,14,,faults,50,50.00,,
CPU2,1,,faults,100,100.00,,
--- pt stat report -i cpus --per-socket -x, 2>&1
S0,2,7.00,MiB,bytes,200,100.00,,
S0,2,15,,faults,150,75.00,,
--- pt stat report -A -x, -i cpus 2>&1
CPU0,2.50,MiB,bytes,100,100.00,,
CPU2,4.50,MiB,bytes,100,100.00,,
CPU0,14,,faults,50,50.00,,
CPU2,1,,faults,100,100.00,,
--- data missing
event 0 0 identifier name=cycles
event 1 2 identifier name=faults
tool 75 3 0 1 1 0 2 1
# the list 3, 1, 3, and one that is no CPU: they are sorted
tool 74 0x0001000300040000 0xffff0003
tool 76 101 3:0 5 100 100
tool 76 101 1:0 9 100 100
tool 76 101 2:0 9 100 100
tool 77 1 2000000000
--- pt stat report -i missing -A -x, 2>&1
CPU1,<not supported>,,cycles,0,100.00,,
CPU3,<not supported>,,cycles,0,100.00,,
CPU1,9,,faults,100,100.00,,
CPU3,5,,faults,100,100.00,,
