# The same where tracing ends.
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
psb; mode.exec 64; fup @start; psbend; tip.pgd 0x9000; tip.pge @c; tip.pgd 0x9000; tip.pge @r; tip.pgd @j; tip.pge @j; tip.pgd 0x9000; tip.pge @i; tip.pgd 0x9000; tip.pge @t; tip.pgd 0x9000; tip.pge @s; tip.pgd 0x9000; tip.pge @u; tip.pgd 0x9000; tip.pge @v; tip.pgd 0x9000
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  call                       1000 =>             9000
  tr strt                               0 =>             1002
  tr end  return                     1002 =>             9000
  tr strt                               0 =>             1003
  tr end  jcc                        1003 =>             1005
  tr strt                               0 =>             1005
  tr end                             1005 =>             9000
  tr strt                               0 =>             1007
  tr end  int                        1007 =>             9000
  tr strt                               0 =>             1009
  tr end  iret                       1009 =>             9000
  tr strt                               0 =>             100b
  tr end  syscall                    100b =>             9000
  tr strt                               0 =>             100d
  tr end  sysret                     100d =>             9000
  tr strt                               0 =>             1010
  tr end  vmentry                    1010 =>             9000
