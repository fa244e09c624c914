# Goldmont, also in servers (5f): an interrupt at an indirect branch has the next address.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	rax
next:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @next; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 6/0x5c
  hw int                             1000 =>             1003
  tr end  async                      1003 =>                0
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 6/0x5f
  hw int                             1000 =>             1003
  tr end  async                      1003 =>                0
