# An SMI that is not traced: FUP and TIP.PGD; RSM begins again.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tip.pgd; mode.exec 64; tip.pge @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1001 =>                0
  tr strt                               0 =>             1001
  tr end  async                      1003 =>                0
