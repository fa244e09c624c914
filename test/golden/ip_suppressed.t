# IPBytes 0 leaves it as it is.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tip.pgd; tip.pge/16 @b; fup/16 @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1001 =>                0
  tr strt                               0 =>             1002
  tr end  async                      1003 =>                0
