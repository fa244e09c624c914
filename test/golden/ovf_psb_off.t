# The same with a PSB+ that says that tracing is off.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; ovf; psb; psbend; mode.exec 64; tip.pge @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
  tr strt                               0 =>             1001
  tr end  async                      1003 =>                0
