# A FUP and a TIP while tracing is off, as in perf: the FUP begins nothing, the TIP is of a branch.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
start:	nop
a:	jmp	rax
b:	nop
c:	jmp rax
end:	hlt
--- trace
psb; tsc 1000; mode.exec 64; fup @start; psbend; tip.pgd; fup @b; tip @start; tip.pge @b; tip @end; fup @end; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
--- perf script -i {data} --symfs . --itrace=be -F ip,addr,flags 2> err
  tr end                           401001 =>                0
  jmp                              401004 =>           401000
  tr strt                               0 =>           401003
  jmp                              401004 =>           401006
  tr end  async                    401006 =>                0
