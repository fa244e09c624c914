# Two TIPs that come after results of branches between them, in order.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	je	a
a:	jmp	rax
b:	je	c
c:	jmp	rax
d:	je	end
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TTT; tip @b; tip @d; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1002
  jmp                                1002 =>             1004
  jcc                                1004 =>             1006
  jmp                                1006 =>             1008
  jcc                                1008 =>             100a
  tr end  async                      100a =>                0
