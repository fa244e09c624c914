# Results of branches and of returns in one TNT, and a TIP that comes late.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	je	a
	hlt
a:	call	rax
back:	jne	end
	nop
end:	hlt
f:	je	g
g:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TNTT; tip @f; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1003
  call                               1003 =>             1009
  return                             100b =>             1005
  jcc                                1005 =>             1008
  tr end  async                      1008 =>                0
