# The same PSB+ in a running trace: what it says is not gone to, though up to five packets are
# between its end and the TIP.PGE.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tip.pgd; psb; tsc 1; cbr 9; mode.exec 64; fup @end; psbend; tsc 1; cbr 9; mtc 1; mode.exec 64; tip.pge @b; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 6/0x3d
  tr end  async                      1001 =>                0
  tr strt                               0 =>             1002
  tr end  async                      1003 =>                0

# No instruction is executed on the way.
--- pt script -i {trace} {map} --itrace=i1ie -F ip --cpu-model 6/0x3d
             1000
             1002
