# MODE.Exec takes effect at the next TIP, not before: 40 is an instruction in 32-bit code, and a
# prefix in 64-bit code.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
	jmp	rax
--- asm 0x2000 code32
a:	.byte	0x40
b:	.byte	0xeb, 0x01
	.byte	0x90
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; mode.exec 32; tip @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1001 =>             2000
  jmp                                2001 =>             2004
  tr end  async                      2004 =>                0
