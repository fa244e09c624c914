# A recording without branches (branch=0): packets that name an instruction are all there is, and no
# code is needed.
# needs: CMD_SCRIPT PERF_DATA
--- trace
psb; tsc 1000; mode.exec 64; fup 0x401000; psbend; ptw 5 ip; fup 0x401007; exstop; mode.exec 64; ptw 6 ip; fup 0x402000; ptw 7
--- data
event 8 0x1411 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
--- perf script -i {data} --itrace=wpbe -F ip,event,synth 2> err | grep -v cbr
                 psb:  psb offs: 0                                 401000
             ptwrite:  IP: 1 payload: 0x5                          401007
              exstop:  IP: 0                                       401007
             ptwrite:  IP: 1 payload: 0x6                          402000
             ptwrite:  IP: 0 payload: 0x7                          402000
