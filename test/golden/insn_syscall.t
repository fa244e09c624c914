# SYSCALL and SYSENTER, SYSRET and SYSEXIT take a TIP.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	syscall
a:	sysenter
b:	sysretq
c:	.byte	0x0f, 0x35
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @a; tip @b; tip @c; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  syscall                            1000 =>             1002
  syscall                            1002 =>             1004
  sysret                             1004 =>             1007
  sysret                             1007 =>             1009
  tr end  async                      1009 =>                0
