# Its address is not where the walk gets to: a gap.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	jne	b
b:	nop
c:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; psb; mode.exec 64; fup @b; psbend; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 6: Trace doesn't match instruction
  jmp                                1005 =>             1007
  tr end  async                      1007 =>                0
