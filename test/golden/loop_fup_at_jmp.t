# An indirect branch on the way to a FUP does not match, either.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	jmp	rax
	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @end; tip @start; fup @start; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
  tr strt                               0 =>             1004
  hw int                             1004 =>             1000
  tr end  async                      1000 =>                0
