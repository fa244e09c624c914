# A MODE.Exec and a CFE with an address share a FUP: an IRET that changes the interrupt flag.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
start:	nop
a:	iretq
b:	nop
end:	hlt
--- trace
psb; tsc 1000; mode.exec 64; fup @start; psbend; mode.exec 64 if; cfe 2 0 ip; fup @a; tip @b; fup @end; tip.pgd
--- data
event 8 0x80002401 ip,tid,time,cpu,identifier
info event_trace=1
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
--- perf script -i {data} --symfs . --itrace=Ibe -F event,ip,addr,flags,synth 2> err
                 evt:   D                      cfe: IRET IP: 1 vector: 0                       0           401001
               iflag:   iret             (Dt)  IFLAG: 0->1 via branch                     401003           401001
         branches:HG:   iret             (Dt)            401001 =>           401003
         branches:HG:   tr end  async                    401004 =>                0
