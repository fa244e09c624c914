# IPBytes 1 replaces 16 bits of the last IP, a FUP's or a TIP's.
# needs: CMD_SCRIPT
--- asm 0x12345000
start:	jne	a
a:	jne	b
b:	nop
c:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt NN; tip/16 @b; fup/16 @c; tip/16 @end; fup/16 @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                            12345005 =>         12345004
  hw int                         12345005 =>         12345007
  tr end  async                  12345007 =>                0
