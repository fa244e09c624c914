# A PSB+ without a FUP: tracing is off.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; psbend; mode.exec 64; tip.pge @start; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr strt                               0 =>             1000
  tr end  async                      1003 =>                0
