# pt report: memory that belongs to no file has the name of its process, as in perf.
# needs: CMD_REPORT CMD_SCRIPT PERF_DATA LIBELF
--- data
event 1 0 identifier,ip,tid,time,period
at 7 7 0 0
comm prog
record 10 misc=2 7:7 0x401000 0x1000 0 0 0 0 5:2 "//anon"
tool 9 misc=2 100 0x401010 7:7 1000 1
tool 9 misc=2 100 0x401020 7:7 1001 1
--- perf report -i {data} --stdio --no-children -s dso,sym 2> err | grep '^ .*%'
    50.00%  [JIT] tid 7       [.] 0x0000000000401010
    50.00%  [JIT] tid 7       [.] 0x0000000000401020
--- perf report -i {data} --stdio --no-children -s sym --dsos '[JIT] tid 7' 2> err | grep '^ .*%'
    50.00%  [.] 0x0000000000401010
    50.00%  [.] 0x0000000000401020
--- perf script -i {data} -F ip,dso 2> err
           401010 (/tmp/perf-7.map)
           401020 (/tmp/perf-7.map)
