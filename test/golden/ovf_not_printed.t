# --itrace=e-o leaves its line out, and not what is after it.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; ovf; fup @b; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be-o -F ip,addr,flags
  tr strt                               0 =>             1002
  tr end  async                      1003 =>                0
