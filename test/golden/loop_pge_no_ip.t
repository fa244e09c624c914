# A TIP.PGE without an address begins nothing.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
end:	hlt
--- trace
psb; psbend; mode.exec 64; tip.pge; tip.pge @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr strt                               0 =>             1001
  tr end  async                      1002 =>                0
