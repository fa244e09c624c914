# Two interrupts, the second before any instruction of the first one's handler.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tip @b; fup @b; tip @start; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             1002
  hw int                             1002 =>             1000
  tr end  async                      1003 =>                0
