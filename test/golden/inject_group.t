# A sample of a group with :S has the counts of all members: pt prints a sample of each, and inject
# copies the record once.
# needs: CMD_INJECT CMD_SCRIPT CMD_DUMP PERF_DATA
--- data
event 1 0 identifier,ip,tid,time,cpu,read read=12 name=cpu-clock
event 1 2 identifier,ip,tid,time,cpu,read read=12 name=page-faults
at 7 7 0 0
comm prog
tool 9 misc=2 100 0x401000 7:7 1000 0 2 500 100 3 101
tool 9 misc=2 100 0x401004 7:7 2000 0 2 900 100 3 101
--- perf script -i {data} -F event,period,ip
       500   cpu-clock:            401000
         3 page-faults:            401000
       400   cpu-clock:            401004
--- pt inject -i {data} -o out; "$PT" script -i out -F event,period,ip; "$PT" -D -i out | grep -c ': PERF_RECORD_SAMPLE'
       500   cpu-clock:            401000
         3 page-faults:            401000
       400   cpu-clock:            401004
2
