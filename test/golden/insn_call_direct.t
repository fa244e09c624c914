# A direct call takes nothing.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
	hlt
f:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1006
  tr end  async                      1007 =>                0
