# A return leaves it, with a target and without one.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
a:	nop
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tip.pgd 0x5000; tip.pge @start; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1006
  tr end  return                     1006 =>             5000
  tr strt                               0 =>             1000
  call                               1000 =>             1006
  tr end  return                     1006 =>                0
