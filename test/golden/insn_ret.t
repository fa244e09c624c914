# A return that is not compressed takes a TIP, with a count of bytes or without.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	ret
a:	ret	8
b:	repz ret
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @a; tip @b; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  return                             1000 =>             1001
  return                             1001 =>             1004
  return                             1004 =>             1006
  tr end  async                      1006 =>                0
