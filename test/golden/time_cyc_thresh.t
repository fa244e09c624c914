# With cyc_thresh, cycles are exact only at a packet that comes right after a CYC.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
a:	jne a
b:	hlt
--- trace
psb; tsc 1000; tma 0 0; cbr 24; mode.exec 64; fup @a; psbend; cyc 40; tnt T; tnt T; cyc 50; mtc 1; tnt T; cyc 60; tnt T
--- data
event 8 0x1ae603 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
--- perf script -i {data} --symfs . --itrace=b --ns -F time,ip,addr,ipc 2> err
    0.000001040:            401000 =>           401000 	 IPC: 0.02 (1/40) 
    0.000001040:            401000 =>           401000
    0.000181224:            401000 =>           401000
    0.000181284:            401000 =>           401000 	 IPC: 0.02 (3/110) 
