# A jump to itself without a packet that ends it is a loop that never ends.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	jmp	a
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1001 =>             1001
  jmp                                1001 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 10: Never-ending loop (refer perf config intel-pt.max-loops)
  tr strt                               0 =>             1003
  tr end  async                      1003 =>                0
