# JMPABS (APX) has its target in the code, but takes a TIP.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	.byte	0xd5, 0x00, 0xa1
	.quad	0x1020
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @b; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1000 =>             100b
  tr end  async                      100c =>                0
