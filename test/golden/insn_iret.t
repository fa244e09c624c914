# IRET takes a TIP.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	iretq
a:	iretd
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @a; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  iret                               1000 =>             1002
  iret                               1002 =>             1003
  tr end  async                      1003 =>                0
