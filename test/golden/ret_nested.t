# Calls in calls, each returned from in its turn; a return that is a TIP takes its call along.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	nop
end:	hlt
f:	call	g
fb:	ret
g:	call	h
gb:	ret
h:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tip @gb; tnt TT; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1007
  call                               1007 =>             100d
  call                               100d =>             1013
  return                             1013 =>             1012
  return                             1012 =>             100c
  return                             100c =>             1005
  tr end  async                      1006 =>                0
