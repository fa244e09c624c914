# A page fault where only user space is traced: the faulting instruction runs again.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
sys:	syscall
back:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @start; tip.pgd; mode.exec 64; tip.pge @start; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1000 =>                0
  tr strt                               0 =>             1000
  tr end  syscall                    1001 =>                0
