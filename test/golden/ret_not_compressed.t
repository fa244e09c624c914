# The same return as a TIP, and one to elsewhere.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	nop
end:	hlt
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tip @back; fup @back; tip @start; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1007
  return                             1007 =>             1005
  hw int                             1005 =>             1000
  call                               1000 =>             1007
  return                             1007 =>             1006
  tr end  async                      1006 =>                0
