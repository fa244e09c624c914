# An interrupt with event trace: EVD, CFE, FUP, MODE.Exec with the flag, TIP; and its IRET.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
h:	nop
i:	iretq
--- trace
psb; mode.exec 64 if; fup @start; psbend; evd 0 0xdead; cfe 1 14; fup @a; mode.exec 64; tip @h; cfe 2 0 ip; fup @i; mode.exec 64 if; tip @a; fup @a; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --event-trace
  hw int            (t)              1001 =>             1002
  iret             (Dt)              1003 =>             1001
  tr end  async                      1001 =>                0
