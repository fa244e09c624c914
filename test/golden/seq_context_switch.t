# A switch of CR3 between two programs that both are traced: MOV to CR3, and a PIP.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
m:	mov	cr3, rax
	nop
j:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; pip 0x7000; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1005 =>             1007
  tr end  async                      1007 =>                0
