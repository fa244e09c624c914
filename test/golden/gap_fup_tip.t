# The trace goes on at a FUP: its TIP may come after packets of time, the mode and CR3.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tip 0x7000; fup @b; mtc 1; pip 0x5000; mode.exec 64; cyc 3; cbr 9; tip @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             7000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x7000 code 5: Failed to get instruction
  tr strt                               0 =>             1002
  hw int                             1002 =>             1001
  tr end  async                      1003 =>                0
