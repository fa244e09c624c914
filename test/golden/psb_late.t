# The first PSB is in both of two pieces that pt searches, of 64 KiB each.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
pad 65528; psb; mode.exec 64; fup @start; psbend; fup @a; tip @b; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             1002
  tr end  async                      1003 =>                0
