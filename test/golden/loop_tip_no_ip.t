# A TIP without an address: the branch leads nowhere that is traced, and the next address tells
# where it goes on.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	rax
a:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip; tip @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1000 =>                0
  tr strt                               0 =>             1002
  tr end  async                      1003 =>                0
