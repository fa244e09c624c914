# Results belong to branches in front of it.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	jne	b
b:	nop
c:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TN; psb; mode.exec 64; fup @b; psbend; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1002
  jmp                                1005 =>             1007
  tr end  async                      1007 =>                0
