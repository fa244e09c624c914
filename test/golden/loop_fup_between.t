# Between such a FUP and its TIP may be what tells the time, CR3, the VMCS and the mode.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; pip 0x5000; vmcs 0x1000; mode.exec 64; mtc 1; cyc 2; cbr 3; mnt 4; pad 3; tip @start; fup @a; cyc 3; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             1000
  tr end  async                      1001 =>                0

# A TSC is not among that.
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tsc 5; tip @start; fup @a; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
  tr strt                               0 =>             1000
  tr end  async                      1001 =>                0
