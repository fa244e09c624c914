# A hardware interrupt, with CR3, and its IRET.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	jmp	start
h:	nop
i:	iretq
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; pip 0x1000; mode.exec 64; tip @h; pip 0x2000; tip @a; fup @start; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             1003
  iret                               1004 =>             1001
  jmp                                1001 =>             1000
  tr end  async                      1000 =>                0
