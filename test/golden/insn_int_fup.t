# INT n, INT3 and INT1 that are told as events: a FUP at the instruction, and a TIP.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	int	0x80
b:	int3
c:	int1
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tip @b; fup @b; tip @c; fup @c; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             1003
  hw int                             1003 =>             1004
  hw int                             1004 =>             1005
  tr end  async                      1005 =>                0
