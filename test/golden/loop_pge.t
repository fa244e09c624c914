# A TIP.PGE begins: at the first PSB, after a TIP.PGD, and while tracing is on.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
end:	hlt
--- trace
psb; psbend; mode.exec 64; tip.pge @start; fup @a; tip.pgd; tip.pge @a; tip.pge @start; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr strt                               0 =>             1000
  tr end  async                      1001 =>                0
  tr strt                               0 =>             1001
  tr strt                               0 =>             1000
  tr end  async                      1002 =>                0
