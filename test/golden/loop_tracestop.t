# TraceStop after the TIP.PGD: tracing stays off, transactions are over.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	rax
a:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip.pgd 0x5000; tracestop; psb; psbend; mode.exec 64; tip.pge @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end                             1000 =>             5000
  tr strt                               0 =>             1002
  tr end  async                      1003 =>                0
