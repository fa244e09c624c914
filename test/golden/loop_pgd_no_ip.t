# A TIP.PGD without one is that of the next branch whose target the trace has to tell.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	a
a:	call	rax
b:	nop
	syscall
c:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip.pgd; tip.pge @b; tip.pgd; tip.pge @c; fup @c; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1000 =>             1002
  tr end  call                       1002 =>                0
  tr strt                               0 =>             1004
  tr end  syscall                    1005 =>                0
  tr strt                               0 =>             1007
  tr end  async                      1007 =>                0
