# BDM70: a PSB+ in front of a TIP.PGE says that tracing is on though it is off.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; tsc 1; cbr 9; mode.exec 64; fup @a; psbend; tsc 1; cbr 9; mode.exec 64; tip.pge @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 6/0x3d
  tr strt                               0 =>             1001
  tr end  async                      1003 =>                0
