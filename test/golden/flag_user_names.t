# The words for flags, one of each kind of branch.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	rax
c:	ret
r:	jne	j
j:	jmp	rax
i:	int	0x80
t:	iretq
s:	syscall
u:	sysretq
v:	vmlaunch
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @c; tip @r; tnt T; tip @i; tip @t; tip @s; tip @u; tip @v; tip @end; fup @end; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1002
  return                             1002 =>             1003
  jcc                                1003 =>             1005
  jmp                                1005 =>             1007
  int                                1007 =>             1009
  iret                               1009 =>             100b
  syscall                            100b =>             100d
  sysret                             100d =>             1010
  vmentry                            1010 =>             1013
  hw int                             1013 =>             1013
  tr end  async                      1013 =>                0
