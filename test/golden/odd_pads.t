# PADs, any number of them, anywhere.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
pad 3; psb; pad; mode.exec 64; pad 9; fup @start; pad; psbend; pad 17; fup @a; pad 8; tip @b; pad; fup @end; pad 7; tip.pgd; pad 100
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             1002
  tr end  async                      1003 =>                0
