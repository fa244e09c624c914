# A recording without TNTs (notnt) is decoded as with q, whatever the letters are.
# needs: CMD_SCRIPT PERF_DATA
--- trace
psb; tsc 1000; mode.exec 64; fup 0x401000; psbend; tip 0x401010; fup 0x401012; tip 0x402000; fup 0x402001; tip.pgd
--- data
event 8 0x80000000002401 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
--- perf script -i {data} --itrace=ibe -F ip,addr 2> err
               0           401000
               0           401010
          402000           401012
           401012 =>           402000
               0           402000
               0           402001
           402001 =>                0
