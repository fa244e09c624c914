# A TIP.PGD with an address is that of the branch which leaves.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	rax
a:	call	rax
b:	ret
c:	syscall
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip.pgd 0x5000; tip.pge @a; tip.pgd 0x5000; tip.pge @b; tip.pgd 0x5000; tip.pge @c; tip.pgd 0x5000; tip.pge @end
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end                             1000 =>             5000
  tr strt                               0 =>             1002
  tr end  call                       1002 =>             5000
  tr strt                               0 =>             1004
  tr end  return                     1004 =>             5000
  tr strt                               0 =>             1005
  tr end  syscall                    1005 =>             5000
  tr strt                               0 =>             1007
