# INT and INT3 that are taken as far branches: a TIP alone.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	int3
a:	int	0x80
b:	int1
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @a; tip @b; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  int                                1000 =>             1001
  int                                1001 =>             1003
  int                                1003 =>             1004
  tr end  async                      1004 =>                0
