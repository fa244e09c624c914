# A return that the trace compresses to one taken bit.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	jmp	end
f:	ret
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt T; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1007
  return                             1007 =>             1005
  jmp                                1005 =>             1008
  tr end  async                      1008 =>                0
