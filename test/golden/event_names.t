# The words for all types of CFE and EVD.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
start:	nop
end:	hlt
--- trace
psb; tsc 1000; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
cfe 0 0; cfe 1 14; cfe 2 0; cfe 3 0; cfe 4 0; cfe 5 7; cfe 6 0; cfe 7 0; evd 1 5; evd 2 6; cfe 8 0; cfe 9 32; cfe 10 0; cfe 11 0
cfe 12 5; cfe 13 0; cfe 14 3; cfe 15 0; cfe 16 0; evd 0 0xdead; evd 3 1; cfe 31 255
--- data
event 8 0x80002401 ip,tid,time,cpu,identifier
info event_trace=1
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
--- perf script -i {data} --symfs . --itrace=I -F synth 2> err
 cfe: 0 IP: 0 vector: 0           
 cfe: INTR IP: 0 vector: 14       
 cfe: IRET IP: 0 vector: 0        
 cfe: SMI IP: 0 vector: 0         
 cfe: RSM IP: 0 vector: 0         
 cfe: SIPI IP: 0 vector: 7        
 cfe: INIT IP: 0 vector: 0        
 cfe: VMENTRY IP: 0 vector: 0     
 cfe: VMEXIT IP: 0 vector: 0 VMXQ: 0x5 VMXR: 0x6
 cfe: VMEXIT_INTR IP: 0 vector: 32
 cfe: SHUTDOWN IP: 0 vector: 0    
 cfe: 11 IP: 0 vector: 0          
 cfe: 12 IP: 0 vector: 5          
 cfe: 13 IP: 0 vector: 0          
 cfe: 14 IP: 0 vector: 3          
 cfe: 15 IP: 0 vector: 0          
 cfe: 16 IP: 0 vector: 0          
 cfe: 31 IP: 0 vector: 255 PFA: 0xdead EVD_3: 0x1
