# After its last result nothing is executed yet: what follows may be interrupted anywhere.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	jmp	b
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt T; fup @a; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1002
  tr end  async                      1002 =>                0
