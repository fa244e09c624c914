# What was executed up to its address is printed before it.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	a
	hlt
a:	nop
p:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; psb; mode.exec 64; fup @p; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1000 =>             1003
  tr end  async                      1005 =>                0
