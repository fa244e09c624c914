# A TIP where a conditional branch comes first does not match. The trace goes on where the TIP
# leads.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	jne	end
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
  tr strt                               0 =>             1003
  tr end  async                      1003 =>                0
