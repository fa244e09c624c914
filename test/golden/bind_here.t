# A FUP at the instruction that comes next: nothing is executed before it.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @start; tip @a; fup @a; tip @a; fup @a; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1000 =>             1001
  hw int                             1001 =>             1001
  tr end  async                      1001 =>                0
