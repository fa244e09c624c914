# What is no instruction is a gap: as if its bytes were not there.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
bad:	.byte	0x06
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 5: Failed to get instruction
  tr strt                               0 =>             1002
  tr end  async                      1002 =>                0
