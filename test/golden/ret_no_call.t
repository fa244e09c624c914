# A compressed return without a call does not match.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
f:	ret
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt T; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
  tr strt                               0 =>             1002
  tr end  async                      1002 =>                0
