# A return to where its call came from is one taken result.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	nop
end:	hlt
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tnt T; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1007
  return                             1007 =>             1005
  tr end  async                      1006 =>                0
