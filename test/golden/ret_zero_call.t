# A call of what follows it is not returned from; an indirect one is.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	nop
end:	hlt
f:	call	g
g:	call	rax
h:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tip @h; tnt T; tnt T; fup @back; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1007
  call                               1007 =>             100c
  call                               100c =>             100e
  return                             100e =>             100e
  return                             100e =>             1005
  tr end  async                      1005 =>                0
