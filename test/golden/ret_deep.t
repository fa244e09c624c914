# The processor keeps 64 calls: of 65 the innermost 64 return as results, the first one by a TIP.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	hlt
f:	jne	r
	call	f
r:	ret
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend
tnt NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN; tnt NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN; tnt T
tnt TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT; tnt TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT; tip @back; fup @back; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags | uniq -c
      1   call                               1000 =>             1006
     64   call                               1008 =>             1006
      1   jcc                                1006 =>             100d
     64   return                             100d =>             100d
      1   return                             100d =>             1005
      1   tr end  async                      1005 =>                0
--- trace
psb; mode.exec 64; fup @start; psbend
tnt NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN; tnt NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN; tnt T
tnt TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT; tnt TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT; fup @back; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags | uniq -c
      1   call                               1000 =>             1006
     64   call                               1008 =>             1006
      1   jcc                                1006 =>             100d
     64   return                             100d =>             100d
      1   return                             100d =>             1005
      1   tr end  async                      1005 =>                0
