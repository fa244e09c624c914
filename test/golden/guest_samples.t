# Samples that the host recorded while a guest ran. A guest that is not shown counts in the whole,
# and the first instructions of a guest's kernel may have low addresses.
# needs: CMD_REPORT REPORT_MORE PERF_DATA GUESTS LIBELF
--- data
event 1 0 identifier,ip,tid,time,period
at 7 7 0 0
comm qemu
mmap 0x401000 0x1000 0x1000 /code
tool 9 misc=2 100 0x401010 7:7 1000 2
tool 9 misc=4 100 0x1006 7:7 1001 1
tool 9 misc=5 100 0x1008 7:7 1002 1
--- perf report -i {data} --stdio --no-children -s sym 2> err | grep '^# Event\|^ .*%'
# Event count (approx.): 4
    50.00%  [.] 0x0000000000001010
--- pt report -i {data} --guest --host --no-children -s sym 2> err | grep '^# Event\|^ .*%'
# Event count (approx.): 4
    50.00%  [.] 0x0000000000001010
    25.00%  [g] 0x0000000000001006
    25.00%  [u] 0x0000000000001008
--- pt report -i {data} --guest --no-children -s sym 2> err | grep '^# Event\|^ .*%'
# Event count (approx.): 4
    25.00%  [g] 0x0000000000001006
    25.00%  [u] 0x0000000000001008
