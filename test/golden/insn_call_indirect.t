# An indirect call takes a TIP, and is returned from.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	rax
back:	call	qword ptr [rax + 8]
end:	hlt
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tip @f; tnt T; tip @f; tnt T; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1006
  return                             1006 =>             1002
  call                               1002 =>             1006
  return                             1006 =>             1005
  tr end  async                      1005 =>                0
