# A system call where only user space is traced.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
sys:	syscall
back:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip.pgd; tip.pge @back; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  syscall                    1001 =>                0
  tr strt                               0 =>             1003
  tr end  async                      1004 =>                0
